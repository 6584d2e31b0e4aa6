/** Reads catalog pages in groups small enough for one sitemap. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

import { andBrand, andLine } from './brand-range.sql.server.ts'
import type { BrandRange } from './brand-range.ts'

/** A line or size by id, with its maximum number of URLs. */
export type AddressGroup = { id: number; addresses: number }

/** Lines with articles on sale, by id. Each has its page, its reviews page and one per article. */
export async function selectLineGroups(db: Database, range: BrandRange): Promise<AddressGroup[]> {
  const { rows } = await sql<AddressGroup>`
    select product_line_id as id, count(*) + 2 as addresses from item where active ${andLine(range, 'product_line_id')} group by product_line_id order by product_line_id`.execute(
    db,
  )
  return rows
}

export type LineAddresses = {
  brandSlug: string
  lineSlug: string
  /** Date of the last published review; null if there are no reviews. */
  reviewedAt: Temporal.Instant | null
  /** Last change of any of its articles. */
  changedAt: Temporal.Instant
  items: { id: number; changedAt: Temporal.Instant }[]
}

export async function selectLineAddresses(
  db: Database,
  range: BrandRange,
  lineIds: readonly number[],
): Promise<LineAddresses[]> {
  const { rows } = await sql<{
    brandSlug: string
    lineSlug: string
    reviewedAt: Temporal.Instant | null
    id: number
    changedAt: Temporal.Instant
  }>`
    select b.slug as "brandSlug", l.slug as "lineSlug", i.id, i.changed_at as "changedAt", latest.written_at as "reviewedAt"
    from product_line l
    join brand b on b.id = l.brand_id
    join item i on i.product_line_id = l.id and i.active
    left join lateral (
      select written_at from review where review.product_line_id = l.id and state = 'published' order by written_at desc limit 1) latest on true
    where l.id = any (${[...lineIds]}::int[]) ${andBrand(range, 'b.id')}
    order by l.id, i.id`.execute(db)
  return [...Map.groupBy(rows, ({ brandSlug, lineSlug }) => `${brandSlug}/${lineSlug}`).values()].flatMap((items) => {
    const [first] = items
    if (!first) return []
    const { brandSlug, lineSlug, reviewedAt } = first
    const changedAt = items.map((item) => item.changedAt).reduce((a, b) => (Temporal.Instant.compare(a, b) < 0 ? b : a))
    return [
      {
        brandSlug,
        lineSlug,
        reviewedAt,
        changedAt,
        items: items.map((item) => ({ id: item.id, changedAt: item.changedAt })),
      },
    ]
  })
}

/**
 * Sizes with items on sale, by id. A model adds at most five URLs to its size, for its brand, type, category, and the
 * brand combined with both.
 */
export async function selectSizeGroups(db: Database, range: BrandRange): Promise<AddressGroup[]> {
  const { rows } =
    await sql<AddressGroup>`select size_id as id, count(*) * 5 + 1 as addresses from item where active ${andLine(range, 'product_line_id')} group by size_id order by size_id`.execute(
      db,
    )
  return rows
}

/** What is sold in a size, one row per brand and category. */
export type SizeCombination = { size: string; brand: string; type: string; category: string }

export async function selectSizeCombinations(
  db: Database,
  range: BrandRange,
  sizeIds: readonly number[],
): Promise<SizeCombination[]> {
  const { rows } = await sql<SizeCombination>`
    select distinct s.slug as size, b.slug as brand, c.type_slug as type, c.slug as category
    from size s
    join item i on i.size_id = s.id and i.active
    join product_line l on l.id = i.product_line_id
    join brand b on b.id = l.brand_id
    join category c on c.slug = l.category_slug
    where s.id = any (${[...sizeIds]}::int[]) ${andBrand(range, 'b.id')}
    order by 1, 2, 3, 4`.execute(db)
  return rows
}

/** The types and categories each brand sells. */
export type BrandKind = { brand: string; type: string; category: string }

export async function selectBrandKinds(db: Database, range: BrandRange): Promise<BrandKind[]> {
  const { rows } = await sql<BrandKind>`
    select b.slug as brand, c.type_slug as type, c.slug as category
    from product_line l
    join brand b on b.id = l.brand_id
    join category c on c.slug = l.category_slug
    where exists (select from item where item.product_line_id = l.id and item.active) ${andBrand(range, 'b.id')}
    group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows
}
