/**
 * What a restricted visitor is not shown is never read: every statement that reads brands, or what has one, ends with
 * one of these. For a range of all brands they are no text at all, so that what guests cause stays the statement that
 * it was.
 */
import { sql, type RawBuilder } from 'kysely'
import type { BrandRange } from './brand-range.ts'

/** Of the brand whose id stands in `column`, as "b.id". */
export function andBrand(range: BrandRange, column: string): RawBuilder<unknown> {
  return range === null ? sql`` : sql`and ${sql.ref(column)} = any (${[...range]}::int[])`
}

/** Of a brand in the range, by the line whose id stands in `column`. */
export function andLine(range: BrandRange, column: string): RawBuilder<unknown> {
  return range === null
    ? sql``
    : sql`and ${sql.ref(column)} in (select id from product_line where brand_id = any (${[...range]}::int[]))`
}

/** A promotion or rebate, called `deal`, that is on every tire or on something of the range. */
export function isDealWithin(range: BrandRange, of: 'promotion' | 'rebate'): RawBuilder<boolean> {
  if (range === null) return sql`true`
  const line =
    of === 'promotion'
      ? sql`coalesce(deal.product_line_id, (select product_line_id from item where item.id = deal.item_id))`
      : sql`deal.product_line_id`
  const brand = sql`coalesce(deal.brand_id, (select brand_id from product_line where product_line.id = ${line}))`
  return sql`coalesce(${brand} = any (${[...range]}::int[]), ${brand} is null)`
}
