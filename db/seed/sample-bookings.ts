/** Free times at demo shops, on the grid that shoppers see. */
import type { Row } from '#db/insert-rows.ts'
import type { Random } from './random.ts'
import type { Shop } from './shops.ts'

export type Slot = {
  bayId: number
  kind: 'wait' | 'drop-off' | 'mobile'
  window: 'AM' | 'PM' | null
  start: Temporal.ZonedDateTime
  end: Temporal.ZonedDateTime
}

/** The data of a shop's calendar; `taken` grows as slots are assigned. */
export type Calendar = {
  shop: Shop
  bays: readonly Row<'shop_bay'>[]
  hours: readonly Row<'shop_hours'>[]
  closedOn: ReadonlySet<string>
  taken: Set<string>
}

const dropOffs = { AM: [8, 10], PM: [12, 14] } as const

export function makeCalendars(
  shops: readonly Shop[],
  bays: readonly Row<'shop_bay'>[],
  hours: readonly Row<'shop_hours'>[],
  closures: readonly Row<'shop_closure'>[],
): Calendar[] {
  const [baysOf, hoursOf, closedOf] = [
    Map.groupBy(bays, (bay) => bay.shop_id),
    Map.groupBy(hours, (day) => day.shop_id),
    Map.groupBy(closures, (closure) => closure.shop_id),
  ]
  return shops.map((shop) => ({
    shop,
    bays: baysOf.get(shop.id) ?? [],
    hours: hoursOf.get(shop.id) ?? [],
    closedOn: new Set((closedOf.get(shop.id) ?? []).map((closure) => closure.closed_on)),
    taken: new Set<string>(),
  }))
}

/**
 * Books a free slot for a job of `minutes` on `date`, on a lift in the shop's grid or as a drop-off. Returns undefined
 * if the shop is closed or full.
 */
export function takeSlot(
  calendar: Calendar,
  date: Temporal.PlainDate,
  minutes: number,
  random: Random,
): Slot | undefined {
  const { shop, bays, taken } = calendar
  const hours = calendar.hours.find((day) => day.weekday === date.dayOfWeek)
  if (!hours || calendar.closedOn.has(date.toString())) return undefined
  const window = random.pick(['AM', 'PM'] as const)
  const isDropOff = shop.kind === 'shop' && random.chance(0.25) && hours.opens <= '08:00' && hours.closes >= '17:00'
  const free = bays
    .filter((bay) => (bay.kind === 'drop-off') === isDropOff)
    .flatMap((bay) =>
      isDropOff ? freeDropOff(calendar, bay, date, window) : freeTimes(calendar, bay, date, hours, minutes),
    )
  if (free.length === 0) return undefined
  const slot = random.pick(free)
  const steps = slot.kind === 'drop-off' ? 1 : Math.ceil(minutes / shop.slot_minutes)
  for (let step = 0; step < steps; step++)
    taken.add(`${slot.bayId} ${slot.start.add({ minutes: step * shop.slot_minutes })}`)
  return slot
}

type Bay = Row<'shop_bay'>

/** The drop-off place for that half of the day, if it is free. */
function freeDropOff({ shop, taken }: Calendar, bay: Bay, date: Temporal.PlainDate, window: 'AM' | 'PM'): Slot[] {
  const [from, to] = dropOffs[window]
  const at = (hour: number) => date.toZonedDateTime({ timeZone: shop.time_zone, plainTime: { hour } })
  const start = at(from)
  return taken.has(`${bay.id} ${start}`) ? [] : [{ bayId: bay.id ?? 0, kind: 'drop-off', window, start, end: at(to) }]
}

/**
 * The starts at which a lift is free for `minutes` within the day's hours. Longer jobs take the grid's next step too.
 */
function freeTimes(
  { shop, taken }: Calendar,
  bay: Bay,
  date: Temporal.PlainDate,
  hours: Row<'shop_hours'>,
  minutes: number,
): Slot[] {
  const at = (time: string) => date.toZonedDateTime({ timeZone: shop.time_zone, plainTime: time })
  const closes = at(hours.closes)
  const steps = Math.ceil(minutes / shop.slot_minutes)
  const free: Slot[] = []
  for (
    let start = at(hours.opens);
    Temporal.ZonedDateTime.compare(start.add({ minutes }), closes) <= 0;
    start = start.add({ minutes: shop.slot_minutes })
  ) {
    const keys = Array.from(
      { length: steps },
      (_, step) => `${bay.id} ${start.add({ minutes: step * shop.slot_minutes })}`,
    )
    if (keys.every((key) => !taken.has(key)))
      free.push({
        bayId: bay.id ?? 0,
        kind: shop.kind === 'van' ? 'mobile' : 'wait',
        window: null,
        start,
        end: start.add({ minutes }),
      })
  }
  return free
}
