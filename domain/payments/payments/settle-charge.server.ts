/** Applies provider charge updates from a webhook, the shopper's return or a job, idempotently. */
import { captureBeforeOf, stateFor } from './charge-states.ts'
import { noteLapsed } from './open-charges.sql.server.ts'
import { ruleOf } from '#domain/payments/payment-methods/payment-methods.ts'
import type { ChargeView, PaymentProvider } from './payment-provider.port.ts'
import type { Payment } from './payments.ts'
import { movePayment, notePaidCard, noteProcessing, setProviderRef } from './payments.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'

type SettleDeps = { db: Database; clock: Clock; payments: PaymentProvider }

/**
 * Updates our record to the provider's state. The one path for all sources. Returns false if `payment` is already up to
 * date, without writing.
 */
export async function settle(deps: SettleDeps, payment: Payment, charge: ChargeView, actor: string): Promise<boolean> {
  const { db, clock } = deps
  const at = clock.now()
  const isNoted = await noteSeen(db, payment, charge, at)
  const to = stateFor(payment, charge)
  // The bank's answer came after the charge was given up, when it could not be canceled yet.
  if (payment.state === 'voided' && to === 'authorized') {
    await voidLate(deps, payment.id, charge.ref)
    return true
  }
  // Captures are recorded only together with the ledger, by the capture job.
  if (to === 'authorized') await saveCardSoon(db, payment)
  const isMoved = to !== undefined && to !== 'captured' && to !== payment.state
  if (isMoved)
    await movePayment(db, payment.id, to, {
      actor,
      at,
      note: charge.failure,
      cardFingerprint: charge.cardFingerprint,
      card: charge.card ?? null,
      captureBefore: to === 'authorized' ? captureBeforeOf(charge, payment.method, at) : null,
    })
  // A hosted page ends before the provider names the card.
  else if (charge.card && payment.card === null) await notePaidCard(db, payment.id, charge.card)
  // The provider ended what an order counts on.
  if (to === 'voided' && payment.orderId !== null) await noteLapsed(db, payment.id, at)
  return isNoted || isMoved
}

/** Stores the charge's reference, and the time since which its bank hasn't responded. False if both are known. */
async function noteSeen(db: Database, payment: Payment, charge: ChargeView, at: Temporal.Instant): Promise<boolean> {
  const isProcessing = charge.state === 'processing'
  // While PayPal processes an approval, poll the hosted page instead of the charge, because only that call requests the
  // authorization.
  const isAskedAgain = isProcessing && ruleOf(payment.method)?.provider === 'paypal'
  const isFirstSeen = !payment.providerRef && !isAskedAgain
  if (isFirstSeen) await setProviderRef(db, payment.id, { ref: charge.ref }, at)
  const isOther = isProcessing !== (payment.processingSince !== null)
  if (isOther) await noteProcessing(db, payment.id, { isProcessing, at })
  return isFirstSeen || isOther
}

/** The card of an authorized charge is saved if its payer wants that. */
async function saveCardSoon(db: Database, { id, savesCard }: Payment): Promise<void> {
  if (savesCard) await enqueue(db, 'save-card', { paymentId: id }, { key: `save-card:${id}` })
}

/** Throws if the provider does not answer, so that its message comes again. */
async function voidLate({ payments }: SettleDeps, paymentId: string, ref: string): Promise<void> {
  const gone = await payments.voidCharge({ ref, key: `void-late:${paymentId}` })
  if (!gone.ok) throw new Error(`The late authorization of ${paymentId} was not voided.`, { cause: gone.cause })
}

/** Reads a charge from its provider; null if the hosted page wasn't completed. */
export async function askProvider(
  { payments }: Pick<SettleDeps, 'payments'>,
  payment: Payment,
): Promise<{ ok: true; value: ChargeView | null } | { ok: false }> {
  if (payment.providerRef) {
    const charge = await payments.readCharge(payment.providerRef)
    return charge.ok ? { ok: true, value: charge.value } : { ok: false }
  }
  if (!payment.hostedRef) return { ok: true, value: null }
  const visit = await payments.readHostedPage(payment.hostedRef)
  return visit.ok ? { ok: true, value: visit.value.charge } : { ok: false }
}
