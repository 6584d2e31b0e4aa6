/** Waiting for an earlier time, as the page of an appointment shows it. */
import { canWait, partsText, type AppointmentStage } from '#domain/appointments/appointments.ts'
import { readWaiting } from '#domain/appointments/appointments.server.ts'
import { slotTextWithZone } from '#content/messages/times.ts'
import { clockText, dayText } from '#domain/orders/orders.ts'
import type { OrderView } from '#domain/orders/orders.server.ts'
import type { Shop } from '#shop'

/** `waits`: what for, null where it is not on the list. `form`: the days that can be asked for, null where none can. */
export type WaitView = {
  waits: string | null
  offer: { id: string; text: string; until: string } | null
  form: { first: string; last: string } | null
}

/** What the page offers of the list; null for an appointment that cannot wait. */
export async function waitView(shop: Shop, order: OrderView, stage: AppointmentStage): Promise<WaitView | null> {
  const { booking, timeZone } = order
  if (stage !== 'settled' || !booking) return null
  const now = shop.clock.now()
  const waiting = await readWaiting(shop, order)
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
