/**
 * Orders by fictional people, so that calendars, queues and tracking pages have something to show. `order-rows.ts`
 * turns them into rows.
 */
import { pastOrders, type AccountBuyer, type PastOrder, type ReferredBy } from './demo-pasts.ts'
import { quoteInstallation, type InstallationQuote } from '#domain/installers/installers.ts'
import type { Row } from './insert.ts'
import type { Item } from './items.ts'
import type { Line } from './lines.ts'
import { isPassenger } from './physics.ts'
import { randomStream, type Random } from './random.ts'
import { names } from './review-texts.ts'
import { takeSlot, type Calendar, type Slot } from './sample-bookings.ts'
import type { Shop } from './shops.ts'
import type { Size } from './sizes.ts'
import { meets } from './suitability.ts'
import type { Fitment, Vehicle } from './vehicles.ts'

/** How an order ends, or that it is still open. */
export type Ending = 'open' | 'done' | 'no-show' | 'canceled' | 'returned' | 'unconfirmed'

export type Story = {
  id: number
  firstName: string
  lastName: string
  vehicle: Vehicle
  fitment: Fitment
  item: Item
  itemName: string
  brandId: number
  size: Size
  shop: Shop | null
  installation: InstallationQuote | null
  slot: Slot | null
  placedAt: Temporal.Instant
  ending: Ending
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
}

/** Below the first number of real orders, see the identity of sales_order. */
const firstOrderId = 103_001
const mostOrders = 900
const daysBack = 12
const daysAhead = 14
const lastNames =
  `Abbott Alvarez Baker Barnes Bell Bishop Boone Brandt Burke Castro Chang Cohen Cruz Dalton Diaz Doyle Ellis Farrell Fields Fox Garner Gomez Grady Hahn Hayes Holt Ibarra Ingram Jensen Kane Keller Khan
  Lam Larsen Lowe Marsh Meyer Moreno Nash Novak Ortiz Park Patel Pruitt Quinn Ramos Reyes Rowe Ruiz Sato Shaw Silva Stone Tate Tran Vance Vega Walsh Weiss West Yates Young Zamora`.split(
    /\s+/,
  )

/**
 * Sample orders around `now`: some installed at the given shops over the days before and after, some delivered to the
 * shopper's door.
 */
export function makeStories(market: Market, now: Temporal.Instant): Story[] {
  const random = randomStream('orders')
  const purchase = purchaseMaker(market)
  const stories: Story[] = []
  const person = () => ({
    id: firstOrderId + stories.length,
    firstName: random.pick(names),
    lastName: random.pick(lastNames),
  })
  for (const calendar of market.calendars) {
    const today = now.toZonedDateTimeISO(calendar.shop.time_zone).toPlainDate()
    const isNamed = calendar.shop.name === 'Halsted Tire'
    for (let day = -daysBack; day <= daysAhead && stories.length < mostOrders; day++) {
      for (let count = isNamed ? random.between(4, 7) : random.between(0, 2); count > 0; count--) {
        const bought = purchase(calendar.shop, random)
        const slot = bought && takeSlot(calendar, today.add({ days: day }), bought.installation.minutes, random)
        if (!bought || !slot) continue
        const story = { ...person(), ...bought, shop: calendar.shop, slot, buyer: null, referral: null }
        stories.push({ ...story, ...whenAndHow(slot, now, random) })
      }
    }
  }
  const atDoor: Ending[] = [
    ...Array.from({ length: 34 }, () => 'done' as const),
    ...Array.from({ length: 14 }, () => 'open' as const),
    'returned',
    'returned',
    'returned',
    'canceled',
    'canceled',
    'unconfirmed',
    'unconfirmed',
    'unconfirmed',
  ]
  for (const ending of atDoor) {
    const bought = purchaseAtDoor(purchase, random, ending)
    if (!bought) continue
    const hours =
      ending === 'done' || ending === 'returned'
        ? random.between(140, 700)
        : ending === 'open'
          ? random.between(2, 60)
          : random.between(3, 90)
    stories.push({
      ...person(),
      ...bought,
      installation: null,
      shop: null,
      slot: null,
      ending,
      placedAt: now.subtract({ hours, minutes: random.between(0, 59) }),
      buyer: null,
      referral: null,
    })
  }
  for (const past of pastOrders(market, now)) stories.push(...retell(past, market, purchase, now))
  return stories
    .sort((a, b) => Temporal.Instant.compare(a.placedAt, b.placedAt))
    .map((story, index) => ({ ...story, id: firstOrderId + index }))
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
            placedAt: now.subtract({ hours: where.hoursAgo, minutes: 7 }),
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
      if (slot)
        return [{ ...told, ...bought, shop: calendar.shop, slot, placedAt: whenAndHow(slot, now, random).placedAt }]
    }
  }
  return []
}

type Purchase = Pick<Story, 'vehicle' | 'fitment' | 'item' | 'itemName' | 'brandId' | 'size'> & {
  installation: InstallationQuote
}

type Purchaser = (shop: Shop | null, random: Random, isWanted?: (vehicle: Vehicle) => boolean) => Purchase | undefined

/** A delivered purchase. One with a rare ending is drawn until the market has tires for its vehicle: every demo has it. */
function purchaseAtDoor(purchase: Purchaser, random: Random, ending: Ending): Purchase | undefined {
  const draws = ending === 'done' || ending === 'open' ? 1 : 1000
  for (let draw = 0; draw < draws; draw++) {
    const bought = purchase(null, random)
    if (bought) return bought
  }
  return undefined
}

/** Draws a vehicle from those wanted, and four tires that meet its listed requirement and that the shop accepts. */
function purchaseMaker({ vehicles, fitments, lines, sizes, items, rates }: Market): Purchaser {
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
    const fitting = itemsMeeting(fitment, bySize.get(size.id ?? 0) ?? [])
    if (fitting.length === 0) return undefined
    const item = random.pick(fitting)
    const line = lineOf.get(item.product_line_id)
    const installation = shop ? quoteAt(shop, rates.get(shop.id) ?? [], size) : nothing
    if (!line || !installation) return undefined
    return {
      vehicle,
      fitment,
      item,
      size,
      installation,
      brandId: line.brand.id,
      itemName: `${line.brand.name} ${line.name} ${size.designation} ${item.load_index}${item.speed}`,
    }
  }
}

/** The `items`, all in the listed size, that meet the listed load and speed; no run-flats. */
function itemsMeeting(fitment: Fitment, items: readonly Item[]): Item[] {
  const requirement = { loadIndex: Number(fitment.front_load_index), speed: String(fitment.front_speed) }
  return items.filter((item) => !item.run_flat && meets(requirement, item.load_index, item.speed))
}

const nothing: InstallationQuote = { lines: [], installCents: 0, serviceKitCents: 0, disposalCents: 0, minutes: 0 }

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

/** Most past appointments were kept; future ones were booked some days ahead, in the past. */
function whenAndHow(slot: Slot, now: Temporal.Instant, random: Random): Pick<Story, 'placedAt' | 'ending'> {
  const start = slot.start.toInstant()
  const early = start.subtract({ hours: random.between(70, 170), minutes: random.between(0, 59) })
  const placedAt =
    Temporal.Instant.compare(early, now.subtract({ hours: 1 })) < 0
      ? early
      : now.subtract({ hours: random.between(1, 40), minutes: random.between(5, 59) })
  const isOver = Temporal.Instant.compare(slot.end.toInstant(), now) < 0
  const ending = isOver
    ? random.weighted(['done', 'no-show', 'canceled'] as const, (end) => ({ done: 92, 'no-show': 3, canceled: 5 })[end])
    : random.chance(0.04)
      ? 'canceled'
      : 'open'
  return { placedAt, ending }
}
