import type { OpeningHours, ShopClosure } from './installers.ts'

/**
 * `until` and `from` are minutes after midnight in the shop's time zone; `on` is the day it reopens. `reason` explains
 * unusual hours today.
 */
export type OpenState =
  | { isOpen: true; until: number }
  | { isOpen: false; next: { on: Temporal.PlainDate; from: number } | null; reason: string | null }

/** Shops announce longer closures themselves. */
const daysLookedAhead = 14

/**
 * Returns whether a shop is open at `now`, in its time zone and considering its closed days. A day has one period of
 * opening hours, which ends the same day.
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
