/**
 * Orders by fictional people, so that calendars, queues and tracking pages have something to show. `order-rows.ts`
 * turns them into rows.
 */
import { pastOrders, type AccountBuyer, type DemoKeys, type PastOrder, type ReferredBy } from './demo-pasts.ts'
import type { CartVerdict } from '#domain/ordering/checkout/checkout.server.ts'
import { quoteInstallation, type InstallationQuote } from '#domain/scheduling/installers/installers.ts'
import type { Row } from '#db/insert-rows.ts'
import type { Item } from './items.ts'
import type { Line } from './lines.ts'
import { noShowAfterMinutes } from '#domain/installer-portal/work-orders/work-orders.ts'
import { isPassenger } from './physics.ts'
import { randomStream, type Random } from './random.ts'
import { names } from './review-texts.ts'
import { takeSlot, type Calendar, type Slot } from './sample-bookings.ts'
import { fitFinder, type FitFinder } from './sample-fit.ts'
import {
  hasArrived,
  isOnItsWay,
  isWaiting,
  journeyTo,
  justLabeled,
  newestTime,
  type Parcel,
} from './sample-shipping.ts'
import type { Shop } from './shops.ts'
import type { Size } from './sizes.ts'
import { meets } from './suitability.ts'
import type { Fitment, Vehicle } from '#db/reference/vehicles.ts'

/** How an order ends, or that it is still open. */
export type Ending = 'open' | 'done' | 'no-show' | 'canceled' | 'returned' | 'unconfirmed'

export type Story = {
  id: number
  firstName: string
  lastName: string
  vehicle: Vehicle
  fitment: Fitment
  /** The verdict that the order was placed under. */
  verdict: CartVerdict
  item: Item
  itemName: string
  brandId: number
  size: Size
  shop: Shop | null
  installation: InstallationQuote | null
  slot: Slot | null
  placedAt: Temporal.Instant
  ending: Ending
  /** Where its parcel is, if that was chosen. */
  parcel?: Parcel | undefined
  /** The buyer's account; null for a guest. */
  buyer: AccountBuyer | null
  referral: ReferredBy | null
}

export type Market = {
  vehicles: readonly Vehicle[]
  fitments: readonly Fitment[]
  lines: readonly Line[]
  sizes: readonly Size[]
  items: readonly Item[]
  calendars: readonly Calendar[]
  rates: ReadonlyMap<number, readonly Row<'shop_rate'>[]>
  keys: DemoKeys
}

/** Below the first number of real orders, see the identity of sales_order. */
const firstOrderId = 103_001
const mostOrders = 900
/** The package states of the guests' open orders. The other orders' packages follow their order dates. */
const parcelsOfOpenOrders: readonly Parcel[] = [
  ...Array.from({ length: 5 }, () => 'on-its-way' as const),
  ...Array.from({ length: 5 }, () => 'labeled' as const),
]
const daysBack = 12
const daysAhead = 14
const lastNames =
  `Abbott Alvarez Baker Barnes Bell Bishop Boone Brandt Burke Castro Chang Cohen Cruz Dalton Diaz Doyle Ellis Farrell Fields Fox Garner Gomez Grady Hahn Hayes Holt Ibarra Ingram Jensen Kane Keller Khan
  Lam Larsen Lowe Marsh Meyer Moreno Nash Novak Ortiz Park Patel Pruitt Quinn Ramos Reyes Rowe Ruiz Sato Shaw Silva Stone Tate Tran Vance Vega Walsh Weiss West Yates Young Zamora`.split(
    /\s+/,
  )

/**
 * Returns sample orders around `now`. Some are installed at the given shops in the days before and after, and some are
 * delivered to the shopper's address.
 */
export function makeStories(market: Market, now: Temporal.Instant): Story[] {
  const making: Making = { random: randomStream('orders'), purchase: purchaseMaker(market, now), now }
  const stories = [
    ...storiesAtShops(market, making),
    ...storiesAtDoors(making),
    ...pastOrders(market, now).flatMap((past) => retell(past, market, making.purchase, now)),
  ]
  return stories
    .sort((a, b) => Temporal.Instant.compare(a.placedAt, b.placedAt))
    .map((story, index) => ({ ...story, id: firstOrderId + index }))
}

type Making = { random: Random; purchase: Purchaser; now: Temporal.Instant }

/** A guest; stories get their ids once all are in order. */
function guest(random: Random) {
  return { id: 0, firstName: random.pick(names), lastName: random.pick(lastNames), buyer: null, referral: null }
}

function storiesAtShops(market: Market, { random, purchase, now }: Making): Story[] {
  const stories: Story[] = []
  for (const calendar of market.calendars) {
    const today = now.toZonedDateTimeISO(calendar.shop.time_zone).toPlainDate()
    const isNamed = calendar.shop.name === 'Halsted Tire'
    for (let day = -daysBack; day <= daysAhead && stories.length < mostOrders; day++) {
      for (let count = isNamed ? random.between(4, 7) : random.between(0, 2); count > 0; count--) {
        const bought = purchaseAtShop(purchase, calendar.shop, random)
        const slot = bought && takeSlot(calendar, today.add({ days: day }), bought.installation.minutes, random)
        if (!bought || !slot) continue
        const story = { ...guest(random), ...bought, shop: calendar.shop, slot }
        stories.push({ ...story, ...whenAndHow(calendar.shop, slot, now, random) })
      }
    }
  }
  return stories
}

/** A small catalog has no tires for most vehicles, so this tries a few. */
function purchaseAtShop(purchase: Purchaser, shop: Shop, random: Random): Purchase | undefined {
  for (let draw = 0; draw < 5; draw++) {
    const bought = purchase(shop, random)
    if (bought) return bought
  }
  return undefined
}

/**
 * The outcomes of guests' delivered orders, with the count, the age range in hours, and whether every demo includes
 * them.
 */
const atDoors: readonly { ending: Ending; count: number; hours: readonly [number, number]; isInEveryDemo: boolean }[] =
  [
    { ending: 'open', count: 14, hours: [2, 60], isInEveryDemo: false },
    { ending: 'done', count: 34, hours: [140, 700], isInEveryDemo: false },
    { ending: 'returned', count: 3, hours: [140, 700], isInEveryDemo: true },
    { ending: 'canceled', count: 2, hours: [3, 90], isInEveryDemo: true },
    { ending: 'unconfirmed', count: 3, hours: [2, 30], isInEveryDemo: true },
  ]

function storiesAtDoors({ random, purchase, now }: Making): Story[] {
  return atDoors.flatMap(({ ending, count, hours: [from, to], isInEveryDemo }) =>
    Array.from({ length: count }).flatMap((_, index): Story[] => {
      const parcel = ending === 'open' ? parcelsOfOpenOrders[index] : undefined
      const bought = purchaseAtDoor(purchase, random, isInEveryDemo || parcel !== undefined)
      if (!bought) return []
      const asked = now.subtract({ hours: random.between(from, to), minutes: random.between(0, 59) })
      const placedAt = placedAtDoor(asked, { ending, parcel }, now)
      return [{ ...guest(random), ...bought, installation: null, shop: null, slot: null, ending, parcel, placedAt }]
    }),
  )
}

/** A demo person's order. Empty if the market has no tires for the car, or no shop with a free time. */
function retell(
  { buyer, referral, vehicle, ending, where }: PastOrder,
  market: Market,
  purchase: Purchaser,
  now: Temporal.Instant,
): Story[] {
  const random = randomStream(`past ${buyer?.email ?? referral?.code} ${JSON.stringify(where)}`)
  const isIt = ({ year, make, model }: Vehicle) =>
    year === vehicle.year && make === vehicle.make && model === vehicle.model
  const person = buyer ?? { firstName: random.pick(names), lastName: random.pick(lastNames) }
  const told = { id: 0, firstName: person.firstName, lastName: person.lastName, ending, buyer, referral }
  if (where.at === 'home') {
    const bought = purchase(null, random, isIt)
    return bought
      ? [
          {
            ...told,
            ...bought,
            installation: null,
            shop: null,
            slot: null,
            parcel: where.parcel,
            placedAt: placedAtDoor(
              now.subtract({ hours: where.hoursAgo, minutes: 7 }),
              { ending, parcel: where.parcel },
              now,
            ),
          },
        ]
      : []
  }
  for (const calendar of market.calendars) {
    if (calendar.shop.kind !== 'shop') continue
    const bought = purchase(calendar.shop, random, isIt)
    if (!bought) continue
    const today = now.toZonedDateTimeISO(calendar.shop.time_zone).toPlainDate()
    // If the shop is closed or full that day, tries a day further from today.
    for (let further = 0; further < 4; further++) {
      const day = where.daysFromNow + further * Math.sign(where.daysFromNow)
      const slot = takeSlot(calendar, today.add({ days: day }), bought.installation.minutes, random)
      if (slot) {
        const { placedAt } = whenAndHow(calendar.shop, slot, now, random)
        return [{ ...told, ...bought, shop: calendar.shop, slot, placedAt }]
      }
    }
  }
  return []
}

type Purchase = Pick<Story, 'vehicle' | 'fitment' | 'verdict' | 'item' | 'itemName' | 'brandId' | 'size'> & {
  installation: InstallationQuote
}

type Purchaser = (shop: Shop | null, random: Random, isWanted?: (vehicle: Vehicle) => boolean) => Purchase | undefined

/** Returns a delivered purchase. If every demo includes it, repeats until the catalog has tires for its vehicle. */
function purchaseAtDoor(purchase: Purchaser, random: Random, isInEveryDemo: boolean): Purchase | undefined {
  const draws = isInEveryDemo ? 1000 : 1
  for (let draw = 0; draw < draws; draw++) {
    const bought = purchase(null, random)
    if (bought) return bought
  }
  return undefined
}

/**
 * Returns a function that picks a random vehicle, and four tires that meet its listed requirement and the shop's
 * limits.
 */
function purchaseMaker({ vehicles, fitments, lines, sizes, items, rates }: Market, now: Temporal.Instant): Purchaser {
  const fits = fitFinder(vehicles, fitments, now)
  const vehicleOf = new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]))
  const sizeOf = new Map(sizes.map((size) => [size.designation, size]))
  const lineOf = new Map(lines.map((line) => [line.id, line]))
  const bySize = Map.groupBy(items, (item) => item.size_id)
  const plain = fitments.filter(
    (fitment) => fitment.front_size === fitment.rear_size && (vehicleOf.get(fitment.vehicle_id)?.year ?? 0) >= 2012,
  )
  return (shop, random, isWanted) => {
    const ofWanted =
      isWanted &&
      plain.filter(
        ({ vehicle_id, front_size }) =>
          isWanted(vehicleOf.get(vehicle_id)!) && bySize.has(sizeOf.get(front_size)?.id ?? 0),
      )
    if (ofWanted?.length === 0) return undefined
    const fitment = random.pick(ofWanted ?? plain)
    const vehicle = vehicleOf.get(fitment.vehicle_id)
    const size = sizeOf.get(fitment.front_size)
    if (!vehicle || !size || !isPassenger(size)) return undefined
    const fitting = random.shuffled(itemsMeeting(fitment, bySize.get(size.id ?? 0) ?? []))
    const found = firstThatFits(fits, { vehicle, fitment, size, items: fitting, lineOf })
    if (!found) return undefined
    const { item, verdict } = found
    const line = lineOf.get(item.product_line_id)
    const installation = shop ? quoteAt(shop, rates.get(shop.id) ?? [], size) : nothing
    if (!line || !installation) return undefined
    return {
      vehicle,
      fitment,
      verdict,
      item,
      size,
      installation,
      brandId: line.brand.id,
      itemName: `${line.brand.name} ${line.name} ${size.designation} ${item.load_index}${item.speed}`,
    }
  }
}

/** The first of the items that fits by the rule book, with the verdict. */
function firstThatFits(
  fits: FitFinder,
  {
    vehicle,
    fitment,
    size,
    items,
    lineOf,
  }: { vehicle: Vehicle; fitment: Fitment; size: Size; items: readonly Item[]; lineOf: ReadonlyMap<number, Line> },
): { item: Item; verdict: CartVerdict } | undefined {
  for (const item of items) {
    const line = lineOf.get(item.product_line_id)
    const verdict = line && fits({ vehicle, fitment, item, size, line })
    if (verdict?.verdict === 'fits') return { item, verdict }
  }
  return undefined
}

/** The `items`, all in the listed size, that meet the listed load and speed; no run-flats. */
function itemsMeeting(fitment: Fitment, items: readonly Item[]): Item[] {
  const requirement = { loadIndex: Number(fitment.front_load_index), speed: String(fitment.front_speed) }
  return items.filter((item) => !item.run_flat && meets(requirement, item.load_index, item.speed))
}

const nothing: InstallationQuote = {
  lines: [],
  services: [],
  installCents: 0,
  serviceKitCents: 0,
  disposalCents: 0,
  minutes: 0,
}

function quoteAt(shop: Shop, rates: readonly Row<'shop_rate'>[], size: Size): InstallationQuote | undefined {
  const quote = quoteInstallation(
    {
      limits: {
        rimMinIn: 12,
        rimMaxIn: shop.rim_max_in,
        aspectMin: Number(shop.aspect_min),
        takesRunFlat: shop.takes_run_flat,
        takesLightTruck: shop.takes_light_truck,
      },
      rates: rates.map((rate) => ({
        job: rate.job as 'standard',
        rimFromIn: rate.rim_from_in,
        rimToIn: rate.rim_to_in,
        installCents: rate.install_cents,
        serviceKitCents: rate.service_kit_cents,
        disposalCents: rate.disposal_cents,
        minutesPerTire: rate.minutes_per_tire,
      })),
    },
    [{ quantity: 4, rimIn: size.rim, aspect: size.aspect, runFlat: false, sizeKind: size.kind }],
  )
  return quote.ok ? quote.value : undefined
}

/**
 * Most past appointments were kept. Future ones were booked some days ago, and their tires arrive the day before. An
 * appointment that just ended is still open.
 */
function whenAndHow(shop: Shop, slot: Slot, now: Temporal.Instant, random: Random): Pick<Story, 'placedAt' | 'ending'> {
  const early = slot.start.toInstant().subtract({ hours: random.between(70, 170), minutes: random.between(0, 59) })
  const day = slot.start.toPlainDate()
  const placedAt = newestTime(
    Temporal.Instant.compare(early, now.subtract({ hours: 1 })) < 0
      ? early
      : // Most so lately that where they go can still be changed.
        now.subtract({ hours: random.between(1, random.chance(0.85) ? 3 : 40), minutes: random.between(5, 45) }),
    (at) => Temporal.PlainDate.compare(journeyTo(shop, at).promisedOn, day) < 0,
  )
  const ending = isOver(slot, now)
    ? random.weighted(['done', 'no-show', 'canceled'] as const, (end) => ({ done: 92, 'no-show': 3, canceled: 5 })[end])
    : random.chance(0.04)
      ? 'canceled'
      : 'open'
  return { placedAt, ending }
}

/** Returns the time when a shop recorded an appointment's outcome. */
export function endedAt({ end }: Pick<Slot, 'end'>): Temporal.Instant {
  return end.toInstant().add({ minutes: noShowAfterMinutes })
}

function isOver(slot: Slot, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(endedAt(slot), now) < 0
}

/** How long a return takes from the delivery to the refund. */
const returnHours = 24 * 8

/** Returns when a delivered order was placed. The time is around `asked` and early enough for its outcome. */
function placedAtDoor(
  asked: Temporal.Instant,
  { ending, parcel }: { ending: Ending; parcel: Parcel | undefined },
  now: Temporal.Instant,
): Temporal.Instant {
  if (ending === 'done') return newestTime(asked, (at) => hasArrived(at, now))
  if (ending === 'returned') return newestTime(asked, (at) => hasArrived(at, now.subtract({ hours: returnHours })))
  switch (parcel) {
    case 'on-its-way':
      return newestTime(isOnItsWay(asked, now) ? asked : now, (at) => isOnItsWay(at, now))
    case 'labeled':
      return isWaiting(asked, now) ? asked : justLabeled(now, asked)
    case undefined:
      return asked
  }
}
