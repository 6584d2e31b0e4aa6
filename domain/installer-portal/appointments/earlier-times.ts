/** Rules and limits of the waitlist for an earlier time at an appointment's shop. Safe in the browser. */
import { z } from 'zod'
import { moveNoticeMinutes, type Choice, type OfferedDay } from '#domain/scheduling/booking/booking.ts'

export const dayParts = {
  morning: { name: 'Mornings', from: 0, to: 12 },
  afternoon: { name: 'Afternoons', from: 12, to: 17 },
  evening: { name: 'Evenings', from: 17, to: 24 },
} as const
export type DayPart = keyof typeof dayParts
export const dayPartNames = ['morning', 'afternoon', 'evening'] as const satisfies readonly DayPart[]

/** Days and times of day a shopper would come earlier, on the shop's clock. */
export type EarlierTimeWish = { from: Temporal.PlainDate; until: Temporal.PlainDate; parts: readonly DayPart[] }

/** An available time, as offered and booked. */
export type EarlierTime = { choice: Choice; start: Temporal.Instant; end: Temporal.Instant }

/** The minimum notice most shops require. A shop with a longer notice automatically has later times. */
const usualLeadMinutes = 60
/** How long an offer is exclusive within the waitlist, before the next shopper is notified. */
export const offerMinutes = 60
/** Local hours for sending offers (end exclusive), so that shoppers don't have to answer at night. */
export const offerHours = { from: 8, until: 20 } as const
/** The maximum offers per entry. A shopper who declines all of them isn't interested. */
export const mostOffers = 10
/** How many shoppers wait at one shop. */
export const mostWaiting = 100

const day = (message: string) =>
  z
    .string(message)
    .regex(/^\d{4}-\d{2}-\d{2}$/, message)
    .transform((text, context) => {
      try {
        return Temporal.PlainDate.from(text)
      } catch {
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }
    })

/** The waitlist form, with a separate box for each part of the day. */
export const earlierTimeForm = z
  .object({
    from: day('Enter the first day.'),
    until: day('Enter the last day.'),
    morning: z.literal('1').optional(),
    afternoon: z.literal('1').optional(),
    evening: z.literal('1').optional(),
  })
  .transform(({ from, until, ...boxes }) => ({ from, until, parts: dayPartNames.filter((part) => boxes[part]) }))

/** Returns whether a time matches an entry's days and parts of the day. */
export function isWanted(wish: EarlierTimeWish, start: Temporal.Instant, timeZone: string): boolean {
  const local = start.toZonedDateTimeISO(timeZone)
  const on = local.toPlainDate()
  return (
    Temporal.PlainDate.compare(wish.from, on) <= 0 &&
    Temporal.PlainDate.compare(on, wish.until) <= 0 &&
    wish.parts.some((part) => dayParts[part].from <= local.hour && local.hour < dayParts[part].to)
  )
}

/**
 * Returns the available times in `days` that match an entry, earliest first: before its appointment, of the same kind,
 * and not before `notBefore`.
 */
export function earlierTimes(
  days: readonly OfferedDay[],
  wish: EarlierTimeWish,
  appointment: { start: Temporal.Instant; kind: string; timeZone: string },
  notBefore: Temporal.Instant,
): EarlierTime[] {
  const times = days.flatMap(({ date, times: waits, dropOffs }): EarlierTime[] =>
    appointment.kind === 'drop-off'
      ? dropOffs.filter(({ free }) => free).map(({ window, start, end }) => ({ choice: { date, window }, start, end }))
      : waits.filter(({ free }) => free).map(({ start, end }) => ({ choice: { start }, start, end })),
  )
  return times.filter(
    ({ start }) =>
      Temporal.Instant.compare(start, appointment.start) < 0 &&
      Temporal.Instant.compare(notBefore, start) <= 0 &&
      isWanted(wish, start, appointment.timeZone),
  )
}

/** Returns the earliest start for a time offered at `now`, which leaves the offer period plus the shop's notice. */
export function firstOfferable(now: Temporal.Instant): Temporal.Instant {
  return now.add({ minutes: offerMinutes + usualLeadMinutes })
}

/** Whether a shopper with an appointment at `start` can wait for an earlier one. */
export function canWait(start: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(firstOfferable(now), start.subtract({ minutes: moveNoticeMinutes })) < 0
}

/** Returns whether offers can be sent at this local time of the shop. */
export function isTellingHour(now: Temporal.Instant, timeZone: string): boolean {
  const { hour } = now.toZonedDateTimeISO(timeZone)
  return offerHours.from <= hour && hour < offerHours.until
}

/** "mornings and evenings"; "any time of day" for all of them. */
export function partsText(parts: readonly DayPart[]): string {
  if (parts.length === dayPartNames.length) return 'any time of day'
  return parts.map((part) => dayParts[part].name.toLowerCase()).join(' and ')
}
