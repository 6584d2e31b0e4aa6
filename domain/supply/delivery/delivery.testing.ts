/** Test fixtures for places, warehouses and items with sensible defaults. */
import type { Insertable } from 'kysely'
import type { Item, Size, Warehouse, Zip } from '#db/types.ts'
import type { Database } from '#platform/db.ts'

export const chicago = {
  zip: '60614',
  city: 'Chicago',
  state: 'IL',
  latitude: 41.9227,
  longitude: -87.6533,
  time_zone: 'America/Chicago',
}
export const losAngeles = {
  zip: '90001',
  city: 'Los Angeles',
  state: 'CA',
  latitude: 33.9731,
  longitude: -118.2479,
  time_zone: 'America/Los_Angeles',
}

/** A ZIP; default: Chicago's 60614. */
export async function makeZip(db: Database, zip: Partial<Insertable<Zip>> = {}): Promise<string> {
  const row = { ...chicago, zip_type: 'STANDARD', region: 'CONUS', ...zip }
  await db.insertInto('zip').values(row).execute()
  return row.zip
}

/** A warehouse, by default in Chicago with a cutoff of 3 pm; `stock` is [item id, units]. */
export async function makeWarehouse(
  db: Database,
  { stock = [], ...warehouse }: Partial<Insertable<Warehouse>> & { id: number; stock?: [number, number][] },
): Promise<number> {
  await db
    .insertInto('warehouse')
    .values({ code: `W${warehouse.id}`, name: `Warehouse ${warehouse.id}`, ...chicago, cutoff: '15:00', ...warehouse })
    .execute()
  if (stock.length > 0) {
    await db
      .insertInto('stock')
      .values(stock.map(([item_id, on_hand]) => ({ item_id, warehouse_id: warehouse.id, on_hand })))
      .execute()
  }
  return warehouse.id
}

/** An item with a new brand, model, and size (225/65R17 by default). */
export async function makeItem(
  db: Database,
  { size, ...item }: Partial<Insertable<Item>> & { id: number; size?: Partial<Insertable<Size>> },
): Promise<number> {
  const { id } = item
  await db
    .insertInto('tire_type')
    .values({ slug: 'passenger', name: 'Passenger', definition: 'For cars', position: 1 })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .execute()
  await db
    .insertInto('category')
    .values({ slug: 'touring', name: 'Touring', type_slug: 'passenger', definition: 'For the road', position: 1 })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .execute()
  const brand = await db
    .insertInto('brand')
    .values({ slug: `brand-${id}`, name: `Brand ${id}`, tier: 'mid', about: '', wordmark: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const line = await db
    .insertInto('product_line')
    .values({
      brand_id: brand.id,
      slug: `line-${id}`,
      name: `Line ${id}`,
      category_slug: 'touring',
      tread: 'all-season',
      m_plus_s: true,
      three_peak: false,
      winter: false,
      feed_about: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = await db
    .insertInto('size')
    .values({
      designation: `225/65R17 #${id}`,
      slug: `size-${id}`,
      kind: 'P',
      section_width_mm: 225,
      aspect: 65,
      rim_in: 17,
      overall_diameter_mm: 724,
      ...size,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('item')
    .values({
      product_line_id: line.id,
      size_id: made.id,
      sku: `SKU-${id}`,
      ply_rating: 4,
      max_load_lb: 1874,
      max_psi: 51,
      measured_width_mm: 228,
      measured_diameter_mm: 724,
      rim_width_min_in: 6,
      rim_width_max_in: 8,
      tread_depth_32nds: 10,
      weight_lb: 26,
      retail_cents: 14800,
      ...item,
    })
    .execute()
  return id
}

/** The same database, counting its statements. */
export function counting(db: Database): { db: Database; count(): number } {
  let statements = 0
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    // Count results instead of queries, because one query object can be sent many times.
    async transformResult({ result }) {
      statements += 1
      return result
    },
  })
  return { db: counted, count: () => statements }
}
