/**
 * Out-the-door prices near a ZIP code for a listing's tire sets, and possible installation times. A ZIP code's shops
 * and promised deliveries are cached for all visitors. Visitor terms are never part of that entry; derived values are
 * cached by terms.
 */
import { slotText } from '#content/messages/times.ts'
import type { Opening } from '#domain/scheduling/booking/booking.ts'
import type { Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import type { Item, Offer, Price } from '#domain/catalog/catalog/catalog.ts'
import {
  freeFromCentsIn,
  isShippingFreeIn,
  priceShipping,
  shippingZoneOf,
  type ShippingPlace,
} from '#domain/supply/delivery/delivery.ts'
import { type ShippingRates } from '#domain/kernel/rates/rates.ts'
import { shippingRatesOf } from '#domain/kernel/settings/settings.ts'
import { offeredTires, type OfferedTires } from './offers.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import type { Place, ZipRefusal } from '#domain/kernel/places/places.ts'
import type { Clock } from '#platform/clock.ts'
import { ok, type Outcome } from '#platform/outcome.ts'
import {
  offersNear,
  type InstallationTimes,
  type InstalledOffer,
  type NearbyOffers,
  type OfferAsk,
} from './offers-near.server.ts'
import { termsKey, type VisitorTerms } from './visitor-terms.ts'

type Deps = Parameters<typeof offersNear>[0] & {
  catalog: Catalog
  clock: Clock
  /** Reads the terms on which the visitor's cart is priced. */
  terms: () => Promise<VisitorTerms>
}

/** The offers near a ZIP on one visitor's terms. */
type OffersForVisitor = Pick<NearbyOffers, 'arrivalOf' | 'timesOf'> & {
  /** The price of a set at the nearest shop that takes it; null if no shop nearby takes it. */
  totalOf(tires: readonly OfferedTires[]): number | null
  /** Returns each set's offers at the nearest shops that accept it, nearest first. A single query for all. */
  price(asks: readonly (OfferAsk & { shops: number })[]): Promise<Map<string, InstalledOffer[]>>
}

export type Nearby = {
  readonly arrivalOf: NearbyOffers['arrivalOf']
  /** The amount a listing filters by; the same as on the card. */
  totalOf(items: readonly Item[], prices: readonly Price[]): number | null
  /** "Tue, Dec 1, 9:30 AM at Halsted Tire, 2.1 mi" for each of `offers` with a time. */
  timesOf(offers: readonly Offer[]): Promise<ReadonlyMap<string, string>>
}

/**
 * Returns a ZIP code's offers with the visitor's terms; null without a ZIP code, or if installation isn't available
 * there. Returns the same object for all requests for the ZIP code with equal terms within the cache's lifetime.
 */
export async function readNearby(deps: Deps, { zip }: { zip?: string | undefined }): Promise<Nearby | null> {
  if (zip === undefined) return null
  const [near, terms] = await Promise.all([readCachedOffers(deps, zip), deps.terms()])
  if (!near.ok) return null
  const { arrivalOf, totalOf, timesOf } = near.value
  return deps.catalog.cache.derive([near, deps.businessTerms.current, termsKey(terms)], 1, () => ({
    arrivalOf,
    totalOf: (items, prices) => totalOf(offeredTires(items, prices), terms),
    async timesOf(offers) {
      const found = await timesOf(
        offers.map(({ key, items, prices }) => ({
          key,
          tires: offeredTires(items, prices),
          stock: items.map(({ stock }) => stock),
        })),
      )
      // Most cards of a page have the same first time at the same shop.
      const known = new Map<Opening | undefined, string[]>()
      return new Map(
        [...found].flatMap(([key, times]) => {
          const texts = known.get(times.openings[0]) ?? timeAt(times)
          known.set(times.openings[0], texts)
          return texts.map((text) => [key, text] as const)
        }),
      )
    },
  }))
}

/** The cache weight of a dozen shops, in items. */
const placeWeight = 50

/**
 * Returns nearby shops' offers for a ZIP code with the visitor's terms. Shops and promised deliveries are cached like
 * the catalog. Available times are read each time.
 */
export async function readOffersNear(deps: Deps, zip: string): Promise<Outcome<OffersForVisitor, ZipRefusal>> {
  const [near, terms] = await Promise.all([readCachedOffers(deps, zip), deps.terms()])
  if (!near.ok) return near
  const { arrivalOf, totalOf, timesOf, price } = near.value
  return ok({
    arrivalOf,
    timesOf,
    totalOf: (tires) => totalOf(tires, terms),
    price: (asks) => price(asks, terms),
  })
}

/** The entry of a ZIP, the same for every visitor. */
function readCachedOffers(deps: Deps, zip: string): ReturnType<typeof offersNear> {
  const only = deps.brandedStore ? ` at shop ${deps.brandedStore.shopId}` : ''
  return deps.catalog.cache.keep(`near ${zip}${only}`, () => offersNear(deps, zip), { weight: placeWeight })
}

/** What shipping to the shopper's ZIP adds to prices per tire, in cents. */
export type ShippingTo = {
  readonly zip: string
  /** Returns one tire's shipping cost for an item, or the average of a set's front and rear tires, with handling. */
  perTireCents(items: readonly Shipped[]): number
  /** Returns the shipping cost of four tires, or two and two, as the cart charges it. */
  setCents(items: readonly Shipped[]): number
  /** The lowest shipping cost, for one tire that is not oversize. */
  readonly leastCents: number
  /** `perTireCents` for the order of a listing, the same function for all of a region; undefined where all ships free. */
  readonly shippingOf: ((items: readonly Shipped[]) => number) | undefined
  /** The order's total for free shipping; null without one. */
  readonly freeFromCents: number | null
}

type Shipped = Pick<Item, 'weightLb' | 'retailCents'>

/** Returns the shipping cost to show for an offer. A model's sizes differ, so it shows the lowest. */
export function shippingOfOffer({ kind, items }: Pick<Offer, 'kind' | 'items'>, to: ShippingTo | null): number | null {
  if (to === null) return null
  return kind === 'line' ? to.leastCents : to.perTireCents(items)
}

/**
 * Returns shipping costs to a ZIP code by the rates charged at checkout; null without a ZIP code, or if delivery isn't
 * available there. The header of the same page reads the same place, so this needs no extra query.
 */
export async function readShippingTo(
  deps: Pick<Deps, 'catalog' | 'db' | 'businessTerms'>,
  zip: string | undefined,
): Promise<ShippingTo | null> {
  const place = await readPlace(deps, zip)
  if (zip === undefined || !place || place.region === 'MILITARY') return null
  const rates = shippingRatesOf(deps.businessTerms.current)
  const { perTireCents, setCents, isFree } = shippingIn(rates, place)
  return {
    zip,
    perTireCents,
    setCents,
    leastCents: perTireCents([{ weightLb: 0, retailCents: 0 }]),
    shippingOf: isFree ? undefined : perTireCents,
    freeFromCents: freeFromCentsIn(rates, place),
  }
}

type ShippingIn = Pick<ShippingTo, 'perTireCents' | 'setCents'> & { isFree: boolean }
const shippingByRates = new WeakMap<ShippingRates, Map<string, ShippingIn>>()

/** Returns the shipping cost per tire of a place's zone, as a stable function so that derived values can be cached. */
function shippingIn(rates: ShippingRates, place: ShippingPlace): ShippingIn {
  const byZone = shippingByRates.get(rates) ?? new Map<string, ShippingIn>()
  shippingByRates.set(rates, byZone)
  const zone = shippingZoneOf(rates, place).key
  const known = byZone.get(zone)
  if (known) return known
  const totalOf = (items: readonly Shipped[], quantity: number) => {
    const tires = items.map(({ weightLb, retailCents: unitCents }) => ({ quantity, weightLb, unitCents }))
    return priceShipping(rates, zone, tires).totalCents
  }
  const shipping: ShippingIn = {
    isFree: isShippingFreeIn(rates, zone),
    perTireCents: (items) => Math.ceil(totalOf(items, 1) / items.length),
    setCents: (items) => totalOf(items, 4 / items.length),
  }
  byZone.set(zone, shipping)
  return shipping
}

/** Returns a ZIP code's place, cached for all visitors; undefined without a valid ZIP code. */
export async function readPlace(
  { catalog, db }: Pick<Deps, 'catalog' | 'db'>,
  zip: string | undefined,
): Promise<Place | undefined> {
  if (zip === undefined) return undefined
  return (await catalog.cache.keep(`place ${zip}`, async () => ({ place: await findPlace(db, zip) }))).place
}

/** Formats the first free time, if there is one. */
export function timeAt({ shop, zone, openings: [first] }: InstallationTimes): string[] {
  if (!first) return []
  const time = slotText(first, shop.timeZone) + (zone ? ` ${zone}` : '')
  return [`${time} at ${shop.name}, ${milesText(shop.miles)}\u00a0mi`]
}

/** "2.1", "14" */
export function milesText(miles: number): string {
  return miles < 10 ? miles.toFixed(1) : String(Math.round(miles))
}
