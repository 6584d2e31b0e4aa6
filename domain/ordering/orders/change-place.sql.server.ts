/** Queries that change the destination of an order's tires and the resulting price. */
import { sql } from 'kysely'
import type { OrderView } from './order-view.sql.server.ts'
import type { Change, ParcelPromise } from './order-life.sql.server.ts'
import { stopParcel } from './stop-parcel.server.ts'
import { lineName, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'

/** The destination of an order's tires. */
export type OrderPlace = {
  fulfillment: OrderView['fulfillment']
  shopId: number | null
  carrierLocationId: number | null
  shipTo: OrderView['shipTo']
}

/**
 * Writes an order's place and price. Tire lines remain, with new taxes and fees. All other lines are rewritten, so they
 * must not have been refunded.
 */
export async function updatePlace(
  tx: Tx,
  orderId: number,
  { place, breakdown }: { place: OrderPlace; breakdown: PriceBreakdown },
): Promise<void> {
  const { fulfillment, shopId, carrierLocationId, shipTo } = place
  const { tireFeeCents, fetCents, taxCents, totalCents } = breakdown.totals
  await tx
    .updateTable('sales_order')
    .set({
      fulfillment,
      shop_id: shopId,
      carrier_location_id: carrierLocationId,
      pickup_warehouse_id: null,
      ship_to_name: shipTo.name,
      ship_to_street: shipTo.street,
      ship_to_city: shipTo.city,
      ship_to_state: shipTo.state,
      ship_to_zip: shipTo.zip,
      breakdown: sql`${JSON.stringify(breakdown)}::jsonb`,
      tire_fee_cents: tireFeeCents,
      fet_cents: fetCents,
      tax_cents: taxCents,
      total_cents: totalCents,
    })
    .where('id', '=', orderId)
    .execute()
  await tx.deleteFrom('order_line').where('order_id', '=', orderId).where('kind', '<>', 'tire').execute()
  // Lines are stored in the order they are priced in, tires first.
  const lines = breakdown.lines.map((line, index) => ({
    line_no: index + 1,
    kind: line.kind,
    coverage_plan: line.kind === 'coverage' ? (line.plan ?? 'replacement') : null,
    description: lineName(line),
    quantity: line.quantity,
    unit_cents: line.unitCents,
    gross_cents: line.grossCents,
    discount_cents: line.grossCents - line.netCents,
    net_cents: line.netCents,
    tax_cents: line.taxCents,
    fet_cents: line.fetCents,
    tire_fee_cents: line.tireFeeCents,
  }))
  await sql`
    with line as (
      select * from json_to_recordset(${JSON.stringify(lines)}::json)
        as line (line_no smallint, kind text, coverage_plan text, description text, quantity smallint, unit_cents int, gross_cents int, discount_cents int, net_cents int, tax_cents int, fet_cents int, tire_fee_cents int)),
    taxed as (
      update order_line set tax_cents = line.tax_cents, tire_fee_cents = line.tire_fee_cents
      from line where order_line.order_id = ${orderId}::bigint and order_line.line_no = line.line_no and line.kind = 'tire' returning order_line.line_no)
    insert into order_line (order_id, line_no, kind, coverage_plan, description, quantity, unit_cents, gross_cents, discount_cents, net_cents, tax_cents, fet_cents, tire_fee_cents)
    select ${orderId}::bigint, line.* from line where line.kind <> 'tire'`.execute(tx)
}

/**
 * Redirects a released order's parcels. Cancels each unshipped parcel with its label and creates a replacement from the
 * same warehouse, promised for its day in `promises`. The caller enqueues their release.
 */
export async function replaceParcels(
  tx: Tx,
  { id: orderId, shipments }: Pick<OrderView, 'id' | 'shipments'>,
  promises: ReadonlyMap<number, ParcelPromise>,
  { actor, at }: Pick<Change, 'actor' | 'at'>,
): Promise<void> {
  for (const parcel of shipments.filter(({ state }) => state !== 'canceled')) {
    await stopParcel(tx, orderId, parcel, { actor, at, note: 'Replaced: the order goes elsewhere.' })
    const id = newId()
    const promise = promises.get(parcel.warehouse.id)
    await tx
      .insertInto('shipment')
      .values(({ selectFrom }) => ({
        id,
        order_id: orderId,
        warehouse_id: parcel.warehouse.id,
        state: 'processed',
        promised_on: promise?.arrivesOn.toString() ?? parcel.promisedOn,
        ship_by: promise?.shipsBy ?? selectFrom('shipment').select('ship_by').where('id', '=', parcel.id),
        created_at: at,
      }))
      .execute()
    await tx
      .insertInto('shipment_event')
      .values({ shipment_id: id, at, from_state: null, to_state: 'processed', actor })
      .execute()
  }
}
