/** The statements for suppliers' answers about availability and cost. */
import { sql } from 'kysely'
import { lockSupplierStock, setSupplierStock, type SupplierUnits } from '#domain/supply/delivery/delivery.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { sqlList } from '#platform/sql-list.ts'

/** A supplier's service. Its key is sealed. */
export type StoredService = { supplierId: number; version: number; url: string; sealedKey: Buffer }

/** Selects the services of active suppliers. */
export function selectServices(db: Database): Promise<StoredService[]> {
  return db
    .selectFrom('supplier')
    .select(['id as supplierId', 'version', 'availability_url as url', 'availability_key as sealedKey'])
    .where('availability_url', 'is not', null)
    .where('retired_at', 'is', null)
    .orderBy('id')
    .limit(100)
    .$narrowType<{ url: string; sealedKey: Buffer }>()
    .execute()
}

/** A tire in a query to a supplier. */
export type DuePart = { supplierId: number; itemId: number; mpn: string; brand: string }

/**
 * Selects up to `limit` active tires with a part number for each supplier, among `itemIds` if given, without an answer
 * since `before`; oldest answers first.
 */
export async function selectDueParts(
  db: Database,
  {
    supplierIds,
    itemIds,
    before,
    limit,
  }: {
    supplierIds: readonly number[]
    itemIds: readonly number[] | null
    before: Temporal.Instant
    limit: number
  },
): Promise<DuePart[]> {
  const among = itemIds === null ? sql`true` : sql`item.id = any(${sqlList('int', itemIds)})`
  const { rows } = await sql<DuePart>`
    select supplier.id as "supplierId", due.id as "itemId", due.mpn, due.brand
    from supplier cross join lateral (
      select item.id, item.mpn, brand.name as brand
      from item join product_line on product_line.id = item.product_line_id join brand on brand.id = product_line.brand_id
        left join supplier_availability as known on known.item_id = item.id and known.supplier_id = supplier.id
      where item.active and item.mpn is not null and ${among}
        and (known.queried_at is null or known.queried_at < ${before.toString()}::timestamptz)
      order by known.queried_at nulls first, item.id limit ${limit}) as due
    where supplier.id = any(${sqlList('int', supplierIds)})
    order by supplier.id, due.id`.execute(db)
  return rows
}

/** What a supplier has of a tire, by its own warehouse IDs. */
export type AnsweredTire = {
  itemId: number
  costCents: number | null
  branches: readonly { id: string; units: number }[]
}

/**
 * Stores a supplier's answer as stock, less the units in purchase orders that it hadn't accepted by `queriedAt`. Tires
 * and warehouses that the answer leaves out have zero units. Ignores tires with a
 * newer answer, and retired suppliers. Locks stock rows in key order, as orders do.
 */
export async function writeAvailability(
  tx: Tx,
  { supplierId, queriedAt, tires }: { supplierId: number; queriedAt: Temporal.Instant; tires: readonly AnsweredTire[] },
): Promise<void> {
  const at = sql`${queriedAt.toString()}::timestamptz`
  // A supplier that is being retired is waited for, and then has no stock.
  const { rows: active } = await sql`
    select from supplier where id = ${supplierId}::smallint and retired_at is null for share`.execute(tx)
  if (active.length === 0) return
  const answered = await selectAnsweredUnits(tx, supplierId, tires)
  await lockSupplierStock(tx, answered)
  const { rows: counted } = await sql<SupplierUnits>`
    with known as (
      insert into supplier_availability (supplier_id, item_id, queried_at, units, cost_cents)
      select ${supplierId}::smallint, item_id, ${at}, units, cost_cents
      from json_to_recordset(${JSON.stringify(tireRows(tires))}::json) as items (item_id int, cost_cents int, units int) order by item_id
      on conflict (supplier_id, item_id) do update
        set queried_at = excluded.queried_at, units = excluded.units, cost_cents = excluded.cost_cents
        where supplier_availability.queried_at < excluded.queried_at
      returning item_id),
    promised as (
      select line.item_id, po.warehouse_id, sum(line.quantity)::int as units
      from purchase_order po join purchase_order_line line on line.purchase_order_id = po.id
      where po.supplier_id = ${supplierId}::smallint
        and (po.state in ('held', 'released') or (po.state = 'accepted' and po.answered_at > ${at}))
      group by line.item_id, po.warehouse_id)
    select answered."itemId", answered."warehouseId", greatest(0, answered.units - coalesce(promised.units, 0))::int as units
    from json_to_recordset(${JSON.stringify(answered)}::json) as answered ("itemId" int, "warehouseId" smallint, units int)
      join known on known.item_id = answered."itemId"
      left join promised on promised.item_id = answered."itemId" and promised.warehouse_id = answered."warehouseId"`.execute(
    tx,
  )
  await setSupplierStock(tx, counted)
}

/** Selects the answered units in each of the supplier's warehouses, zero if the answer leaves one out. */
async function selectAnsweredUnits(
  tx: Tx,
  supplierId: number,
  tires: readonly AnsweredTire[],
): Promise<SupplierUnits[]> {
  const { rows } = await sql<SupplierUnits>`
    select items.item_id as "itemId", warehouse.id as "warehouseId", coalesce(answered.units, 0) as units
    from json_to_recordset(${JSON.stringify(tireRows(tires))}::json) as items (item_id int)
      join warehouse on warehouse.supplier_id = ${supplierId}::smallint and warehouse.branch is not null and warehouse.retired_at is null
      left join json_to_recordset(${JSON.stringify(branchRows(tires))}::json) as answered (item_id int, branch text, units int)
        on answered.item_id = items.item_id and answered.branch = warehouse.branch`.execute(tx)
  return rows
}

/** One row per tire and branch. Of a branch that is listed twice, the fewest units count. */
function branchRows(tires: readonly AnsweredTire[]): { item_id: number; branch: string; units: number }[] {
  return tires.flatMap(({ itemId, branches }) => {
    const least = new Map<string, number>()
    for (const { id, units } of branches) least.set(id, Math.min(units, least.get(id) ?? units))
    return [...least].map(([branch, units]) => ({ item_id: itemId, branch, units }))
  })
}

const mostUnits = 1_000_000

function tireRows(tires: readonly AnsweredTire[]): { item_id: number; cost_cents: number | null; units: number }[] {
  return tires.map(({ itemId, costCents, branches }) => ({
    item_id: itemId,
    cost_cents: costCents,
    units: Math.min(
      mostUnits,
      branches.reduce((sum, { units }) => sum + units, 0),
    ),
  }))
}

/** A tire in a held purchase order. `ahead` is the number of units in earlier orders that the supplier hasn't accepted. */
export type HeldPart = DuePart & { purchaseOrderId: number; branch: string; quantity: number; ahead: number }

/** Selects the tires in an order's held purchase orders at suppliers with a service. */
export async function selectHeldParts(db: Database, orderId: number): Promise<HeldPart[]> {
  const { rows } = await sql<HeldPart>`
    with own as (
      select po.id, po.supplier_id, po.warehouse_id, warehouse.branch, line.item_id, sum(line.quantity)::int as quantity
      from purchase_order po join purchase_order_line line on line.purchase_order_id = po.id
        join warehouse on warehouse.id = po.warehouse_id join supplier on supplier.id = po.supplier_id
      where po.order_id = ${orderId}::bigint and po.state = 'held' and warehouse.branch is not null and supplier.availability_url is not null
      group by po.id, warehouse.branch, line.item_id)
    select own.id as "purchaseOrderId", own.supplier_id as "supplierId", own.branch, own.item_id as "itemId", item.mpn, brand.name as brand, own.quantity, (
      select coalesce(sum(line.quantity), 0)::int
      from purchase_order before join purchase_order_line line on line.purchase_order_id = before.id
      where before.supplier_id = own.supplier_id and before.warehouse_id = own.warehouse_id and line.item_id = own.item_id
        and before.id < own.id and before.state in ('held', 'released')) as ahead
    from own join item on item.id = own.item_id and item.mpn is not null
      join product_line on product_line.id = item.product_line_id join brand on brand.id = product_line.brand_id
    order by own.id, own.item_id`.execute(db)
  return rows
}

/** Counts the tires that a supplier answered about, with the time of its last answer. */
export async function selectAnswered(
  db: Database,
  supplierId: number,
): Promise<{ tires: number; lastAt: Temporal.Instant | null }> {
  return db
    .selectFrom('supplier_availability')
    .select((from) => [
      from.fn.countAll<number>().as('tires'),
      from.fn.max('queried_at').$castTo<Temporal.Instant | null>().as('lastAt'),
    ])
    .where('supplier_id', '=', supplierId)
    .executeTakeFirstOrThrow()
}

/** Notes why a supplier's service failed, or null that it answered. */
export async function updateFault(
  db: Database,
  { supplierId, fault, at }: { supplierId: number; fault: string | null; at: Temporal.Instant },
): Promise<void> {
  await db
    .updateTable('supplier')
    .set({ availability_fault: fault, availability_failed_at: fault === null ? null : at })
    .where('id', '=', supplierId)
    .where('availability_fault', 'is distinct from', fault)
    .execute()
}
