/** The statements behind the figures of the office's first page. */
import { sql } from 'kysely'
import { storeZone } from '#platform/store-zone.ts'
import type { Database } from '#platform/db.ts'

/** Orders placed on a store day and not canceled, for the whole day and up to the requested time of day. */
export type SalesDay = { day: string; orders: number; cents: number; ordersByNow: number; centsByNow: number }

/** The days from `from` until `now`, each also up to the time of day of `now`; days without orders are left out. */
export async function selectSalesDays(
  db: Database,
  { from, now }: { from: Temporal.Instant; now: Temporal.Instant },
): Promise<SalesDay[]> {
  const time = now.toZonedDateTimeISO(storeZone).toPlainTime().toString()
  const { rows } = await sql<SalesDay>`
    select day::text, count(*)::int as orders, sum(total_cents) as cents,
      count(*) filter (where time <= ${time}::time)::int as "ordersByNow",
      coalesce(sum(total_cents) filter (where time <= ${time}::time), 0) as "centsByNow"
    from (
      select (placed_at at time zone ${storeZone})::date as day, (placed_at at time zone ${storeZone})::time as time, total_cents
      from sales_order
      where placed_at >= ${from}::timestamptz and placed_at <= ${now}::timestamptz and state <> 'canceled') as placed
    group by day order by day`.execute(db)
  return rows
}

/**
 * Appointments that start on a day of their shop and were not canceled. `kept` counts the started appointments with all
 * tires checked in at the shop by their start.
 */
export type AppointmentDay = {
  day: string
  booked: number
  done: number
  inBay: number
  missed: number
  began: number
  kept: number
}

/** The days from `from` to `to`, both included, as "2026-11-20"; days without appointments are left out. */
export async function selectAppointmentDays(
  db: Database,
  { from, to, now }: { from: string; to: string; now: Temporal.Instant },
): Promise<AppointmentDay[]> {
  const { rows } = await sql<AppointmentDay>`
    select day::text, count(*)::int as booked,
      count(*) filter (where state = 'done')::int as done,
      count(*) filter (where state = 'confirmed' and job_state = 'in-bay')::int as "inBay",
      count(*) filter (where state = 'no-show')::int as missed,
      count(*) filter (where start <= ${now}::timestamptz)::int as began,
      count(*) filter (where start <= ${now}::timestamptz and had_tires)::int as kept
    from (
      select lower(b.during) as start, (lower(b.during) at time zone s.time_zone)::date as day, b.state, w.state as job_state,
        not exists (
          select from order_line l
          where l.order_id = b.order_id and l.kind = 'tire' and l.quantity - canceled_units(l.order_id, l.line_no) > coalesce(
            (select p.received from work_order_piece p
              where p.booking_id = b.id and p.line_no = l.line_no and p.counted_at <= lower(b.during)), 0)) as had_tires
      from booking b join shop s on s.id = b.shop_id left join work_order w on w.booking_id = b.id
      where b.state in ('confirmed', 'done', 'no-show')
        and lower(b.during) >= ${from}::date - interval '1 day' and lower(b.during) < ${to}::date + interval '2 days') as appointment
    where day between ${from}::date and ${to}::date
    group by day order by day`.execute(db)
  return rows
}

/** An appointment of the office's first page. */
export type NextAppointment = {
  orderId: number
  start: Temporal.Instant
  timeZone: string
  shop: string
  firstName: string
  lastName: string
  company: string | null
  /** "4 Kestrel Tour 225/65R17 102H" */
  tires: string[]
  /** The order's active tires, and the number that arrived at the shop. */
  units: number
  atShop: number
  /**
   * The latest promised or expected day of the remaining tires, such as "2026-11-24"; null if no tires are in transit.
   */
  dueOn: string | null
  /** When the car came into the bay; null while it has not. */
  inBayAt: Temporal.Instant | null
}

/**
 * Selects the cars currently in service and the next appointments after `now`, each up to `limit` and ordered by start.
 */
export async function selectNextAppointments(
  db: Database,
  { now, limit }: { now: Temporal.Instant; limit: number },
): Promise<NextAppointment[]> {
  const { rows } = await sql<NextAppointment>`
    with shown as (
      (select b.id, w.state_at as in_bay_at from booking b join work_order w on w.booking_id = b.id
        where b.state = 'confirmed' and w.state = 'in-bay'
          and lower(b.during) > ${now.subtract({ hours: 24 })}::timestamptz and lower(b.during) < ${now.add({ hours: 24 })}::timestamptz
        order by lower(b.during) limit ${limit}::int)
      union all
      (select b.id, null from booking b left join work_order w on w.booking_id = b.id
        where b.state = 'confirmed' and w.state is distinct from 'in-bay' and lower(b.during) >= ${now}::timestamptz
        order by lower(b.during) limit ${limit}::int))
    select o.id as "orderId", lower(b.during) as start, s.time_zone as "timeZone", s.name as shop, o.first_name as "firstName",
      o.last_name as "lastName", o.company, coalesce(tires.lines, '[]') as tires, coalesce(tires.units, 0)::int as units,
      least(coalesce(tires.units, 0), greatest(coalesce(parcels.delivered, 0), coalesce(counted.units, 0)))::int as "atShop",
      parcels.due::text as "dueOn", shown.in_bay_at as "inBayAt"
    from shown join booking b on b.id = shown.id join shop s on s.id = b.shop_id join sales_order o on o.id = b.order_id
    left join lateral (
      select json_agg(units || ' ' || description order by line_no) as lines, sum(units) as units
      from (select l.line_no, l.description, l.quantity - canceled_units(l.order_id, l.line_no) as units from order_line l
        where l.order_id = o.id and l.kind = 'tire') line
      where units > 0) tires on true
    left join lateral (
      select sum(a.quantity) filter (where h.state = 'delivered') as delivered,
        max(coalesce(h.expected_on, h.promised_on)) filter (where h.state in ('processed', 'pending-pickup', 'in-transit')) as due
      from shipment h join stock_allocation a on a.order_id = h.order_id and a.warehouse_id = h.warehouse_id
      where h.order_id = o.id) parcels on true
    left join lateral (select sum(received) as units from work_order_piece p where p.booking_id = b.id) counted on true
    order by shown.in_bay_at is null, lower(b.during), o.id`.execute(db)
  return rows
}

/** A tire with the units and the net amount sold of it since `from`, and the units sold in the seven days before `now`. */
export type SoldTire = { itemId: number; tire: string; units: number; netCents: number; weekUnits: number }

/** Selects the best-selling tires between `from` and `now`, excluding canceled orders. */
export async function selectSoldTires(
  db: Database,
  { from, now, limit }: { from: Temporal.Instant; now: Temporal.Instant; limit: number },
): Promise<SoldTire[]> {
  const since = (at: Temporal.Instant) => sql`
    from sales_order o join order_line l on l.order_id = o.id and l.kind = 'tire'
    where o.placed_at >= ${at}::timestamptz and o.placed_at <= ${now}::timestamptz and o.state <> 'canceled'`
  const { rows } = await sql<SoldTire>`
    with sold as (
      select l.item_id, max(l.description) as tire, sum(l.quantity)::int as units, sum(l.net_cents) as net_cents ${since(from)}
      group by l.item_id order by units desc, l.item_id limit ${limit}::int)
    select item_id as "itemId", tire, units, net_cents as "netCents",
      (select coalesce(sum(l.quantity), 0) ${since(now.subtract({ hours: 7 * 24 }))} and l.item_id = sold.item_id)::int as "weekUnits"
    from sold order by units desc, item_id`.execute(db)
  return rows
}
