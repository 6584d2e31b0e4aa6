/** A shop with its weekly hours and a request, for availability tests. */
import { offerDays, type Ask, type Bay, type CapacityVersion, type ShopCalendar } from './slots.ts'

export const day = (text: string) => Temporal.PlainDate.from(text)
export const at = (text: string) => Temporal.ZonedDateTime.from(text).toInstant()
export const wall = (instant: Temporal.Instant, timeZone = 'America/Chicago') =>
  instant.toZonedDateTimeISO(timeZone).toPlainTime().toString({ smallestUnit: 'minute' })

export const everyZone = [
  'America/New_York',
  'America/Detroit',
  'America/Indiana/Indianapolis',
  'America/Indiana/Knox',
  'America/Kentucky/Louisville',
  'America/Chicago',
  'America/North_Dakota/Center',
  'America/Menominee',
  'America/Denver',
  'America/Boise',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Adak',
  'America/Juneau',
  'America/Puerto_Rico',
  'America/St_Thomas',
  'Pacific/Honolulu',
  'Pacific/Pago_Pago',
  'Pacific/Guam',
]

export const clocksThatStandStill = new Set([
  'America/Phoenix',
  'America/Puerto_Rico',
  'America/St_Thomas',
  'Pacific/Honolulu',
  'Pacific/Pago_Pago',
  'Pacific/Guam',
])

export const bay = (id: number, kind: Bay['kind'], taken: [string, string][] = []): Bay => ({
  id,
  kind,
  starts: taken.map(([from]) => at(`${from}[America/Chicago]`).epochMilliseconds / 1000),
  ends: taken.map(([, to]) => at(`${to}[America/Chicago]`).epochMilliseconds / 1000),
  days: null,
})

/** Monday to Friday 8 to 6, Saturday 8 to 2, a time every 90 minutes, one bay and one drop-off place. */
export function calendar({ hours, slotMinutes, ...over }: Partial<ShopCalendar> & Version = {}): ShopCalendar {
  return {
    timeZone: 'America/Chicago',
    kind: 'shop',
    versions: [version({ ...(hours && { hours }), ...(slotMinutes !== undefined && { slotMinutes }) })],
    closures: [],
    jobs: [],
    bookableDays: 30,
    receivingMinutes: 60,
    bays: [bay(1, 'bay'), bay(2, 'drop-off')],
    ...over,
  }
}

export type Version = { hours?: { weekday: number; opens: number; closes: number }[]; slotMinutes?: number }

export function version({
  hours = weekdays,
  ...over
}: Version & Partial<Omit<CapacityVersion, 'hours'>> = {}): CapacityVersion {
  return {
    from: null,
    hours: hours.map((each) => ({ lunch: null, ...each })),
    slotMinutes: 90,
    technicians: null,
    bufferMinutes: 0,
    leadMinutes: 60,
    noticeMinutes: 60,
    walkInPercent: 0,
    dropOffWindows: ['AM', 'PM', 'EVE'],
    ...over,
  }
}

export const weekdays = [1, 2, 3, 4, 5, 6].map((weekday) => ({
  weekday,
  opens: 480,
  closes: weekday === 6 ? 840 : 1080,
}))

/** A one-hour job, asked for on Friday, November 20, 2026 at 10 am; the tires arrive on Monday. */
export function ask(over: Partial<Ask> = {}): Ask {
  return { minutes: 60, arrivesOn: day('2026-11-23'), now: at('2026-11-20T10:00[America/Chicago]'), ...over }
}

export function dayOf(date: string, shop = calendar(), asked = ask()) {
  const found = offerDays(shop, asked).find((offered) => offered.date.equals(day(date)))
  if (!found) throw new Error(`${date} is not offered`)
  return found
}
