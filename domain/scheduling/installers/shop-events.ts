/** What the team of a shop is notified about, and how. Safe in the browser. */

/** Events of an online appointment. `late` also covers customers who are not coming. */
export const shopEvents = ['booked', 'changed', 'canceled', 'late'] as const
export type ShopEvent = (typeof shopEvents)[number]

export type ShopChannel = 'email' | 'text'

/** One notification choice by a shop team member. */
export type ShopNotification = { event: ShopEvent; channel: ShopChannel; isWanted: boolean }

/** From this hour on, the summary covers the next day. */
const nextDayFromHour = 12

/** Whether the daily summary at this hour of the shop's zone is of the next day: the morning's is of the day itself. */
export function isSummaryOfNextDay(hour: number): boolean {
  return hour >= nextDayFromHour
}
