/** Items in the store's data, for tests that need one of a certain brand or size. */
import type { Database } from '#platform/db.ts'

/** A query for all items for sale, with their brand and line slugs, to be refined. */
export function activeItems(db: Database) {
  return db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['brand.slug as brand', 'line.slug as line', 'item.id', 'item.sku'])
    .where('item.active', '=', true)
}

/** Returns tires in the common size 225/65R17, without run-flats. */
export async function popularTires(db: Database, count: number): Promise<number[]> {
  const items = await db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'size_id')
    .select('item.id')
    .where('active', '=', true)
    .where('designation', '=', '225/65R17')
    .where('run_flat', '=', false)
    .orderBy('item.id')
    .limit(count)
    .execute()
  return items.map(({ id }) => id)
}
