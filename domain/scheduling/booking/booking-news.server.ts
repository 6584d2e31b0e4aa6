/** Appointment history as needed for emails and calendar files. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import type { Booking } from './booking.ts'
import { selectBooking } from './booking.sql.server.ts'

/** Returns the appointments of an order that were canceled before they were over at `now`, oldest first. */
export async function listCanceled(db: Database, orderId: number, now: Temporal.Instant): Promise<Booking[]> {
  const rows = await db
    .selectFrom('booking')
    .select('id')
    .where('order_id', '=', orderId)
    .where('state', '=', 'canceled')
    .where(sql<boolean>`upper(during) > ${now.toString()}::timestamptz`)
    .orderBy('created_at')
    .execute()
  const found = await Promise.all(rows.map(({ id }) => selectBooking(db, { bookingId: id })))
  return found.filter((booking) => booking !== undefined)
}

/** What happened to an appointment of an order. */
export type BookingNews = {
  bookingId: string
  kind: 'booked' | 'changed' | 'canceled'
  actor: string
  /** The shop team member who made the change; null for others. */
  memberId: string | null
  note: string | null
  at: Temporal.Instant
}

/** Reads an appointment event; undefined if it needs no notification. */
export async function findBookingNews(db: Database, eventId: number): Promise<BookingNews | undefined> {
  const event = await db
    .selectFrom('booking_event')
    .select(['booking_id as bookingId', 'from_state', 'to_state', 'actor', 'member_id as memberId', 'note', 'at'])
    .where('id', '=', eventId)
    .executeTakeFirst()
  if (!event) return undefined
  const { bookingId, from_state: from, to_state: to, ...rest } = event
  if (to === 'canceled') return { ...rest, bookingId, kind: 'canceled' }
  if (to !== 'confirmed') return undefined
  return { ...rest, bookingId, kind: from === 'confirmed' ? 'changed' : 'booked' }
}
