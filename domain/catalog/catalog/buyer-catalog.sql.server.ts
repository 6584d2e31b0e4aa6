import { sql } from 'kysely'
import type { PriceRule } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { Database } from '#platform/db.ts'

/**
 * Returns, per line, the candidates for its cheapest article under the rules of a price list. Under one rule the price
 * rises only with the retail price or the cost, plus excise tax. The candidates are therefore each item with an item
 * rule and, for each distinct excise tax, the cheapest and the lowest-cost item of each size with a rule and of all
 * others.
 */
export async function selectCheapestByRules(
  db: Database,
  {
    lineIds,
    rules,
    rimIn,
  }: { lineIds: readonly number[]; rules: readonly Pick<PriceRule, 'scope' | 'formula'>[]; rimIn: number | undefined },
): Promise<number[]> {
  const itemIds = rules.flatMap(({ scope }) => (scope.kind === 'item' ? [scope.id] : []))
  const sizes = rules.flatMap(({ scope }) => (scope.kind === 'size' ? [scope.slug] : []))
  const { rows } = await sql<{ id: number }>`
    with ruled as (select id from size where slug = any (${sizes}::text[]) and (${rimIn ?? null}::numeric is null or rim_in = ${rimIn ?? null}::numeric)),
    sold as (
      select item.id, item.product_line_id, case when ruled.id is not null then item.size_id end as size_id, item.retail_cents, item.cost_cents, item.fet_cents, item.id = any (${itemIds}::int[]) as is_ruled
      from item join size on size.id = item.size_id left join ruled on ruled.id = item.size_id
      where item.active and item.product_line_id = any (${[...lineIds]}::int[]) and (${rimIn ?? null}::numeric is null or size.rim_in = ${rimIn ?? null}::numeric))
    select id from sold where is_ruled
    union
    (select distinct on (product_line_id, size_id, fet_cents) id from sold where not is_ruled order by product_line_id, size_id, fet_cents, retail_cents, id)
    union
    (select distinct on (product_line_id, size_id, fet_cents) id from sold where not is_ruled and cost_cents is not null order by product_line_id, size_id, fet_cents, cost_cents, id)
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
