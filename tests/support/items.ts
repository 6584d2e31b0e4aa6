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

/**
 * The tire that tests order, Kestrel Alltide AS2 225/65R17 102H, which fits a 2021 RAV4. The demo always has 24 of it in
 * the warehouse next to Chicago and some at a supplier (db/seed/stock.ts).
 */
export async function usualTire(db: Database): Promise<{ id: number; sku: string; brand: string; line: string }> {
  return activeItems(db)
    .innerJoin('size', 'size.id', 'size_id')
    .where('brand.slug', '=', 'kestrel')
    .where('line.slug', '=', 'alltide-as2')
    .where('designation', '=', '225/65R17')
    .where('load_index', '=', 102)
    .where('speed', '=', 'H')
    .executeTakeFirstOrThrow()
}

/** A tire in the size with two sets in a warehouse. The demo has such tires in every size that it lists for a vehicle. */
export async function tireInStock(
  db: Database,
  size: string,
): Promise<{ id: number; sku: string; brand: string; line: string }> {
  return activeItems(db)
    .innerJoin('size', 'size.id', 'size_id')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .where('designation', '=', size)
    .where('on_hand', '>=', 8)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
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
