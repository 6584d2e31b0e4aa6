/** A mobile installer's daily route, visible only to its crew. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** An appointment of a van with the address and what the customer wrote about getting in. */
export type VanJob = {
  bookingId: string
  orderId: number
  start: Temporal.Instant
  end: Temporal.Instant
  isDone: boolean
  firstName: string
  lastInitial: string
  vehicle: string | null
  tires: { quantity: number; description: string }[]
  address: { line1: string; line2: string | null; city: string; state: string; zip: string }
  notes: string | null
  /** Of the ZIP; null for one that is on no map. */
  point: { latitude: number; longitude: number } | null
}

/**
 * Lists a van's stops that start between `from` and `to` (exclusive), in order. Excludes shop installations and
 * canceled orders.
 */
export async function listVanJobs(
  db: Database,
  { shopId, from, to }: { shopId: number; from: Temporal.Instant; to: Temporal.Instant },
): Promise<VanJob[]> {
  const { rows } = await sql<VanJob>`
    select b.id as "bookingId", o.id as "orderId", lower(b.during) as start, upper(b.during) as "end", b.state = 'done' as "isDone",
      o.first_name as "firstName", left(o.last_name, 1) as "lastInitial", coalesce(o.fitment_verdict->>'vehicleName', o.vehicle_note) as vehicle,
      coalesce((
        select json_agg(json_build_object('quantity', left_over, 'description', description) order by line_no)
        from (select l.line_no, l.description, l.quantity - canceled_units(l.order_id, l.line_no) as left_over from order_line l
          where l.order_id = o.id and l.kind = 'tire') line
        where left_over > 0), '[]') as tires,
      json_build_object('line1', o.address1, 'line2', o.address2, 'city', o.city, 'state', o.state_code, 'zip', o.zip) as address,
      o.instructions as notes,
      case when place.latitude is not null then json_build_object('latitude', place.latitude, 'longitude', place.longitude) end as point
    from booking b join sales_order o on o.id = b.order_id left join zip place on place.zip = coalesce(b.stop_zip, o.zip)
    where b.shop_id = ${shopId}::int and b.kind = 'mobile' and b.state in ('confirmed', 'done') and o.state = 'confirmed'
      and lower(b.during) >= ${from}::timestamptz and lower(b.during) < ${to}::timestamptz
    order by lower(b.during), b.id`.execute(db)
  return rows
}
