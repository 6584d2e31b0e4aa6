/** The statements with which staff add and change brands, models and tires. Cells are texts as a products feed has them. */
import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Database, Tx } from '#platform/db.ts'
import { plainWordmark } from './office-catalog.ts'

export type StoredBrand = { id: number; slug: string; isRetired: boolean; cells: { brand: string; brand_tier: string } }

/** Returns a brand with its cells; undefined if it doesn't exist. */
export function selectBrandCells(db: Database | Tx, id: number): Promise<StoredBrand | undefined> {
  return readBrand(db, id, sql``)
}

/** The same, locked until the transaction ends. */
export function lockBrandCells(tx: Tx, id: number): Promise<StoredBrand | undefined> {
  return readBrand(tx, id, sql`for no key update`)
}

async function readBrand(db: Database | Tx, id: number, lock: RawBuilder<unknown>): Promise<StoredBrand | undefined> {
  const { rows } = await sql<StoredBrand>`
    select id, slug, retired as "isRetired", json_build_object('brand', name, 'brand_tier', tier) as cells
    from brand where id = ${id}::int ${lock}`.execute(db)
  return rows[0]
}

export async function insertBrand(
  tx: Tx,
  brand: { slug: string; name: string; tier: string; about: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('brand')
    .values({ ...brand, wordmark: JSON.stringify(plainWordmark) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateBrand(tx: Tx, id: number, brand: { name: string; tier: string }): Promise<void> {
  await tx.updateTable('brand').set(brand).where('id', '=', id).execute()
}

export type StoredLine = {
  id: number
  slug: string
  brandId: number
  brand: string
  isRetired: boolean
  /** How many of its tires have UTQG grades. */
  graded: number
  cells: {
    line: string
    category: string
    tread: string
    line_warranty_miles: string
    m_plus_s: string
    three_peak: string
    ev: string
  }
}

/** Returns a model with its cells; undefined if it doesn't exist. */
export function selectLineCells(db: Database | Tx, id: number): Promise<StoredLine | undefined> {
  return readLine(db, id, sql``)
}

/** The same, locked until the transaction ends. */
export function lockLineCells(tx: Tx, id: number): Promise<StoredLine | undefined> {
  return readLine(tx, id, sql`for no key update of line`)
}

async function readLine(db: Database | Tx, id: number, lock: RawBuilder<unknown>): Promise<StoredLine | undefined> {
  const { rows } = await sql<StoredLine>`
    select line.id, line.slug, brand.id as "brandId", brand.name as brand, line.retired as "isRetired",
      (select count(*)::int from item where product_line_id = line.id and utqg_treadwear is not null) as graded,
      json_build_object('line', line.name, 'category', category_slug, 'tread', tread, 'line_warranty_miles', coalesce(warranty_miles::text, ''),
        'm_plus_s', ${yesNo('m_plus_s')}, 'three_peak', ${yesNo('three_peak')}, 'ev', ${yesNo('ev')}) as cells
    from product_line line join brand on brand.id = line.brand_id where line.id = ${id}::int ${lock}`.execute(db)
  return rows[0]
}

type LineFacts = Pick<
  Insertable<DB['product_line']>,
  'name' | 'category_slug' | 'tread' | 'm_plus_s' | 'three_peak' | 'winter' | 'ev' | 'warranty_miles'
>

/** Throws the violated `product_line_brand_id_slug_key`. */
export async function insertLine(tx: Tx, line: LineFacts & { brand_id: number; slug: string }): Promise<number> {
  const { id } = await tx
    .insertInto('product_line')
    .values({ ...line, feed_about: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateLine(tx: Tx, id: number, line: LineFacts): Promise<void> {
  await tx.updateTable('product_line').set(line).where('id', '=', id).execute()
}

/** Retires a brand or model with all its tires, or ends that. */
export async function setRetired(
  tx: Tx,
  table: 'brand' | 'product_line',
  { id, isRetired }: { id: number; isRetired: boolean },
): Promise<void> {
  await tx.updateTable(table).set({ retired: isRetired }).where('id', '=', id).execute()
}

export type StoredTire = {
  id: number
  lineId: number
  retailCents: number
  mapCents: number | null
  cells: Record<string, string>
}

/** Returns a tire with its cells; undefined if it doesn't exist. */
export function selectTireCells(db: Database | Tx, id: number): Promise<StoredTire | undefined> {
  return readTire(db, id, sql``)
}

/** The same, locked until the transaction ends. */
export function lockTireCells(tx: Tx, id: number): Promise<StoredTire | undefined> {
  return readTire(tx, id, sql`for no key update of item`)
}

async function readTire(db: Database | Tx, id: number, lock: RawBuilder<unknown>): Promise<StoredTire | undefined> {
  const plain = [
    'sku',
    'load_index',
    'dual_load_index',
    'speed',
    'load_class',
    'load_range',
    'ply_rating',
    'max_load_lb',
    'max_psi',
    'utqg_treadwear',
    'utqg_traction',
    'utqg_temperature',
    'warranty_miles',
    'sidewall',
    'oe_mark',
    'gtin',
    'mpn',
    'origin_country',
  ].map((column) => sql`${sql.lit(column)}, coalesce(${sql.ref(`item.${column}`)}::text, '')`)
  const decimals = [
    'rim_width_min_in',
    'rim_width_max_in',
    'measured_width_mm',
    'measured_diameter_mm',
    'tread_depth_32nds',
    'weight_lb',
  ].map((column) => sql`${sql.lit(column)}, trim_scale(${sql.ref(`item.${column}`)})::text`)
  const { rows } = await sql<StoredTire>`
    select item.id, product_line_id as "lineId", retail_cents as "retailCents", map_cents as "mapCents",
      json_build_object(${sql.join([...plain, ...decimals])}, 'size', size.designation, 'run_flat', ${yesNo('run_flat')},
        'oldest_dot', coalesce(to_char(oldest_dot_week, 'IWIY'), ''), 'price', ${dollarsOf('retail_cents')}, 'cost', ${dollarsOf('cost_cents')},
        'map', ${dollarsOf('map_cents')}, 'fet', ${dollarsOf('fet_cents')}) as cells
    from item join size on size.id = item.size_id where item.id = ${id}::int ${lock}`.execute(db)
  return rows[0]
}

const yesNo = (column: string) => sql`case when ${sql.ref(column)} then 'yes' else 'no' end`
const dollarsOf = (column: string) => sql`coalesce((${sql.ref(column)} / 100.0)::numeric(10, 2)::text, '')`

type SizeRow = Omit<Insertable<DB['size']>, 'id'>

/** Returns the id of a size. Adds the size if it is new. */
export async function upsertSize(tx: Tx, size: SizeRow): Promise<number> {
  await tx
    .insertInto('size')
    .values(size)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { id } = await tx.selectFrom('size').select('id').where('slug', '=', size.slug).executeTakeFirstOrThrow()
  return id
}

type ItemRow = Omit<Insertable<DB['item']>, 'listed' | 'by_hand'>

/** Adds a tire that no feed has named. Throws the violated key of `item`. */
export async function insertItem(tx: Tx, item: ItemRow): Promise<void> {
  await tx
    .insertInto('item')
    .values({ ...item, by_hand: true })
    .execute()
}

/** Changes a tire. Throws the violated key of `item`. */
export async function updateItem(tx: Tx, id: number, item: Updateable<DB['item']>): Promise<void> {
  await tx.updateTable('item').set(item).where('id', '=', id).execute()
}
