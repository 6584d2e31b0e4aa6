import { sql, type RawBuilder } from 'kysely'

/**
 * Rows of the appointments that ended from `from` until `until` at their shop: `booking_id`, `shop_id`, `order_id` and
 * `outcome` (`done`, `no-show` or, if the shop could not do the job, `canceled`).
 */
export function endedBookingRows({
  from,
  until,
}: {
  from: Temporal.Instant
  until: Temporal.Instant
}): RawBuilder<unknown> {
  return sql`
    select booking.id as booking_id, booking.shop_id, booking.order_id, booking_event.to_state as outcome, booking_event.at
    from booking_event join booking on booking.id = booking_event.booking_id
    where booking_event.at >= ${from.toString()}::timestamptz and booking_event.at < ${until.toString()}::timestamptz
      and from_state = 'confirmed' and (to_state in ('done', 'no-show') or to_state = 'canceled' and actor = 'shop')`
}

/** A row with an appointment's `order_id` for a lateral join; null if it has no order. */
export function orderOfBooking(bookingId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select order_id from booking where booking.id = ${bookingId}`
}
