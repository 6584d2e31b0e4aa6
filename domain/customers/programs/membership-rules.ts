/** Membership prices, terms and refunds. Pure. */
import { hasAccountPrice, type AccountType } from '#domain/pricing/pricing/pricing.ts'
import type { BusinessTerms } from '#domain/kernel/settings/settings.ts'
import { storeZone } from '#platform/store-zone.ts'

/**
 * Whether an account of `type` is not sold a membership, because it buys at prices agreed for that type. An account
 * without a type (`none`), or without a grant (undefined), pays the retail price and can join.
 */
export function isMembershipClosed(type: AccountType | undefined): boolean {
  return type !== undefined && hasAccountPrice(type)
}

/** Days before the end on which reminders are mailed; renewal opens with the first. */
export const membershipReminderDays = [30, 7, 0] as const

export type Term = { startsAt: Temporal.Instant; endsAt: Temporal.Instant }

/**
 * The end of a term and its grace period in days, during which member prices continue and a renewal has no gap.
 * `graceDays` are the terms of the day it was bought.
 */
export type GracefulTerm = Pick<Term, 'endsAt'> & { graceDays: number }

/** Returns a term's end with the grace period of the day it was bought. */
export function gracefulTerm(
  businessTerms: { at(at: Temporal.Instant): Pick<BusinessTerms, 'membership-grace-days'> },
  { boughtAt, endsAt }: Pick<Term, 'endsAt'> & { boughtAt: Temporal.Instant },
): GracefulTerm {
  return { endsAt, graceDays: businessTerms.at(boughtAt)['membership-grace-days'] }
}

/**
 * Returns the calendar year bought at `now`. It follows the term that ends last without a gap while that one runs or is
 * in its grace period. Otherwise it starts now.
 */
export function nextTerm(now: Temporal.Instant, last: GracefulTerm | null): Term {
  const startsAt = last && isBefore(now, gracefulEnd(last)) ? last.endsAt : now
  return { startsAt, endsAt: startsAt.toZonedDateTimeISO(storeZone).add({ years: 1 }).toInstant() }
}

/** Until when a term's prices apply. */
export function gracefulEnd({ endsAt, graceDays }: GracefulTerm): Temporal.Instant {
  return afterDays(endsAt, graceDays)
}

/**
 * Returns whether another year can be bought at `now`. A member can renew once the first reminder is due, and anyone
 * without a term can buy one at any time.
 */
export function canRenew(now: Temporal.Instant, last: Pick<Term, 'endsAt'> | null): boolean {
  return last === null || !isBefore(now, afterDays(last.endsAt, -membershipReminderDays[0]))
}

export type NoRefund = 'too-late' | 'used'

/** Returns why a term is not refunded, or null if it is. `refundDays` are the terms of the day it was bought. */
export function refuseRefund(
  { boughtAt, isUsed, refundDays }: { boughtAt: Temporal.Instant; isUsed: boolean; refundDays: number },
  now: Temporal.Instant,
): NoRefund | null {
  if (!isBefore(now, afterDays(boughtAt, refundDays))) return 'too-late'
  return isUsed ? 'used' : null
}

/**
 * Returns the due reminder for a term that ends at `endsAt`, in days before its end, or null. Only the latest reminder
 * is due, so that a worker that was down sends just one.
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
