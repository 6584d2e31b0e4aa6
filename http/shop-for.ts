import type { Visitor } from '#http/visitor.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import type { BrandRange } from '#domain/catalog/catalog.ts'
import { catalogFor } from '#domain/catalog/catalog.server.ts'
import { createBuyer } from '#domain/price-tiers/price-tiers.server.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import type { Shop } from '#shop'

/**
 * The shop as whoever is signed in finds it: with the brands and the prices of their account in everything that shows,
 * sorts or adds up. Hand it on in place of the shop itself; then no page can forget whose tires and prices it shows.
 * While the database is away nobody knows whose those are, and what needs them fails. Who carries no session finds the
 * shop as everybody does, and no statement is made to know it.
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
