/**
 * Reads items with everything a card needs, one statement per reading; brands, lines and sizes are returned as shared
 * objects. Over 400 lines: columns and the objects built from them, which change together.
 */
import { sql, type Selectable } from 'kysely'
import type { LoadClass } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { oldestDotWeek } from '#domain/supply/stock/stock.server.ts'
import type { Database } from '#platform/db.ts'
import type { LineRating } from '#db/types.ts'
import type { BrandRange } from './brand-range.ts'
import type { Brand, Item, Line, Rating, Score, Sidewall, Size, SizeKind, StockByWarehouse, Tread } from './items.ts'
import type { LineSummary } from './offer.ts'
import { createParts, type Parts } from './parts.ts'
import { scoreOf } from './score.ts'

/** All active items of these sizes, by article number. Sizes that are unknown or empty are missing. */
export async function selectItemsOfSizes(
  db: Database,
  range: BrandRange,
  sizeSlugs: readonly string[],
  parts: Parts,
): Promise<Item[]> {
  return toItems(
    parts,
    await itemRows(db, range)
      .where('s.slug', '=', sql<string>`any (${[...sizeSlugs]}::text[])`)
      .execute(),
  )
}

/**
 * Returns a digest of the rows behind each size's items. It changes when any of them is written, added or removed.
 * PostgreSQL stores the writing transaction of each row (`xmin`), so this takes half the database time of a full read,
 * and no time in the process.
 */
export async function selectStatesOfSizes(db: Database, sizeSlugs: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ slug: string; state: string }>`
    select s.slug, md5(string_agg(concat_ws(' ', i.id, i.xmin, s.xmin, l.xmin, b.xmin, c.xmin, t.xmin, r.xmin, in_stock.state), ',' order by i.id)) as state
    from size s
    join item i on i.size_id = s.id and i.active
    join product_line l on l.id = i.product_line_id
    join brand b on b.id = l.brand_id
    join category c on c.slug = l.category_slug
    join tire_type t on t.slug = c.type_slug
    left join line_rating r on r.product_line_id = l.id
    left join lateral (
      select string_agg(concat(stock.warehouse_id, ':', stock.xmin), ' ' order by stock.warehouse_id) as state from stock where stock.item_id = i.id
    ) in_stock on true
    where s.slug = any (${[...sizeSlugs]}::text[])
    group by s.slug`.execute(db)
  return new Map(rows.map(({ slug, state }) => [slug, state]))
}

/** All active items of one line. */
export async function selectItemsOfLine(
  db: Database,
  range: BrandRange,
  brandSlug: string,
  lineSlug: string,
  parts: Parts,
): Promise<Item[]> {
  return toItems(
    parts,
    await itemRows(db, range).where('b.slug', '=', brandSlug).where('l.slug', '=', lineSlug).execute(),
  )
}

/** The active items among these article numbers. */
export async function selectItemsByNumber(
  db: Database,
  range: BrandRange,
  ids: readonly number[],
  parts: Parts,
): Promise<Item[]> {
  return toItems(
    parts,
    await itemRows(db, range)
      .where('i.id', '=', sql<number>`any (${[...ids]}::int[])`)
      .execute(),
  )
}

/** Returns an item by item number, including discontinued ones; undefined if it doesn't exist. */
export async function selectAnyItem(db: Database, id: number): Promise<Item | undefined> {
  return toItems(createParts(), await rowsOfAnyItem(db).where('i.id', '=', id).execute())[0]
}

/** The next `limit` active items after an article number, by article number. */
export async function selectItemsAfter(
  db: Database,
  range: BrandRange,
  after: number,
  limit: number,
  parts: Parts,
): Promise<Item[]> {
  return toItems(parts, await itemRows(db, range).where('i.id', '>', after).limit(limit).execute())
}

/** Each part narrows the scope; without any it is every line. */
export type LineScope = {
  readonly brand?: string | undefined
  readonly type?: string | undefined
  readonly category?: string | undefined
  readonly lineIds?: readonly number[] | undefined
}

/**
 * The lines of a brand, type or category, each with its cheapest article. The index by line and price covers that and
 * the counts, so the cost grows with the number of lines.
 */
export async function selectLines(
  db: Database,
  range: BrandRange,
  scope: LineScope,
  parts: Parts,
): Promise<LineSummary[]> {
  let query = db
    .selectFrom('product_line as l')
    .innerJoin('brand as b', 'b.id', 'l.brand_id')
    .innerJoin('category as c', 'c.slug', 'l.category_slug')
    .innerJoin('tire_type as t', 't.slug', 'c.type_slug')
    .leftJoin('line_rating as r', 'r.product_line_id', 'l.id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('item')
          .selectAll()
          .whereRef('product_line_id', '=', 'l.id')
          .where('active', '=', true)
          .orderBy('shown_cents')
          .orderBy('id')
          .limit(1)
          .as('i'),
      (join) => join.onTrue(),
    )
    .innerJoin('size as s', 's.id', 'i.size_id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('item')
          .select([
            sql<number>`count(distinct size_id)`.as('sizes'),
            sql<boolean>`bool_or(run_flat)`.as('has_run_flat'),
          ])
          .whereRef('product_line_id', '=', 'l.id')
          .where('active', '=', true)
          .as('whole_line'),
      (join) => join.onTrue(),
    )
    .select([
      ...itemColumns,
      oldestWeekOfItem,
      stockOfItem,
      photoOfItem,
      'whole_line.sizes',
      'whole_line.has_run_flat',
      lineIsInStock,
    ])
  if (range !== null) query = query.where('b.id', '=', sql<number>`any (${[...range]}::int[])`)
  if (scope.brand !== undefined) query = query.where('b.slug', '=', scope.brand)
  if (scope.type !== undefined) query = query.where('t.slug', '=', scope.type)
  if (scope.category !== undefined) query = query.where('c.slug', '=', scope.category)
  if (scope.lineIds !== undefined) query = query.where('l.id', '=', sql<number>`any (${[...scope.lineIds]}::int[])`)
  const rows = await query.orderBy('l.id').execute()
  return toItems(parts, rows).map((item, index) => ({
    line: item.line,
    items: [item],
    sizes: rows[index]?.sizes ?? 0,
    hasRunFlat: rows[index]?.has_run_flat ?? false,
    isInStock: rows[index]?.is_in_stock ?? false,
  }))
}

/**
 * The lines available for this rim diameter, each with its cheapest article there. The index by size covers the counts,
 * so the cost grows with the articles on the rim, not the catalog.
 */
export async function selectLinesOnRim(
  db: Database,
  range: BrandRange,
  rimIn: number,
  parts: Parts,
): Promise<LineSummary[]> {
  const { rows: found } = await sql<{ id: number; sizes: number; has_run_flat: boolean; is_in_stock: boolean }>`
    with line as (
      select item.product_line_id, (min(array[item.shown_cents, item.id]))[2] as id, count(distinct item.size_id) as sizes, bool_or(item.run_flat) as has_run_flat
      from size join item on item.size_id = size.id and item.active where size.rim_in = ${rimIn} group by item.product_line_id)
    select line.id, line.sizes, line.has_run_flat, exists (
      select from item join size on size.id = item.size_id join stock on stock.item_id = item.id
      where item.product_line_id = line.product_line_id and item.active and size.rim_in = ${rimIn} and stock.on_hand >= 4) as is_in_stock
    from line`.execute(db)
  const byItem = new Map(found.map((line) => [line.id, line]))
  const items = await selectItemsByNumber(db, range, [...byItem.keys()], parts)
  return items.flatMap((item) => {
    const line = byItem.get(item.id)
    return line
      ? [
          {
            line: item.line,
            items: [item],
            sizes: line.sizes,
            hasRunFlat: line.has_run_flat,
            isInStock: line.is_in_stock,
          },
        ]
      : []
  })
}

const itemColumns = [
  'i.id',
  'i.sku',
  'i.load_index',
  'i.dual_load_index',
  'i.speed',
  'i.load_class',
  'i.load_range',
  'i.ply_rating',
  'i.max_load_lb',
  'i.max_psi',
  'i.measured_width_mm',
  'i.measured_diameter_mm',
  'i.rim_width_min_in',
  'i.rim_width_max_in',
  'i.tread_depth_32nds',
  'i.weight_lb',
  'i.utqg_treadwear',
  'i.utqg_traction',
  'i.utqg_temperature',
  'i.run_flat',
  'i.sidewall',
  'i.oe_mark',
  'i.gtin',
  'i.mpn',
  'i.origin_country',
  'i.warranty_miles',
  'i.retail_cents',
  'i.fet_cents',
  'i.cost_cents',
  'i.map_cents',
  's.slug as size_slug',
  's.designation',
  's.kind',
  's.section_width_mm',
  's.aspect',
  's.rim_in',
  's.overall_diameter_mm',
  'l.id as line_id',
  'l.slug as line_slug',
  'l.name as line_name',
  'l.tread',
  'l.m_plus_s',
  'l.three_peak',
  'l.winter',
  'l.ev',
  'l.warranty_miles as line_warranty_miles',
  'b.id as brand_id',
  'b.slug as brand_slug',
  'b.name as brand_name',
  'b.tier',
  'c.slug as category_slug',
  'c.name as category_name',
  'c.position as category_position',
  't.slug as type_slug',
  't.name as type_name',
  't.position as type_position',
  'r.review_count',
  'r.overall_hundredths',
  'r.dry_hundredths',
  'r.wet_hundredths',
  'r.winter_hundredths',
  'r.comfort_hundredths',
  'r.noise_hundredths',
  'r.treadwear_hundredths',
  'r.buy_again_percent',
  'r.histogram',
] as const

const oldestWeekOfItem = oldestDotWeek(sql.table('i')).as('oldest_dot_week')

const stockOfItem = sql<StockByWarehouse>`(
  select coalesce(jsonb_agg(jsonb_build_array(stock.warehouse_id, stock.on_hand) order by stock.warehouse_id), '[]')
  from stock where stock.item_id = i.id and stock.on_hand > 0)`.as('stock')

/** Its own first photo, or else its model's. */
const photoOfItem = sql<string | null>`coalesce(
  (select picture_key from line_picture where item_id = i.id order by position, id limit 1),
  (select picture_key from line_picture where product_line_id = l.id order by position, id limit 1))`.as('photo')

const lineIsInStock = sql<boolean>`exists (
  select from item of_line join stock on stock.item_id = of_line.id
  where of_line.product_line_id = l.id and of_line.active and stock.on_hand >= 4)`.as('is_in_stock')

function itemRows(db: Database, range: BrandRange) {
  return rowsOfAnyItem(db)
    .where('i.active', '=', true)
    .$if(range !== null, (query) => query.where('b.id', '=', sql<number>`any (${[...(range ?? [])]}::int[])`))
}

function rowsOfAnyItem(db: Database) {
  return db
    .selectFrom('item as i')
    .innerJoin('size as s', 's.id', 'i.size_id')
    .innerJoin('product_line as l', 'l.id', 'i.product_line_id')
    .innerJoin('brand as b', 'b.id', 'l.brand_id')
    .innerJoin('category as c', 'c.slug', 'l.category_slug')
    .innerJoin('tire_type as t', 't.slug', 'c.type_slug')
    .leftJoin('line_rating as r', 'r.product_line_id', 'l.id')
    .select([...itemColumns, oldestWeekOfItem, stockOfItem, photoOfItem])
    .orderBy('i.id')
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof itemRows>['execute']>>[number]

/** The schema's checks justify the narrower string types used here. */
function toItems(parts: Parts, rows: readonly ItemRow[]): Item[] {
  const lines = new Map<number, Line>()
  const sizes = new Map<string, Size>()
  const brands = new Map<number, Brand>()
  const brandOf = (row: ItemRow) => once(brands, row.brand_id, () => parts.share(`brand ${row.brand_id}`, toBrand(row)))
  return rows.map((row) => {
    const line = once(lines, row.line_id, () => parts.share(`line ${row.line_id}`, toLine(row, brandOf(row))))
    const size = once(sizes, row.size_slug, () => parts.share(`size ${row.size_slug}`, toSize(row)))
    const item = toItem(row, line, size, parts)
    const score = scoreOf(item)
    item.score =
      score && parts.share(`score ${item.line.id} ${score.tenths} ${item.warrantyMiles} ${item.utqg?.treadwear}`, score)
    return item
  })
}

function toItem(row: ItemRow, line: Line, size: Size, parts: Parts): Omit<Item, 'score'> & { score: Score | null } {
  return {
    id: row.id,
    sku: row.sku,
    line,
    size,
    loadIndex: row.load_index,
    dualLoadIndex: row.dual_load_index,
    speed: row.speed,
    loadClass: row.load_class as LoadClass | null,
    loadRange: row.load_range,
    plyRating: row.ply_rating,
    maxLoadLb: row.max_load_lb,
    maxPsi: row.max_psi,
    measuredWidthMm: row.measured_width_mm,
    measuredDiameterMm: row.measured_diameter_mm,
    rimWidthMinIn: row.rim_width_min_in,
    rimWidthMaxIn: row.rim_width_max_in,
    treadDepth32nds: row.tread_depth_32nds,
    weightLb: row.weight_lb,
    utqg:
      row.utqg_treadwear === null || row.utqg_traction === null || row.utqg_temperature === null
        ? null
        : parts.share(`grades ${row.utqg_treadwear} ${row.utqg_traction} ${row.utqg_temperature}`, {
            treadwear: row.utqg_treadwear,
            traction: row.utqg_traction,
            temperature: row.utqg_temperature,
          }),
    runFlat: row.run_flat,
    sidewall: row.sidewall as Sidewall,
    oeMark: row.oe_mark,
    gtin: row.gtin,
    mpn: row.mpn,
    originCountry: row.origin_country,
    warrantyMiles: row.warranty_miles,
    oldestDotWeek: row.oldest_dot_week,
    retailCents: row.retail_cents,
    fetCents: row.fet_cents,
    costCents: row.cost_cents,
    ...(row.map_cents !== null && { mapCents: row.map_cents }),
    ...(row.photo !== null && { photo: row.photo }),
    stock: row.stock,
    score: null,
  }
}

function toLine(row: ItemRow, brand: Brand): Line {
  return {
    id: row.line_id,
    slug: row.line_slug,
    name: row.line_name,
    brand,
    category: { slug: row.category_slug, name: row.category_name },
    type: { slug: row.type_slug, name: row.type_name },
    typePosition: row.type_position,
    categoryPosition: row.category_position,
    tread: row.tread as Tread,
    mPlusS: row.m_plus_s,
    threePeak: row.three_peak,
    winter: row.winter,
    ev: row.ev,
    warrantyMiles: row.line_warranty_miles,
    rating: toRating(row),
  }
}

function toBrand(row: ItemRow): Brand {
  return { id: row.brand_id, slug: row.brand_slug, name: row.brand_name, tier: row.tier as Brand['tier'] }
}

function toSize(row: ItemRow): Size {
  return {
    slug: row.size_slug,
    designation: row.designation,
    kind: row.kind as SizeKind,
    sectionWidthMm: row.section_width_mm,
    aspect: row.aspect,
    rimIn: row.rim_in,
    overallDiameterMm: row.overall_diameter_mm,
  }
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

function toRating(row: Nullable<Omit<Selectable<LineRating>, 'product_line_id' | 'ranking'>>): Rating | null {
  if (
    row.review_count === null ||
    row.overall_hundredths === null ||
    row.buy_again_percent === null ||
    row.histogram === null
  )
    return null
  return {
    count: row.review_count,
    overallHundredths: row.overall_hundredths,
    attributes: {
      dry: row.dry_hundredths,
      wet: row.wet_hundredths,
      winter: row.winter_hundredths,
      comfort: row.comfort_hundredths,
      noise: row.noise_hundredths,
      treadwear: row.treadwear_hundredths,
    },
    buyAgainPercent: row.buy_again_percent,
    histogram: row.histogram,
  }
}

function once<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}
