/** Automatic membership renewal rules. Pure. */

/** Names the wording of the consent to renew. Change it with the words in content/messages/renewal.ts. */
export const renewalConsentVersion = '2026-11-23'

/** The owner is notified at least this many days before the charge. */
export const renewalNoticeDays = 7

/** Days after the first try on which a charge is tried; all within the grace period of a membership. */
export const renewalTryDays = [0, 3, 7] as const

/** Returns whether to announce a term's renewal now, a day early because the job runs hourly. */
export function isAnnounced(now: Temporal.Instant, endsAt: Temporal.Instant): boolean {
  const isEnding = Temporal.Instant.compare(now, daysAfter(endsAt, -renewalNoticeDays - 1)) >= 0
  return isEnding && Temporal.Instant.compare(now, endsAt) < 0
}

/**
 * Returns when a renewal announced at `now` is charged. It is charged at the end of the term, but not before the notice
 * period ends.
 */
export function chargeMoment(now: Temporal.Instant, endsAt: Temporal.Instant): Temporal.Instant {
  const noticeOver = daysAfter(now, renewalNoticeDays)
  return Temporal.Instant.compare(noticeOver, endsAt) > 0 ? noticeOver : endsAt
}

/** When try `no`, counted from 1, is due; undefined after the last. */
export function tryMoment(chargeAt: Temporal.Instant, no: number): Temporal.Instant | undefined {
  const days = renewalTryDays[no - 1]
  return days === undefined ? undefined : daysAfter(chargeAt, days)
}

function daysAfter(instant: Temporal.Instant, days: number): Temporal.Instant {
  return instant.add({ hours: 24 * days })
}
