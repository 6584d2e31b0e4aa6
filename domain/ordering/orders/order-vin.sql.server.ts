/** The statements for the VINs of orders. */
import type { Database, Tx } from '#platform/db.ts'

/** The VIN recorded for an order; undefined without one. */
export async function selectVin(db: Database, orderId: number): Promise<string | undefined> {
  const row = await db.selectFrom('order_vin').select('vin').where('order_id', '=', orderId).executeTakeFirst()
  return row?.vin
}

/** Sets the VIN of an order, whatever it was before. */
export async function upsertVin(
  tx: Tx,
  { orderId, vin, by, at }: { orderId: number; vin: string; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('order_vin')
    .values({ order_id: orderId, vin, set_by: by, set_at: at })
    .onConflict((conflict) => conflict.column('order_id').doUpdateSet({ vin, set_by: by, set_at: at }))
    .execute()
}
