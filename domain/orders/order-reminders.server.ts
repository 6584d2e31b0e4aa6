/** Scheduled emails about orders: the reminder the day before an appointment, and who had their tires delivered when. */
import { queueMessage } from '#domain/messages/messages.server.ts'
import { readOrder } from '#domain/orders/order-view.sql.server.ts'
import {
  selectDelivered,
  selectDueAppointments,
  type DeliveredOrder,
} from '#domain/orders/order-reminders.sql.server.ts'
import { promiseText } from '#domain/texts/texts.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

/** From this hour on the day before, on the shop's clock. */
export const remindHour = 9
/** A reminder that could not be sent for this long is no longer sent: it would arrive at night. */
const openHours = 11
const batch = 500

/** The key of an appointment's reminder. A moved appointment has another start, and gets its own. */
export function reminderKey(bookingId: string, start: Temporal.Instant): string {
  return `appointment-reminder:${bookingId}:${Math.floor(start.epochMilliseconds / 1000)}`
}

/**
 * Queues a reminder for every appointment of tomorrow, from `remindHour` in the shop's zone, each once; returns how
 * many appointments were due.
 */
export async function remindOfAppointments({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  const now = clock.now()
  let count = 0
  for (let after: string | null = null; ;) {
    const due = await selectDueAppointments(db, { now, hour: remindHour, openHours, after, limit: batch })
    for (const { bookingId, orderId, email: to, start } of due) {
      const reminder = { kind: 'appointment-reminder', key: reminderKey(bookingId, start), orderId, at: now } as const
      await db.transaction().execute(async (tx) => {
        await queueMessage(tx, { ...reminder, to })
        await promiseText(tx, reminder)
      })
    }
    count += due.length
    after = due.at(-1)?.bookingId ?? null
    if (due.length < batch) return count
  }
}

/**
 * Whether a queued reminder is no longer true: its appointment was canceled, moved, or has begun. False for any other
 * email.
 */
export async function isReminderOver(
  { db, clock }: { db: Database; clock: Clock },
  { key, orderId }: { key: string; orderId: number | null },
): Promise<boolean> {
  if (orderId === null || !key.startsWith('appointment-reminder:')) return false
  const order = await readOrder(db, orderId)
  const booking = order?.state === 'confirmed' ? order.booking : null
  return (
    booking?.state !== 'confirmed' ||
    reminderKey(booking.id, booking.start) !== key ||
    Temporal.Instant.compare(booking.start, clock.now()) <= 0
  )
}

/**
 * Calls `act` for each order that was delivered completely between `from` and `until`, oldest order first. Returns how
 * many there were.
 */
export async function forEachDelivered(
  db: Database,
  { from, until }: { from: Temporal.Instant; until: Temporal.Instant },
  act: (order: DeliveredOrder) => Promise<void>,
): Promise<number> {
  let count = 0
  for (let after = 0; ;) {
    const orders = await selectDelivered(db, { from, until, after, limit: batch })
    for (const order of orders) await act(order)
    count += orders.length
    after = orders.at(-1)?.orderId ?? after
    if (orders.length < batch) return count
  }
}
