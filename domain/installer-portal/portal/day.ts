/** A shop's day by bay, as rendered on its page. Safe in the browser. */
import type { BayPlace, OwnJob } from '#domain/scheduling/booking/booking.server.ts'
import { overlapReasons } from '#domain/scheduling/booking/booking.ts'
import type { OpeningHours } from '#domain/scheduling/installers/installers.ts'
import type { ShopJob } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { monthDayText } from '#platform/day-text.ts'
import { clockOf, localClock } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'

/** `short`: tires are missing on the day itself; `stop`: the order must not be installed. */
type JobState = 'booked' | 'short' | 'done' | 'no-show' | 'stop'

/** A bay or drop-off place, in the order of the page's columns. */
type DayColumn = { id: number; label: string; isBay: boolean }

/** One appointment. `from` and `to` are quarter hours after the page's first one. */
export type DayJob = {
  id: string
  column: number
  from: number
  to: number
  bay: string
  time: string
  who: string
  order: string
  vehicle: string
  tires: string[]
  /** The lines of the order that `tires` are, and how many pieces they have together. */
  lines: number[]
  total: number
  dropOffCode: string | null
  /** The shopper's reply about this time; null without one, or once the job is over. */
  news: string | null
  pieces: string
  state: JobState
  words: string
}

/** A shop job or blocked bay time, in the same quarter hours. `overlap` lists the overlapped bookings with reasons. */
export type DayOwnJob = {
  id: string
  column: number
  from: number
  to: number
  bay: string
  time: string
  title: string
  lines: string[]
  isBlock: boolean
  isDone: boolean
  overlap: string | null
}

/** Up to an hour of unused bay time; `at` is a time such as "09:30". */
export type EmptyTime = { column: number; bayId: number; from: number; to: number; at: string; label: string }

export type ShopDay = {
  columns: DayColumn[]
  jobs: DayJob[]
  ownJobs: DayOwnJob[]
  empty: EmptyTime[]
  /** Where the line of the present is, in quarters; null on another day or outside of the hours shown. */
  now: number | null
  /** The hour labels next to the columns, with the quarter each one starts at. */
  hours: { quarter: number; label: string }[]
  quarters: number
  /** Each quarter's time, and the closing time. `at` is a time such as "09:30". */
  times: { at: string; label: string }[]
  /** The first quarter that is not over; `quarters` on an earlier day. */
  firstQuarter: number
  /** The zone of all times, such as "CST". */
  zone: string
  done: number
  short: number
}

/** A page without opening hours shows this part of the day, in minutes after midnight. */
const usualDay = { opens: 480, closes: 1080 }

/**
 * Lays out the jobs on `day` at a shop, with columns for its bays and rows of quarter hours from opening to closing,
 * extended for jobs outside these hours.
 */
export function layOutDay(
  { places, hours, timeZone }: { places: readonly BayPlace[]; hours: readonly OpeningHours[]; timeZone: string },
  {
    day,
    now,
    jobs,
    ownJobs = [],
  }: { day: Temporal.PlainDate; now: Temporal.Instant; jobs: readonly ShopJob[]; ownJobs?: readonly OwnJob[] },
): ShopDay {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const clock = clockOf(timeZone, day)
  const minuteOf = (instant: Temporal.Instant) => {
    const local = instant.toZonedDateTimeISO(timeZone)
    const days = local.toPlainDate().since(day, { largestUnit: 'day' }).days
    return Math.max(0, days * 1_440 + local.hour * 60 + local.minute)
  }
  const both = [...jobs, ...ownJobs]
  const open = hours.find(({ weekday }) => weekday === day.dayOfWeek) ?? usualDay
  const opens = Math.min(open.opens, ...both.map(({ start }) => minuteOf(start)))
  const closes = Math.min(1_440, Math.max(open.closes, ...both.map(({ end }) => minuteOf(end))))
  const firstHour = Math.floor(opens / 60)
  const lastHour = Math.max(Math.ceil(closes / 60), firstHour + 1)
  const quarterOf = (minute: number) => (Math.min(minute, lastHour * 60) - firstHour * 60) / 15
  const columns = places.map(({ id, kind, number }) => ({
    id,
    label: `${kind === 'bay' ? 'Bay' : 'Drop-off'} ${number}`,
    isBay: kind === 'bay',
  }))
  const placeOf = (job: { bayId: number; start: Temporal.Instant; end: Temporal.Instant }) => {
    const column = columns.findIndex(({ id }) => id === job.bayId)
    const from = Math.floor(quarterOf(minuteOf(job.start)))
    const to = Math.max(Math.ceil(quarterOf(minuteOf(job.end))), from + 1)
    const time = `${localClock(job.start, timeZone)} to ${localClock(job.end, timeZone)}`
    return { column, from, to, bay: columns[column]?.label ?? '', time }
  }
  const drawn = jobs.map((job): DayJob => {
    return {
      id: job.bookingId,
      ...placeOf(job),
      who: `${job.firstName} ${job.lastInitial}.`,
      order: orderNumber(job.orderId),
      vehicle: job.vehicle ?? 'Vehicle not given',
      tires: (job.service ? [job.service] : job.tires).map(
        ({ quantity, description }) => `${quantity} × ${description}`,
      ),
      lines: job.tires.map(({ lineNo }) => lineNo),
      total: job.pieces,
      dropOffCode: job.dropOffCode,
      news: newsOf(job),
      pieces: piecesText(job),
      ...stateOf(job, Temporal.PlainDate.compare(day, today) <= 0),
    }
  })
  const own = ownJobs.map((job) => ({ id: job.id, ...placeOf(job), ...ownText(job, jobs) }))
  const quarters = (lastHour - firstHour) * 4
  const nowQuarter = day.equals(today) ? quarterOf(minuteOf(now)) : -1
  const isOver = Temporal.PlainDate.compare(day, today) < 0
  const firstQuarter = isOver ? quarters : Math.max(0, Math.ceil(nowQuarter))
  const timeOf = (quarter: number) => timeAt(firstHour * 60 + quarter * 15, clock)
  return {
    columns,
    jobs: drawn,
    ownJobs: own,
    empty: emptyTimes({ columns, taken: [...drawn, ...own], quarters, from: firstQuarter }).map((each) => ({
      ...each,
      ...timeOf(each.from),
    })),
    times: Array.from({ length: quarters + 1 }, (_, quarter) => timeOf(quarter)),
    firstQuarter,
    now: nowQuarter > 0 && nowQuarter < quarters ? nowQuarter : null,
    hours: Array.from({ length: lastHour - firstHour }, (_, index) => ({
      quarter: index * 4,
      label: clock.minute((firstHour + index) * 60).replace(':00', ''),
    })),
    quarters,
    zone: clock.zone,
    done: drawn.filter(({ state }) => state === 'done').length,
    short: drawn.filter(({ state }) => state === 'short').length,
  }
}

function newsOf({ state, reply, minutesLate }: ShopJob): string | null {
  if (state !== 'confirmed') return null
  switch (reply) {
    case 'late':
      return `${countOf(minutesLate ?? 0, 'minute')} late`
    case 'not-coming':
      return 'Not coming today'
    case 'coming':
      return 'Confirmed by customer'
    case null:
      return null
  }
}

function timeAt(minute: number, clock: ReturnType<typeof clockOf>): { at: string; label: string } {
  return { at: wallTime(minute), label: clock.minute(minute) }
}

/** "09:30" for 570 minutes after midnight. */
export function wallTime(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** What each bay has free, cut at full hours. */
function emptyTimes({
  columns,
  taken,
  quarters,
  from,
}: {
  columns: readonly DayColumn[]
  taken: readonly { column: number; from: number; to: number; isDone?: boolean }[]
  quarters: number
  from: number
}): Omit<EmptyTime, 'at' | 'label'>[] {
  return columns.flatMap(({ id, isBay }, column) => {
    if (!isBay) return []
    const isTaken = (quarter: number) =>
      taken.some((job) => job.column === column && job.from <= quarter && quarter < job.to)
    const found: Omit<EmptyTime, 'at' | 'label'>[] = []
    for (let quarter = from; quarter < quarters; quarter++) {
      const last = found.at(-1)
      if (isTaken(quarter)) continue
      if (last?.to === quarter && quarter % 4 !== 0) last.to = quarter + 1
      else found.push({ column, bayId: id, from: quarter, to: quarter + 1 })
    }
    return found
  })
}

const ownTitles = { phone: 'Phone booking', 'walk-in': 'Walk-in', block: 'Block' }

function ownText(
  job: OwnJob,
  online: readonly ShopJob[],
): Pick<DayOwnJob, 'title' | 'lines' | 'isBlock' | 'isDone' | 'overlap'> {
  const over = job.overlaps.map(({ bookingId, reason }) => {
    const found = online.find((each) => each.bookingId === bookingId)
    return `${found ? `${found.firstName} ${found.lastInitial}.` : 'an online booking'} (${overlapReasons[reason]})`
  })
  return {
    title: job.firstName ? `${ownTitles[job.kind]}: ${job.firstName}` : ownTitles[job.kind],
    lines: [job.vehicle, job.tires, job.alignmentMinutes === null ? null : 'With alignment', job.note].filter(
      (line) => line !== null,
    ),
    isBlock: job.kind === 'block',
    isDone: job.state === 'done',
    overlap: over.length > 0 ? `Overlaps ${over.join(', ')}` : null,
  }
}

/**
 * Returns the carrier's status, such as "4 of 4 delivered", or "2 of 4 delivered, the rest due Nov 24". The job's page
 * has the shop's own count.
 */
function piecesText({ pieces, delivered, dueOn, service }: ShopJob): string {
  if (service) return 'No tires to wait for'
  const arrived = `${delivered} of ${pieces} delivered`
  if (delivered >= pieces || dueOn === null) return arrived
  const due = monthDayText(Temporal.PlainDate.from(dueOn))
  return delivered === 0 ? `${arrived}, due ${due}` : `${arrived}, the rest due ${due}`
}

function stateOf(job: ShopJob, isDue: boolean): { state: JobState; words: string } {
  if (job.state === 'done') return { state: 'done', words: 'Done' }
  if (job.state === 'no-show') return { state: 'no-show', words: 'No-show' }
  switch (job.orderState) {
    case 'canceled':
      return { state: 'stop', words: 'Canceled: do not install' }
    case 'returned':
      return { state: 'stop', words: 'Returned: do not install' }
    case 'needs-confirmation':
      return { state: 'stop', words: 'Not confirmed yet, do not install' }
    case 'confirmed':
      return isDue && job.delivered < job.pieces
        ? { state: 'short', words: 'Short of tires' }
        : { state: 'booked', words: 'Booked' }
  }
}
