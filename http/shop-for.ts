import type { Visitor } from '#http/visitor.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import type { BrandRange } from '#domain/catalog/catalog.ts'
import { catalogFor } from '#domain/catalog/catalog.server.ts'
import { createBuyer } from '#domain/price-tiers/price-tiers.server.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import type { Shop } from '#shop'

/**
 * Returns the shop as the signed-in account sees it: with its brands and prices in everything that is shown, sorted or
 * added up. Pass it on in place of the shop itself, so that no page can show someone else's tires and prices. While
 * the database is down those are unknown, and what needs them fails. Without a session it is the shop everyone sees,
 * and no query runs.
 */
export async function shopFor(
  shop: Shop,
  { session }: Pick<Visitor, 'session'>,
  readSignedIn: () => Promise<SignedIn | undefined>,
): Promise<Shop> {
  if (session === undefined) return shop
  const buyer = createBuyer(shop, async () => (await readSignedIn())?.accountId)
  return { ...shop, buyer, catalog: catalogFor(shop.catalog.narrowed(await readRange()), buyer) }

  async function readRange(): Promise<BrandRange> {
    try {
      return (await buyer.priceTier()).brandIds
    } catch (error) {
      if (isDatabaseUnavailable(error)) return []
      throw error
    }
  }
}
