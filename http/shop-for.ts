import type { Visitor } from '#http/visitor.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import type { BrandRange } from '#domain/catalog/catalog/catalog.ts'
import { findBrandedStore } from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import { catalogFor } from '#domain/catalog/catalog/catalog.server.ts'
import { createVisitorTerms } from '#domain/ordering/checkout/checkout.server.ts'
import { createBuyer } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import {
  buyerOf,
  findPunchout,
  type PunchoutVisit,
  type PurchasingSystem,
} from '#domain/channels/purchasing/purchasing.server.ts'
import { isStaffHere } from '#domain/kernel/staff/staff.server.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import type { Shop } from '#shop'

/**
 * Returns the shop as seen by the visitor, with the brands, prices, and programs of the signed-in account or of the
 * guest's referral link, and with the name of the visited branded store. Pass it on instead of the shop itself, so that
 * pages can't show another account's tires and prices. While the database is down, these are unknown and code that
 * needs them fails. Without a session and a branded store, returns the public shop without a query.
 */
export async function shopFor(
  everyones: Shop,
  visitor: Pick<Visitor, 'session' | 'dealerCode'> &
    Partial<Pick<Visitor, 'punchoutId' | 'cartId' | 'referral' | 'officeSession'>>,
  readSignedIn: () => Promise<SignedIn | undefined>,
): Promise<Shop> {
  const { session, dealerCode, punchoutId, cartId, referral, officeSession } = visitor
  const shop = officeSession === undefined ? everyones : forStaff(everyones, officeSession)
  const punchout = punchoutId === undefined ? undefined : await findPunchout(shop, punchoutId)
  if (punchout) return forPunchout(shop, punchout)
  const brandedStore = dealerCode === undefined ? null : await visitedStore(shop, dealerCode)
  const guest = { ...shop, brandedStore, terms: createVisitorTerms(shop, { cartId, referral }) }
  if (session === undefined) return brandedStore || cartId !== undefined || referral ? guest : shop
  const buyer = createBuyer(shop, async () => (await readSignedIn())?.accountId)
  const terms = createVisitorTerms({ ...shop, buyer }, { cartId, referral })
  return { ...guest, buyer, terms, catalog: catalogFor(shop.catalog.narrowed(await readRange()), buyer) }

  async function readRange(): Promise<BrandRange> {
    try {
      return (await buyer.priceTier()).brandIds
    } catch (error) {
      if (isDatabaseUnavailable(error)) return []
      throw error
    }
  }
}

/** Returns the shop for office staff who order before opening, if the session is still active. */
function forStaff(shop: Shop, cookie: string): Shop {
  return { ...shop, isStaffHere: (db) => isStaffHere({ ...shop, db }, cookie) }
}

/** Returns the shop for a user of a company's purchasing system, regardless of any signed-in account. */
async function forPunchout(shop: Shop, punchout: PunchoutVisit): Promise<Shop> {
  return { ...(await shopForCompany(shop, punchout.system)), punchout }
}

/** The shop as a company with a purchasing system sees it, without any account of it. */
export async function shopForCompany(shop: Shop, system: PurchasingSystem): Promise<Shop> {
  const buyer = buyerOf(shop, system)
  const { brandIds } = await buyer.priceTier()
  const terms = createVisitorTerms({ ...shop, buyer }, {})
  return { ...shop, buyer, terms, catalog: catalogFor(shop.catalog.narrowed(brandIds), buyer) }
}

/** A store that is off, or unknown while the database is down, is our own. */
async function visitedStore({ db }: Pick<Shop, 'db'>, dealerCode: string): Promise<Shop['brandedStore']> {
  try {
    return (await findBrandedStore(db, { dealerCode })) ?? null
  } catch (error) {
    if (isDatabaseUnavailable(error)) return null
    throw error
  }
}
