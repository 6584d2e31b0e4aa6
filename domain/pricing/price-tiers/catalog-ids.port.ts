/** What price lists need from the catalog, which is above pricing. */
import type { Database } from '#platform/db.ts'

/** What a row of a price list is for, other than every tire. */
export type NamedScope = 'brand' | 'line' | 'size' | 'item'

/**
 * Returns the ids of brands by slug, lines by "brand/line" slugs, sizes by designation or slug, and tires by SKU, all
 * lowercase. Unknown names are missing.
 */
export type FindCatalogIds = (
  db: Database,
  words: Readonly<Record<NamedScope, readonly string[]>>,
) => Promise<Record<NamedScope, ReadonlyMap<string, number>>>
