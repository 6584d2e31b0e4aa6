/** A shop's page as plain text. */
import { slotText } from '#content/messages/times.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import {
  closedText,
  isCertified,
  offeredServices,
  openState,
  type Job,
  type OpenState,
  type ShopInFull,
  type ShopLimits,
  type ShopRate,
  pauseDaysText,
  type PauseDays,
} from '#domain/scheduling/installers/installers.ts'
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { firstTimesAt } from '#domain/catalog/offers/offers.server.ts'
import { shopServices } from '#domain/installer-portal/shops/shops.ts'
import { phoneText } from '#platform/phone-text.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { clockOf } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application as Store } from '#application'

type Clock = ReturnType<typeof clockOf>
export type PriceTable = { bands: string[]; rows: { job: string; note: string; cells: string[] }[] }

const timesShown = 6
const closuresShown = 6
const neighbors = 4

/**
 * Loads everything except the shop's own description. Open times use the shared cache, and nearby shops are cached for
 * ten minutes.
 */
export async function readShopPage(store: Store, shop: ShopInFull) {
  const now = store.clock.now()
  const { cache } = store.catalog
  const [{ first }, near] = await Promise.all([
    cache.keep(`first times ${shop.id}`, async () => ({
      first: await firstTimesAt(store, { zip: shop.zip, shopIds: [shop.id], limit: timesShown }),
    })),
    cache.keep(
      `near shop ${shop.id}`,
      () => findShopsNear(store, { near: { point: shop }, limit: neighbors + 1, withinMiles: 25 }),
      { life: { minutes: 10 } },
    ),
  ])
  const today = now.toZonedDateTimeISO(shop.timeZone).toPlainDate()
  const clock = clockOf(shop.timeZone, today)
  return {
    code: shop.code,
    slug: shop.slug,
    name: shop.name,
    // A van's base is private.
    place: shop.kind === 'van' ? null : { street: shop.street, latitude: shop.latitude, longitude: shop.longitude },
    city: shop.city,
    state: shop.state,
    zip: shop.zip,
    phone: phoneText(shop.phone),
    rating: shop.ratingTenths === null ? null : shop.ratingTenths * 10,
    ratingCount: shop.ratingCount,
    onTime: shop.onTimePercent,
    isCertified: isCertified(shop, today),
    amenities: shop.amenities,
    website: shop.website,
    about: shop.about,
    services: shop.services.map((key) => shopServices[key]).filter((name) => name !== undefined),
    paused: pausedText(shop.paused, today),
    open: openText(openState(shop, now), clock, today),
    week: weekOf(shop, clock, today),
    zone: clock.zone,
    closures: shop.closures
      .filter(({ on }) => on >= today.toString())
      .slice(0, closuresShown)
      .map(({ on, reason }) => ({ day: dayText(Temporal.PlainDate.from(on)), reason })),
    prices: priceTable(shop.rates, shop.limits),
    extras: {
      kit: spread(shop.rates.map((rate) => rate.serviceKitCents)),
      disposal: spread(shop.rates.map((rate) => rate.disposalCents)),
    },
    priced: offeredServices(shop.servicePrices).map(({ key, name, note, unit, priceCents, minutes }) => ({
      // Services of vans are booked by phone.
      book: shop.kind === 'van' ? null : serverPaths.bookService({ shop: shop.code, service: key }),
      name,
      note,
      price: unit === 'tire' ? `${formatCents(priceCents)} a tire` : formatCents(priceCents),
      minutes: countOf(minutes, 'minute'),
    })),
    takes: takesOf(shop.limits),
    arrivesOn: first ? dayText(first.arrivesOn) : null,
    times: (first?.openings.get(shop.id) ?? []).map((opening) => slotText(opening, shop.timeZone)),
    near: (near.ok ? near.value : [])
      .filter((other) => other.id !== shop.id)
      .slice(0, neighbors)
      .map((other) => ({
        name: other.name,
        city: other.city,
        path: paths.tireShop(other.slug, other.code),
        miles: other.miles.toFixed(1),
      })),
  }
}

/**
 * Returns "from Nov 30 through Dec 5". Returns null if there's no pause, or if it has ended or starts more than a month
 * from now.
 */
function pausedText(paused: PauseDays | null, today: Temporal.PlainDate): string | null {
  if (!paused || paused.from > today.add({ days: 31 }).toString()) return null
  if (paused.until === null) return paused.from <= today.toString() ? 'for now' : pauseDaysText(paused)
  return paused.until <= today.toString() ? null : pauseDaysText(paused)
}

/** "Open until 5:30 PM CST", "Closed for Thanksgiving, opens Fri, Nov 27 at 8:00 AM CST". */
export function openText(state: OpenState, clock: Clock, today: Temporal.PlainDate): { isOpen: boolean; text: string } {
  if (state.isOpen) return { isOpen: true, text: `Open until ${clock.minute(state.until)} ${clock.zone}` }
  const closed = state.reason === null ? 'Closed' : closedText(state.reason)
  if (!state.next) return { isOpen: false, text: closed }
  const { on, from } = state.next
  const day = on.equals(today) ? 'today' : on.equals(today.add({ days: 1 })) ? 'tomorrow' : dayText(on)
  return { isOpen: false, text: `${closed}, opens ${day} at ${clock.minute(from)} ${clock.zone}` }
}

/** Returns the prices per tire, with a row per installation type and a column per accepted wheel size range. */
export function priceTable(rates: readonly ShopRate[], limits: Pick<ShopLimits, 'rimMinIn' | 'rimMaxIn'>): PriceTable {
  const taken = rates.filter((rate) => rate.rimFromIn <= limits.rimMaxIn && rate.rimToIn >= limits.rimMinIn)
  const bands = [...new Map(taken.map((rate) => [rate.rimFromIn, rate])).values()].sort(
    (a, b) => a.rimFromIn - b.rimFromIn,
  )
  return {
    bands: bands.map(({ rimFromIn, rimToIn }) =>
      inchesText(Math.max(rimFromIn, limits.rimMinIn), Math.min(rimToIn, limits.rimMaxIn)),
    ),
    rows: jobs
      .filter(([job]) => taken.some((rate) => rate.job === job))
      .map(([job, name, note]) => ({
        job: name,
        note,
        cells: bands.map((band) => {
          const rate = taken.find((each) => each.job === job && each.rimFromIn === band.rimFromIn)
          return rate ? formatCents(rate.installCents) : 'Not taken'
        }),
      })),
  }
}

const jobs: readonly (readonly [Job, name: string, note: string])[] = [
  ['standard', 'Standard', 'Most cars and crossovers'],
  ['low-profile', 'Low profile', 'Aspect ratio 40 and below'],
  ['run-flat', 'Run-flat', 'Stiff sidewalls'],
  ['light-truck', 'Light truck', 'LT, flotation and commercial sizes'],
]

/** Ranges meet at a tenth of an inch, a size no wheel has: "12 to 17 in". */
function inchesText(from: number, to: number): string {
  const [first, last] = [Math.ceil(from), Math.floor(to)]
  return first === last ? `${first} in` : `${first} to ${last} in`
}

function takesOf(limits: ShopLimits): { takes: boolean; text: string }[] {
  return [
    { takes: true, text: `Wheels ${inchesText(limits.rimMinIn, limits.rimMaxIn)}` },
    { takes: true, text: `Aspect ratio ${limits.aspectMin} and above` },
    { takes: limits.takesRunFlat, text: 'Run-flat tires' },
    { takes: limits.takesLightTruck, text: 'Light truck tires' },
  ]
}

function spread(cents: readonly number[]): string | null {
  if (cents.length === 0) return null
  const [least, most] = [Math.min(...cents), Math.max(...cents)]
  return least === most ? formatCents(least) : `${formatCents(least)} to ${formatCents(most)}`
}

/** Returns the next seven days from Monday, with the usual hours or the reason for closing. */
export function weekOf(
  shop: Pick<ShopInFull, 'hours' | 'closures'>,
  clock: Pick<Clock, 'minute'>,
  today: Temporal.PlainDate,
): { day: string; hours: string; isToday: boolean }[] {
  return weekdays.map((day, index) => {
    const date = today.add({ days: (index + 1 - today.dayOfWeek + 7) % 7 })
    const closure = shop.closures.find(({ on }) => on === date.toString())
    const usual = shop.hours.find(({ weekday }) => weekday === index + 1)
    const hours = usual ? `${clock.minute(usual.opens)} to ${clock.minute(usual.closes)}` : 'Closed'
    return { day, hours: usual && closure ? closedText(closure.reason) : hours, isToday: date.equals(today) }
  })
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
