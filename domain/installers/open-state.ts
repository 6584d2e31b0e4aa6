import type { OpeningHours, ShopClosure } from './installers.ts'

/**
 * `until` and `from` are minutes after midnight on the shop's clock; `on` is the day it opens again. `reason` says why
 * today is no usual day.
 */
export type OpenState =
  | { isOpen: true; until: number }
  | { isOpen: false; next: { on: Temporal.PlainDate; from: number } | null; reason: string | null }

/** A shop that is closed for longer says so itself. */
const daysLookedAhead = 14

/**
 * Whether a shop is open at `now`, by its own clock and with the days it is closed. The hours of a day are one stretch
 * that ends on that day.
 */
export function openState(
  shop: { timeZone: string; hours: readonly OpeningHours[]; closures: readonly ShopClosure[] },
  now: Temporal.Instant,
): OpenState {
  const local = now.toZonedDateTimeISO(shop.timeZone)
  const today = local.toPlainDate()
  const minute = local.hour * 60 + local.minute
  const closures = new Map(shop.closures.map(({ on, reason }) => [on, reason]))
  const hoursOn = (date: Temporal.PlainDate) =>
    closures.has(date.toString()) ? undefined : shop.hours.find(({ weekday }) => weekday === date.dayOfWeek)

  const hours = hoursOn(today)
  if (hours && hours.opens <= minute && minute < hours.closes) return { isOpen: true, until: hours.closes }
  const reason = closures.get(today.toString()) ?? null
  if (hours && minute < hours.opens) return { isOpen: false, next: { on: today, from: hours.opens }, reason }
  for (let ahead = 1; ahead <= daysLookedAhead; ahead++) {
    const on = today.add({ days: ahead })
    const then = hoursOn(on)
    if (then) return { isOpen: false, next: { on, from: then.opens }, reason }
  }
  return { isOpen: false, next: null, reason }
}
