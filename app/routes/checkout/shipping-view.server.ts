/** The shipping page's data as plain text and numbers. */
import { openingValue } from '#app/forms/slot-value.ts'
import {
  maxHoldExtensions,
  type Booking,
  type ChosenTime,
  type HoldStatus,
  type OfferedDay,
  type Opening,
} from '#domain/scheduling/booking/booking.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import type { CartVerdict, ShopChoice, ShopMonth } from '#domain/ordering/checkout/checkout.server.ts'
import type { NearbyWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import { isInstallationRefused } from '#domain/catalog/fitment/fitment.ts'
import { chosenVehicleSchema } from '#domain/catalog/vehicles/vehicles.ts'
import {
  hoursOfDay,
  weekLines,
  weekText,
  type NearbyPlace,
  type PlacesNear,
} from '#domain/supply/pickup-places/pickup-places.ts'
import type { Place } from '#domain/kernel/places/places.ts'
import { paths } from '#content/paths.ts'
import { dropOffText, slotText, slotZone } from '#content/messages/times.ts'
import { dayText, weekdayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { clockOf, timeText } from '#platform/time-text.ts'

export type SlotView = { label: string; value: string; isFree: boolean; isHeld: boolean }
export type ShopView = {
  id: number
  letter: string
  name: string
  street: string
  miles: string
  rating: number | null
  ratingCount: number
  onTime: number | null
  amenities: string
  perTire: string
  total: string
  latitude: number
  longitude: number
  openings: SlotView[]
  /** "CST", where the shop's clock differs from the one at the visitor's ZIP. */
  zone: string | null
  isChosen: boolean
  directions: string
}
export type DayView = { date: string; weekday: string; day: string; note: string; isOpen: boolean; isChosen: boolean }
export type MonthView = {
  /** As `ShopView.zone`. */
  zone: string | null
  length: string
  days: DayView[]
  title: string
  times: SlotView[]
  dropOffs: (SlotView & { text: string })[]
}
export type HoldView = {
  label: string
  shopId: number
  expiresAt: string
  canExtend: boolean
  status: HoldStatus
  /** Whether it is for a service without tires. */
  isService: boolean
}
export type CounterView = {
  id: number
  letter: string
  name: string
  address: string
  miles: string
  /** Today's hours with their zone, and the week; empty where the carrier does not say. */
  today: string
  week: string[]
  holdsDays: number
  latitude: number
  longitude: number
  directions: string
}
export type WarehouseView = {
  id: number
  name: string
  address: string
  miles: string
  week: string
  /** Days that a ready order is kept. */
  keptDays: number
  /** Directions to the counter; empty without. */
  note: string
  /** When it is ready there; null where it does not have all tires. */
  ready: string | null
}
/**
 * The pickup tab's locations. `isAway` is true if the carrier is unavailable and there's no cached response. `asOf` is
 * the cached response's time.
 */
export type CountersView = { counters: CounterView[]; isAway: boolean; asOf: string | null }
/** The vehicle the cart's tires cannot be installed on, and why. */
/** `fitting`: the page of tires for the vehicle. */
export type RefusalView = { vehicle: string; headline: string; fitting: string | null }

const sorts = ['soonest', 'nearest', 'price'] as const
export type Sort = (typeof sorts)[number]

/** The sort order in an address; soonest time first by default. */
export function findSort(named: string | null): Sort {
  return sorts.find((sort) => sort === named) ?? 'soonest'
}

/** The list in the requested order, with letters assigned in that order. Shops without available times come last. */
export function shopViews(
  choices: readonly ShopChoice[],
  options: {
    sort: Sort
    saturday: boolean
    chosenId: number | null
    hold: Booking | undefined
    now: Temporal.Instant
    /** The time zone of the cart's ZIP, if it is known. */
    visitorZone: string | null | undefined
  },
): ShopView[] {
  const kept = choices.filter(({ shop }) => !options.saturday || shop.hours.some((hours) => hours.weekday === 6))
  return kept.toSorted(order(options.sort)).map(({ shop, installation, totalCents, openings }, index) => ({
    id: shop.id,
    letter: String.fromCharCode(65 + (index % 26)),
    name: shop.name,
    street: shop.kind === 'van' ? `Comes to you from ${shop.city}` : shop.street,
    miles: shop.miles < 10 ? shop.miles.toFixed(1) : String(Math.round(shop.miles)),
    rating: shop.ratingTenths === null ? null : shop.ratingTenths * 10,
    ratingCount: shop.ratingCount,
    onTime: shop.onTimePercent,
    amenities: shop.amenities.slice(0, 2).join(', '),
    perTire: formatCents(Math.round(installation.installCents / Math.max(1, tiresIn(installation)))),
    total: formatCents(totalCents),
    latitude: shop.latitude,
    longitude: shop.longitude,
    openings: openings.map((opening) =>
      openingView(opening, shop.timeZone, options.hold?.shopId === shop.id ? options.hold : undefined),
    ),
    zone: slotZone(options.now, shop.timeZone, options.visitorZone),
    isChosen: shop.id === options.chosenId,
    directions: `https://www.openstreetmap.org/directions?to=${shop.latitude}%2C${shop.longitude}`,
  }))
}

/**
 * The bookable days of the chosen shop, with the times of one of them: the requested day, otherwise the held one,
 * otherwise the first with times available.
 */
export function monthView(
  month: ShopMonth,
  options: { day: string | null; hold: Booking | undefined; visitorZone: string | null | undefined },
): MonthView {
  const hold = options.hold?.shopId === month.shopId ? options.hold : undefined
  const heldDay = hold?.start.toZonedDateTimeISO(month.timeZone).toPlainDate().toString()
  const wanted = [options.day, heldDay].find(
    (day) => day && month.days.some(({ date, state }) => date.toString() === day && state === 'free'),
  )
  const shown =
    month.days.find(({ date }) => date.toString() === wanted) ?? month.days.find(({ state }) => state === 'free')
  return {
    zone: slotZone(
      (shown?.date ?? month.arrivesOn).toZonedDateTime({ timeZone: month.timeZone, plainTime: '12:00' }).toInstant(),
      month.timeZone,
      options.visitorZone,
    ),
    length: month.minutes < 75 ? 'about 1 h' : `about ${Math.round(month.minutes / 30) / 2} h`,
    days: month.days.map((day) => ({
      date: day.date.toString(),
      weekday: weekdayText(day.date),
      day: String(day.date.day),
      note: dayNote(day),
      isOpen: day.state === 'free',
      isChosen: shown !== undefined && day.date.equals(shown.date),
    })),
    title: shown ? dayText(shown.date) : '',
    times: (shown?.times ?? []).map((time) => ({
      label: slotText(time, month.timeZone),
      value: time.start.toString(),
      isFree: time.free,
      isHeld: hold !== undefined && !hold.dropOff && hold.start.equals(time.start),
    })),
    dropOffs: (shown?.dropOffs ?? []).map((dropOff) => ({
      label: slotText(dropOff, month.timeZone),
      value: `${shown?.date.toString() ?? ''}|${dropOff.window}`,
      text: dropOffText(dropOff, month.timeZone),
      isFree: dropOff.free,
      isHeld: hold?.dropOff?.code === dropOff.code,
    })),
  }
}

/** The time chosen for a cart, as the hold bar shows it. */
export function holdView(
  { booking: hold, status }: ChosenTime,
  { services }: Pick<Cart, 'services'> = { services: [] },
): HoldView {
  return {
    isService: services.length > 0,
    label: slotText({ start: hold.start, window: hold.dropOff?.window ?? null }, hold.timeZone),
    shopId: hold.shopId,
    expiresAt: (hold.holdExpiresAt ?? hold.start).toString(),
    canExtend: status !== 'lost' && hold.holdExtensions < maxHoldExtensions,
    status,
  }
}

/** The carrier's places as the pickup tab lists them. */
export function countersView(near: PlacesNear | null, now: Temporal.Instant): CountersView {
  if (!near) return { counters: [], isAway: true, asOf: null }
  return {
    counters: near.places.map((place, index) => counterView(place, index, now)),
    isAway: false,
    asOf: near.isOld && near.answeredAt ? dayText(near.answeredAt.toZonedDateTimeISO('UTC').toPlainDate()) : null,
  }
}

function counterView(place: NearbyPlace, index: number, now: Temporal.Instant): CounterView {
  const { id, name, street, city, state, zip, week, timeZone, miles, holdsDays, latitude, longitude } = place
  const today = timeZone ? now.toZonedDateTimeISO(timeZone).toPlainDate() : null
  const hours = today && week.length > 0 ? hoursOfDay(week, today.dayOfWeek) : ''
  return {
    id,
    letter: String.fromCharCode(65 + (index % 26)),
    name,
    address: `${street}, ${city}, ${state} ${zip}`,
    miles: miles.toFixed(1),
    today: hours && timeZone && today ? `${hours}${hours === 'Closed' ? '' : ` ${clockOf(timeZone, today).zone}`}` : '',
    week: week.length > 0 ? weekLines(week) : [],
    holdsDays,
    latitude,
    longitude,
    directions: `https://www.openstreetmap.org/directions?to=${latitude}%2C${longitude}`,
  }
}

/** The warehouses as the pickup tab lists them. */
export function warehouseViews(warehouses: readonly NearbyWarehouse[]): WarehouseView[] {
  return warehouses.map(
    ({ id, name, street, city, state, zip, miles, week, keptDays, note, readyAt, hasAll, timeZone }) => ({
      id,
      name,
      address: `${street}, ${city}, ${state} ${zip}`,
      miles: miles.toFixed(1),
      week: weekText(week),
      keptDays,
      note,
      ready: hasAll ? timeText(readyAt, timeZone) : null,
    }),
  )
}

/** Why the cart's tires cannot be installed; null if they can, or there is no vehicle. */
export function refusalView(verdict: CartVerdict | null, vehicle: unknown): RefusalView | null {
  if (!verdict || !isInstallationRefused(verdict)) return null
  const chosen = chosenVehicleSchema.safeParse(vehicle)
  return {
    vehicle: verdict.vehicleName,
    headline: verdict.sets.find(isInstallationRefused)?.headline ?? '',
    fitting: chosen.success ? paths.vehicle(chosen.data.makeSlug, chosen.data.modelSlug, chosen.data.year) : null,
  }
}

/** The map's center; null for a ZIP without a location. */
export function mapCenter(place: Place | undefined): { latitude: number; longitude: number } | null {
  return place?.latitude && place.longitude ? { latitude: place.latitude, longitude: place.longitude } : null
}

/** A free time as its button shows it. */
export function openingView(opening: Opening, timeZone: string, hold: Booking | undefined): SlotView {
  const isHeld =
    hold !== undefined &&
    (opening.kind === 'wait' ? !hold.dropOff && hold.start.equals(opening.start) : hold.dropOff?.code === opening.code)
  return {
    label: slotText(opening, timeZone),
    value: openingValue(opening),
    isFree: true,
    isHeld,
  }
}

function dayNote(day: OfferedDay): string {
  switch (day.state) {
    case 'free':
      return day.freeTimes > 0 ? `${day.freeTimes} free` : 'Drop off'
    case 'full':
      return 'Full'
    case 'too-soon':
      return 'Too soon'
    case 'past':
      return 'Over'
    case 'closed':
      return 'Closed'
    case 'holiday':
      return 'Holiday'
  }
}

function tiresIn(installation: ShopChoice['installation']): number {
  return installation.lines.reduce((sum, line) => sum + line.quantity, 0)
}

function order(sort: Sort): (a: ShopChoice, b: ShopChoice) => number {
  const first = (choice: ShopChoice) => choice.openings[0]?.start.epochMilliseconds ?? Infinity
  const byMiles = (a: ShopChoice, b: ShopChoice) => a.shop.miles - b.shop.miles
  if (sort === 'nearest') return byMiles
  if (sort === 'price') return (a, b) => a.totalCents - b.totalCents || byMiles(a, b)
  return (a, b) => (first(a) === first(b) ? byMiles(a, b) : first(a) - first(b))
}
