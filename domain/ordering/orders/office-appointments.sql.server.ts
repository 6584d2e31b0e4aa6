/** Appointments at all shops, for staff. Upcoming ones are sorted by start, past ones newest first. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

export const appointmentViews = ['ahead', 'done', 'no-show'] as const
export type AppointmentView = (typeof appointmentViews)[number]

/** The start of a page, after the appointment with this start and id. */
export type AppointmentPlace = { at: Temporal.Instant; id: string }

export type OfficeAppointment = {
  id: string
  start: Temporal.Instant
  end: Temporal.Instant
  orderId: number
  customer: string
  company: string | null
  shopCode: string
  shop: string
  city: string
  timeZone: string
  /** "4 Kestrel Tour 225/65R17 102H" */
  tires: string[]
  /** Parcels that have not arrived, and the day the last of them is promised; null where all have. */
  parcelsUnderway: number
  arrivesOn: string | null
}

const bookingStates = { ahead: 'confirmed', done: 'done', 'no-show': 'no-show' } as const

type Written = Omit<OfficeAppointment, 'start' | 'end'> & { start: string; end: string }

/** Reads up to `limit` appointments from `from` until `until`, at these shops or at all, next to `after`. */
export async function selectAppointments(
  db: Database,
  {
    view,
    from,
    until,
    shopIds,
  }: {
    view: AppointmentView
    from: Temporal.Instant | null
    until: Temporal.Instant | null
    shopIds: readonly number[] | null
  },
  { after, limit }: { after: AppointmentPlace | null; limit: number },
): Promise<OfficeAppointment[]> {
  const isAhead = view === 'ahead'
  const place = after && sql`(${after.at.toString()}::timestamptz, ${after.id}::uuid)`
  const conditions = [
    sql`b.state = ${sql.lit(bookingStates[view])}`,
    ...(from === null ? [] : [sql`lower(b.during) >= ${from.toString()}::timestamptz`]),
    ...(until === null ? [] : [sql`lower(b.during) < ${until.toString()}::timestamptz`]),
    ...(shopIds === null ? [] : [sql`b.shop_id = any(${shopIds}::int[])`]),
    ...(place ? [isAhead ? sql`(lower(b.during), b.id) > ${place}` : sql`(lower(b.during), b.id) < ${place}`] : []),
  ]
  const direction = isAhead ? sql`asc` : sql`desc`
  const { rows } = await sql<{ view: Written }>`
    select json_build_object(
      'id', b.id, 'start', lower(b.during), 'end', upper(b.during), 'orderId', o.id, 'customer', o.first_name || ' ' || o.last_name, 'company', o.company,
      'shopCode', s.code, 'shop', s.name, 'city', s.city, 'timeZone', s.time_zone,
      'tires', coalesce((select json_agg(l.quantity || ' ' || l.description order by l.line_no) from order_line l where l.order_id = o.id and l.kind in ('tire', 'service')), '[]'),
      'parcelsUnderway', (select count(*)::int from shipment h where h.order_id = o.id and h.state in ('processed', 'pending-pickup', 'in-transit')),
      'arrivesOn', (select max(h.promised_on) from shipment h where h.order_id = o.id and h.state in ('processed', 'pending-pickup', 'in-transit'))
    ) as view
    from (select b.id, b.during, b.order_id, b.shop_id from booking b where ${sql.join(conditions, sql` and `)}
      order by lower(b.during) ${direction}, b.id ${direction} limit ${limit}) b
    join sales_order o on o.id = b.order_id join shop s on s.id = b.shop_id
    order by lower(b.during) ${direction}, b.id ${direction}`.execute(db)
  return rows.map(({ view: { start, end, ...appointment } }) => ({
    ...appointment,
    start: Temporal.Instant.from(start),
    end: Temporal.Instant.from(end),
  }))
}
