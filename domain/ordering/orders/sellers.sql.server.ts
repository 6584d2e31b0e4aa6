/** The statements for who sold an order. */
import type { Database, Tx } from '#platform/db.ts'

/** Stores the staff member who placed an order, or the author of its quote, in the order's transaction. */
export async function recordSeller(tx: Tx, orderId: number, soldBy: string): Promise<void> {
  await tx.updateTable('sales_order').set({ sold_by: soldBy }).where('id', '=', orderId).execute()
}

/** The email of the staff member who sold an order; null for an order that the customer put together. */
export async function findSellerOf(db: Database, orderId: number): Promise<string | null> {
  const row = await db.selectFrom('sales_order').select('sold_by').where('id', '=', orderId).executeTakeFirst()
  return row?.sold_by ?? null
}
