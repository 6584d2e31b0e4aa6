/** A kind's feed, with the names that its cells can reference. */
import type { Database, Tx } from '#platform/db.ts'
import { brandFitmentFeed } from './brand-fitment-feed.ts'
import type { FeedKind } from './catalog-import.ts'
import { customerFeed } from './customer-feed.ts'
import type { Feed } from './feed.ts'
import { fitmentFeed } from './fitment-feed.ts'
import { itemDataFeed } from './item-data-feed.ts'
import { orderFeed } from './order-feed.ts'
import { priceFeed } from './price-feed.ts'
import { productFeed } from './product-feed.ts'
import { selectCategorySlugs, selectMapTypes, selectWarehouseIds } from './staged.sql.server.ts'
import { stockFeed } from './stock-feed.ts'
import { competitorPriceFeed } from './competitor-price-feed.ts'
import { vehicleCodeFeed } from './vehicle-code-feed.ts'
import { storeDay } from '#platform/store-zone.ts'

/** `countedAt` is when a file that does not say so counted its stock. */
export async function findFeed(
  db: Database | Tx,
  kind: FeedKind,
  { now, countedAt }: { now: Temporal.Instant; countedAt: Temporal.Instant },
): Promise<Feed> {
  switch (kind) {
    case 'products':
      return productFeed({
        today: now.toZonedDateTimeISO('UTC').toPlainDate(),
        ...(await selectCategorySlugs(db)),
      })
    case 'prices':
      return priceFeed
    case 'stock':
      return stockFeed({ now, countedAt, warehouses: await selectWarehouseIds(db) })
    case 'fitment':
      return fitmentFeed
    case 'item-data':
      return itemDataFeed({ mapTypes: await selectMapTypes(db), day: storeDay(now) })
    case 'brand-fitment':
      return brandFitmentFeed
    case 'vehicle-codes':
      return vehicleCodeFeed
    case 'competitor-prices':
      return competitorPriceFeed({ today: storeDay(now) })
    case 'customers':
      return customerFeed
    case 'orders':
      return orderFeed
  }
}
