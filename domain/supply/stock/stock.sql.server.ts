/** Queries for the office stock list. Pages and searches use indexes, without counting. */
import { sql, type RawBuilder } from 'kysely'
import { sizeDigits } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { stockKey } from '#domain/supply/delivery/delivery.server.ts'
import type { StockPool, StockQuery } from './stock.ts'
import type { Database } from '#platform/db.ts'
import { startPattern } from '#platform/start-pattern.ts'

/** One tire with its free units in each pool, and the units allocated to orders that have not left. */
export type StockedTire = {
  itemId: number
  sku: string
  brand: string
  line: string
  size: string
  isActive: boolean
  onHand: number
  local: number
  nationwide: number
  allocated: number
}

/** One tire's units in one warehouse. `supplier` is null for the store's own stock. */
export type StockPlace = {
  warehouseId: number
  code: string
  name: string
  state: string
  pool: StockPool
  supplier: string | null
  /** Where the tires stand, such as A-04-2; null where that is not recorded. */
  bin: string | null
  free: number
  allocated: number
}

/** Up to `limit` tires that match, by id, after the one given. */
export async function selectStock(
  db: Database,
  { words, pool, warehouse }: StockQuery,
  { after, limit }: { after: number; limit: number },
): Promise<StockedTire[]> {
  const conditions = [
    sql`item.id > ${after}::int`,
    ...words.map(matches),
    ...(pool ? [stockedIn(pool)] : []),
    ...(warehouse === undefined ? [] : [stockedAt(warehouse)]),
  ]
  const { rows } = await sql<StockedTire>`
    with page as materialized (
      select item.id, item.sku, item.active, item.product_line_id, item.size_id from item
      where ${sql.join(conditions, sql` and `)} order by item.id limit ${limit}),
    units as (
      select stock.item_id, coalesce(sum(on_hand) filter (where pool = 'on-hand'), 0)::int as on_hand,
        coalesce(sum(on_hand) filter (where pool = 'local'), 0)::int as local,
        coalesce(sum(on_hand) filter (where pool = 'nationwide'), 0)::int as nationwide
      from page join stock on stock.item_id = page.id join warehouse on warehouse.id = stock.warehouse_id group by stock.item_id),
    promised as (${allocatedUnits(sql`select id from page`)})
    select page.id as "itemId", page.sku, brand.name as brand, product_line.name as line, size.designation as size, page.active as "isActive",
      coalesce(units.on_hand, 0) as "onHand", coalesce(units.local, 0) as local, coalesce(units.nationwide, 0) as nationwide,
      coalesce((select sum(quantity) from promised where promised.item_id = page.id), 0)::int as allocated
    from page join product_line on product_line.id = page.product_line_id join brand on brand.id = product_line.brand_id
      join size on size.id = page.size_id left join units on units.item_id = page.id
    order by page.id`.execute(db)
  return rows
}

/** One tire by its id, in each warehouse that has a row of it. */
export async function selectStockPlaces(db: Database, itemId: number): Promise<StockPlace[]> {
  const { rows } = await sql<StockPlace>`
    with promised as (${allocatedUnits(sql`select ${itemId}::int`)})
    select warehouse.id as "warehouseId", warehouse.code, warehouse.name, warehouse.state, warehouse.pool, supplier.name as supplier, stock.bin,
      stock.on_hand + stock.closed_units as free, coalesce((select sum(quantity) from promised where promised.warehouse_id = warehouse.id), 0)::int as allocated
    from stock join warehouse on warehouse.id = stock.warehouse_id left join supplier on supplier.id = warehouse.supplier_id
    where stock.item_id = ${itemId}::int order by warehouse.id`.execute(db)
  return rows
}

/** A tire's units in one warehouse, 0 without a row of it; undefined if the tire or the warehouse doesn't exist. */
export async function selectStockLevel(
  db: Database,
  { itemId, warehouseId }: { itemId: number; warehouseId: number },
): Promise<{ sku: string; warehouse: string; availableUnits: number } | undefined> {
  const { rows } = await sql<{ sku: string; warehouse: string; availableUnits: number }>`
    select item.sku, warehouse.code as warehouse, coalesce(stock.on_hand, 0) as "availableUnits"
    from item join warehouse on warehouse.id = ${warehouseId}::smallint
      left join stock on stock.item_id = item.id and stock.warehouse_id = warehouse.id
    where item.id = ${itemId}::int`.execute(db)
  return rows[0]
}

/** Counts one tire's allocated units in one warehouse, including parcels until the carrier has them. */
export async function selectAllocated(
  db: Database,
  { itemId, warehouseId }: { itemId: number; warehouseId: number },
): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(quantity), 0)::int as units from (${allocatedUnits(sql`select ${itemId}::int`)}) as promised
    where warehouse_id = ${warehouseId}::smallint`.execute(db)
  return rows[0]?.units ?? 0
}

/** Counts allocated units like `selectAllocated`, by `stockKey`. */
export async function selectAllocatedAt(
  db: Database,
  { itemIds, warehouseIds }: { itemIds: readonly number[]; warehouseIds: readonly number[] },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ itemId: number; warehouseId: number; units: number }>`
    select item_id as "itemId", warehouse_id as "warehouseId", sum(quantity)::int as units
    from (${allocatedUnits(sql`select unnest(${[...itemIds]}::int[])`)}) as promised
    where warehouse_id = any(${[...warehouseIds]}::smallint[]) group by item_id, warehouse_id`.execute(db)
  return new Map(rows.map(({ units, ...place }) => [stockKey(place), units]))
}

/** What is allocated of the tires `ids`, starting from the parcels on the shelf: they are few, orders are many. */
function allocatedUnits(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select line.item_id, allocation.warehouse_id, allocation.quantity
    from shipment join stock_allocation allocation on allocation.order_id = shipment.order_id and allocation.warehouse_id = shipment.warehouse_id
      join order_line line on line.order_id = allocation.order_id and line.line_no = allocation.line_no
    where shipment.state in ('processed', 'pending-pickup') and line.item_id in (${ids})`
}

/** A word is the start of a SKU or of a size, or part of the name of a brand or line. */
function matches(word: string): RawBuilder<unknown> {
  const digits = sizeDigits(word)
  const sizes = digits
    ? sql`union select id from item where size_id in (
        select id from size where regexp_replace(designation, '[^0-9]', '', 'g') like ${`${digits}%`})`
    : sql``
  return sql`item.id in (
    select id from item where lower(sku) like ${startPattern(word)}
    union select id from item where product_line_id in (
      select product_line.id from product_line join brand on brand.id = product_line.brand_id
      where lower(brand.name || ' ' || product_line.name) like ${`%${startPattern(word)}`})
    ${sizes})`
}

function stockedAt(warehouse: string): RawBuilder<unknown> {
  return sql`exists (
    select from stock join warehouse on warehouse.id = stock.warehouse_id
    where stock.item_id = item.id and on_hand + closed_units > 0 and warehouse.code = ${warehouse})`
}

function stockedIn(pool: StockPool): RawBuilder<unknown> {
  return sql`exists (
    select from stock join warehouse on warehouse.id = stock.warehouse_id
    where stock.item_id = item.id and on_hand > 0 and warehouse.pool = ${pool})`
}
