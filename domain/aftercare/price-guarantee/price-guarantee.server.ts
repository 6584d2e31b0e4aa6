/** Price match requests, which shoppers file and staff decide once; the difference is refunded. */
import type { NamedFile } from '#domain/kernel/files/files.server.ts'
import {
  authorizeConcession,
  declineConcession,
  findConcessionRequest,
  inConcessionTransaction,
  type ConcessionRefusal,
  type ConcessionRequest,
} from '#domain/kernel/concessions/concessions.server.ts'
import { lowerInvoice } from '#domain/payments/invoices/invoices.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { MessageValues } from '#domain/messaging/messages/messages.ts'
import { lockOrder, readOrder, selectPaidLines, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { chargedTo, refundPlanned } from '#domain/payments/charge-words/charge-words.ts'
import {
  findRefund,
  promiseRefund,
  retryRefund,
  type RefundRefusal,
} from '#domain/payments/payments/payments.server.ts'
import { answerWithinText } from '#domain/messaging/support/support.ts'
import { longestRefusal } from '#domain/kernel/staff/staff.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { differenceOf, guaranteeNumber, paidForTires, type GuaranteeState } from './price-guarantee.ts'
import {
  hasApproved,
  lockRequest,
  selectByState,
  selectFile,
  selectOpenRequests,
  selectRequest,
  updateToDecided,
  type GuaranteeRequest,
} from './price-guarantee.sql.server.ts'

export { fileGuaranteeRequest } from './file-request.server.ts'
export { guaranteeForm } from './guarantee-form.ts'
export { exportGuaranteeRequests } from './price-guarantee.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** A request as staff see it, with its amount and, once approved, its money status. */
export type GuaranteeCase = GuaranteeRequest & {
  /** The difference for all its tires with the tax on it, in cents; staff may decide otherwise. */
  suggestedCents: number
  /** The approval that a first person requested; null without one. */
  approvalRequest: ConcessionRequest | null
  /**
   * Null without a promised refund, meaning an open or refused request, a match before purchase, or a reduced invoice.
   */
  refund: { state: 'waits-for-capture' | 'promised' | 'done' | 'refused'; note: string | null } | null
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
  { state, before }: { state: GuaranteeState; before: number | null },
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
export function findGuaranteeFile({ db }: Pick<Deps, 'db'>, id: number): Promise<NamedFile | undefined> {
  return selectFile(db, id)
}

async function caseOf(db: Database, request: GuaranteeRequest): Promise<GuaranteeCase> {
  const lines = request.orderId === null ? [] : await selectPaidLines(db, request.orderId)
  const refund = await findRefund({ db }, refundKey(request.id))
  return {
    ...request,
    suggestedCents: differenceOf(request, lines),
    approvalRequest:
      request.state === 'open'
        ? ((await findConcessionRequest(db, 'price-guarantee', String(request.id))) ?? null)
        : null,
    refund: refund
      ? {
          state: refund.state === 'promised' && !refund.isCaptured ? 'waits-for-capture' : refund.state,
          note: refund.note,
        }
      : null,
  }
}

type Undecided = Refused<'request-not-found'> | Refused<'already-decided', { state: 'approved' | 'refused' }>

/** Why a difference cannot be given back. */
type MoneyRefusal =
  | Refused<'order-over'>
  | Refused<'approved-before'>
  | Refused<'more-than-paid', { mostCents: number }>
  | Refused<'not-released'>
  | Refused<'invoice-settled'>
  | RefundRefusal

/**
 * Approves a request once. A job refunds the difference to the card, after the capture if still pending, or the open
 * invoice is reduced. Limited to the amount paid for those tires, and to one request per tire in an order. For a match
 * before purchase, the shopper is notified that we'll match the price. Emails the shopper. Above the approval threshold
 * it stays open and `requested` until a second person approves it.
 */
export async function approveGuarantee(
  { db, clock }: Deps,
  { id, differenceCents, by }: { id: number; differenceCents: number; by: Actor },
): Promise<
  Outcome<{ state: 'approved' | 'requested' }, Refused<'not-allowed'> | Undecided | MoneyRefusal | ConcessionRefusal>
> {
  if (!Number.isSafeInteger(differenceCents) || differenceCents <= 0)
    throw new RangeError(`A difference is a whole number of cents, not ${differenceCents}`)
  return inConcessionTransaction(db, async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'guarantees.decide', at)
    if (!permitted.ok) return permitted
    const open = await lockOpen(tx, id)
    if (!open.ok) return open
    const request = open.value
    const { orderId } = request
    if (orderId !== null) await lockOrder(tx, orderId)
    const possible =
      orderId === null
        ? checkPromise(request, differenceCents)
        : await checkDifference(tx, { ...request, orderId }, differenceCents)
    if (!possible.ok) return possible
    const decided = await authorizeConcession(tx, {
      kind: 'price-guarantee',
      reference: String(id),
      by,
      amountCents: differenceCents,
      ...(orderId !== null && { orderId }),
      at,
    })
    if (!decided.ok) return decided
    const about = { by, subject: guaranteeNumber(id), after: { differenceCents }, at }
    if (decided.value.state === 'requested') {
      await recordAct(tx, { ...about, act: 'guarantee.requested' })
      return ok({ state: 'requested' })
    }
    const given =
      orderId === null ? ok(undefined) : await giveBack(tx, { ...request, orderId }, { differenceCents, at })
    if (!given.ok) return given
    await updateToDecided(tx, id, { state: 'approved', differenceCents, by: by.name, at })
    await recordAct(tx, { ...about, act: 'guarantee.approved', authorization: decided.value.authorization })
    await queueMessage(tx, {
      kind: 'guarantee-approved',
      key: `guarantee-approved:${id}`,
      to: request.email,
      orderId: request.orderId,
      at,
    })
    return ok({ state: 'approved' })
  })
}

/** Before purchase there is no payment to compare with, so the promised difference must be below our own price. */
function checkPromise(
  { ourEachCents, quantity }: GuaranteeRequest,
  differenceCents: number,
): Outcome<void, MoneyRefusal> {
  const mostCents = ourEachCents * quantity
  return differenceCents > mostCents ? refused('more-than-paid', { mostCents }) : ok(undefined)
}

/** Checks a difference against the locked order. */
async function checkDifference(
  tx: Tx,
  { orderId, itemId }: GuaranteeRequest & { orderId: number },
  differenceCents: number,
): Promise<Outcome<void, MoneyRefusal>> {
  const order = await readOrder(tx, orderId)
  if (!order || order.state === 'canceled' || order.state === 'returned') return refused('order-over')
  if (await hasApproved(tx, { orderId, itemId })) return refused('approved-before')
  const mostCents = paidForTires(await selectPaidLines(tx, orderId), itemId)
  return differenceCents > mostCents ? refused('more-than-paid', { mostCents }) : ok(undefined)
}

/** Gives the difference back in the way the order is paid. */
async function giveBack(
  tx: Tx,
  request: GuaranteeRequest & { orderId: number },
  { differenceCents, at }: { differenceCents: number; at: Temporal.Instant },
): Promise<Outcome<void, MoneyRefusal>> {
  const { orderId } = request
  const order = await readOrder(tx, orderId)
  if (!order) return refused('order-over')
  if (order.invoice) return lowerOpen(tx, order, { cents: differenceCents, at })
  return promiseRefund(tx, { orderId, amountCents: differenceCents, key: refundKey(request.id), at })
}

async function lowerOpen(
  tx: Tx,
  order: OrderView,
  by: { cents: number; at: Temporal.Instant },
): Promise<Outcome<void, Refused<'not-released'> | Refused<'invoice-settled'>>> {
  // Canceling reverses the original sale.
  if (order.releasedAt === null) return refused('not-released')
  return (await lowerInvoice(tx, { orderId: order.id, ...by })) ? ok(undefined) : refused('invoice-settled')
}

/** Refuses a request, once, with a reason that the shopper is mailed. */
export async function refuseGuarantee(
  { db, clock }: Deps,
  { id, reason, by }: { id: number; reason: string; by: Actor },
): Promise<Outcome<void, Refused<'not-allowed'> | Undecided | Refused<'no-reason'>>> {
  const refusal = reason.trim()
  if (refusal.length === 0 || refusal.length > longestRefusal) return refused('no-reason')
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'guarantees.decide', at)
    if (!permitted.ok) return permitted
    const open = await lockOpen(tx, id)
    if (!open.ok) return open
    await updateToDecided(tx, id, { state: 'refused', refusal, by: by.name, at })
    await declineConcession(tx, { kind: 'price-guarantee', reference: String(id), by: by.name, at })
    await recordAct(tx, { by, act: 'guarantee.refused', subject: guaranteeNumber(id), reason: refusal, at })
    await queueMessage(tx, {
      kind: 'guarantee-refused',
      key: `guarantee-refused:${id}`,
      to: open.value.email,
      orderId: open.value.orderId,
      at,
    })
    return ok(undefined)
  })
}

/** Retries a refund after the provider refused it or the job exhausted its retries. */
export async function retryGuaranteeRefund(
  deps: Deps,
  { id, by }: { id: number; by: Actor },
): Promise<
  Outcome<
    void,
    Refused<'not-allowed'> | Refused<'request-not-found'> | Refused<'nothing-to-retry'> | Refused<'more-than-charged'>
  >
> {
  const at = deps.clock.now()
  const permitted = await deps.db.transaction().execute(async (tx) => {
    const outcome = await requirePermission(tx, by, 'guarantees.decide', at)
    if (!outcome.ok) return outcome
    if (!(await lockRequest(tx, id))) return refused('request-not-found')
    await recordAct(tx, { by, act: 'guarantee.retried', subject: guaranteeNumber(id), at })
    return outcome
  })
  return permitted.ok ? retryRefund(deps, refundKey(id)) : permitted
}

async function lockOpen(tx: Tx, id: number): Promise<Outcome<GuaranteeRequest, Undecided>> {
  const request = await lockRequest(tx, id)
  if (!request) return refused('request-not-found')
  return request.state === 'open' ? ok(request) : refused('already-decided', { state: request.state })
}

function refundKey(id: number): string {
  return `guarantee:${id}`
}

/**
 * Returns the values of the mails about a request, read at the time of sending; undefined for another mail. Those to
 * the sender repeat no submitted text, because senders can be impersonated.
 */
export async function guaranteeMessageValues(
  { db, config }: Pick<Deps, 'db'> & { config: Pick<Config, 'store' | 'web'> },
  message: { key: string },
): Promise<MessageValues | undefined> {
  const id = /^guarantee-(?:received|filed|approved|refused):(\d+)$/.exec(message.key)?.[1]
  if (id === undefined) return undefined
  const request = await findGuarantee({ db }, Number(id))
  if (!request) throw new Error(`Request ${id} of a promised mail is not there.`)
  return {
    requestNumber: guaranteeNumber(request.id),
    tires: `${request.quantity} × ${request.tire}`,
    difference: formatCents(request.differenceCents ?? request.suggestedCents),
    how: await wayBack(db, request),
    reason: request.refusal ?? '',
    rows: rowsOf(request),
    answerWithin: answerWithinText,
    supportHours: phoneHoursText(config.store.phoneHours),
    phone: config.store.phone,
    guaranteeUrl: `${config.web.origin}/price-guarantee#ask`,
  }
}

/** How the difference of an approved request reaches its shopper. */
async function wayBack(db: Database, { orderId, refund, differenceCents }: GuaranteeCase): Promise<string> {
  if (orderId === null)
    return 'Place your order, then submit its number on the same page. We’ll refund the difference to your payment method.'
  const order = await readOrder(db, orderId)
  if (order?.invoice) return 'It is taken off your company’s invoice.'
  return refund?.state === 'waits-for-capture'
    ? `We refund ${chargedTo(order?.payment ?? null)} as soon as the order is charged.`
    : refundPlanned(order?.payment ?? null, formatCents(differenceCents ?? 0))
}

function rowsOf(request: GuaranteeCase): { left: string; right: string }[] {
  const rows = [
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
  ] as const
  return rows.flatMap(([left, right]) => (right ? [{ left, right }] : []))
}
