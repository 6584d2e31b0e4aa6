/**
 * Tests two hundred concurrent calendar changes, including capacity, against a serial model: the result must match some
 * serial order, and every refusal must have a cause.
 */
import { expect, test } from 'vitest'
import { crowdOf, oneBay } from '#domain/scheduling/booking/booking.testing.ts'
import { placeFor } from '#domain/scheduling/booking/slots.ts'
import {
  countOverlaps,
  keptBookings,
  openDays,
  orderOfChanges,
  plannedOwnJobs,
  work,
  type Days,
  type Made,
} from './bay-days.ts'
import { closingDay, isClosed, isOnClosingDay, mayBeClosed, unseen } from './bay-closings.ts'
import {
  applied,
  lapsed,
  without,
  overlap,
  secondsOf,
  textOf,
  withTaken,
  type Calendar,
  type Span,
} from './bay-model.ts'
import { randomOf } from './random.ts'

/** Four of each kind; 1,000 in `npm run test:long`. */
const runs = Number(process.env.BAY_RUNS ?? 4)
const lanes = 20
const turns = 5

test.for([1, 3] as const)(
  'with %i bays, 200 changes at once end as a serial run could, every success is there, and every refusal had its cause',
  { timeout: 60_000 + runs * 10_000 },
  async (bays) => {
    await using database = await oneBay()
    await using crowd = crowdOf(database.url, lanes)
    const said = new Set<string>()
    const begun = database.clock.now()
    for (let seed = 1; seed <= runs; seed++) {
      database.clock.set(begun)
      const days = await openDays({ db: crowd.db, clock: database.clock }, { bays })
      const at = `${bays} bays, seed ${seed}`
      const together = (half: number) =>
        Promise.all(
          Array.from({ length: lanes }, (_, lane) => work(days, randomOf(seed * 1_000 + half * 100 + lane), turns)),
        )
      await together(0)
      // Every hold runs out, then as many changes again.
      const noon = performance.now()
      days.deps.clock.set(days.deps.clock.now().add({ minutes: 11 }))
      await together(1)

      expect(await countOverlaps(crowd.db, days.shopId), at).toBe(0)
      expect(await impossible(days, noon), at).toEqual([])
      const [planned, wanted] = await plannedOwnJobs(days)
      expect(planned, at).toEqual(wanted)
      expect(unjustified(days), at).toEqual([])
      expect(placedWhileClosed(days), at).toEqual([])
      expect(await unseen(days.deps, days.closings, days.shopId), at).toEqual([])
      for (const { kind } of days.closings.made) said.add(kind)
      for (const { act, outcome } of days.made) said.add(outcome.ok ? act : `${act}: ${outcome.reason}`)
    }
    for (const outcome of [
      'hold',
      'hold: slot-taken',
      'hold: outside-hours',
      'confirm',
      'move',
      'move: slot-taken',
      'move: not-confirmed',
      'cancel',
      'cancel: already-over',
      'enter',
      'enter: overlaps',
      'enter: own-job-there',
      'drop',
      'reopen',
      'close',
      'open',
    ])
      expect(said.has(outcome), outcome).toBe(true)
  },
)

/**
 * Returns booking changes that are impossible in the order of their log, and the final state if it differs from the
 * database. Empty if a serial run could have the same result.
 */
async function impossible(days: Days, noon: number): Promise<string[]> {
  const log = await orderOfChanges(days)
  const changes = days.made
    .filter(({ number }) => log.has(number))
    .toSorted((a, b) => (log.get(a.number) ?? 0) - (log.get(b.number) ?? 0))
  const found: string[] = []
  let calendar: Calendar = {}
  let isAfternoon = false
  for (const made of changes) {
    if (!('booking' in made)) continue
    if (made.from > noon && !isAfternoon) calendar = lapsed(calendar)
    isAfternoon = made.from > noon
    const next = isGivenUp(days, made) ? without(calendar, made.booking) : applied(days, calendar, made)
    if (next) calendar = next
    else found.push(JSON.stringify(made))
  }
  const lost = days.made.flatMap((made) => {
    const isLogged = !('booking' in made) || !made.outcome.ok || log.has(made.number) || isNoChange(days, made)
    return isLogged ? [] : [`not in the log: ${JSON.stringify(made)}`]
  })
  const [end, kept] = [textOf(calendar), await keptBookings(days)]
  return [...found, ...lost, ...(end === kept ? [] : [`${end}\n\nis not\n\n${kept}`])]
}

/** Returns whether the order failed because the day was closed, which ended its hold. */
function isGivenUp(days: Days, made: Made): boolean {
  return made.act === 'confirm' && !made.outcome.ok && isAboutClosedDay(days, made)
}

/** To the place where it was already. */
function isNoChange(days: Days, made: Made & { booking: string }): boolean {
  const bay = bayOf(made)
  return days.made.some(
    (other) => other !== made && 'booking' in other && other.booking === made.booking && bayOf(other) === bay,
  )
}

/** The bay on which an attempt put its booking. */
function bayOf({ outcome, ...made }: Made): number | undefined {
  if (!outcome.ok) return undefined
  return made.act === 'change-bay' ? made.bay : outcome.place?.bay
}

/** Returns refusals without a cause. The bay was free the whole time, and the shop was open. */
function unjustified(days: Days): string[] {
  const all = possiblyTaken(days)
  return days.made.flatMap((made) => {
    if (made.outcome.ok || !isAboutTime.test(made.outcome.reason)) return []
    const own = 'booking' in made ? made.booking : ''
    const then = all.filter(({ of, since, until }) => of !== own && since <= made.to && until >= made.from)
    return isExplained(days, made, then) ? [] : [`${made.number} ${made.act} ${JSON.stringify(made)}`]
  })
}

const isAboutTime = /^(?:slot-taken|slot-lost|taken|outside-hours|own-job-there|overlaps|bay-taken)$/

/** Returns bookings made while the owner had closed the day. */
function placedWhileClosed({ made, closings }: Days): string[] {
  return made.flatMap((each) => {
    const place = (each.act === 'hold' || each.act === 'move') && each.outcome.ok ? each.outcome.place : undefined
    const isGiven = place && isOnClosingDay(closings, place.start) && isClosed(closings, each)
    return isGiven ? [JSON.stringify(each)] : []
  })
}

/** Whether an attempt was about the day that may have been closed then. */
function isAboutClosedDay(days: Days, made: Made): boolean {
  if (!('booking' in made) || !mayBeClosed(days.closings, made)) return false
  if ('choice' in made)
    return 'start' in made.choice
      ? isOnClosingDay(days.closings, secondsOf(made.choice.start))
      : made.choice.date.equals(closingDay)
  const placed = days.made.filter(
    ({ outcome, ...other }) => 'booking' in other && other.booking === made.booking && outcome.ok,
  )
  return placed.some(({ outcome }) => outcome.ok && outcome.place && isOnClosingDay(days.closings, outcome.place.start))
}

function isExplained(days: Days, made: Made, taken: readonly Span[]): boolean {
  if (isAboutClosedDay(days, made)) return true
  if (made.act === 'hold' || made.act === 'move') {
    const found = placeFor(withTaken(days.shop, taken), days.ask, made.choice)
    const reason =
      !made.outcome.ok && made.outcome.reason === 'taken' ? 'slot-taken' : made.outcome.ok || made.outcome.reason
    return !found.ok && found.reason === reason
  }
  if (made.act === 'confirm') {
    const hold = days.made.findLast(
      (other) => 'booking' in other && other.booking === made.booking && other.act === 'hold' && other.outcome.ok,
    )
    const place = hold?.outcome.ok ? hold.outcome.place : undefined
    const bays = days.shop.bays.filter(({ kind }) => kind === days.shop.bays.find(({ id }) => id === place?.bay)?.kind)
    return place !== undefined && bays.every(({ id }) => taken.some((span) => overlap(span, { ...place, bay: id })))
  }
  const wish = 'ownJob' in made ? days.ownJobs.get(made.ownJob)?.span : undefined
  return wish === undefined || taken.some((span) => overlap(span, wish))
}

/** Every place that a booking or own job had, from when it may have had it until when it may have. */
function possiblyTaken(days: Days): (Span & { of: string; since: number; until: number })[] {
  const all: (Span & { of: string; since: number; until: number })[] = []
  for (const made of days.made) {
    if (!made.outcome.ok) continue
    const of = 'booking' in made ? made.booking : made.ownJob
    const place = made.act === 'enter' || made.act === 'reopen' ? days.ownJobs.get(of)?.span : made.outcome.place
    // Only changes that started after it ended definitely came later. Of two concurrent changes, either can be the
    // last.
    const ends = days.made.filter(
      (later) => 'booking' in later && later.booking === of && later.outcome.ok && later.from > made.to,
    )
    const leaves = ends.filter(({ act }) => act === 'cancel' || act === 'move' || act === 'hold').map(({ to }) => to)
    if (place) all.push({ ...place, of, since: made.from, until: Math.min(...leaves) })
  }
  // Another bay, at any time that the booking ever had.
  for (const made of days.made)
    if (made.act === 'change-bay' && made.outcome.ok)
      for (const other of all.filter(({ of }) => of === made.booking))
        all.push({ ...other, bay: made.bay, since: made.from, until: Infinity })
  return all
}

test('a calendar kept by one person frees the times of holds that ran out', () => {
  const held: Calendar = { a: { state: 'held', bay: 1, start: 0, end: 9 } }
  expect(textOf(held)).toBe('a held bay 1 0-9')
  expect(textOf(lapsed(held))).toBe('')
})
