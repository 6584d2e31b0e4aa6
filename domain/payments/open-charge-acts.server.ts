/** What staff do about charges that are neither taken nor over: let go of them, and end them. */
import type { PaymentProvider } from '#domain/payments/payment-provider.port.ts'
import { noteLapsed } from '#domain/payments/open-charges.sql.server.ts'
import { findPayment, movePayment, noteProcessing } from '#domain/payments/payments.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider }

/**
 * Lets go of a charge that nothing was bought with: nobody waits for its bank any more. What the bank sets aside later is
 * voided as soon as its message comes. False if an order has claimed it.
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
 * Ends the authorized charge of an order, because its customer is asked to pay again: both would be set aside on their
 * card. The provider comes first: what it has canceled, no capture under way can take. Refuses `captured` if one was
 * faster. One that has ended before is fine.
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
