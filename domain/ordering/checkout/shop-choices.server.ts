/**
 * The shops, vans and counters a cart can go to, each with its price out the door and first free times, for the
 * shipping page.
 */
import { sellsProgram, storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { readCartOffers } from './cart-offers.server.ts'
import { earliestTimes, offerTimes, type Calendars } from '#domain/scheduling/booking/booking.server.ts'
import {
  nothingToArrive,
  type Installation,
  type OfferedDay,
  type Opening,
} from '#domain/scheduling/booking/booking.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import type { Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import { refuseInstallation, type InstallationRefusal } from './cart-verdict.server.ts'
import { offeredTires } from './charged-prices.ts'
import { listExemptionsByState } from '#domain/customers/companies/companies.server.ts'
import type { QuoteDeps } from './quote.server.ts'
import { planCart } from './plan-cart.server.ts'
import type { StockTaken } from '#domain/supply/delivery/delivery.server.ts'
import { findShop, findShopsNear, findVans } from '#domain/scheduling/installers/installers.server.ts'
import type { InstallationQuote, NearbyShop, Shop } from '#domain/scheduling/installers/installers.ts'
import { atShop, priceOffer, tireSpecs } from '#domain/catalog/offers/offers.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { pointOf, type ZipRefusal } from '#domain/kernel/places/places.ts'
import { readTaxRules } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { atOnce } from '#platform/at-once.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type ShopChoice = {
  shop: NearbyShop
  installation: InstallationQuote
  totalCents: number
  /** The day all tires have arrived; null if they are not in stock together. */
  arrivesOn: Temporal.PlainDate | null
  openings: readonly Opening[]
}

const shopsListed = 8

/**
 * Lists shops near `zip` (or vans that serve it) that take the cart's tires, nearest first, in five statements for any
 * number of shops.
 */
export async function listShopChoices(
  deps: QuoteDeps & { calendars: Calendars },
  cart: Cart,
  input: { zip: string; kind: 'shop' | 'van' },
): Promise<Outcome<ShopChoice[], ZipRefusal>> {
  const tires = offeredTires(cart.lines)
  const specs = tireSpecs(tires)
  const near =
    input.kind === 'van'
      ? ok(
          sellsProgram(storeKindOf(cart.dealer), 'mobileInstallation')
            ? await findVans(deps, { zip: input.zip, tires: specs })
            : [],
        )
      : await findShopsNear(deps, {
          near: { zip: input.zip },
          tires: specs,
          limit: shopsListed,
          only: cart.dealer?.shopId,
        })
  if (!near.ok) return near
  const shops = near.value.filter((shop): shop is NearbyShop & { quote: InstallationQuote } => shop.quote !== null)
  const dayAt = ({ timeZone }: NearbyShop) => deps.clock.now().toZonedDateTimeISO(timeZone).toPlainDate()
  const [plans, taxRuleOf] = await atOnce(deps.db, [
    (db) => planCart({ ...deps, db }, cart, [...new Set(shops.map((shop) => shop.zip))]),
    (db) =>
      readTaxRules(
        db,
        shops.map((shop) => ({ ...shop, day: dayAt(shop) })),
      ),
  ])
  const arrivals = shops.map((shop) => {
    const plan = plans.get(shop.zip)
    return plan?.ok ? plan.value.arrivesOn : null
  })
  const asks = shops.flatMap((shop, index) => {
    const arrivesOn = arrivals[index]
    return arrivesOn ? [{ shopId: shop.id, tires: specs, arrivesOn }] : []
  })
  const { companyId } = await deps.buyer.priceTier()
  const offers = await readCartOffers(deps, cart)
  const exemptions = companyId === null ? [] : await listExemptionsByState(deps, companyId)
  const choicesAt = ({ state }: NearbyShop) => ({
    ...offers.choices,
    exemption: exemptions.find(({ stateCode }) => stateCode === state) ?? null,
  })
  const place = input.kind === 'van' ? await findPlace(deps.db, input.zip) : undefined
  const openings = await earliestTimes(deps, { asks, limit: 4, to: pointOf(place) })
  const openingsOf = new Map(asks.map((ask, index) => [ask.shopId, openings[index] ?? []]))
  return ok(
    shops.map((shop, index) => ({
      shop,
      installation: shop.quote,
      totalCents: priceOffer(
        tires,
        atShop(shop, shop.quote, tires, { taxRule: taxRuleOf(shop), terms: deps.businessTerms.current }),
        dayAt(shop),
        choicesAt(shop),
      ).totals.totalCents,
      arrivesOn: arrivals[index] ?? null,
      openings: openingsOf.get(shop.id) ?? [],
    })),
  )
}

export type ShopMonth = {
  shopId: number
  timeZone: string
  arrivesOn: Temporal.PlainDate
  minutes: number
  days: OfferedDay[]
}

/** Returns today and the next 30 days at one shop, an id or one that was read, for this cart. */
export async function readShopMonth(
  deps: QuoteDeps,
  cart: Cart,
  at: number | Shop,
): Promise<Outcome<ShopMonth, Refused<'shop-not-found'> | Refused<'shop-not-capable'> | Refused<'out-of-stock'>>> {
  const shop = await shopAt(deps, at)
  if (!shop) return refused('shop-not-found')
  const shopId = shop.id
  const plans = await planCart(deps, cart, [shop.zip])
  const plan = plans.get(shop.zip)
  if (!plan?.ok) return refused('out-of-stock')
  const offered = await offerTimes(deps, {
    shopId,
    tires: tireSpecs(offeredTires(cart.lines)),
    arrivesOn: plan.value.arrivesOn,
    zip: cart.zip ?? undefined,
  })
  if (!offered.ok) return offered.reason === 'shop-not-found' ? refused('shop-not-found') : refused('shop-not-capable')
  return ok({
    shopId,
    timeZone: offered.value.timeZone,
    arrivesOn: plan.value.arrivesOn,
    minutes: offered.value.quote.minutes,
    days: offered.value.days,
  })
}

function shopAt(deps: QuoteDeps, at: number | Shop): Promise<Shop | undefined> | Shop {
  return typeof at === 'number' ? findShop(deps, { id: at }) : at
}

/**
 * Returns what an installation at a shop (by ID or record) requires: the tires, their parcels and arrival day. Every
 * reservation starts here. Refuses with `does-not-fit` if tires don't fit the cart's vehicle (fitment rule FR46).
 */
export async function installationFor(
  deps: QuoteDeps & { catalog: Catalog },
  cart: Cart,
  at: number | Shop,
): Promise<
  Outcome<
    Installation & { parcels: readonly StockTaken[] },
    Refused<'shop-not-found'> | Refused<'out-of-stock'> | InstallationRefusal
  >
> {
  const unfit = await refuseInstallation(deps, cart, 'shop')
  if (unfit) return unfit
  const shop = await shopAt(deps, at)
  if (!shop) return refused('shop-not-found')
  if (cart.lines.length === 0) {
    // Services of vans are booked by phone.
    if (shop.kind === 'van') return refused('shop-not-found')
    const today = deps.clock.now().toZonedDateTimeISO(shop.timeZone).toPlainDate()
    return ok({ tires: [], services: cart.services, ...nothingToArrive(today), parcels: [] })
  }
  const plan = (await planCart(deps, cart, [shop.zip])).get(shop.zip)
  return plan?.ok
    ? ok({
        tires: tireSpecs(offeredTires(cart.lines)),
        services: cart.services,
        arrivesOn: plan.value.arrivesOn,
        parcels: plan.value.shipments,
      })
    : refused('out-of-stock')
}
