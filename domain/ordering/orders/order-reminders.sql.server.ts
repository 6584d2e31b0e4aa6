/** The statements that find orders a scheduled email is due for. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

export type DueAppointment = { bookingId: string; orderId: number; email: string; start: Temporal.Instant }

/** When a reminder is due, as a time of day some days ahead in the shop's time zone, or some hours ahead. */
type ReminderTerms = ({ days: number; hour: number } | { hours: number }) & { openMinutes: number }

/**
 * Selects confirmed appointments with a reminder that became due less than `openMinutes` before `now`. Skips
 * appointments booked after the due time, and those the shopper has declined. Up to `limit` after the one in `after`,
 * by id.
 */
export async function selectDueAppointments(
  db: Database,
  {
    now,
    after,
    limit,
    openMinutes,
    ...terms
  }: ReminderTerms & { now: Temporal.Instant; after: string | null; limit: number },
): Promise<DueAppointment[]> {
  const remindAt =
    'days' in terms
      ? sql`(date_trunc('day', lower(b.during) at time zone s.time_zone) - make_interval(days => ${terms.days}::int) + make_interval(hours => ${terms.hour}::int)) at time zone s.time_zone`
      : sql`lower(b.during) - make_interval(hours => ${terms.hours}::int)`
  const ahead = 'days' in terms ? terms.days + 1 : 1
  const { rows } = await sql<{ bookingId: string; orderId: number; email: string; start: Temporal.Instant }>`
    select due.id as "bookingId", o.id as "orderId", o.email, due.start from (
      select b.id, b.order_id, b.created_at, lower(b.during) as start, ${remindAt} as remind_at
      from booking b join shop s on s.id = b.shop_id
      where b.state = 'confirmed' and lower(b.during) > ${now}::timestamptz and lower(b.during) < ${now}::timestamptz + make_interval(days => ${ahead}::int)
    ) due join sales_order o on o.id = due.order_id
    where o.state = 'confirmed' and due.created_at < due.remind_at and due.remind_at <= ${now}::timestamptz
      and due.remind_at > ${now}::timestamptz - make_interval(mins => ${openMinutes}::int)
      and 'not-coming' is distinct from (select r.kind from appointment_reply r where r.booking_id = due.id and r.starts_at = due.start order by r.reply_no desc limit 1)
      and (${after}::uuid is null or due.id > ${after}::uuid)
    order by due.id limit ${limit}`.execute(db)
  return rows
}

export type DeliveredOrder = { orderId: number; email: string; accountId: string | null }

/**
 * Selects orders with a last parcel delivered in the given span and every parcel delivered, up to `limit` after order
 * `after`, by number.
 */
export async function selectDelivered(
  db: Database,
  { from, until, after, limit }: { from: Temporal.Instant; until: Temporal.Instant; after: number; limit: number },
): Promise<DeliveredOrder[]> {
  const { rows } = await sql<DeliveredOrder>`
    select distinct o.id as "orderId", o.email, cart.account_id as "accountId"
    from shipment h join sales_order o on o.id = h.order_id join cart on cart.id = o.cart_id
    where h.state = 'delivered' and h.delivered_at >= ${from}::timestamptz and h.delivered_at < ${until}::timestamptz
      and o.state = 'confirmed' and o.id > ${after}
      and not exists (select from shipment other where other.order_id = o.id
        and (other.state not in ('delivered', 'canceled') or other.delivered_at >= ${until}::timestamptz))
    order by o.id limit ${limit}`.execute(db)
  return rows
}
