/** Reverses a refund's sales tax with the tax provider, with the amounts originally reported. */
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { giveTaxBack, isTaxReported } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import type { Tx } from '#platform/db.ts'
import { selectRefundLines } from './refunds.sql.server.ts'

/** Stores the tax reversal of a refund. Skips orders taxed from our rate table. */
export async function giveBackTax(
  tx: Tx,
  { id, orderId }: { id: string; orderId: number },
  at: Temporal.Instant,
): Promise<void> {
  if (!(await isTaxReported(tx, orderId))) return
  const order = await readOrder(tx, orderId)
  const lines = (await selectRefundLines(tx, id)).flatMap(({ lineNo, units, taxCents }) => {
    const line = order?.breakdown.lines[lineNo - 1]
    if (!line) return []
    const { id: lineId, quantity, taxableCents, netCents } = line
    return [{ lineId, quantity, units, amountCents: taxableCents > 0 ? taxableCents : netCents, taxCents }]
  })
  if (lines.length > 0) await giveTaxBack(tx, { orderId, refundId: id, lines, at })
}
