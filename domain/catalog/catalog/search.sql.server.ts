/** Reads names for the vocabulary. Also looks up numbers, which the vocabulary doesn't contain. */
import { sql } from 'kysely'
import { listUrbanAreas } from '#domain/scheduling/installers/installers.server.ts'
import type { Database } from '#platform/db.ts'
import { andBrand, andLine } from './brand-range.sql.server.ts'
import type { BrandRange } from './brand-range.ts'
import type { ItemMatch, ZipMatch } from './search-matches.ts'
import type { NamedModel } from './search-models.ts'
import type { SearchQuery } from './search-query.ts'
import type { NamedSize } from './search-sizes.ts'
import type { NamedBrand, NamedKind, NamedLine, NamedOtherBrand, NamedShop, Names } from './search-vocabulary.ts'

/** Everything with articles on sale, all shops, and every vehicle. */
export async function selectNames(db: Database, range: BrandRange): Promise<Names> {
  const [sizes, brands, lines, kinds, models, aliases, shops, otherBrands, areas] = await Promise.all([
    sql<NamedSize>`
      select slug, designation, (select count(*) from oe_fitment where front_size = designation) as vehicles from size
      where exists (select from item where item.size_id = size.id and item.active ${andLine(range, 'item.product_line_id')})`.execute(
      db,
    ),
    sql<NamedBrand>`select slug, name, tier, (select count(*) from product_line where brand_id = brand.id) as lines from brand where true ${andBrand(range, 'brand.id')}
      order by lines desc, slug`.execute(db),
    sql<NamedLine>`
      select l.id, l.slug, l.name, b.slug as "brandSlug", b.name as "brandName", c.name as category, coalesce(r.review_count, 0) as reviews
      from product_line l join brand b on b.id = l.brand_id join category c on c.slug = l.category_slug left join line_rating r on r.product_line_id = l.id
      where exists (select from item where item.product_line_id = l.id and item.active) ${andBrand(range, 'b.id')}`.execute(
      db,
    ),
    sql<NamedKind>`select 'type' as of, slug, name, position from tire_type where not retired union all select 'category', slug, name, 100 + position from category where not retired`.execute(
      db,
    ),
    sql<ModelRow>`
      select make_slug, model_slug, coalesce(min(make) filter (where year is not null), min(make)) as make,
        coalesce(min(model) filter (where year is not null), min(model)) as model,
        coalesce(jsonb_agg(jsonb_build_array(year, trim_slug, trim, drive) order by year, trim) filter (where year is not null), '[]') as trims,
        coalesce(jsonb_agg(jsonb_build_object('first', first_year, 'last', last_year)) filter (where first_year is not null), '[]') as known
      from (
        select make_slug, model_slug, make, model, year, trim_slug, trim, drive, null::int as first_year, null::int as last_year from vehicle
        union all
        select make_slug, model_slug, make, model, null, null, null, null, first_year, last_year from known_model) model
      group by make_slug, model_slug`.execute(db),
    sql<AliasRow>`
      select alias_slug as slug, model_make_slug, model_slug, coalesce(first_year, 0) as first, coalesce(last_year, 9999) as last from model_alias`.execute(
      db,
    ),
    sql<NamedShop>`select id, slug, code, name, city, state from shop where active`.execute(db),
    sql<NamedOtherBrand>`select slug, name, tier from other_brand`.execute(db),
    listUrbanAreas({ db }),
  ])
  const aliasesOf = Map.groupBy(aliases.rows, ({ model_make_slug, model_slug }) => `${model_make_slug} ${model_slug}`)
  const named = models.rows.map((row) => toModel(row, aliasesOf.get(`${row.make_slug} ${row.model_slug}`) ?? []))
  return {
    sizes: sizes.rows,
    brands: brands.rows,
    lines: lines.rows,
    kinds: kinds.rows,
    models: named,
    shops: shops.rows,
    otherBrands: otherBrands.rows,
    areas: areas.map(({ slug, city, state, shopCount }) => ({ slug, name: city, state, shops: shopCount })),
  }
}

type ModelRow = {
  make_slug: string
  model_slug: string
  make: string
  model: string
  trims: [year: number, slug: string, name: string, drive: string][]
  known: NamedModel['known']
}

type AliasRow = { slug: string; model_make_slug: string; model_slug: string; first: number; last: number }

function toModel(
  { make_slug, model_slug, make, model, trims, known }: ModelRow,
  aliases: readonly AliasRow[],
): NamedModel {
  const byYear = Map.groupBy(trims, ([year]) => year)
  return {
    makeSlug: make_slug,
    make,
    modelSlug: model_slug,
    model,
    trims: new Map(
      [...byYear].map(([year, ofYear]) => [year, ofYear.map(([, slug, name, drive]) => ({ slug, name, drive }))]),
    ),
    known,
    aliases: aliases.map(({ slug, first, last }) => ({ slug, first, last })),
  }
}

/**
 * Returns the item with a number or key, and a ZIP code's place. Queries the database only if the text may be one of
 * them.
 */
export async function selectNumbered(
  db: Database,
  range: BrandRange,
  { text, number, zip }: SearchQuery,
): Promise<{ items: ItemMatch[]; zips: ZipMatch[] }> {
  const mayBeKey = /^[a-z._-]*\d[a-z\d._-]*$/.test(text)
  if (!mayBeKey && zip === null) return { items: [], zips: [] }
  const { rows } = await sql<{ items: ItemMatch[]; zips: ZipMatch[] }>`
    select
      coalesce((
        select jsonb_agg(jsonb_build_object('id', i.id, 'brandSlug', b.slug, 'brandName', b.name, 'lineSlug', l.slug, 'lineName', l.name, 'size', s.designation))
        from item i join product_line l on l.id = i.product_line_id join brand b on b.id = l.brand_id join size s on s.id = i.size_id
        where i.active and (i.id = ${number}::int or i.sku = upper(${text})) ${andBrand(range, 'b.id')}), '[]') as items,
      coalesce((select jsonb_agg(jsonb_build_object('zip', zip, 'city', city, 'state', state)) from zip where zip = ${zip}::text), '[]') as zips`.execute(
    db,
  )
  return rows[0] ?? { items: [], zips: [] }
}

/** One article of a line for each of these sizes; its page offers the other load indexes. */
export async function selectLinesInSize(
  db: Database,
  range: BrandRange,
  { brandSlug, slug }: { brandSlug: string; slug: string },
  sizes: readonly string[],
): Promise<ItemMatch[]> {
  if (sizes.length === 0) return []
  const { rows } = await sql<ItemMatch>`
    select distinct on (s.id) i.id, b.slug as "brandSlug", b.name as "brandName", l.slug as "lineSlug", l.name as "lineName", s.designation as size
    from item i join product_line l on l.id = i.product_line_id join brand b on b.id = l.brand_id join size s on s.id = i.size_id
    where i.active and l.slug = ${slug} and b.slug = ${brandSlug} and s.slug = any(${sizes}) ${andBrand(range, 'b.id')}
    order by s.id, i.id limit 3`.execute(db)
  return rows
}
