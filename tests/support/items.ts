/** Items of the store's data, for tests that need one of some brand. */
import type { Database } from '#platform/db.ts'

/** All that are sold, with the addresses of their brands and lines, to be narrowed. */
export function activeItems(db: Database) {
  return db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['brand.slug as brand', 'line.slug as line', 'item.id', 'item.sku'])
    .where('item.active', '=', true)
}
