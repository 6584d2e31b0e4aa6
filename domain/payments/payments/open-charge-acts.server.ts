/** Staff actions on charges that are neither captured nor ended, to void or end them. */
import type { PaymentProvider } from './payment-provider.port.ts'
import { noteLapsed } from './open-charges.sql.server.ts'
import { findPayment, movePayment, noteProcessing } from './payments.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider }

/**
 * Voids a charge without an order and stops waiting for its bank. A later authorization is voided when the bank's event
 * arrives. False if an order has claimed it.
 */
export async function voidUnansweredCharge(
  tx: Tx,
  { paymentId, actor, at }: { paymentId: string; actor: string; at: Temporal.Instant },
): Promise<boolean> {
  const payment = await findPayment(tx, { id: paymentId })
  if (!payment || payment.orderId !== null) return false
  const isEnded = await movePayment(tx, paymentId, 'voided', { actor, at, unclaimed: true })
  if (!isEnded && payment.state !== 'voided') return false
  await noteProcessing(tx, paymentId, { isProcessing: false, at })
  await enqueue(tx, 'void-charge', { paymentId }, { key: `void-charge:${paymentId}` })
  return true
}

/**
 * Ends an order's authorized charge before requesting a new payment from the customer, because both would be authorized
 * on their card. Cancels at the provider first, so that a concurrent capture fails. Refuses with `captured` if the
 * capture was faster. Succeeds if the charge has already ended.
 */
export async function endClaimedCharge(
  { db, clock, payments }: Deps,
  { paymentId, actor }: { paymentId: string; actor: string },
): Promise<Outcome<void, Refused<'payment-unavailable'> | Refused<'captured'>>> {
  const payment = await findPayment(db, { id: paymentId })
  if (!payment?.providerRef || payment.state === 'captured') return refused('captured')
  if (payment.state !== 'voided') {
    const gone = await payments.voidCharge({ ref: payment.providerRef, key: `end:${paymentId}` })
    const now = gone.ok ? gone : await payments.readCharge(payment.providerRef)
    if (!now.ok) return refused('payment-unavailable')
    if (now.value.state !== 'voided') return refused('captured')
    await movePayment(db, paymentId, 'voided', { actor, at: clock.now() })
  }
  await noteLapsed(db, paymentId, clock.now())
  return ok(undefined)
}
