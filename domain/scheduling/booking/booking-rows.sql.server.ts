/** How a booking is read from the database. */
import { sql } from 'kysely'
import { dayAtShop, noticeOn } from '#domain/scheduling/installers/installers.server.ts'
import type { Booking, BookingKind, BookingState, DropOffWindow } from './booking.ts'

/** The columns of a `BookingRow`, of `booking` joined with its `shop`. */
export const bookingColumns = sql`
  booking.id, booking.shop_id, booking.bay_id, booking.kind, lower(during) as start, upper(during) as "end", shop.time_zone, drop_off_window, drop_off_code, booking.state,
  hold_expires_at, hold_extensions, cart_id, order_id, booking.stop_zip,
  ${noticeOn(sql`booking.shop_id`, dayAtShop(sql`lower(booking.during)`))} as notice_minutes,
  (select count(*)::int from booking_event where booking_id = booking.id and from_state = 'confirmed' and to_state in ('confirmed', 'canceled')) as changes`

export type BookingRow = {
  id: string
  shop_id: number
  bay_id: number
  kind: BookingKind
  start: Temporal.Instant
  end: Temporal.Instant
  time_zone: string
  drop_off_window: DropOffWindow | null
  drop_off_code: string | null
  state: BookingState
  hold_expires_at: Temporal.Instant | null
  hold_extensions: number
  cart_id: string | null
  order_id: number | null
  notice_minutes: number
  changes: number
  stop_zip: string | null
}

export function toBooking(row: BookingRow): Booking {
  return {
    id: row.id,
    shopId: row.shop_id,
    bayId: row.bay_id,
    kind: row.kind,
    start: row.start,
    end: row.end,
    timeZone: row.time_zone,
    dropOff: row.drop_off_window && row.drop_off_code ? { window: row.drop_off_window, code: row.drop_off_code } : null,
    state: row.state,
    holdExpiresAt: row.hold_expires_at,
    holdExtensions: row.hold_extensions,
    cartId: row.cart_id,
    orderId: row.order_id,
    noticeMinutes: row.notice_minutes,
    changes: row.changes,
    stopZip: row.stop_zip,
  }
}
