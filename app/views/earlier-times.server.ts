/** Waiting for an earlier time, as the page of an appointment shows it. */
import { canWait, partsText, type AppointmentStage } from '#domain/installer-portal/appointments/appointments.ts'
import { readWaiting } from '#domain/installer-portal/appointments/appointments.server.ts'
import { slotTextWithZone } from '#content/messages/times.ts'
import { clockText, dayText } from '#domain/ordering/orders/orders.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { Application } from '#application'

/**
 * `waits` describes the waitlist entry; null if not on the waitlist. `form` has the selectable days; null if there
 * aren't any.
 */
export type WaitView = {
  waits: string | null
  offer: { id: string; text: string; until: string } | null
  form: { first: string; last: string } | null
}

/** Returns the page's waitlist section; null for an appointment that can't be waitlisted. */
export async function waitView(app: Application, order: OrderView, stage: AppointmentStage): Promise<WaitView | null> {
  const { booking, timeZone } = order
  if (stage !== 'settled' || !booking) return null
  const now = app.clock.now()
  const waiting = await readWaiting(app, order)
  if (!waiting && !canWait(booking.start, now)) return null
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  return {
    waits: waiting
      ? `${dayText(waiting.wish.from)} to ${dayText(waiting.wish.until)}, ${partsText(waiting.wish.parts)}`
      : null,
    offer: waiting?.offer
      ? {
          id: waiting.offer.id,
          text: slotTextWithZone(waiting.offer.choice, timeZone),
          until: clockText(waiting.offer.expiresAt, timeZone),
        }
      : null,
    form: waiting ? null : { first: dayOf(now), last: dayOf(booking.start) },
  }
}
