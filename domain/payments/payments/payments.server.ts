/**
 * Charges. A charge is opened for a cart, authorized by the provider, claimed by the order in its own transaction, and
 * captured when the order is released. Every provider update goes through `settle`, whether from a webhook, the
 * shopper's return or a job, and is idempotent.
 */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { noteDecline } from './declines.server.ts'
import {
  isOfCard,
  isPaidOnDelivery,
  type ChargedMethod,
  type PaymentProviderName,
} from '#domain/payments/payment-methods/payment-methods.ts'
import type { ProviderEvent, PaymentProvider, ProviderMessage } from './payment-provider.port.ts'
import { abandonAfterMinutes, cutOffAfterSeconds, type Payer, type Payment } from './payments.ts'
import {
  answerSubmission,
  findLivePayment,
  findCardTry,
  findPayment,
  listAbandoned,
  listCutOff,
  listProcessing,
  movePayment,
  noteProcessing,
  noteSubmission,
  selectFailure,
  setProviderRef,
  touchPayment,
} from './payments.sql.server.ts'
import { selectUnanswered } from './payment-notes.sql.server.ts'
import { settleFinancedSoon } from './financed.sql.server.ts'
import { keepProviderEvent, markProviderEvent } from '#domain/kernel/provider-events/provider-events.server.ts'
import { followRefund } from './refunds.server.ts'
import { voidUnclaimed } from './open-charge.server.ts'
import { askProvider, settle } from './settle-charge.server.ts'
import { atOnce } from '#platform/at-once.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export { openCharge, openChargeOnPage, openHostedPage, type PaymentTrouble } from './open-charge.server.ts'
export { captureCharge, recordCapture, refundWhole } from './captures.server.ts'
export { findFinancedCharge, recordDelivered, takenOff, type FinancedCharge } from './financed.server.ts'
export { settleFinancedSoon } from './financed.sql.server.ts'
export type { FinancedUnits, Financing, FinancingView } from './financing.port.ts'
export { listOpenRefunds, type OpenRefund } from './open-refunds.sql.server.ts'
export { forgetOldDeclines, mayTryCard } from './declines.server.ts'
export {
  findLivePayment,
  findPayment,
  insertPayment,
  setProviderRef,
  claimForChange,
  claimForTerm as claimPaymentForTerm,
  claimPaymentForOrder,
  forgetOldNetworks,
  listPaidChanges,
  markRefunded as recordRefund,
  selectChargeEvents,
  type ChargeEvent,
} from './payments.sql.server.ts'
export { markSaving } from './payment-notes.sql.server.ts'
export { endClaimedCharge, voidUnansweredCharge } from './open-charge-acts.server.ts'
export { insertTrialCharge } from './trial-charge.sql.server.ts'
export { claimAgain, clearLapsed, isPaidByAnother } from './open-charges.sql.server.ts'
export {
  findIssuedRefund,
  findRefund,
  followOldRefunds,
  lowerCharge,
  payOutRefund,
  promiseRefund,
  promiseRefundOfRest,
  retryRefund,
  retryRefundWithin,
  type RefundRefusal,
} from './refunds.server.ts'
export {
  findRefundableCharge,
  lockRefundableCharge,
  otherRefundCents,
  selectListedRefund,
  selectOpenRefunds,
  selectRefundsByKeys,
  selectRefundsOfOrder,
  selectRefundsOfOthers,
  type ChargeRefundEntry,
  type ListedCharge,
  type ListPage,
  type RefundPlace,
} from './refunds.sql.server.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider }
type LimitedDeps = Deps & { rateLimits: RateLimits }
/** `onDispute` receives every new event before it is marked as handled, so it may receive one twice. */
type MessageDeps = LimitedDeps & { onDispute?: (provider: PaymentProviderName, event: ProviderEvent) => Promise<void> }

/**
 * A charge's status. `failure` is the provider's message about the last attempt. `isProcessing` is true until the bank
 * responds, at the latest by `answerBy`.
 */
export type PaymentStatus = {
  payment: Payment
  failure: string | null
  isProcessing: boolean
  answerBy: Temporal.Instant | null
}

/**
 * Reads the newest charge for a cart or membership term from the provider and stores its status. Returns undefined if
 * there is no charge.
 */
export async function refreshPayment(
  deps: Deps,
  payer: Payer,
): Promise<Outcome<PaymentStatus | undefined, Refused<'payment-unavailable'>>> {
  const live = await findLivePayment(deps.db, payer)
  if (!live) return ok(undefined)
  return readStatus(deps, live, () => touchPayment(deps.db, live.id, deps.clock.now()))
}

/** How long a provider that did not answer is not offered. */
const silentForSeconds = 60

/** A bank that has not answered for this long does not get the payment anymore. */
export const processingMinutes = 30

/** A submission, and the charge that pays for it. */
export type Submission = { payment: Payment; at: Temporal.Instant }

/**
 * Starts a submission by recording it on the latest cart or membership charge before any other write, so
 * that `releaseCutOffCharges` finds a crash at any later step. Returns undefined if no charge can be claimed.
 */
export async function beginSubmission(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  payer: Payer,
): Promise<Submission | undefined> {
  const at = clock.now()
  const payment = await noteSubmission(db, payer, at)
  return payment && { payment, at }
}

/** Ends a submission that placed no order, so that the shopper has the full time to submit again. */
export async function endSubmission({ db }: Pick<Deps, 'db'>, { payment, at }: Submission): Promise<void> {
  await answerSubmission(db, payment.id, at)
}

/** Reads this charge from the provider and stores its status. */
export function readPaymentStatus(
  deps: Deps,
  payment: Payment,
): Promise<Outcome<PaymentStatus | undefined, Refused<'payment-unavailable'>>> {
  return readStatus(deps, payment, (isMoved) => (isMoved ? findPayment(deps.db, { id: payment.id }) : payment))
}

/** The same; `read` returns the charge as it is then. */
async function readStatus(
  deps: Deps,
  payment: Payment,
  read: (isMoved: boolean) => Promise<Payment | undefined> | Payment,
): Promise<Outcome<PaymentStatus | undefined, Refused<'payment-unavailable'>>> {
  const charge = await askProvider(deps, payment)
  if (!charge.ok) return refused('payment-unavailable')
  const isMoved = charge.value !== null && (await settle(deps, payment, charge.value, 'shopper'))
  const settled = await read(isMoved)
  if (!charge.value) return ok({ payment, failure: null, isProcessing: false, answerBy: null })
  const since = settled?.processingSince ?? null
  // Not every provider repeats why it refused.
  const failure =
    charge.value.failure ?? (settled?.state === 'failed' ? await selectFailure(deps.db, payment.id) : null)
  return ok(
    settled && {
      payment: settled,
      failure,
      isProcessing: charge.value.state === 'processing',
      answerBy: since && since.add({ minutes: processingMinutes }),
    },
  )
}

/** Reads any charge's status from the provider and stores it. Undefined if the charge doesn't exist. */
export async function askAboutCharge(
  deps: Deps,
  paymentId: string,
): Promise<Outcome<PaymentStatus | undefined, Refused<'payment-unavailable'>>> {
  const payment = await findPayment(deps.db, { id: paymentId })
  return payment ? readPaymentStatus(deps, payment) : ok(undefined)
}

/**
 * Voids the charge, so that the shopper can use another payment method. Has no effect without a charge, or if it is
 * claimed.
 */
export async function voidPayment(deps: Deps, payer: Payer): Promise<void> {
  const live = await findLivePayment(deps.db, payer)
  if (live) await voidUnclaimed(deps, live, 'shopper')
}

/**
 * The methods that are not offered just now, because their provider did not answer within the last minute. Never
 * includes cards, so that shoppers always have a method to try.
 */
export async function findSilentMethods({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Set<ChargedMethod>> {
  const silent = new Set(await selectUnanswered(db, clock.now().subtract({ seconds: silentForSeconds })))
  silent.delete('card')
  return silent
}

/**
 * The provider's fields try card after card on one charge without asking the store, so a charge with too many declines
 * is ended, and the fields with it.
 */
async function countDecline(deps: LimitedDeps, payment: Payment): Promise<void> {
  const attempt = await findCardTry(deps.db, payment.id)
  await deps.rateLimits.take('card-decline', attempt)
  const mayFollow = await deps.rateLimits.look('card-decline', attempt)
  if (!mayFollow.ok) await voidUnclaimed(deps, payment, 'store')
}

/** Events arrive late and out of order, so the provider's current state is used instead of the event's. */
async function settleAsProvider(
  deps: MessageDeps,
  payment: Payment,
  charge: { ref: string; state: string },
): Promise<void> {
  const current = await deps.payments.readCharge(charge.ref)
  if (!current.ok)
    throw new Error('The provider cannot be asked about its own message; it will send it again.', {
      cause: current.cause,
    })
  await settle(deps, payment, current.value, 'provider')
  if (charge.state === 'failed' && isOfCard(payment.method)) await countDecline(deps, payment)
  if (payment.orderId !== null && isPaidOnDelivery(payment.method)) await settleFinancedSoon(deps.db, payment.orderId)
}

/** Processes a webhook from the provider. Refuses with `bad-signature`; a duplicate has no effect. */
export async function receiveProviderEvent(
  deps: MessageDeps,
  message: ProviderMessage,
): Promise<Outcome<null, Refused<'bad-signature'> | Refused<'unreadable', { cause: unknown }>>> {
  const read = await deps.payments.readEvent(message)
  const { provider } = message
  if (!read.ok) return read.reason === 'unreadable' ? refused(read.reason, { cause: read.cause }) : refused(read.reason)
  const { event } = read
  const { charge } = event
  const kept = { provider, id: event.id, kind: event.kind, body: event.body }
  const [isFresh, found] = await atOnce(deps.db, [
    (db) => keepProviderEvent(db, kept, deps.clock.now()),
    (db) => charge && findPayment(db, { ref: charge.ref }),
  ])
  if (!isFresh) return ok(null)
  if (charge) {
    const payment = found ?? (event.hostedRef ? await findPayment(deps.db, { hostedRef: event.hostedRef }) : undefined)
    if (payment) {
      await settleAsProvider(deps, payment, charge)
    }
  }
  await deps.onDispute?.(provider, event)
  if (event.decline) await noteDecline(deps, event.decline)
  if (event.refundRef !== undefined) await followRefund(deps, event.refundRef)
  await markProviderEvent(deps.db, provider, event.id, deps.clock.now())
  return ok(null)
}

/**
 * Voids a charge, at the provider and here, and closes a page on which it could be paid. Harmless if already voided.
 */
export async function voidCharge(
  deps: Deps,
  paymentId: string,
  actor: string,
): Promise<Outcome<null, Refused<'payment-unavailable'>>> {
  const payment = await findPayment(deps.db, { id: paymentId })
  if (!payment || payment.state === 'captured') return ok(null)
  const ref = await closeAndFindRef(deps, payment)
  if (!ref.ok) return ref
  let isOver = true
  if (ref.value !== null) {
    const gone = await deps.payments.voidCharge({ ref: ref.value, key: `void:${payment.id}` })
    if (!gone.ok && gone.reason === 'unavailable') return refused('payment-unavailable')
    isOver = gone.ok
  }
  await movePayment(deps.db, payment.id, 'voided', { actor, at: deps.clock.now() })
  // It has said all that it will say.
  if (isOver) await noteProcessing(deps.db, payment.id, { isProcessing: false, at: deps.clock.now() })
  return ok(null)
}

/**
 * The provider's id of a charge. A hosted page visit without one is closed first, because a payment may have started
 * there.
 */
async function closeAndFindRef(
  { db, clock, payments }: Deps,
  payment: Payment,
): Promise<Outcome<string | null, Refused<'payment-unavailable'>>> {
  if (payment.providerRef !== null || payment.hostedRef === null) return ok(payment.providerRef)
  const closed = await payments.closeHostedPage({ hostedRef: payment.hostedRef, key: `close:${payment.id}` })
  if (!closed.ok) return closed.reason === 'unavailable' ? refused('payment-unavailable') : ok(null)
  if (closed.value.charge === null) return ok(null)
  await setProviderRef(db, payment.id, { ref: closed.value.charge.ref }, clock.now())
  return ok(closed.value.charge.ref)
}

/** Voids abandoned charges. Returns how many there were. */
export async function releaseAbandonedCharges(deps: Deps): Promise<number> {
  const abandoned = await listAbandoned(deps.db, deps.clock.now().subtract({ minutes: abandonAfterMinutes }))
  for (const payment of abandoned) await voidUnclaimed(deps, payment, 'store')
  return abandoned.length
}

/** Ends charges the bank didn't answer in time; a later authorization is voided. Returns how many there were. */
export async function releaseUnansweredCharges(deps: Deps): Promise<number> {
  const late = await listProcessing(deps.db, deps.clock.now().subtract({ minutes: processingMinutes }))
  for (const payment of late) await voidUnclaimed(deps, payment, 'store')
  return late.length
}

/**
 * Voids charges of interrupted submissions. They have no order, and the shopper may not return. Returns how many there
 * were.
 */
export async function releaseCutOffCharges(deps: Deps): Promise<number> {
  const cutOff = await listCutOff(deps.db, deps.clock.now().subtract({ seconds: cutOffAfterSeconds }))
  for (const payment of cutOff) await voidUnclaimed(deps, payment, 'store')
  return cutOff.length
}
