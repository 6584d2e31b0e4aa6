/** Reads the directories (sizes, brands, types and categories) and the home page's content. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import { andBrand, andLine } from './brand-range.sql.server.ts'
import type { BrandRange } from './brand-range.ts'
import type { Brand, SizeKind } from './items.ts'

export type SizeEntry = {
  slug: string
  designation: string
  kind: SizeKind
  rimIn: number
  sectionWidthMm: number
  aspect: number
}

/** Sizes with articles on sale, by rim, width and aspect. */
export async function selectSizes(db: Database, range: BrandRange): Promise<SizeEntry[]> {
  const rows = await db
    .selectFrom('size')
    .select(['slug', 'designation', 'kind', 'rim_in as rimIn', 'section_width_mm as sectionWidthMm', 'aspect'])
    .where(
      sql<boolean>`exists (select from item where item.size_id = size.id and item.active ${andLine(range, 'item.product_line_id')})`,
    )
    .orderBy('rim_in')
    .orderBy('section_width_mm')
    .orderBy('aspect')
    .orderBy('slug')
    .execute()
  return rows.map((row) => ({ ...row, kind: row.kind as SizeKind }))
}

/** Up to six sizes with articles on sale on the same rim, closest in height and then in width. */
export async function selectNearestSizes(
  db: Database,
  range: BrandRange,
  slug: string,
): Promise<{ slug: string; items: number }[]> {
  const { rows } = await sql<{ slug: string; items: number }>`
    select near.slug, (select count(*) from item where item.size_id = near.id and item.active ${andLine(range, 'item.product_line_id')}) as items
    from size asked join size near on near.rim_in = asked.rim_in and near.id <> asked.id
    where asked.slug = ${slug} and exists (select from item where item.size_id = near.id and item.active ${andLine(range, 'item.product_line_id')})
    order by near.kind <> asked.kind, abs(near.overall_diameter_mm - asked.overall_diameter_mm), abs(near.section_width_mm - asked.section_width_mm), near.slug
    limit 6`.execute(db)
  return rows
}

/**
 * The sizes in which a brand, type or category (or a brand's type or category) has the most articles, at most `limit`.
 */
export async function selectUsualSizes(
  db: Database,
  range: BrandRange,
  { brand, type, category }: { brand?: string | undefined; type?: string | undefined; category?: string | undefined },
  limit: number,
): Promise<{ slug: string; designation: string; items: number }[]> {
  let query = db
    .selectFrom('product_line as l')
    .innerJoin('item as i', (join) => join.onRef('i.product_line_id', '=', 'l.id').on('i.active', '=', true))
    .innerJoin('size as s', 's.id', 'i.size_id')
    .select((eb) => ['s.slug', 's.designation', eb.fn.countAll<number>().as('items')])
  if (range !== null) query = query.where('l.brand_id', '=', sql<number>`any (${[...range]}::int[])`)
  if (brand !== undefined) query = query.innerJoin('brand as b', 'b.id', 'l.brand_id').where('b.slug', '=', brand)
  if (category !== undefined) query = query.where('l.category_slug', '=', category)
  if (type !== undefined)
    query = query.innerJoin('category as c', 'c.slug', 'l.category_slug').where('c.type_slug', '=', type)
  return query.groupBy('s.id').orderBy('items', 'desc').orderBy('s.id').limit(limit).execute()
}

/** `logo` is the key of an uploaded image, which replaces the name. */
export type Wordmark = {
  weight: number
  stretch: number
  spacing: number
  case: 'upper' | 'title' | 'lower'
  logo?: string | null
}
export type BrandEntry = {
  slug: string
  name: string
  tier: Brand['tier']
  about: string
  wordmark: Wordmark
  lines: number
  reviews: number
}

/** Brands with articles on sale, by name, with their number of lines and reviews. */
export async function selectBrands(db: Database, range: BrandRange): Promise<BrandEntry[]> {
  const { rows } = await sql<BrandEntry>`
    select b.slug, b.name, b.tier, b.about, b.wordmark || jsonb_build_object('logo', b.logo_key) as wordmark, count(*) as lines, coalesce(sum(r.review_count), 0) as reviews
    from brand b join product_line l on l.brand_id = b.id left join line_rating r on r.product_line_id = l.id
    where exists (select from item where item.product_line_id = l.id and item.active) ${andBrand(range, 'b.id')}
    group by b.id order by b.name`.execute(db)
  return rows
}

/** `typeSlug` is a type's own slug; `audience`, who it is for, may be empty. */
export type KindEntry = {
  slug: string
  name: string
  definition: string
  audience: string
  typeSlug: string
  lines: number
  fromCents: number
  itemId: number
}
export type Kinds = { types: KindEntry[]; categories: KindEntry[] }

/** Types and categories in use, with or without tires. */
export async function selectKnownKinds(db: Database): Promise<KindEntry[]> {
  const { rows } = await sql<KindEntry>`
    select slug, name, definition, audience, slug as "typeSlug", 0 as lines, 0 as "fromCents", 0 as "itemId" from tire_type where not retired
    union all select slug, name, definition, audience, type_slug, 0, 0, 0 from category where not retired`.execute(db)
  return rows
}

/**
 * Types and categories in display order, each with its lines, its lowest regular price and the article with that price.
 * Empty ones are left out.
 */
export async function selectKinds(db: Database, range: BrandRange): Promise<Kinds> {
  const { rows } = await sql<Kinds>`
    with line as materialized (
      select c.slug as category_slug, c.type_slug, i.shown_cents, i.id
      from product_line l join category c on c.slug = l.category_slug
      cross join lateral (select id, shown_cents from item where product_line_id = l.id and active order by shown_cents, id limit 1) i
      where true ${andBrand(range, 'l.brand_id')}),
    type_sum as (select type_slug, count(*) as lines, min(array[shown_cents, id]) as cheapest from line group by type_slug),
    category_sum as (select category_slug, count(*) as lines, min(array[shown_cents, id]) as cheapest from line group by category_slug)
    select
      (select coalesce(jsonb_agg(jsonb_build_object('slug', slug, 'name', name, 'definition', definition, 'audience', audience, 'typeSlug', slug, 'lines', lines, 'fromCents', cheapest[1], 'itemId', cheapest[2]) order by position), '[]')
        from tire_type join type_sum on type_slug = slug) as types,
      (select coalesce(jsonb_agg(jsonb_build_object('slug', slug, 'name', name, 'definition', definition, 'audience', audience, 'typeSlug', type_slug, 'lines', lines, 'fromCents', cheapest[1], 'itemId', cheapest[2]) order by position), '[]')
        from category join category_sum on category_slug = slug) as categories`.execute(db)
  return rows[0] ?? { types: [], categories: [] }
}
