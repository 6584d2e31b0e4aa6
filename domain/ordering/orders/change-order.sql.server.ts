/** Queries that edit an order before its release. */
import { sql } from 'kysely'
import type { TireSpec } from '#domain/scheduling/installers/installers.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A US address, checked by form. */
export type OrderAddress = { address1: string; address2: string | null; city: string; state: string; zip: string }

/** Writes the customer's address; with `shipTo`, also where the parcels go. */
export async function updateAddress(
  tx: Tx,
  orderId: number,
  { address, shipTo }: { address: OrderAddress; shipTo: boolean },
): Promise<void> {
  const { address1, address2, city, state, zip } = address
  await tx
    .updateTable('sales_order')
    .set({
      address1,
      address2,
      city,
      state_code: state,
      zip,
      ...(shipTo
        ? {
            ship_to_street: [address1, address2].filter(Boolean).join(', '),
            ship_to_city: city,
            ship_to_state: state,
            ship_to_zip: zip,
          }
        : {}),
    })
    .where('id', '=', orderId)
    .execute()
}

/** Updates an order's price after its taxes and fees changed but its lines didn't. */
export async function updateTaxes(tx: Tx, orderId: number, breakdown: PriceBreakdown): Promise<void> {
  const { tireFeeCents, taxCents, totalCents } = breakdown.totals
  // Lines are stored in the order they were priced in.
  const lines = breakdown.lines.map((line, index) => ({
    line_no: index + 1,
    tax_cents: line.taxCents,
    tire_fee_cents: line.tireFeeCents,
  }))
  await sql`
    with priced as (
      update sales_order set breakdown = ${JSON.stringify(breakdown)}::jsonb, tire_fee_cents = ${tireFeeCents}::int, tax_cents = ${taxCents}::int, total_cents = ${totalCents}::int
      where id = ${orderId}::bigint returning id)
    update order_line set tax_cents = line.tax_cents, tire_fee_cents = line.tire_fee_cents
    from priced, json_to_recordset(${JSON.stringify(lines)}::json) as line (line_no smallint, tax_cents int, tire_fee_cents int)
    where order_line.order_id = priced.id and order_line.line_no = line.line_no`.execute(tx)
}

/** Returns an order's active tires with the specs a shop needs. */
export async function selectOrderTires(db: Database, orderId: number): Promise<TireSpec[]> {
  const { rows } = await sql<TireSpec>`
    select allocated.quantity, size.rim_in::float8 as "rimIn", size.aspect::float8 as aspect, item.run_flat as "runFlat", size.kind as "sizeKind"
    from order_line line join item on item.id = line.item_id join size on size.id = item.size_id
    join lateral (select sum(quantity)::int as quantity from stock_allocation part where part.order_id = line.order_id and part.line_no = line.line_no) as allocated on allocated.quantity > 0
    where line.order_id = ${orderId}::bigint and line.kind = 'tire' order by line.line_no`.execute(db)
  return rows
}
