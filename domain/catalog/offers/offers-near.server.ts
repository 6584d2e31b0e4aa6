/**
 * Prices of tires out the door near a shopper, and the first times of the nearest shop that takes them: for listings,
 * the product page and the home page.
 */
import { slotZone } from '#content/messages/times.ts'
import { earliestTimes, type Calendars } from '#domain/scheduling/booking/booking.server.ts'
import type { Opening } from '#domain/scheduling/booking/booking.ts'
import { warehousePromises } from '#domain/supply/delivery/delivery.server.ts'
import { arrivalFrom } from '#domain/catalog/catalog/catalog.ts'
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import {
  quoteInstallation,
  usualSet,
  type InstallationQuote,
  type NearbyShop,
} from '#domain/scheduling/installers/installers.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import type { ZipRefusal } from '#domain/kernel/places/places.ts'
import { atShop, priceOffer, tireSpecs, type OfferedTires } from './offers.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { readTaxRules } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { VisitorTerms } from './visitor-terms.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, type Outcome } from '#platform/outcome.ts'

type Deps = {
  db: Database
  clock: Clock
  calendars: Calendars
  releaseAfterSeconds: number
  /** The terms that apply now. */
  businessTerms: Pick<LiveTerms, 'current'>
  /** The visited branded store, where its shop is the only one. */
  brandedStore?: { shopId: number } | null
}

/** Installation times for one tire set at one shop, with the tires' arrival day and the first times. */
export type InstallationTimes = {
  shop: Pick<NearbyShop, 'id' | 'code' | 'slug' | 'name' | 'city' | 'state' | 'zip' | 'miles' | 'timeZone'>
  /** The zone of the shop's clock, "CST", if it differs from the one at the shopper's ZIP; null if they agree. */
  zone: string | null
  installation: InstallationQuote
  arrivesOn: Temporal.PlainDate | null
  openings: readonly Opening[]
}

/** The same with the price. */
export type InstalledOffer = InstallationTimes & { breakdown: PriceBreakdown; totalCents: number }

/** A requested set. `stock` is units by warehouse for each article. */
export type OfferAsk = { key: string; tires: readonly OfferedTires[]; stock: readonly StockByWarehouse[] }
type StockByWarehouse = readonly (readonly [warehouseId: number, units: number])[]

export type NearbyOffers = {
  /** The day this many units of `stock` can be at the shopper's ZIP, YYYY-MM-DD, or null. */
  arrivalOf(stock: StockByWarehouse, units: number): string | null
  /**
   * The price of a set at the nearest shop that takes it, on the visitor's terms: for filters, which need no times.
   * Null if no shop nearby takes it.
   */
  totalOf(tires: readonly OfferedTires[], terms: VisitorTerms): number | null
  /**
   * When each set can be installed at the nearest shop that takes it; sets no shop nearby takes are missing. One
   * statement.
   */
  timesOf(asks: readonly OfferAsk[]): Promise<Map<string, InstallationTimes>>
  /**
   * Returns each set's offers at the nearest shops that accept it, nearest first, up to the requested number, with the
   * visitor's terms. A single query for all.
   */
  price(asks: readonly (OfferAsk & { shops: number })[], terms: VisitorTerms): Promise<Map<string, InstalledOffer[]>>
}

const shopsConsidered = 12
const timesAtAShop = 3

/**
 * Reads a ZIP code's shops, the warehouses' promised deliveries, and the shops' sales tax, in four queries. Refuses
 * ZIPs without delivery.
 */
export async function offersNear(deps: Deps, zip: string): Promise<Outcome<NearbyOffers, ZipRefusal>> {
  const [place, promises, near] = await Promise.all([
    findPlace(deps.db, zip),
    warehousePromises(deps, { zip, releaseAfter: deps.releaseAfterSeconds }),
    findShopsNear(deps, { near: { zip }, limit: shopsConsidered, only: deps.brandedStore?.shopId }),
  ])
  if (!promises.ok) return promises
  const shops = near.ok ? near.value : []
  const arrivalOf = arrivalFrom(promises.value)
  const dayAt = ({ timeZone }: NearbyShop) => deps.clock.now().toZonedDateTimeISO(timeZone).toPlainDate()
  const taxRuleOf = await readTaxRules(
    deps.db,
    shops.map((shop) => ({ ...shop, day: dayAt(shop) })),
  )

  function priceAt(
    shop: NearbyShop,
    installation: InstallationQuote,
    tires: readonly OfferedTires[],
    { programs, channel, exemptions }: VisitorTerms,
  ): PriceBreakdown {
    const destination = atShop(shop, installation, tires, {
      taxRule: taxRuleOf(shop),
      terms: deps.businessTerms.current,
    })
    const exemption = exemptions.find(({ stateCode }) => stateCode === shop.state) ?? null
    return priceOffer(tires, destination, dayAt(shop), { roadside: false, programs, channel, exemption })
  }

  async function timesAt(pairs: readonly Pair[], limit: number): Promise<(Pair & InstallationTimes)[]> {
    const arrivals = pairs.map(({ ask }) => latestArrival(ask, arrivalOf))
    const openings = await earliestTimes(deps, {
      asks: pairs.flatMap(({ ask, shop }, index) => {
        const arrivesOn = arrivals[index]
        return arrivesOn ? [{ shopId: shop.id, tires: tireSpecs(ask.tires), arrivesOn }] : []
      }),
      limit,
    })
    let answered = 0
    return pairs.map((pair, index) => {
      const arrivesOn = arrivals[index] ?? null
      const { timeZone } = pair.shop
      const zone = slotZone(deps.clock.now(), timeZone, place?.timeZone)
      return { ...pair, zone, arrivesOn, openings: arrivesOn ? (openings[answered++] ?? []) : [] }
    })
  }

  return ok({
    arrivalOf,
    totalOf(tires, terms) {
      const [nearest] = nearestCapable(shops, { tires }, 1)
      return nearest ? priceAt(nearest.shop, nearest.installation, tires, terms).totals.totalCents : null
    },
    async timesOf(asks) {
      const pairs = asks.flatMap((ask) => nearestCapable(shops, ask, 1))
      return new Map((await timesAt(pairs, 1)).map((times) => [times.ask.key, times]))
    },
    async price(asks, terms) {
      const pairs = asks.flatMap((ask) => nearestCapable(shops, ask, ask.shops))
      const offers = (await timesAt(pairs, timesAtAShop)).map((times) => {
        const breakdown = priceAt(times.shop, times.installation, times.ask.tires, terms)
        return { ...times, breakdown, totalCents: breakdown.totals.totalCents }
      })
      return Map.groupBy(offers, ({ ask }) => ask.key)
    },
  })
}

/** First times for `usualSet`, which can be at these shops by `arrivesOn`. */
export type FirstTimes = { arrivesOn: Temporal.PlainDate; openings: ReadonlyMap<number, readonly Opening[]> }

/**
 * Returns the first times of some shops near `zip` for four common tires, ordered now from the warehouse with the
 * earliest arrival: for shop pages, where no tires are chosen yet. Two statements. Undefined if there is no delivery to
 * `zip`.
 */
export async function firstTimesAt(
  deps: Deps,
  { zip, shopIds, limit }: { zip: string; shopIds: readonly number[]; limit: number },
): Promise<FirstTimes | undefined> {
  const promises = await warehousePromises(deps, { zip, releaseAfter: deps.releaseAfterSeconds })
  const days = promises.ok ? [...promises.value.values()].map(({ arrivesOn }) => arrivesOn) : []
  const arrivesOn = days.toSorted(Temporal.PlainDate.compare)[0]
  if (!arrivesOn) return undefined
  const found = await earliestTimes(deps, {
    asks: shopIds.map((shopId) => ({ shopId, tires: usualSet, arrivesOn })),
    limit,
  })
  return { arrivesOn, openings: new Map(shopIds.map((shopId, index) => [shopId, found[index] ?? []])) }
}

type Pair = { ask: OfferAsk; shop: NearbyShop; installation: InstallationQuote }

function nearestCapable<Ask extends Pick<OfferAsk, 'tires'>>(
  shops: readonly NearbyShop[],
  ask: Ask,
  limit: number,
): { ask: Ask; shop: NearbyShop; installation: InstallationQuote }[] {
  const found: { ask: Ask; shop: NearbyShop; installation: InstallationQuote }[] = []
  for (const shop of shops) {
    const quote = quoteInstallation(shop, tireSpecs(ask.tires))
    if (quote.ok) found.push({ ask, shop, installation: quote.value })
    if (found.length === limit) break
  }
  return found
}

/** The set has arrived when its last article has. */
function latestArrival(ask: OfferAsk, arrivalOf: NearbyOffers['arrivalOf']): Temporal.PlainDate | undefined {
  const days = ask.tires.map((tires, index) => arrivalOf(ask.stock[index] ?? [], tires.quantity))
  if (days.includes(null)) return undefined
  const last = days.reduce((latest, day) => (day !== null && (latest === null || day > latest) ? day : latest), null)
  return last ? Temporal.PlainDate.from(last) : undefined
}
