/** Places where a carrier holds parcels, with readable hours. Safe in the browser. */
import { compactClock } from '#platform/time-text.ts'
import type { FoundPlace, PlaceHours } from './pickup-places.port.ts'

export type { PlaceHours }

/** A place as last read from its carrier. */
export type PickupPlace = Omit<FoundPlace, 'miles' | 'ref'> & { id: number; carrier: string; ref: string }
/** `timeZone` applies to its hours; null if unknown for its ZIP code. */
export type NearbyPlace = PickupPlace & { miles: number; timeZone: string | null }
/**
 * `answeredAt` is the time of the carrier's response; `isOld` means that the carrier couldn't be queried again since.
 */
export type PlacesNear = { places: NearbyPlace[]; answeredAt: Temporal.Instant | null; isOld: boolean }

/** How far people drive for a parcel, and how many places a list has. */
export const placesWithinMiles = 25
export const placesListed = 10

/** What a receiver brings to the counter. */
export const pickupProof = 'a government-issued photo ID with the name on the order'

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** The hours of one weekday: "9am–6pm", "Closed", or "Open all day". */
export function hoursOfDay(week: readonly PlaceHours[], weekday: number): string {
  const spans = week.filter((hours) => hours.weekday === weekday)
  if (spans.length === 0) return 'Closed'
  return spans
    .map(({ opens, closes }) =>
      opens === '00:00' && closes === '23:59' ? 'Open all day' : `${compactClock(opens)}–${compactClock(closes)}`,
    )
    .join(', ')
}

/** The week with equal days together: "Mon–Fri 9am–6pm", "Sat 10am–4pm", "Sun Closed". */
export function weekLines(week: readonly PlaceHours[]): string[] {
  const runs: { from: number; to: number; text: string }[] = []
  for (let weekday = 1; weekday <= 7; weekday += 1) {
    const text = hoursOfDay(week, weekday)
    const last = runs.at(-1)
    if (last?.text === text) last.to = weekday
    else runs.push({ from: weekday, to: weekday, text })
  }
  return runs.map(({ from, to, text }) => {
    const [first = '', last = ''] = [weekdays[from - 1], weekdays[to - 1]]
    return `${from === to ? first : `${first}–${last}`} ${text}`
  })
}

/** The week in one line; empty where the carrier does not say. */
export function weekText(week: readonly PlaceHours[]): string {
  return week.length === 0 ? '' : weekLines(week).join(', ')
}

/** Returns the last day a place holds a parcel that arrived on `arrived`. */
export function keptUntil(arrived: Temporal.PlainDate, holdsDays: number): Temporal.PlainDate {
  return arrived.add({ days: holdsDays })
}
