/** Price match requests, which shoppers file and staff decide once; the difference is refunded. */
import { paths } from '#content/paths.ts'
import {
  approveCase,
  contactValues,
  exportCases,
  findCaseFile,
  refundText,
  refuseCase,
  retryCaseRefund,
  rowsWithValue,
  statusOf,
  type ApproveRefusal,
  type CaseStatus,
} from '#domain/aftercare/cases/cases.server.ts'
import type { CaseState } from '#domain/aftercare/cases/cases.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { readOrder, selectPaidLines } from '#domain/ordering/orders/orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { guaranteeCases } from './guarantee-cases.server.ts'
import { differenceOf, guaranteeNumber, paidForTires } from './price-guarantee.ts'
import {
  hasApproved,
  selectByState,
  selectOpenRequests,
  selectRequest,
  type GuaranteeRequest,
} from './price-guarantee.sql.server.ts'

export { fileGuaranteeRequest } from './file-request.server.ts'
export { guaranteeForm } from './guarantee-form.ts'

type Deps = { db: Database; clock: Clock }

/** A request as staff see it, with its amount and, once approved, its money status. */
export type GuaranteeCase = GuaranteeRequest &
  CaseStatus & {
    /** The difference for all its tires with the tax on it, in cents; staff may decide otherwise. */
    suggestedCents: number
  }

/** Lists open requests, longest waiting first. */
export async function listOpenGuarantees({ db }: Pick<Deps, 'db'>, limit = 100): Promise<GuaranteeCase[]> {
  const requests = await selectOpenRequests(db, limit)
  return Promise.all(requests.map((request) => caseOf(db, request)))
}

const guaranteesPerPage = 50

/** Lists a page of requests by state, newest first; `next` is the cursor of the following page. */
export async function listGuarantees(
  { db }: Pick<Deps, 'db'>,
  { state, before }: { state: CaseState; before: number | null },
): Promise<{ requests: GuaranteeCase[]; next: number | null }> {
  const found = await selectByState(db, { state, before, count: guaranteesPerPage + 1 })
  const listed = found.slice(0, guaranteesPerPage)
  return {
    requests: await Promise.all(listed.map((request) => caseOf(db, request))),
    next: found.length > listed.length ? (listed.at(-1)?.id ?? null) : null,
  }
}

export async function findGuarantee({ db }: Pick<Deps, 'db'>, id: number): Promise<GuaranteeCase | undefined> {
  const request = await selectRequest(db, id)
  return request && caseOf(db, request)
}

/** Returns a request's uploaded file. Only for staff. */
export const findGuaranteeFile = ({ db }: Pick<Deps, 'db'>, id: number) => findCaseFile(db, guaranteeCases, id)

/** Exports a verified email's requests. */
export const exportGuaranteeRequests = (db: Database, email: string | null) =>
  exportCases(db, guaranteeCases.table, email)

async function caseOf(db: Database, request: GuaranteeRequest): Promise<GuaranteeCase> {
  const lines = request.orderId === null ? [] : await selectPaidLines(db, request.orderId)
  return {
    ...request,
    ...(await statusOf(db, guaranteeCases, request)),
    suggestedCents: differenceOf(request, lines),
  }
}

/** Why a difference can't be given back. */
type DifferenceRefusal =
  | Refused<'order-over'>
  | Refused<'approved-before'>
  | Refused<'more-than-paid', { mostCents: number }>
  | Refused<'not-released'>

/**
 * Approves a request as `approveCase` does. Limited to the amount paid for those tires, and to one request per tire in
 * an order. For a match before purchase, the shopper is notified that we'll match the price.
 */
export async function approveGuarantee(
  deps: Deps,
  { id, differenceCents, by }: { id: number; differenceCents: number; by: Actor },
): Promise<Outcome<{ state: 'approved' | 'requested' }, ApproveRefusal | DifferenceRefusal>> {
  if (!Number.isSafeInteger(differenceCents) || differenceCents <= 0)
    throw new RangeError(`A difference is a whole number of cents, not ${differenceCents}`)
  return approveCase(deps, guaranteeCases, { id, cents: differenceCents, by }, async (tx, request) => {
    const { orderId } = request
    return orderId === null
      ? checkPromise(request, differenceCents)
      : checkDifference(tx, { ...request, orderId }, differenceCents)
  })
}

/** Before purchase there is no payment to compare with, so the promised difference must be below our own price. */
function checkPromise(
  { ourEachCents, quantity }: GuaranteeRequest,
  differenceCents: number,
): Outcome<void, DifferenceRefusal> {
  const mostCents = ourEachCents * quantity
  return differenceCents > mostCents ? refused('more-than-paid', { mostCents }) : ok(undefined)
}

/** Checks a difference against the locked order. */
async function checkDifference(
  tx: Tx,
  { orderId, itemId }: GuaranteeRequest & { orderId: number },
  differenceCents: number,
): Promise<Outcome<void, DifferenceRefusal>> {
  const order = await readOrder(tx, orderId)
  if (!order || order.state === 'canceled' || order.state === 'returned') return refused('order-over')
  // Canceling reverses the original sale.
  if (order.invoice && order.releasedAt === null) return refused('not-released')
  if (await hasApproved(tx, { orderId, itemId })) return refused('approved-before')
  const mostCents = paidForTires(await selectPaidLines(tx, orderId), itemId)
  return differenceCents > mostCents ? refused('more-than-paid', { mostCents }) : ok(undefined)
}

/** Refuses a request as `refuseCase` does. */
export const refuseGuarantee = (deps: Deps, refusal: { id: number; reason: string; by: Actor }) =>
  refuseCase(deps, guaranteeCases, refusal)

/** Retries a request's refund as `retryCaseRefund` does. */
export const retryGuaranteeRefund = (deps: Deps, retried: { id: number; by: Actor }) =>
  retryCaseRefund(deps, guaranteeCases, retried)

/**
 * Returns the values of the mails about a request, read at the time of sending. Those to the
 * sender repeat no submitted text, because senders can be impersonated.
 */
export async function guaranteeMessageValues(
  { db, config }: Pick<Deps, 'db'> & { config: Pick<Config, 'store' | 'web'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const request = await findGuarantee({ db }, Number(id))
  if (!request) throw new Error(`Request ${id} of a promised mail is not there.`)
  return {
    requestNumber: guaranteeNumber(request.id),
    tires: `${request.quantity} × ${request.tire}`,
    difference: formatCents(request.differenceCents ?? request.suggestedCents),
    how: await wayBack(db, request),
    reason: request.refusal ?? '',
    rows: rowsOf(request),
    ...contactValues(config),
    guaranteeUrl: `${config.web.origin}${paths.priceGuarantee()}#ask`,
  }
}

/** How the difference of an approved request reaches its shopper. */
async function wayBack(db: Database, { orderId, refund, differenceCents }: GuaranteeCase): Promise<string> {
  return orderId === null
    ? 'Place your order, then submit its number on the same page. We’ll refund the difference to your payment method.'
    : refundText(db, { orderId, refund, cents: differenceCents ?? 0 })
}

function rowsOf(request: GuaranteeCase): { left: string; right: string }[] {
  return rowsWithValue([
    ['Order', request.orderId === null ? 'before buying' : orderNumber(request.orderId)],
    ['Tires', `${request.quantity} × ${request.tire}`],
    ['Ours', `${formatCents(request.ourEachCents)} each`],
    ['Theirs', `${formatCents(request.theirEachCents)} each${request.includesInstallation ? ', installed' : ''}`],
    ['Comes to', formatCents(request.suggestedCents)],
    ['Store', request.competitor],
    ['Link', request.offerUrl],
    ['Seen on', dateText(request.seenOn)],
    ['ZIP', request.zip],
    ['Email', request.email],
    ['File', request.fileName],
  ])
}
