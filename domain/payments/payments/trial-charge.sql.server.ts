/** A sample order's charge. */
import { insertPayment, movePayment } from './payments.sql.server.ts'
import type { Tx } from '#platform/db.ts'

/** Writes an authorized card charge that no provider has. The caller rolls its transaction back. */
export async function insertTrialCharge(
  tx: Tx,
  { id, cartId, amountCents, at }: { id: string; cartId: string; amountCents: number; at: Temporal.Instant },
): Promise<void> {
  await insertPayment(tx, { id, payer: { cartId }, method: 'card', flow: 'fields', amountCents, from: null, at })
  await movePayment(tx, id, 'authorized', { actor: 'system', at })
}
