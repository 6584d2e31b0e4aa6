/** The statements for orders of purchasing systems. */
import type { PurchaseRequest } from './purchase-request.ts'
import type { PurchaseItem } from './purchase-items.ts'
import type { PurchasingSystem } from './systems.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

export type Purchase = { orderId: number; buyerOrderId: string; payloadId: string }

/** The order that a company placed under this number. */
export async function selectPurchase(
  db: Database,
  companyId: string,
  buyerOrderId: string,
): Promise<Purchase | undefined> {
  const row = await db
    .selectFrom('purchasing_order')
    .select(['order_id', 'buyer_order_id', 'payload_id'])
    .where('company_id', '=', companyId)
    .where('buyer_order_id', '=', buyerOrderId)
    .executeTakeFirst()
  return row && { orderId: row.order_id, buyerOrderId: row.buyer_order_id, payloadId: row.payload_id }
}

/** Writes down under which numbers an order was placed, with it. Throws on `purchasing_order_once` for a known one. */
export async function insertPurchase(
  tx: Tx,
  orderId: number,
  { system, request, items }: { system: PurchasingSystem; request: PurchaseRequest; items: readonly PurchaseItem[] },
): Promise<void> {
  await tx
    .insertInto('purchasing_order')
    .values({
      order_id: orderId,
      company_id: system.companyId,
      channel: system.channel,
      buyer_order_id: request.orderId,
      payload_id: request.payloadId,
      order_date: request.orderDate,
      cost_center: request.costCenter,
      customer_id: request.customerId,
      is_test: request.isTest,
    })
    .execute()
  const byPart = new Map(items.map((item) => [item.partId, item]))
  const lines = request.lines.map((line) => {
    const item = byPart.get(line.partId)
    return {
      order_id: orderId,
      line_number: line.lineNumber,
      part_id: line.partId,
      item_id: item?.itemId ?? null,
      quantity: line.quantity,
      unit: line.unit,
      unit_cents: line.unitCents,
      name: (item?.name ?? line.partId).slice(0, 200),
    }
  })
  await tx.insertInto('purchasing_order_line').values(lines).execute()
}
