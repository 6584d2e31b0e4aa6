/** The product feed's rows for Google Merchant Center. */
import { createCatalog, findForSale, listForSale } from '#domain/catalog/catalog/catalog.server.ts'
import { isActive } from '#domain/catalog/catalog/catalog.ts'
import type { ListingSource } from '#domain/catalog/google-listings/google-listings.server.ts'
import { shippingRatesOf } from '#domain/kernel/settings/settings.ts'
import type { Application } from '#application'
import { productRow, type RowDeps } from './product-feed.server.ts'

type Deps = RowDeps & Pick<Application, 'db' | 'clock'>

/** Creates the source for one run, which reads the catalog without the process's cache. */
export function listingSource(deps: Deps): ListingSource {
  const catalog = createCatalog(deps)
  return {
    async basis() {
      const now = deps.clock.now()
      const promotions = (await catalog.cache.promotions()).filter((each) => isActive(each, now)).map(({ id }) => id)
      const { current } = deps.businessTerms
      return JSON.stringify([promotions, shippingRatesOf(current), catalog.fitAt().maxAgeYears, deps.config.web.origin])
    },
    async *all() {
      for await (const batch of listForSale(catalog)) yield batch.map((each) => productRow(deps, each))
    },
    of: async (itemIds) => (await findForSale(catalog, itemIds)).map((each) => productRow(deps, each)),
  }
}
