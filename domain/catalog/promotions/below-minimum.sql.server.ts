/**
 * Prices below a minimum advertised price (MAP), whether from the retail price or a running or scheduled promotion,
 * coupon or price list. Used for every save of a minimum or a price.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'
import type { BelowMinimum } from './promotions.ts'

/** The price of one tire of four after an offer, from the columns of the offer and of `priced`. */
const offerPrice = sql`case kind when 'Percentage' then priced.retail_cents - round(priced.retail_cents * amount::numeric / 100)
  when 'Buy3Get1' then priced.retail_cents * 3 / 4.0 when 'Free' then priced.retail_cents * greatest(4 - amount, 0) / 4.0`

const isForTire = (
  offer: string,
) => sql`(${sql.ref(`${offer}.item_id`)} is null or ${sql.ref(`${offer}.item_id`)} = priced.id)
  and (${sql.ref(`${offer}.product_line_id`)} is null or ${sql.ref(`${offer}.product_line_id`)} = priced.product_line_id)
  and (${sql.ref(`${offer}.brand_id`)} is null or ${sql.ref(`${offer}.brand_id`)} = priced.brand_id)`

/** The most specific rule of a price list counts. */
const specificity = (rule: string) =>
  sql`case when ${sql.ref(`${rule}.item_id`)} is not null then 4 when ${sql.ref(`${rule}.product_line_id`)} is not null then 3
    when ${sql.ref(`${rule}.size_id`)} is not null then 2 when ${sql.ref(`${rule}.brand_id`)} is not null then 1 else 0 end`

/**
 * Lists the tires sold below their minimum at `at` or by a scheduled offer, at most `limit`, by SKU; `count` is the
 * total. `proposed` is a query for (item_id, retail_cents, map_cents) as they would be saved. A tire without a minimum
 * is omitted. If a tire's retail price is too low, only that cause is listed.
 */
export async function selectBelowMinimum(
  db: Database,
  proposed: RawBuilder<unknown>,
  { at, limit }: { at: Temporal.Instant; limit: number },
): Promise<{ count: number; tires: BelowMinimum[] }> {
  const rows = await selectRows(db, proposed, { at, limit })
  const tires = rows.map(({ sku, priceCents, mapCents, cause, name }) => ({ sku, priceCents, mapCents, cause, name }))
  return { count: rows[0]?.count ?? 0, tires }
}

/** A tire that is sold below its minimum now or by a scheduled offer; `since` is when the minimum was set. */
export type BelowMinimumTire = BelowMinimum & { itemId: number; tire: string; since: Temporal.Instant }

/** Lists every tire that is sold below its minimum, at most `limit`, by SKU and cause. */
export function selectAllBelowMinimum(
  db: Database,
  { at, limit }: { at: Temporal.Instant; limit: number },
): Promise<BelowMinimumTire[]> {
  return selectRows(db, sql`select id as item_id, retail_cents, map_cents from item where map_cents is not null`, {
    at,
    limit,
  })
}

async function selectRows(
  db: Database,
  proposed: RawBuilder<unknown>,
  { at, limit }: { at: Temporal.Instant; limit: number },
): Promise<(BelowMinimumTire & { count: number })[]> {
  const now = sql`${at.toString()}::timestamptz`
  const { rows } = await sql<BelowMinimumTire & { count: number }>`
    with priced as materialized (
      select item.id, item.sku, item.product_line_id, item.size_id, line.brand_id, item.cost_cents, proposed.retail_cents, proposed.map_cents
      from (${proposed}) as proposed join item on item.id = proposed.item_id join product_line line on line.id = item.product_line_id
      where item.active and proposed.map_cents is not null),
    offered as (
      select sku, retail_cents::numeric as price, map_cents, 'retail' as cause, null as name from priced where retail_cents < map_cents
      union all
      select sku, ${offerPrice} else priced.retail_cents - amount end, map_cents, 'promotion', promotion.name
      from priced join promotion on not already_applied and ends_at > ${now} and ${isForTire('promotion')}
        and not exists (select from promotion_exclusion left_out where left_out.promotion_id = promotion.id and left_out.item_id = priced.id)
      where retail_cents >= map_cents
      union all
      select sku, ${offerPrice} else priced.retail_cents - amount / 4.0 end, map_cents, 'coupon', coupon.code
      from priced join coupon on starts_at is not null and ends_at > ${now} and service is null and ${isForTire('coupon')} where retail_cents >= map_cents
      union all
      select sku, case rule.kind when 'fixed' then rule.amount_cents when 'percent-off' then round(retail_cents * (1000000 - rule.rate_ppm)::numeric / 1000000)
        else round(cost_cents * (1000000 + coalesce(rule.rate_ppm, 0))::numeric / 1000000) + coalesce(rule.amount_cents, 0) end, map_cents, 'price-list', list.name
      from priced join price_rule rule on (rule.ends_at is null or rule.ends_at > ${now}) and ${isForTire('rule')} and (rule.size_id is null or rule.size_id = priced.size_id)
        join price_list list on list.id = rule.price_list_id
      where retail_cents >= map_cents and not exists (
        select from price_rule better where better.price_list_id = rule.price_list_id and ${isForTire('better')} and (better.size_id is null or better.size_id = priced.size_id)
          and better.starts_at <= greatest(rule.starts_at, ${now}) and (better.ends_at is null or better.ends_at > greatest(rule.starts_at, ${now}))
          and ${specificity('better')} > ${specificity('rule')}))
    select (select id from item where item.sku = offered.sku) as "itemId", (select map_set_at from item where item.sku = offered.sku) as since,
      (select concat_ws(' ', brand.name, line.name, size.designation) from item join product_line line on line.id = item.product_line_id
        join brand on brand.id = line.brand_id join size on size.id = item.size_id where item.sku = offered.sku) as tire,
      sku, greatest(0, floor(min(price)))::int as "priceCents", map_cents as "mapCents", cause, name, (count(*) over ())::int as count
    from offered where price < map_cents group by sku, map_cents, cause, name order by sku, cause, name limit ${limit}`.execute(
    db,
  )
  return rows
}
