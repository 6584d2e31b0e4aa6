/** Rules and limits for shopper actions on appointments. Safe in the browser. */
import { z } from 'zod'
import { bookingCan, type BookingState } from '#domain/scheduling/booking/booking.ts'
import {
  installationState,
  type AppointmentReply,
  type OrderState,
  type ReplyKind,
} from '#domain/ordering/orders/orders.ts'
import { countOf } from '#platform/count-text.ts'

export {
  canWait,
  dayPartNames,
  dayParts,
  earlierTimeForm,
  partsText,
  type DayPart,
  type EarlierTimeWish,
} from './earlier-times.ts'

/** A shopper's rating of the work. `cameBack` means a return visit to redo the work or balance the wheels. */
export type RatingInput = { stars: number; wasOnTime: boolean; cameBack: boolean }

const yesOrNo = (message: string) => z.enum(['yes', 'no'], message).transform((value) => value === 'yes')

/** The form that rates a shop. */
export const ratingForm = z.object({
  stars: z.enum(['1', '2', '3', '4', '5'], 'Pick one to five stars.').transform(Number),
  wasOnTime: yesOrNo('Say whether the shop was on time.'),
  cameBack: yesOrNo('Say whether you had to come back.'),
})

/** How often a shopper can change their word about one appointment. */
export const mostReplies = 50
/** Running late can be said from this long before the start until this long after it. */
export const lateFromHours = 24
export const lateUntilMinutes = 120

/**
 * An appointment's stage for its shopper. `settled`: agreed and upcoming; `close`: within the shop's notice period, or
 * started; `skipped`: the shopper won't come; `missed`: no-show; `lost`: the time was released and the tires still go
 * to the shop; `done`; `none`: no installation.
 */
export type AppointmentStage = 'settled' | 'close' | 'skipped' | 'missed' | 'lost' | 'done' | 'none'

/** What of an order decides the stage. */
export type AppointmentFacts = {
  state: OrderState
  shop: unknown
  booking: { state: BookingState; start: Temporal.Instant; noticeMinutes: number } | null
}

/** The stage of an order's appointment at `now`, after the shopper's last word about it. */
export function stageOf(
  { state, shop, booking }: AppointmentFacts,
  reply: Pick<AppointmentReply, 'kind'> | null,
  now: Temporal.Instant,
): AppointmentStage {
  if (state !== 'confirmed' || !booking) return 'none'
  switch (installationState({ state, shop, booking })) {
    case 'done':
      return 'done'
    case 'missed':
      return 'missed'
    case 'booked':
      if (reply?.kind === 'not-coming') return 'skipped'
      return bookingCan.move(booking, now).can ? 'settled' : 'close'
    case 'unbooked':
      return 'lost'
    case 'none':
      return 'none'
  }
}

/** Returns whether a new time can be booked, either to reschedule or to replace a lost time. */
export function canTakeTime(stage: AppointmentStage): boolean {
  return stage === 'settled' || stage === 'skipped' || stage === 'missed' || stage === 'lost'
}

/** Whether a shopper can say this of an appointment that starts at `start`. */
export function canReply(
  stage: AppointmentStage,
  kind: ReplyKind,
  { start, now }: { start: Temporal.Instant; now: Temporal.Instant },
): boolean {
  if (stage !== 'settled' && stage !== 'close' && stage !== 'skipped') return false
  if (kind === 'coming') return Temporal.Instant.compare(now, start.add({ minutes: lateUntilMinutes })) < 0
  const from = start.subtract({ hours: lateFromHours })
  const until = start.add({ minutes: lateUntilMinutes })
  return Temporal.Instant.compare(from, now) <= 0 && Temporal.Instant.compare(now, until) < 0
}

/** Identifies the appointment a page showed, so that an outdated page can't reschedule. */
export function seenAppointment({ id, changes }: { id: string; changes: number }): string {
  return `${id}.${changes}`
}

/** "will be about 20 minutes late": a shopper's word, after their name. */
export function replyWords(reply: Pick<AppointmentReply, 'kind' | 'minutesLate'> | null): string {
  switch (reply?.kind) {
    case 'late':
      return `will be about ${countOf(reply.minutesLate ?? 0, 'minute')} late`
    case 'not-coming':
      return 'is not coming today'
    case 'coming':
    case undefined:
      return 'will be there on time'
  }
}
