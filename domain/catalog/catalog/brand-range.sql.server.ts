/**
 * Restricted visitors can't see some brands, so queries never read them. Every query for brands, or data with a brand,
 * appends one of these. For a range of all brands they are empty, so that guests' statements stay unchanged.
 */
import { sql, type RawBuilder } from 'kysely'
import type { BrandRange } from './brand-range.ts'

/** Limits to brands in the range, by the brand id in `column`, such as "b.id". */
export function andBrand(range: BrandRange, column: string): RawBuilder<unknown> {
  return range === null ? sql`` : sql`and ${sql.ref(column)} = any (${[...range]}::int[])`
}

/** Limits to brands in the range, by the line id in `column`. */
export function andLine(range: BrandRange, column: string): RawBuilder<unknown> {
  return range === null
    ? sql``
    : sql`and ${sql.ref(column)} in (select id from product_line where brand_id = any (${[...range]}::int[]))`
}

/** Whether a promotion or rebate, aliased `deal`, applies to every tire or to anything in the range. */
export function isDealWithin(range: BrandRange, of: 'promotion' | 'rebate'): RawBuilder<boolean> {
  if (range === null) return sql`true`
  const line =
    of === 'promotion'
      ? sql`coalesce(deal.product_line_id, (select product_line_id from item where item.id = deal.item_id))`
      : sql`deal.product_line_id`
  const brand = sql`coalesce(deal.brand_id, (select brand_id from product_line where product_line.id = ${line}))`
  return sql`coalesce(${brand} = any (${[...range]}::int[]), ${brand} is null)`
}
