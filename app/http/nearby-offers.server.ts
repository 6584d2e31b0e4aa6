/** What the sets of a listing cost out the door near the visitor's ZIP, and when they could be installed. */
import { openingLabel } from '#app/http/slot-messages.ts'
import type { Visitor } from '#app/http/visitor.ts'
import type { Opening } from '#domain/booking/booking.ts'
import { serviceOf, type Item, type Offer, type Price } from '#domain/catalog/catalog.ts'
import { offersNear, type InstallationTimes, type NearbyOffers } from '#domain/offers/offers.server.ts'
import { coverageCents, type OfferedTires } from '#domain/offers/offers.ts'
import type { Shop } from '#shop'

export type Nearby = {
  readonly arrivalOf: NearbyOffers['arrivalOf']
  /** The amount by which a listing filters; the same as on the card. */
  totalOf(items: readonly Item[], prices: readonly Price[]): number | null
  /** "Tue 9:30 at Halsted Tire, 2.1 mi" for each of `offers` that has a time. */
  timesOf(offers: readonly Offer[]): Promise<ReadonlyMap<string, string>>
}

/**
 * The view of the visitor's ZIP; null without one, and where nothing can be installed. The same object for all who ask
 * about the ZIP within the shelf's life.
 */
export async function readNearby(shop: Shop, { zip }: Visitor): Promise<Nearby | null> {
  const near = zip === undefined ? undefined : await readOffersNear(shop, zip)
  if (!near?.ok) return null
  const { arrivalOf, totalOf, timesOf } = near.value
  return shop.catalog.cache.derive([near], 1, () => ({
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
      const now = shop.clock.now()
      // Most cards of a page have the same first time at the same shop.
      const known = new Map<Opening | undefined, string[]>()
      return new Map(
        [...found].flatMap(([key, times]) => {
          const texts = known.get(times.openings[0]) ?? timeAt(times, now)
          known.set(times.openings[0], texts)
          return texts.map((text) => [key, text] as const)
        }),
      )
    },
  }))
}

/** What a dozen shops weigh on the shelf, as items. */
const placeWeight = 50

/** The shops near a ZIP and what can be promised there, kept like what is sold; free times are asked for anew. */
export function readOffersNear(shop: Shop, zip: string): ReturnType<typeof offersNear> {
  return shop.catalog.cache.keep(`near ${zip}`, () => offersNear(shop, zip), { weight: placeWeight })
}

/**
 * Four tires, or two and two, or so many of each, as the pricing engine takes them: at the price before promotions,
 * which it takes off by itself.
 */
export function offeredTires(
  items: readonly Item[],
  prices: readonly Price[],
  quantity = 4 / items.length,
): OfferedTires[] {
  return items.map((item, index) => ({
    itemId: item.id,
    name: [item.line.brand.name, item.line.name, item.size.designation, serviceOf(item)].filter(Boolean).join(' '),
    quantity,
    unitCents: item.retailCents,
    account: prices[index]?.account,
    fetUnitCents: item.fetCents,
    weightLb: item.weightLb,
    coveredQuantity: 0,
    spec: { rimIn: item.size.rimIn, aspect: item.size.aspect, runFlat: item.runFlat, sizeKind: item.size.kind },
    promotions: prices[index]?.promotions ?? [],
  }))
}

/**
 * What replacement coverage for one of an article costs, in cents: by the price it is charged at before promotions,
 * excise tax aside, as in the cart.
 */
export function coverageOf({ retailCents }: Item, { label, account }: Price): number {
  return coverageCents((label === null ? null : account?.unitCents) ?? retailCents)
}

/** The first free time in words, if there is one. */
export function timeAt({ shop, openings: [first] }: InstallationTimes, now: Temporal.Instant): string[] {
  return first ? [`${openingLabel(first, shop.timeZone, now)} at ${shop.name}, ${milesText(shop.miles)}\u00a0mi`] : []
}

/** "2.1", "14" */
export function milesText(miles: number): string {
  return miles < 10 ? miles.toFixed(1) : String(Math.round(miles))
}
