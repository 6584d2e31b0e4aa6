/** The statements that find orders a scheduled email is due for. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

export type DueAppointment = { bookingId: string; orderId: number; email: string; start: Temporal.Instant }

/**
 * The confirmed appointments whose reminder is due at `now`: from `hour` o'clock on the day before, in the shop's zone,
 * for `openHours`. Appointments made after that hour need none. Up to `limit` after the one in `after`, by id.
 */
export async function selectDueAppointments(
  db: Database,
  {
    now,
    hour,
    openHours,
    after,
    limit,
  }: { now: Temporal.Instant; hour: number; openHours: number; after: string | null; limit: number },
): Promise<DueAppointment[]> {
  const { rows } = await sql<{ bookingId: string; orderId: number; email: string; start: Temporal.Instant }>`
    select due.id as "bookingId", o.id as "orderId", o.email, due.start from (
      select b.id, b.order_id, b.created_at, lower(b.during) as start,
        (date_trunc('day', lower(b.during) at time zone s.time_zone) - interval '1 day' + make_interval(hours => ${hour}::int)) at time zone s.time_zone as remind_at
      from booking b join shop s on s.id = b.shop_id
      where b.state = 'confirmed' and lower(b.during) > ${now}::timestamptz and lower(b.during) < ${now}::timestamptz + interval '2 days'
    ) due join sales_order o on o.id = due.order_id
    where o.state = 'confirmed' and due.created_at < due.remind_at and due.remind_at <= ${now}::timestamptz
      and due.remind_at > ${now}::timestamptz - make_interval(hours => ${openHours}::int)
      and (${after}::uuid is null or due.id > ${after}::uuid)
    order by due.id limit ${limit}`.execute(db)
  return rows
}

export type DeliveredOrder = { orderId: number; email: string; accountId: string | null }

/**
 * The orders whose last parcel was delivered in the span, all of them delivered by then, up to `limit` after the order
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
