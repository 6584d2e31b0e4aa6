import { slugOf } from '#platform/slug.ts'
import type { Row } from '#db/insert-rows.ts'
import { readRows } from './read-data.ts'

/** Real tire brands with their tier, for search. The demo doesn't sell them. */
export function readOtherBrands(): Row<'other_brand'>[] {
  return readRows<'name' | 'tier'>('other-brands.csv').map(({ name, tier }) => ({ slug: slugOf(name), name, tier }))
}
