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
import type { Application } from '#application'

/**
 * Returns the application as seen by the visitor, with the brands, prices, and programs of the signed-in account or of the
 * guest's referral link, and with the name of the visited branded store. Pass it on instead of the application itself, so that
 * pages can't show another account's tires and prices. While the database is down, these are unknown and code that
 * needs them fails. Without a session and a branded store, returns the public application without a query.
 */
export async function applicationFor(
  everyones: Application,
  visitor: Pick<Visitor, 'session' | 'dealerCode'> &
    Partial<Pick<Visitor, 'punchoutId' | 'cartId' | 'referral' | 'officeSession'>>,
  readSignedIn: () => Promise<SignedIn | undefined>,
): Promise<Application> {
  const { session, dealerCode, punchoutId, cartId, referral, officeSession } = visitor
  const app = officeSession === undefined ? everyones : forStaff(everyones, officeSession)
  const punchout = punchoutId === undefined ? undefined : await findPunchout(app, punchoutId)
  if (punchout) return forPunchout(app, punchout)
  const brandedStore = dealerCode === undefined ? null : await visitedStore(app, dealerCode)
  const guest = { ...app, brandedStore, terms: createVisitorTerms(app, { cartId, referral }) }
  if (session === undefined) return brandedStore || cartId !== undefined || referral ? guest : app
  const buyer = createBuyer(app, async () => (await readSignedIn())?.accountId)
  const terms = createVisitorTerms({ ...app, buyer }, { cartId, referral })
  return { ...guest, buyer, terms, catalog: catalogFor(app.catalog.narrowed(await readRange()), buyer) }

  async function readRange(): Promise<BrandRange> {
    try {
      return (await buyer.priceTier()).brandIds
    } catch (error) {
      if (isDatabaseUnavailable(error)) return []
      throw error
    }
  }
}

/** Returns the application for office staff who order before opening, if the session is still active. */
function forStaff(app: Application, cookie: string): Application {
  return { ...app, isStaffHere: (db) => isStaffHere({ ...app, db }, cookie) }
}

/** Returns the application for a user of a company's purchasing system, regardless of any signed-in account. */
async function forPunchout(app: Application, punchout: PunchoutVisit): Promise<Application> {
  return { ...(await applicationForCompany(app, punchout.system)), punchout }
}

/** The application as a company with a purchasing system sees it, without any account of it. */
export async function applicationForCompany(app: Application, system: PurchasingSystem): Promise<Application> {
  const buyer = buyerOf(app, system)
  const { brandIds } = await buyer.priceTier()
  const terms = createVisitorTerms({ ...app, buyer }, {})
  return { ...app, buyer, terms, catalog: catalogFor(app.catalog.narrowed(brandIds), buyer) }
}

/** A store that is off, or unknown while the database is down, is our own. */
async function visitedStore({ db }: Pick<Application, 'db'>, dealerCode: string): Promise<Application['brandedStore']> {
  try {
    return (await findBrandedStore(db, { dealerCode })) ?? null
  } catch (error) {
    if (isDatabaseUnavailable(error)) return null
    throw error
  }
}
