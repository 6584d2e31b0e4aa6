/** A shop's installations on a day, with vehicle, tires and how many have arrived. */
import { sql } from 'kysely'
import type { BookingKind, DropOffWindow } from '#domain/scheduling/booking/booking.ts'
import type { OrderState } from './orders.ts'
import type { Database } from '#platform/db.ts'

/** An appointment at a shop. Names only what the shop needs to greet the customer. */
export type ShopJob = {
  bookingId: string
  bayId: number
  kind: BookingKind
  state: 'confirmed' | 'done' | 'no-show'
  start: Temporal.Instant
  end: Temporal.Instant
  dropOffWindow: DropOffWindow | null
  dropOffCode: string | null
  orderId: number
  orderState: OrderState
  firstName: string
  lastInitial: string
  vehicle: string | null
  tires: { lineNo: number; quantity: number; description: string }[]
  /** The service without tires that it is, with its units; null for an installation. */
  service: { quantity: number; description: string } | null
  /** The order's active tires and how many were delivered. */
  pieces: number
  delivered: number
  /**
   * The latest promised or expected day of the remaining tires, such as "2026-11-24"; null if no tires are in transit.
   */
  dueOn: string | null
  /** The shopper's last word about this time, and how late they said they will be. */
  reply: 'coming' | 'late' | 'not-coming' | null
  minutesLate: number | null
}

/** Lists the appointments of a shop that start from `from` until before `to`, in order of their start. */
export async function listShopJobs(
  db: Database,
  { shopId, from, to }: { shopId: number; from: Temporal.Instant; to: Temporal.Instant },
): Promise<ShopJob[]> {
  const result = await sql<ShopJob>`
    select b.id as "bookingId", b.bay_id as "bayId", b.kind, b.state, lower(b.during) as start, upper(b.during) as "end",
      b.drop_off_window as "dropOffWindow", b.drop_off_code as "dropOffCode", o.id as "orderId", o.state as "orderState",
      o.first_name as "firstName", left(o.last_name, 1) as "lastInitial", coalesce(o.fitment_verdict->>'vehicleName', o.vehicle_note) as vehicle,
      coalesce(tires.lines, '[]') as tires,
      (select json_build_object('quantity', l.quantity, 'description', l.description) from order_line l where l.order_id = o.id and l.kind = 'service') as service, coalesce(tires.pieces, 0)::int as pieces, coalesce(parcels.delivered, 0)::int as delivered,
      parcels.due::text as "dueOn", said.kind as reply, said.minutes_late as "minutesLate"
    from booking b join sales_order o on o.id = b.order_id
    left join lateral (
      select json_agg(json_build_object('lineNo', line_no, 'quantity', left_over, 'description', description) order by line_no) as lines, sum(left_over) as pieces
      from (select l.line_no, l.description, l.quantity - canceled_units(l.order_id, l.line_no) as left_over from order_line l
        where l.order_id = o.id and l.kind = 'tire') line
      where left_over > 0) tires on true
    left join lateral (
      select sum(a.quantity) filter (where h.state = 'delivered') as delivered,
        max(coalesce(h.expected_on, h.promised_on)) filter (where h.state in ('processed', 'pending-pickup', 'in-transit')) as due
      from shipment h join stock_allocation a on a.order_id = h.order_id and a.warehouse_id = h.warehouse_id
      where h.order_id = o.id) parcels on true
    left join lateral (
      select r.kind, r.minutes_late from appointment_reply r
      where r.booking_id = b.id and r.starts_at = lower(b.during) order by r.reply_no desc limit 1) said on true
    where b.shop_id = ${shopId}::int and lower(b.during) >= ${from}::timestamptz and lower(b.during) < ${to}::timestamptz
      and b.state in ('confirmed', 'done', 'no-show')
    order by lower(b.during), b.bay_id`.execute(db)
  return result.rows
}

/** An appointment as listed in its shop's calendar feed. */
export type FeedJob = Pick<ShopJob, 'kind' | 'start' | 'end' | 'dropOffCode' | 'orderId' | 'firstName' | 'vehicle'> & {
  id: string
  state: 'confirmed' | 'done' | 'no-show' | 'canceled'
  /** How often it was moved or canceled, and when it changed last. */
  changes: number
  changedAt: Temporal.Instant
}

/** Lists the appointments of a shop that start at `from` or later, and those canceled since then, in order of their start. */
export async function listFeedJobs(
  db: Database,
  { shopId, from }: { shopId: number; from: Temporal.Instant },
): Promise<FeedJob[]> {
  const { rows } = await sql<FeedJob>`
    select b.id, b.kind, b.state, lower(b.during) as start, upper(b.during) as "end", b.drop_off_code as "dropOffCode", o.id as "orderId",
      o.first_name as "firstName", coalesce(o.fitment_verdict->>'vehicleName', o.vehicle_note) as vehicle,
      event.changes, coalesce(event.at, b.created_at) as "changedAt"
    from booking b join sales_order o on o.id = b.order_id
    join lateral (select max(e.at) as at,
        count(*) filter (where e.from_state = 'confirmed' and e.to_state in ('confirmed', 'canceled'))::int as changes
      from booking_event e where e.booking_id = b.id) event on true
    where b.shop_id = ${shopId}::int and b.state in ('confirmed', 'done', 'no-show', 'canceled') and lower(b.during) >= ${from}::timestamptz
      and (b.state <> 'canceled' or event.at >= ${from}::timestamptz)
    order by lower(b.during), b.id`.execute(db)
  return rows
}
