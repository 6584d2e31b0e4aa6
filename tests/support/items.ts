/** Items in the store's data, for tests that need one of a certain brand. */
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
