import type { Visitor } from '#http/visitor.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import type { BrandRange } from '#domain/catalog/catalog.ts'
import { findBrandedStore } from '#domain/branded-stores/branded-stores.server.ts'
import { catalogFor } from '#domain/catalog/catalog.server.ts'
import { createVisitorTerms } from '#domain/checkout/checkout.server.ts'
import { createBuyer } from '#domain/price-tiers/price-tiers.server.ts'
import {
  buyerOf,
  findPunchout,
  type PunchoutVisit,
  type PurchasingSystem,
} from '#domain/purchasing/purchasing.server.ts'
import { isStaffHere } from '#domain/staff/staff.server.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import type { Shop } from '#shop'

/**
 * Returns the shop as the visitor sees it: with the brands, prices and programs of the signed-in account, or of the
 * friend's link that brought a guest, in everything that is shown, sorted or added up, and under the name of the branded store that is visited. Pass it on in place of the shop itself, so that no page can show someone else's tires and prices. While
 * the database is down those are unknown, and what needs them fails. Without a session and a branded store it is the
 * shop everyone sees, and no query runs.
 */
export async function shopFor(
  everyones: Shop,
  visitor: Pick<Visitor, 'session' | 'dealerCode'> & Partial<Pick<Visitor, 'punchoutId' | 'cartId' | 'referral' | 'officeSession'>>,
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

/** The shop in which someone of the back office orders before it opens, if the session still goes on. */
function forStaff(shop: Shop, cookie: string): Shop {
  return { ...shop, isStaffHere: (db) => isStaffHere({ ...shop, db }, cookie) }
}

/** The shop as a user of a company's purchasing system sees it, whoever is signed in besides. */
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
