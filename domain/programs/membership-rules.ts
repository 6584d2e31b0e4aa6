/** What a membership costs, when a term begins and ends, and when its money goes back. Pure. */
import { storeDay, storeZone } from '#platform/store-zone.ts'

/** What a year costs, by the day it is bought; each row holds until the next begins. */
export const membershipPrices: readonly { from: string; cents: number }[] = [{ from: '2026-01-01', cents: 3_900 }]

/** Who renews within this many days after the end loses nothing: until then the prices stay. */
export const membershipGraceDays = 14

/** A term that was not used is given back within this many days. */
export const membershipRefundDays = 30

/** So many days before the end renewing begins, and the first mail reminds of it; the others follow. */
export const membershipReminderDays = [30, 7, 0] as const

/** What a year costs when it is bought at `now`, in cents. */
export function membershipPriceAt(now: Temporal.Instant): number {
  const day = storeDay(now).toString()
  const price = membershipPrices.findLast(({ from }) => from <= day)
  if (!price) throw new RangeError(`There is no price of the membership for ${day}.`)
  return price.cents
}

export type Term = { startsAt: Temporal.Instant; endsAt: Temporal.Instant }

/**
 * The term that is bought at `now`, after the one that ends last: without a gap while that one runs or is in grace,
 * else from now. A year of the calendar.
 */
export function nextTerm(now: Temporal.Instant, last: Pick<Term, 'endsAt'> | null): Term {
  const startsAt = last && isBefore(now, afterDays(last.endsAt, membershipGraceDays)) ? last.endsAt : now
  return { startsAt, endsAt: startsAt.toZonedDateTimeISO(storeZone).add({ years: 1 }).toInstant() }
}

/** Until when the prices of a term hold. */
export function gracefulEnd({ endsAt }: Pick<Term, 'endsAt'>): Temporal.Instant {
  return afterDays(endsAt, membershipGraceDays)
}

/** Whether another year can be bought at `now`: from the first reminder on, and any time without a term. */
export function canRenew(now: Temporal.Instant, last: Pick<Term, 'endsAt'> | null): boolean {
  return last === null || !isBefore(now, afterDays(last.endsAt, -membershipReminderDays[0]))
}

export type NoRefund = 'too-late' | 'used'

/** Why a term is not given back, or null when it is. */
export function refuseRefund(
  { boughtAt, isUsed }: { boughtAt: Temporal.Instant; isUsed: boolean },
  now: Temporal.Instant,
): NoRefund | null {
  if (!isBefore(now, afterDays(boughtAt, membershipRefundDays))) return 'too-late'
  return isUsed ? 'used' : null
}

/**
 * Which reminder of a term that ends at `endsAt` is due: the days before its end, or null. The latest one counts, so
 * that a worker that was away writes once.
 */
export function dueReminder(now: Temporal.Instant, endsAt: Temporal.Instant): number | null {
  return membershipReminderDays.findLast((days) => !isBefore(now, afterDays(endsAt, -days))) ?? null
}

function afterDays(instant: Temporal.Instant, days: number): Temporal.Instant {
  return instant.add({ hours: 24 * days })
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0
}
