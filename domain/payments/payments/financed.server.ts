/**
 * Charges a lender funds on fulfillment. The amount its server reports as owed is recorded once. Amounts removed from
 * the contract earlier count as charged and refunded, so that the charge stays equal to the order's total.
 */
import { enterTransfer, entriesOfReceipt } from '#domain/payments/ledger/ledger.server.ts'
import {
  insertDelivered,
  lockFinanced,
  selectFinanced,
  selectPromisedParts,
  type FinancedCharge as Charge,
  type PromisedPart,
} from './financed.sql.server.ts'
import type { FinancingView } from './financing.port.ts'
import { beginWaitingRefunds, recordIssued } from './refunds.server.ts'
import { movePayment } from './payments.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'

type Deps = { db: Database; clock: Clock }

/** `ref` is the lender's own; `promised` is what the order was promised back and is not paid yet. */
export type FinancedCharge = Omit<Charge, 'providerRef'> & { ref: string; promised: PromisedPart[] }

/** The reference of an amount that was removed from a contract before it was paid. */
export const takenOff = 'taken off the contract'

/** Returns an order's charge with an outstanding lender payment. Returns undefined if the charge isn't found. */
export async function findFinancedCharge(db: Database, orderId: number): Promise<FinancedCharge | undefined> {
  const found = await selectFinanced(db, orderId)
  if (!found) return undefined
  const { providerRef, ...charge } = found
  // The lender's reference follows the name of the provider.
  const ref = providerRef.slice(providerRef.indexOf(':') + 1)
  return { ...charge, ref, promised: await selectPromisedParts(db, charge.paymentId) }
}

/**
 * Records the amount a lender owes for delivered goods, from its server. Only the increase is recorded, and the last
 * one completes the charge. Repeating it has no effect.
 */
export async function recordDelivered(
  { db, clock }: Deps,
  { orderId, paymentId, amountCents }: { orderId: number; paymentId: string; amountCents: number },
  view: Pick<FinancingView, 'deliveredCents' | 'canceledCents'>,
): Promise<void> {
  const { deliveredCents, canceledCents } = view
  if (deliveredCents + canceledCents > amountCents)
    throw new Error(`The lender of order ${orderId} owes more than the order comes to.`)
  await db.transaction().execute(async (tx) => {
    const locked = await lockFinanced(tx, paymentId)
    if (!locked) return
    const at = clock.now()
    const newCents = deliveredCents - locked.receivedCents
    if (newCents > 0) {
      await insertDelivered(tx, { paymentId, totalCents: deliveredCents, amountCents: newCents, at })
      await enterReceipt(tx, { orderId, cents: newCents, at })
    }
    if (deliveredCents + canceledCents === amountCents)
      await endCharge(tx, { orderId, paymentId, amountCents, canceledCents, at })
  })
}

async function endCharge(
  tx: Tx,
  charge: { orderId: number; paymentId: string; amountCents: number; canceledCents: number; at: Temporal.Instant },
): Promise<void> {
  const { orderId, paymentId, canceledCents, at } = charge
  const promised = await selectPromisedParts(tx, paymentId)
  await movePayment(tx, paymentId, 'captured', { capturedCents: charge.amountCents, actor: 'store', at })
  if (canceledCents > 0) await enterReceipt(tx, { orderId, cents: canceledCents, at })
  for (const { id, amountCents } of promised.filter(({ untilCents }) => untilCents <= canceledCents))
    await recordIssued(tx, { id, orderId, amountCents, providerRef: takenOff, at })
  await beginWaitingRefunds(tx, paymentId)
}

function enterReceipt(
  tx: Tx,
  { orderId, cents, at }: { orderId: number; cents: number; at: Temporal.Instant },
): Promise<void> {
  return enterTransfer(tx, { orderId, reason: 'paid by the lender', at, entries: entriesOfReceipt(cents) })
}
