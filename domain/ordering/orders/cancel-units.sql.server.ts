/** Queries for an order's unshipped units. */
import { sql, type RawBuilder } from 'kysely'
import { returnStock } from '#domain/supply/delivery/delivery.server.ts'
import { returnPartUnits, type PartUnits } from '#domain/supply/parts/parts.server.ts'
import type { UnshippedPart } from './unshipped-part.ts'
import type { Database, Tx } from '#platform/db.ts'

/** Selects an order's unshipped tires and parts. Parcels without a label come first, then those with the latest promised day. */
export async function selectUnshipped(db: Database, orderId: number): Promise<UnshippedPart[]> {
  const { rows } = await sql<UnshippedPart>`
    select part.line_no as "lineNo", part.warehouse_id as "warehouseId", parcel.id as "shipmentId", part.quantity as units
    from (
      select order_id, line_no, warehouse_id, quantity from stock_allocation where order_id = ${orderId}::bigint
      union all
      ${packedParts(sql`${orderId}::bigint`)}) part join shipment parcel on parcel.order_id = part.order_id and parcel.warehouse_id = part.warehouse_id
    where part.order_id = ${orderId}::bigint and parcel.state in ('processed', 'pending-pickup')
    order by parcel.state = 'pending-pickup', parcel.promised_on desc, parcel.id, part.line_no`.execute(db)
  return rows
}

/** Selects the parts of the order `orderId` with the warehouses that pack them, without canceled units. */
function packedParts(orderId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select order_id, line_no, warehouse_id, quantity from (
      select order_id, line_no, part_warehouse_id as warehouse_id, (quantity - canceled_units(order_id, line_no))::int as quantity
      from order_line where order_id = ${orderId} and kind = 'part') packed where quantity > 0`
}

/** Returns an order's parts to stock, all of them or only the given warehouse's. Canceled units were returned before. */
export async function returnOrderParts(tx: Tx, orderId: number, warehouseId?: number): Promise<void> {
  const { rows } = await sql<PartUnits>`
    select order_line.part_id as "partId", packed.warehouse_id as "warehouseId", packed.quantity
    from (${packedParts(sql`${orderId}::bigint`)}) packed join order_line using (order_id, line_no)
    where ${warehouseId ?? null}::int is null or packed.warehouse_id = ${warehouseId ?? null}::int`.execute(tx)
  await returnPartUnits(tx, rows)
}

/** Returns the parts among canceled units to stock. */
export async function returnCanceledParts(
  tx: Tx,
  orderId: number,
  canceled: readonly { lineNo: number; units: number }[],
): Promise<void> {
  const { rows } = await sql<PartUnits>`
    select part_id as "partId", part_warehouse_id as "warehouseId", canceled.units as quantity
    from order_line join json_to_recordset(${JSON.stringify(canceled)}::json) as canceled ("lineNo" smallint, units int) on canceled."lineNo" = line_no
    where order_id = ${orderId}::bigint and kind = 'part'`.execute(tx)
  await returnPartUnits(tx, rows)
}

/** Takes units out of their parcels and returns them to stock. Throws if a parcel has not that many. */
export async function returnParts(tx: Tx, orderId: number, parts: readonly UnshippedPart[]): Promise<void> {
  const rows = parts.map(({ lineNo, warehouseId, units }) => ({ line_no: lineNo, warehouse_id: warehouseId, units }))
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::json) as given (line_no smallint, warehouse_id smallint, units smallint)`
  await returnStock(
    tx,
    sql`
      select order_line.item_id, given.warehouse_id, sum(given.units)::int as quantity
      from ${given} join order_line on order_line.order_id = ${orderId}::bigint and order_line.line_no = given.line_no group by 1, 2`,
  )
  const emptied = await sql`
    delete from stock_allocation part using ${given}
    where part.order_id = ${orderId}::bigint and part.line_no = given.line_no and part.warehouse_id = given.warehouse_id and part.quantity = given.units`.execute(
    tx,
  )
  const lessened = await sql`
    update stock_allocation part set quantity = part.quantity - given.units from ${given}
    where part.order_id = ${orderId}::bigint and part.line_no = given.line_no and part.warehouse_id = given.warehouse_id and part.quantity > given.units`.execute(
    tx,
  )
  if (Number(emptied.numAffectedRows ?? 0n) + Number(lessened.numAffectedRows ?? 0n) !== parts.length)
    throw new Error(`A parcel of order ${orderId} has fewer units than were canceled.`)
}

/** Counts an order's tires that remain in a parcel, shipped or not. */
export async function countAllocated(tx: Tx, orderId: number): Promise<number> {
  const { units } = await tx
    .selectFrom('stock_allocation')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('quantity'), eb.lit(0)).as('units'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return units
}
