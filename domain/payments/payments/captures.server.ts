/** Taking a charge's money and giving all of it back; parts go back through refunds.server.ts. */
import type { PaymentProvider } from './payment-provider.port.ts'
import type { PaymentState } from './payments.ts'
import { findPayment, movePayment } from './payments.sql.server.ts'
import { beginWaitingRefunds } from './refunds.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider }

/** Captures a charge in full. Idempotent. */
export async function captureCharge(
  deps: Deps,
  paymentId: string,
): Promise<
  Outcome<
    { capturedCents: number; isNew: boolean },
    Refused<'payment-unavailable'> | Refused<'not-capturable', { state: PaymentState }>
  >
> {
  const payment = await findPayment(deps.db, { id: paymentId })
  if (!payment?.providerRef) return refused('not-capturable', { state: payment?.state ?? 'failed' })
  if (payment.state === 'captured') return ok({ capturedCents: payment.amountCents, isNew: false })
  if (payment.state !== 'authorized') return refused('not-capturable', { state: payment.state })
  const captured = await deps.payments.captureCharge({
    ref: payment.providerRef,
    amountCents: payment.amountCents,
    key: `capture:${payment.id}`,
  })
  if (!captured.ok && captured.reason === 'unavailable') return refused('payment-unavailable')
  if (!captured.ok || captured.value.state !== 'captured') return refused('not-capturable', { state: payment.state })
  return ok({ capturedCents: captured.value.capturedCents, isNew: true })
}

/**
 * Records a capture, in the transaction of its ledger entries, and starts the refunds that waited for it. Returns false
 * if already recorded.
 */
export async function recordCapture(
  tx: Tx,
  paymentId: string,
  capture: { capturedCents: number; at: Temporal.Instant; actor: string },
): Promise<boolean> {
  const isNew = await movePayment(tx, paymentId, 'captured', capture)
  if (isNew) await beginWaitingRefunds(tx, paymentId)
  return isNew
}

/** Refunds a captured charge in full at the provider. Repeating it has no effect. */
export async function refundWhole(
  deps: Deps,
  paymentId: string,
): Promise<
  Outcome<{ refundedCents: number; isNew: boolean }, Refused<'payment-unavailable'> | Refused<'not-captured'>>
> {
  const payment = await findPayment(deps.db, { id: paymentId })
  if (!payment?.providerRef || payment.state !== 'captured') return refused('not-captured')
  if (payment.refundedCents > 0) return ok({ refundedCents: payment.refundedCents, isNew: false })
  const refund = await deps.payments.refundCharge({
    ref: payment.providerRef,
    amountCents: payment.amountCents,
    key: `refund:${payment.id}`,
  })
  if (!refund.ok) return refused('payment-unavailable')
  return ok({ refundedCents: payment.amountCents, isNew: true })
}
