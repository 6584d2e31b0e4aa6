/** Replacement coverage claims, which shoppers file, staff decide once within the plan's table, and we pay. */
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
import { lockOrder, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { chargedTo, refundPlanned } from '#domain/payments/charge-words/charge-words.ts'
import {
  findRefund,
  promiseRefund,
  retryRefund,
  type RefundRefusal,
} from '#domain/payments/payments/payments.server.ts'
import { COVERAGE_NAMES } from '#domain/pricing/pricing/pricing.ts'
import { longestRefusal } from '#domain/kernel/staff/staff.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { answerWithinText } from '#domain/messaging/support/support.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { dateText } from '#platform/day-text.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import { causeLabels, claimKinds, claimNumber, type ClaimState } from './coverage-claims.ts'
import {
  lockClaim,
  selectByState,
  selectClaim,
  selectClaimFile,
  selectOpenClaims,
  updateToDecided,
  type Claim,
} from './coverage-claims.sql.server.ts'

export { claimForm } from './claim-form.ts'
export { exportClaims } from './coverage-claims.sql.server.ts'
export { fileClaim } from './file-claim.server.ts'

type Deps = { db: Database; clock: Clock }

/** A claim as staff see it, with its money status once approved. */
export type ClaimCase = Claim & {
  /** The approval that a first person requested; null without one. */
  approvalRequest: ConcessionRequest | null
  /** Null without a promised refund, meaning an open or refused claim, or a reduced invoice. */
  refund: { state: 'waits-for-capture' | 'promised' | 'done' | 'refused'; note: string | null } | null
}

/** Lists open claims, longest waiting first. */
export function listOpenClaims({ db }: Pick<Deps, 'db'>, limit = 100): Promise<Claim[]> {
  return selectOpenClaims(db, limit)
}

const claimsPerPage = 50

/** Lists a page of claims by state, newest first; `next` is the cursor of the following page. */
export async function listClaims(
  { db }: Pick<Deps, 'db'>,
  { state, before }: { state: ClaimState; before: number | null },
): Promise<{ claims: Claim[]; next: number | null }> {
  const found = await selectByState(db, { state, before, count: claimsPerPage + 1 })
  const claims = found.slice(0, claimsPerPage)
  return { claims, next: found.length > claims.length ? (claims.at(-1)?.id ?? null) : null }
}

/** Returns a claim with its money status. */
export async function findClaim({ db }: Pick<Deps, 'db'>, id: number): Promise<ClaimCase | undefined> {
  const claim = await selectClaim(db, id)
  if (!claim) return undefined
  const approvalRequest =
    claim.state === 'open' ? ((await findConcessionRequest(db, 'coverage-claim', String(id))) ?? null) : null
  const refund = await findRefund({ db }, refundKey(id))
  if (!refund) return { ...claim, approvalRequest, refund: null }
  const waits = refund.state === 'promised' && !refund.isCaptured
  return { ...claim, approvalRequest, refund: { state: waits ? 'waits-for-capture' : refund.state, note: refund.note } }
}

/** Returns a claim's uploaded file. Only for staff. */
export function findClaimFile({ db }: Pick<Deps, 'db'>, id: number): Promise<NamedFile | undefined> {
  return selectClaimFile(db, id)
}

type Undecided = Refused<'request-not-found'> | Refused<'already-decided', { state: 'approved' | 'refused' }>

export type ApproveRefusal =
  | Refused<'not-allowed'>
  | Undecided
  | Refused<'more-than-plan', { mostCents: number }>
  | Refused<'order-over'>
  | Refused<'replaced-before'>
  | Refused<'invoice-settled'>
  | RefundRefusal
  | ConcessionRefusal

/**
 * Approves a claim once, with an amount within the plan's table. A job refunds the card, or the open invoice is
 * reduced. A covered tire can be replaced once, which the database enforces. Emails the shopper. Above the approval
 * threshold it stays open and `requested` until a second person approves it.
 */
export async function approveClaim(
  { db, clock }: Deps,
  { id, givenCents, by }: { id: number; givenCents: number; by: Actor },
): Promise<Outcome<{ state: 'approved' | 'requested' }, ApproveRefusal>> {
  try {
    return await inConcessionTransaction(db, async (tx) => {
      const at = clock.now()
      const permitted = await requirePermission(tx, by, 'claims.decide', at)
      if (!permitted.ok) return permitted
      const open = await lockOpen(tx, id)
      if (!open.ok) return open
      const { mostCents, orderId, email } = open.value
      if (givenCents > mostCents) return refused('more-than-plan', { mostCents })
      if ((await lockOrder(tx, orderId)) === undefined) return refused('order-over')
      const amountCents = givenCents
      const reference = String(id)
      const decided = await authorizeConcession(tx, { kind: 'coverage-claim', reference, by, amountCents, orderId, at })
      if (!decided.ok) return decided
      const about = { by, subject: claimNumber(id), after: { givenCents }, at }
      if (decided.value.state === 'requested') {
        await recordAct(tx, { ...about, act: 'claim.requested' })
        return ok({ state: 'requested' })
      }
      const given = await give(tx, open.value, { cents: givenCents, at })
      if (!given.ok) return given
      await updateToDecided(tx, id, { state: 'approved', givenCents, by: by.name, at })
      await recordAct(tx, { ...about, act: 'claim.approved', authorization: decided.value.authorization })
      await queueMessage(tx, { kind: 'claim-approved', key: `claim-approved:${id}`, to: email, orderId, at })
      return ok({ state: 'approved' })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'claims_within_covered') return refused('replaced-before')
    throw error
  }
}

/** Gives the amount in the way the order is paid. Refuses before it writes anything. */
async function give(
  tx: Tx,
  { id, orderId }: Claim,
  { cents, at }: { cents: number; at: Temporal.Instant },
): Promise<Outcome<void, Refused<'order-over'> | Refused<'invoice-settled'> | RefundRefusal>> {
  const state = await lockOrder(tx, orderId)
  const order = await readOrder(tx, orderId)
  if (!order || state === 'canceled' || state === 'returned') return refused('order-over')
  if (order.invoice)
    return (await lowerInvoice(tx, { orderId, cents, at })) ? ok(undefined) : refused('invoice-settled')
  return promiseRefund(tx, { orderId, amountCents: cents, key: refundKey(id), at })
}

/** Refuses a claim, once, with a reason that the shopper is mailed. */
export async function refuseClaim(
  { db, clock }: Deps,
  { id, reason, by }: { id: number; reason: string; by: Actor },
): Promise<Outcome<void, Refused<'not-allowed'> | Undecided | Refused<'no-reason'>>> {
  const refusal = reason.trim()
  if (refusal.length === 0 || refusal.length > longestRefusal) return refused('no-reason')
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'claims.decide', at)
    if (!permitted.ok) return permitted
    const open = await lockOpen(tx, id)
    if (!open.ok) return open
    const { email, orderId } = open.value
    await updateToDecided(tx, id, { state: 'refused', refusal, by: by.name, at })
    await declineConcession(tx, { kind: 'coverage-claim', reference: String(id), by: by.name, at })
    await recordAct(tx, { by, act: 'claim.refused', subject: claimNumber(id), reason: refusal, at })
    await queueMessage(tx, { kind: 'claim-refused', key: `claim-refused:${id}`, to: email, orderId, at })
    return ok(undefined)
  })
}

/** Retries a refund after the provider refused it or the job exhausted its retries. */
export async function retryClaimRefund(
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
    const outcome = await requirePermission(tx, by, 'claims.decide', at)
    if (!outcome.ok) return outcome
    if (!(await lockClaim(tx, id))) return refused('request-not-found')
    await recordAct(tx, { by, act: 'claim.retried', subject: claimNumber(id), at })
    return outcome
  })
  return permitted.ok ? retryRefund(deps, refundKey(id)) : permitted
}

async function lockOpen(tx: Tx, id: number): Promise<Outcome<Claim, Undecided>> {
  const claim = await lockClaim(tx, id)
  if (!claim) return refused('request-not-found')
  return claim.state === 'open' ? ok(claim) : refused('already-decided', { state: claim.state })
}

function refundKey(id: number): string {
  return `coverage:${id}`
}

/**
 * Returns the values of the mails about a claim, read at the time of sending; undefined for another mail. Those to the
 * sender repeat no submitted text, because senders can be impersonated.
 */
export async function claimMessageValues(
  { db, config }: Pick<Deps, 'db'> & { config: Pick<Config, 'store' | 'web'> },
  message: { key: string },
): Promise<MessageValues | undefined> {
  const id = /^claim-(?:received|filed|approved|refused):(\d+)$/.exec(message.key)?.[1]
  if (id === undefined) return undefined
  const claim = await findClaim({ db }, Number(id))
  if (!claim) throw new Error(`Claim ${id} of a promised mail is not there.`)
  return {
    claimNumber: claimNumber(claim.id),
    tires: `${claim.tires} × ${claim.tire}`,
    amount: formatCents(claim.givenCents ?? claim.mostCents),
    how: await wayOfMoney(db, claim),
    reason: claim.refusal ?? '',
    rows: rowsOf(claim),
    answerWithin: answerWithinText,
    supportHours: phoneHoursText(config.store.phoneHours),
    phone: config.store.phone,
    claimUrl: `${config.web.origin}/coverage-claim`,
    officeUrl: `${config.web.origin}/office/claims/${claimNumber(claim.id)}`,
  }
}

async function wayOfMoney(db: Database, { orderId, refund, givenCents }: ClaimCase): Promise<string> {
  const order = await readOrder(db, orderId)
  if (order?.invoice) return 'It is taken off your company’s invoice.'
  return refund?.state === 'waits-for-capture'
    ? `We refund ${chargedTo(order?.payment ?? null)} as soon as the order is charged.`
    : refundPlanned(order?.payment ?? null, formatCents(givenCents ?? 0))
}

function rowsOf(claim: ClaimCase): { left: string; right: string }[] {
  const rows = [
    ['Order', orderNumber(claim.orderId)],
    ['Tires', `${claim.tires} × ${claim.tire}`],
    ['Plan', COVERAGE_NAMES[claim.plan]],
    ['Claim', claimKinds[claim.kind]],
    ['Cause', causeLabels[claim.cause]],
    ['Happened on', dateText(claim.happenedOn)],
    ['Delivered on', dateText(claim.deliveredOn)],
    ['The plan pays at most', formatCents(claim.mostCents)],
    ['File', claim.fileName],
  ] as const
  return rows.flatMap(([left, right]) => (right ? [{ left, right }] : []))
}
