/** Scheduled appointment reminders, and order emails to customers by delivery date. */
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { readOrder } from './order-view.sql.server.ts'
import { storageReminderKey } from './storage-reminders.server.ts'
import { selectDelivered, selectDueAppointments, type DeliveredOrder } from './order-reminders.sql.server.ts'
import { promiseText } from '#domain/messaging/texts/texts.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

/** From this hour on, on the shop's clock, for reminders that come days before. */
export const remindHour = 9
/** A reminder that could not be sent for this long is no longer sent: it would arrive at night, or when they are on the way. */
const openMinutes = { days: 11 * 60, hours: 75 }
const batch = 500

/** The appointment reminders, each with its email, lead time, and text message for customers who opted in. */
const reminders = [
  { kind: 'appointment-next-week', before: { days: 7 }, text: null },
  { kind: 'appointment-reminder', before: { days: 1 }, text: 'appointment-reminder' },
  { kind: 'appointment-soon', before: { hours: 2 }, text: 'appointment-soon' },
] as const
type ReminderKind = (typeof reminders)[number]['kind']

/** The key of an appointment's reminder. A moved appointment has another start, and gets its own. */
export function reminderKey(
  bookingId: string,
  start: Temporal.Instant,
  kind: ReminderKind = 'appointment-reminder',
): string {
  return `${kind}:${bookingId}:${Math.floor(start.epochMilliseconds / 1000)}`
}

/**
 * Queues each due appointment reminder once. They are sent a week and a day ahead from `remindHour` in the shop's time
 * zone, and two hours ahead. Returns how many were due.
 */
export async function remindOfAppointments({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  const now = clock.now()
  let count = 0
  for (const { kind, before, text } of reminders) {
    const terms =
      'days' in before
        ? { days: before.days, hour: remindHour, openMinutes: openMinutes.days }
        : { hours: before.hours, openMinutes: openMinutes.hours }
    for (let after: string | null = null; ;) {
      const due = await selectDueAppointments(db, { now, ...terms, after, limit: batch })
      for (const { bookingId, orderId, email: to, start } of due) {
        const about = { key: reminderKey(bookingId, start, kind), orderId, at: now }
        await db.transaction().execute(async (tx) => {
          await queueMessage(tx, { kind, ...about, to })
          if (text) await promiseText(tx, { kind: text, ...about })
        })
      }
      count += due.length
      after = due.at(-1)?.bookingId ?? null
      if (due.length < batch) break
    }
  }
  return count
}

/**
 * Returns whether a queued reminder is outdated because its appointment was canceled, rescheduled, has started or is
 * closer than the reminder states, or because its stored set was returned. False for any other email.
 */
export async function isReminderOver(
  { db, clock }: { db: Database; clock: Clock },
  { key, orderId }: { key: string; orderId: number | null },
): Promise<boolean> {
  if (orderId === null) return false
  if (key === storageReminderKey(orderId)) return (await readOrder(db, orderId))?.storedSet?.returnedAt !== null
  const reminder = reminders.find(({ kind }) => key.startsWith(`${kind}:`))
  if (!reminder) return false
  const order = await readOrder(db, orderId)
  const booking = order?.state === 'confirmed' ? order.booking : null
  if (booking?.state !== 'confirmed' || reminderKey(booking.id, booking.start, reminder.kind) !== key) return true
  const now = clock.now()
  if (!('days' in reminder.before)) return Temporal.Instant.compare(booking.start, now) <= 0
  const zone = order?.timeZone ?? 'UTC'
  const dayOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(zone).toPlainDate()
  return dayOf(now).until(dayOf(booking.start), { largestUnit: 'day' }).days < reminder.before.days
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
