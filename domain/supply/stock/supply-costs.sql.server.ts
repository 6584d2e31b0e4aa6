/** What active tires cost at the sources that have them. */
import { sql } from 'kysely'
import { freightFrom, landedCostFrom } from './unit-cost.sql.server.ts'
import type { Database } from '#platform/db.ts'

/**
 * A tire with its price, minimum advertised price, and landed costs in cents at the sources with stock, our own
 * included. The supplier is null if our stock is the cheapest. `freightCents` is the freight in `costCents`. Without
 * stock, the catalog's cost counts, without freight.
 */
export type TireSupply = {
  itemId: number
  sku: string
  name: string
  brandId: number
  retailCents: number
  mapCents: number | null
  costCents: number | null
  highestCostCents: number | null
  freightCents: number
  supplierId: number | null
}

/** Selects up to `limit` active tires by ID, after the tire `after`. */
export async function selectTireSupply(
  db: Database,
  { after, limit }: { after: number; limit: number },
): Promise<TireSupply[]> {
  const { rows } = await sql<TireSupply>`
    with page as materialized (
      select id, sku, product_line_id, size_id, retail_cents, map_cents, cost_cents
      from item where active and id > ${after}::int order by id limit ${limit}),
    source as (
      select page.id as item_id, warehouse.supplier_id, min(warehouse.id) as warehouse_id
      from page join stock on stock.item_id = page.id and stock.on_hand > 0
        join warehouse on warehouse.id = stock.warehouse_id and warehouse.retired_at is null
      group by 1, 2),
    supply as (
      select item_id, min(cents) as cents, max(cents) as highest, (array_agg(supplier_id order by cents, supplier_id nulls first))[1] as supplier_id,
        (array_agg(freight order by cents, supplier_id nulls first))[1] as freight
      from (
        select item_id, supplier_id, ${landedCostFrom(sql`source.item_id`, sql`source.warehouse_id`)} as cents, ${freightFrom(sql`source.warehouse_id`)} as freight
        from source) as costed
      where cents is not null group by 1)
    select page.id as "itemId", page.sku, concat_ws(' ', brand.name, line.name, size.designation) as name, line.brand_id as "brandId",
      page.retail_cents as "retailCents", page.map_cents as "mapCents", coalesce(supply.cents, page.cost_cents) as "costCents",
      coalesce(supply.highest, page.cost_cents) as "highestCostCents", coalesce(supply.freight, 0) as "freightCents", supply.supplier_id as "supplierId"
    from page join product_line line on line.id = page.product_line_id join brand on brand.id = line.brand_id join size on size.id = page.size_id
      left join supply on supply.item_id = page.id
    order by page.id`.execute(db)
  return rows
}
