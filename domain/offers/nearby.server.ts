/** Prices of a listing's sets out the door near a ZIP, and when they could be installed, cached with the catalog. */
import { slotText } from '#content/messages/times.ts'
import type { Opening } from '#domain/booking/booking.ts'
import type { Catalog } from '#domain/catalog/catalog.server.ts'
import type { Item, Offer, Price } from '#domain/catalog/catalog.ts'
import { priceShipping } from '#domain/delivery/delivery.ts'
import { offeredTires } from '#domain/offers/offers.ts'
import { findPlace } from '#domain/places/places.server.ts'
import type { Place } from '#domain/places/places.ts'
import type { Clock } from '#platform/clock.ts'
import { offersNear, type InstallationTimes, type NearbyOffers } from './offers-near.server.ts'

type Deps = Parameters<typeof offersNear>[0] & { catalog: Catalog; clock: Clock }

export type Nearby = {
  readonly arrivalOf: NearbyOffers['arrivalOf']
  /** The amount a listing filters by; the same as on the card. */
  totalOf(items: readonly Item[], prices: readonly Price[]): number | null
  /** "Tue, Dec 1, 9:30 AM at Halsted Tire, 2.1 mi" for each of `offers` with a time. */
  timesOf(offers: readonly Offer[]): Promise<ReadonlyMap<string, string>>
}

/**
 * Returns the view of a ZIP; null without one, or if nothing can be installed there. The same object for all requests
 * for the ZIP within the cache's lifetime.
 */
export async function readNearby(deps: Deps, { zip }: { zip?: string | undefined }): Promise<Nearby | null> {
  const near = zip === undefined ? undefined : await readOffersNear(deps, zip)
  if (!near?.ok) return null
  const { arrivalOf, totalOf, timesOf } = near.value
  return deps.catalog.cache.derive([near], 1, () => ({
    arrivalOf,
    totalOf: (items, prices) => totalOf(offeredTires(items, prices)),
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
 * Returns the shops near a ZIP and the delivery promises there, cached like the catalog; free times are read each time.
 */
export function readOffersNear(deps: Deps, zip: string): ReturnType<typeof offersNear> {
  const only = deps.brandedStore ? ` at shop ${deps.brandedStore.shopId}` : ''
  return deps.catalog.cache.keep(`near ${zip}${only}`, () => offersNear(deps, zip), { weight: placeWeight })
}

/** What shipping to the shopper's ZIP adds to prices per tire, in cents; 0 in the contiguous states. */
export type ShippingTo = {
  readonly zip: string
  /** For one tire of an article, or on average of a set's front and rear ones. */
  perTireCents(items: readonly Pick<Item, 'weightLb'>[]): number
  /** For one tire that is not oversize: the least there. */
  readonly leastCents: number
}

/** Returns what a card or an answer states: for a line, whose sizes differ, the least. */
export function shippingOfOffer({ kind, items }: Pick<Offer, 'kind' | 'items'>, to: ShippingTo | null): number | null {
  if (to === null) return null
  return kind === 'line' ? to.leastCents : to.perTireCents(items)
}

/**
 * Returns what shipping to a ZIP costs, by the rates that checkout charges; null without a ZIP, or if nothing can be
 * delivered there. The header of the same page reads the same place, so it costs no statement.
 */
export async function readShippingTo(
  deps: Pick<Deps, 'catalog' | 'db'>,
  zip: string | undefined,
): Promise<ShippingTo | null> {
  const region = (await readPlace(deps, zip))?.region
  if (zip === undefined || region === undefined || region === 'MILITARY') return null
  const perTireCents = (items: readonly Pick<Item, 'weightLb'>[]) => {
    const tires = items.map(({ weightLb }) => ({ quantity: 1, weightLb }))
    return Math.ceil(priceShipping(region, tires).totalCents / items.length)
  }
  return { zip, perTireCents, leastCents: perTireCents([{ weightLb: 0 }]) }
}

/** Returns the place of a ZIP, read once for everyone there; undefined without a ZIP, or if there is no such ZIP. */
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
