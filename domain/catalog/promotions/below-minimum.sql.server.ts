/**
 * Advertised prices below a minimum advertised price (MAP), from the retail price or a running or scheduled promotion.
 * All code that sets a price, a minimum, or a promotion uses this query. Coupons and price lists aren't advertised. A
 * coupon never applies below a minimum, and only signed-in customers see a price list.
 */
import { sql, type RawBuilder } from 'kysely'
import { isInFilter, promotionPrice } from '#domain/catalog/catalog/catalog.server.ts'
import type { Database } from '#platform/db.ts'
import type { BelowMinimum } from './promotions.ts'

/**
 * Selects the tires that are advertised below their minimum at `at` or by a scheduled promotion, each at its lowest price:
 * item_id, sku, price_cents, map_cents, cause, and name of the promotion. `proposed` selects (item_id, retail_cents,
 * map_cents) as they would be saved.
 */
export function belowMinimumQuery(proposed: RawBuilder<unknown>, at: Temporal.Instant): RawBuilder<unknown> {
  const price = promotionPrice(sql`promotion.kind`, sql`promotion.amount`, sql`priced.retail_cents`)
  return sql`
    with priced as materialized (
      select item.id, item.sku, item.product_line_id, line.brand_id, proposed.retail_cents, proposed.map_cents
      from (${proposed}) as proposed join item on item.id = proposed.item_id join product_line line on line.id = item.product_line_id
      where proposed.map_cents is not null),
    offered as (
      select id, sku, retail_cents::numeric as price, map_cents, 'retail' as cause, null as name from priced where retail_cents < map_cents
      union all
      select priced.id, sku, ${price}, map_cents, 'promotion', promotion.name
      from priced join promotion on not already_applied and ends_at > ${at.toString()}::timestamptz
        and (promotion.item_id is null or promotion.item_id = priced.id)
        and (promotion.product_line_id is null or promotion.product_line_id = priced.product_line_id)
        and (promotion.brand_id is null or promotion.brand_id = priced.brand_id) and ${isInFilter(sql`promotion.filter_id`, sql`priced.id`)}
        and not exists (select from promotion_exclusion left_out where left_out.promotion_id = promotion.id and left_out.item_id = priced.id)
      where retail_cents >= map_cents)
    select distinct on (id) id as item_id, sku, greatest(0, floor(price))::int as price_cents, map_cents, cause, name
    from offered where price < map_cents order by id, price, name`
}

/**
 * Selects prices for `belowMinimumQuery` that a change lowers, or that are below the minimum by themselves. `changes`
 * selects (item_id, was_cents, retail_cents); was_cents is null for a new
 * tire.
 */
export function changedPrices(changes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select change.item_id, change.retail_cents, item.map_cents from (${changes}) as change join item on item.id = change.item_id
    where change.retail_cents is distinct from change.was_cents
      and (change.was_cents is null or change.retail_cents < change.was_cents or change.retail_cents < item.map_cents)`
}

/** Lists the tires of `belowMinimumQuery`, at most `limit`, by SKU; `count` is the total. */
export async function selectBelowMinimum(
  db: Database,
  proposed: RawBuilder<unknown>,
  { at, limit }: { at: Temporal.Instant; limit: number },
): Promise<{ count: number; tires: BelowMinimum[] }> {
  const { rows } = await sql<BelowMinimum & { count: number }>`
    select sku, price_cents as "priceCents", map_cents as "mapCents", cause, name, (count(*) over ())::int as count
    from (${belowMinimumQuery(proposed, at)}) as below order by sku limit ${limit}`.execute(db)
  return { count: rows[0]?.count ?? 0, tires: rows.map(({ count: _count, ...tire }) => tire) }
}

/** A tire on sale that is advertised below its minimum; `since` is when the minimum was set. */
export type BelowMinimumTire = BelowMinimum & { itemId: number; tire: string; since: Temporal.Instant }

/** Lists the tires on sale that are advertised below their minimum, those with the oldest minimum first, after `after`. */
export async function selectAllBelowMinimum(
  db: Database,
  {
    at,
    limit,
    after = null,
  }: { at: Temporal.Instant; limit: number; after?: { at: Temporal.Instant; id: number } | null },
): Promise<BelowMinimumTire[]> {
  const onSale = sql`select id as item_id, retail_cents, map_cents from item where active and map_cents is not null`
  const isAfter = after
    ? sql`where (item.map_set_at, item.id) > (${after.at.toString()}::timestamptz, ${after.id}::integer)`
    : sql``
  const { rows } = await sql<BelowMinimumTire>`
    select item.id as "itemId", item.map_set_at as since, concat_ws(' ', brand.name, line.name, size.designation) as tire,
      below.sku, price_cents as "priceCents", below.map_cents as "mapCents", cause, below.name
    from (${belowMinimumQuery(onSale, at)}) as below join item on item.id = below.item_id join size on size.id = item.size_id
      join product_line line on line.id = item.product_line_id join brand on brand.id = line.brand_id
    ${isAfter} order by item.map_set_at, item.id limit ${limit}`.execute(db)
  return rows
}
