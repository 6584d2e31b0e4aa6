/** The offers in a comparison. */
import { itemIdsOf, type TireKeys } from './comparison.ts'
import type { ListingInput } from './listing.server.ts'
import { setOffers, tireOffer, type Offer } from './offer.ts'
import type { Catalog } from './catalog-cache.server.ts'

/** The options of `listTires`, excluding scope and filters. */
export type OfferView = Pick<ListingInput, 'requirement' | 'vehicleName' | 'arrivalOf' | 'totalOf'>

/**
 * Returns the offers of `keys` in order, as in a listing; at most one statement. Articles not sold, and front and rear
 * articles that are not a set (of two lines, for example), are missing.
 */
export async function findOffers(
  { cache, fitAt }: Catalog,
  keys: TireKeys,
  { requirement, vehicleName, arrivalOf, totalOf }: OfferView = {},
): Promise<Offer[]> {
  if (keys.length === 0) return []
  // Sorted, so that the same tires in another order share one cache entry.
  const ids = [...new Set(keys.flatMap(itemIdsOf))].sort((a, b) => a - b)
  const [items, prices, judge] = await Promise.all([
    cache.itemsByNumber(ids),
    cache.prices(),
    requirement && cache.judge(requirement, vehicleName),
  ])
  const context = { prices, at: fitAt(), judge, arrivalOf, totalOf }
  return keys.flatMap((key) => {
    const [front, rear] = itemIdsOf(key).map((id) => items.find((item) => item.id === id))
    if (!front) return []
    if (!key.includes('-')) return [tireOffer(front, context)]
    return rear ? setOffers([front], [rear], context) : []
  })
}
