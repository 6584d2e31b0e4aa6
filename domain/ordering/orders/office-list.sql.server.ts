/** Queries for the office order list. Each tab is read from an index that holds no more than the tab. */
import { sql, type RawBuilder } from 'kysely'
import type { Fulfillment } from '#domain/supply/delivery/delivery.ts'
import { assigneeOfOrder } from '#domain/messaging/support/support.server.ts'
import { isToBuy, suppliersOfOrder } from '#domain/supply/stock/stock.server.ts'
import { fitChecksWaiting } from './fit-checks.sql.server.ts'
import type { OfficeTab, OrderProgress } from './office-list.ts'
import { orderTimeZone } from './order-view.sql.server.ts'
import type { OrderState, ShipmentState } from './orders.ts'
import type { Database } from '#platform/db.ts'
import { isServiceOrder } from './service-order.sql.server.ts'

/** Orders are listed by when they were placed; the id decides between two of the same moment. */
export type OrderKey = { placedAt: Temporal.Instant; id: number }

export type OfficeOrderQuery = {
  tab: OfficeTab
  fulfillment: Fulfillment | null
  /** Orders of these companies; null for all. */
  companyIds: readonly string[] | null
  /** Orders installed at these shops; null for all. */
  shopIds: readonly number[] | null
  /** Orders shipped to this state, by its two letters; null for all. */
  destination: string | null
  /** The prefix of a staff member's email. Selects orders from quotes by that member. Null for all. */
  soldBy: string | null
  /** Only these orders; null for all. */
  ids: readonly number[] | null
  /** Orders placed from this instant, and before that one. */
  from: Temporal.Instant | null
  until: Temporal.Instant | null
}

export type OfficeOrder = OrderProgress & {
  id: number
  placedAt: Temporal.Instant
  customer: string
  company: string | null
  email: string
  phone: string
  fulfillment: Fulfillment
  /** "4 Kestrel Tour 225/65R17 102H" */
  tires: string[]
  shop: string | null
  /** The time zone its times are shown in, as in `OrderView`. */
  timeZone: string
  appointmentStart: Temporal.Instant | null
  totalCents: number
  zip: string
  vehicle: string | null
  /** How it is paid: "card"; null for one that credit or an invoice pays. */
  method: string | null
  /** The military exchange's customer, for an exchange order. Empty if the exchange didn't provide one. */
  exchangeCustomer: string | null
  /** The email of the staff member who sold it; null for an order that the customer put together. */
  soldBy: string | null
  /** The suppliers its tires are bought from, by name; null for an order from our stock. */
  suppliers: string | null
  /** Whether staff must order its tires from a supplier. */
  isToBuy: boolean
  /** The email of the staff member who answers its messages; null without one. */
  assignedTo: string | null
}

/** The time that determines late, in-progress and completed orders, with the store's day and its start. */
export type ListMoment = { now: Temporal.Instant; today: string; dayStart: Temporal.Instant }

/**
 * Selects up to `limit` orders next to the order `key`, newest first. They are older, or with `newer` were placed after
 * it. Without `key`, starts from the end opposite to the direction.
 */
export async function selectOfficeOrders(
  db: Database,
  query: OfficeOrderQuery,
  page: ListMoment & { key: OrderKey | undefined; newer: boolean; limit: number },
): Promise<OfficeOrder[]> {
  const { key, newer, limit } = page
  const near = key && (newer ? sql`(o.placed_at, o.id) > ${placeOf(key)}` : sql`(o.placed_at, o.id) < ${placeOf(key)}`)
  const { prelude, from, where } = sourceOf(query, page, near ? [near] : [])
  const direction = newer ? sql`asc` : sql`desc`
  return selectViews(
    db,
    prelude,
    sql`select o.* from ${from} ${where} order by o.placed_at ${direction}, o.id ${direction} limit ${limit}`,
  )
}

const noFilters = { companyIds: null, shopIds: null, destination: null, fulfillment: null, soldBy: null } as const

/** Orders scanned per count, so that the cost doesn't depend on how rare matches are. */
const mostScanned = 500

/**
 * Counts matching orders among the newest 500 of their tab, up to 100. A rare filter would otherwise scan every order.
 * `isAtLeast` means that the scan was cut off.
 */
export async function selectOfficeOrderCount(
  db: Database,
  query: OfficeOrderQuery,
  moment: ListMoment,
): Promise<{ count: number; isAtLeast: boolean }> {
  const { prelude, from, where } = sourceOf({ ...query, ...noFilters }, moment, [])
  const filters = filtersOf(query)
  const isMatch = filters.length > 0 ? sql.join(filters, sql` and `) : sql`true`
  const { rows } = await sql<{ count: number; scanned: number }>`
    ${prelude} select count(*) filter (where ${isMatch})::int as count, count(*)::int as scanned
    from (select o.* from ${from} ${where} order by o.placed_at desc, o.id desc limit ${filters.length > 0 ? mostScanned : 100}) o`.execute(
    db,
  )
  const { count, scanned } = rows[0] ?? { count: 0, scanned: 0 }
  return { count, isAtLeast: count > 99 || scanned === mostScanned }
}

/** Orders scanned per tally. */
const mostTallied = 1_000

const talliedColumns = { fulfillment: sql`o.fulfillment`, destination: sql`o.ship_to_state` } as const

/** The matching orders by value of a filter, each without regard to the present value of that filter. */
export type OfficeOrderTally = Record<keyof typeof talliedColumns, Record<string, number>>

/**
 * Counts the newest 1,000 orders of the tab by delivery method and destination state, in one query. `isAtLeast` means
 * that there are more orders.
 */
export async function selectOfficeOrderTally(
  db: Database,
  query: OfficeOrderQuery,
  moment: ListMoment,
): Promise<{ counts: OfficeOrderTally; isAtLeast: boolean }> {
  const { prelude, from, where } = sourceOf({ ...query, ...noFilters }, moment, [])
  const names = Object.keys(talliedColumns) as (keyof typeof talliedColumns)[]
  const parts = names.map((name) => {
    const others = filtersOf({ ...query, [name]: null })
    const isMatch = others.length > 0 ? sql.join(others, sql` and `) : sql`true`
    return sql`select ${sql.lit(name)} as name, ${talliedColumns[name]} as value, count(*)::int as count from scanned o where ${isMatch} group by 2`
  })
  const { rows } = await sql<{ name: keyof OfficeOrderTally | null; value: string | null; count: number }>`
    ${prelude} select * from (
      with scanned as materialized (
        select o.fulfillment, o.ship_to_state, o.company_id, o.shop_id, o.sold_by
        from ${from} ${where} order by o.placed_at desc, o.id desc limit ${mostTallied})
      ${sql.join(parts, sql` union all `)} union all select null, null, count(*)::int from scanned) tally`.execute(db)
  const counts: OfficeOrderTally = { fulfillment: {}, destination: {} }
  for (const { name, value, count } of rows) if (name !== null && value !== null) counts[name][value] = count
  return { counts, isAtLeast: rows.some(({ name, count }) => name === null && count === mostTallied) }
}

/** Where the orders of a query come from. */
function sourceOf(
  query: OfficeOrderQuery,
  moment: ListMoment,
  more: readonly RawBuilder<unknown>[],
): Record<'prelude' | 'from' | 'where', RawBuilder<unknown>> {
  const candidates = candidatesOf(query.tab, moment)
  const conditions = [...conditionsOf(query, moment), ...filtersOf(query), ...more]
  return {
    prelude: candidates ? sql`with candidate as materialized (${candidates})` : sql``,
    from: candidates ? sql`candidate join sales_order o on o.id = candidate.order_id` : sql`sales_order o`,
    where: conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``,
  }
}

/** The orders with these ids, newest first. */
export async function selectOfficeOrdersById(db: Database, ids: readonly number[]): Promise<OfficeOrder[]> {
  return ids.length === 0
    ? []
    : selectViews(db, sql``, sql`select o.* from sales_order o where o.id = any(${ids}::bigint[])`)
}

async function selectViews(
  db: Database,
  prelude: RawBuilder<unknown>,
  orders: RawBuilder<unknown>,
): Promise<OfficeOrder[]> {
  const { rows } = await sql<{ view: Written }>`
    ${prelude}
    select json_build_object(
      'id', o.id, 'state', o.state, 'placedAt', o.placed_at, 'cancelUntil', o.cancel_until, 'confirmBy', o.confirm_by, 'releasedAt', o.released_at,
      'customer', o.first_name || ' ' || o.last_name, 'company', (select name from company where company.id = o.company_id), 'email', o.email, 'phone', o.phone,
      'fulfillment', o.fulfillment, 'totalCents', o.total_cents, 'soldBy', o.sold_by, 'suppliers', ${suppliersOfOrder(sql`o.id`)}, 'isToBuy', ${isToBuy(sql`o.id`)}, 'assignedTo', ${assigneeOfOrder(sql`o.id`)}, 'awaitsFitCheck', exists (select from order_fit_check f where f.order_id = o.id and f.checked_at is null), 'zip', o.zip, 'vehicle', coalesce(o.fitment_verdict ->> 'vehicleName', o.vehicle_note), 'method', (select p.method from payment p where p.order_id = o.id order by p.created_at limit 1), 'exchangeCustomer', (select coalesce(bought.customer_id, '') from purchasing_order bought where bought.order_id = o.id and bought.channel = 'military-exchange'), 'timeZone', ${orderTimeZone}, 'shop', (select s.name from shop s where s.id = o.shop_id),
      'isService', ${isServiceOrder(sql.ref('o.id'))},
      'tires', coalesce((select json_agg(l.quantity || ' ' || l.description order by l.line_no) from order_line l where l.order_id = o.id and l.kind in ('tire', 'service')), '[]'),
      'shipments', coalesce((select json_agg(json_build_object('state', h.state, 'promisedOn', h.promised_on) order by h.promised_on) from shipment h where h.order_id = o.id), '[]'),
      'booking', (select json_build_object('start', lower(b.during), 'end', upper(b.during)) from booking b where b.order_id = o.id and b.state in ('confirmed', 'done') order by b.created_at desc limit 1)
    ) as view
    from (${orders}) o order by o.placed_at desc, o.id desc`.execute(db)
  return rows.map(({ view }) => readView(view))
}

/** Returns an order's sort key in the list, or undefined if the order doesn't exist. */
export async function selectOrderKey(db: Database, id: number): Promise<OrderKey | undefined> {
  return db.selectFrom('sales_order').select(['id', 'placed_at as placedAt']).where('id', '=', id).executeTakeFirst()
}

function placeOf({ placedAt, id }: OrderKey): RawBuilder<unknown> {
  return sql`(${placedAt.toString()}::timestamptz, ${id}::bigint)`
}

/**
 * Selects a tab's orders by their parcels or appointments, through a partial index of open ones. Null for a tab
 * determined by the order's own state.
 */
function candidatesOf(tab: OfficeTab, { now, today, dayStart }: ListMoment): RawBuilder<unknown> | null {
  switch (tab) {
    case 'needs-action':
      return sql`
        select id as order_id from sales_order where state = 'needs-confirmation'
        union select order_id from shipment where ${openParcel()} and promised_on < ${today}::date
        union select order_id from delay_notice where staff_since is not null
        union select order_id from (${fitChecksWaiting(now)}) fit_check`
    case 'fit-check':
      return sql`select order_id from (${fitChecksWaiting(now)}) fit_check`
    case 'done-today':
      return sql`
        select order_id from booking where state = 'done' and lower(during) >= ${dayStart.toString()}::timestamptz
        union select h.order_id from shipment h join sales_order o on o.id = h.order_id
        where h.state = 'delivered' and h.delivered_at >= ${dayStart.toString()}::timestamptz and o.shop_id is null`
    case 'to-ship':
      return sql`select distinct order_id from shipment where ${openParcel()} and state <> 'in-transit'`
    case 'in-transit':
      return sql`select distinct order_id from shipment where ${openParcel()} and state = 'in-transit'`
    case 'late':
      return sql`select distinct order_id from shipment where ${openParcel()} and promised_on < ${today}::date`
    case 'at-shop':
      return sql`
        select distinct order_id from booking where state = 'confirmed' and upper(during) > ${now.toString()}::timestamptz`
    default:
      return null
  }
}

function openParcel(): RawBuilder<boolean> {
  return sql`state in ('processed', 'pending-pickup', 'in-transit')`
}

/** Orders in progress are read once and hashed. A per-order check costs more, because all the newest ones are open. */
const arrived = sql`
  exists (select from shipment h where h.order_id = o.id and h.state = 'delivered')
  and o.id not in (select order_id from shipment where ${openParcel()})`

/** A service without tires, which has no parcels. */
const isService = isServiceOrder(sql.ref('o.id'))

/** Such a service after its work is done. */
const isServed = sql`(exists (select from booking b where b.order_id = o.id and b.state = 'done') and ${isService})`

const tabConditions: Readonly<Record<OfficeTab, readonly RawBuilder<unknown>[]>> = {
  all: [],
  'needs-action': [sql`o.state <> 'canceled'`],
  'to-confirm': [sql`o.state = 'needs-confirmation'`],
  'fit-check': [],
  'cancel-window': [sql`o.state = 'confirmed'`, sql`o.released_at is null`],
  'to-ship': [sql`o.state = 'confirmed'`, sql`o.released_at is not null`],
  late: [sql`o.state = 'confirmed'`, sql`o.released_at is not null`],
  'in-transit': [sql`o.state = 'confirmed'`],
  'at-shop': [sql`o.state = 'confirmed'`, sql`(${arrived} or ${isService})`],
  'done-today': [sql`o.state = 'confirmed'`],
  delivered: [sql`o.state = 'confirmed'`, sql`o.released_at is not null`, sql`(${arrived} or ${isServed})`],
  canceled: [sql`o.state = 'canceled'`],
}

/** Conditions an index can serve (the tab, the days, and specific orders). */
function conditionsOf({ tab, ids, from, until }: OfficeOrderQuery, { now }: ListMoment): RawBuilder<unknown>[] {
  return [
    ...tabConditions[tab],
    ...(tab === 'cancel-window' ? [sql`o.cancel_until > ${now.toString()}::timestamptz`] : []),
    ...(ids === null ? [] : [sql`o.id = any(${ids}::bigint[])`]),
    ...(from === null ? [] : [sql`o.placed_at >= ${from.toString()}::timestamptz`]),
    ...(until === null ? [] : [sql`o.placed_at < ${until.toString()}::timestamptz`]),
  ]
}

function filtersOf({ fulfillment, companyIds, shopIds, destination, soldBy }: OfficeOrderQuery): RawBuilder<unknown>[] {
  return [
    ...(fulfillment === null ? [] : [sql`o.fulfillment = ${fulfillment}`]),
    ...(companyIds === null ? [] : [sql`o.company_id = any(${companyIds}::uuid[])`]),
    ...(soldBy === null
      ? []
      : [sql`lower(o.sold_by) like ${`${soldBy.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`]),
    ...(destination === null ? [] : [sql`o.ship_to_state = ${destination}`]),
    ...(shopIds === null ? [] : [sql`o.shop_id = any(${shopIds}::int[])`]),
  ]
}

/** Instants as JSON text. */
type Written = Omit<
  OfficeOrder,
  | 'placedAt'
  | 'cancelUntil'
  | 'confirmBy'
  | 'releasedAt'
  | 'appointmentStart'
  | 'appointmentEnd'
  | 'state'
  | 'shipments'
> & {
  state: OrderState
  shipments: { state: ShipmentState; promisedOn: string }[]
  placedAt: string
  cancelUntil: string
  confirmBy: string | null
  releasedAt: string | null
  booking: { start: string; end: string } | null
}

function readView({ placedAt, cancelUntil, confirmBy, releasedAt, booking, ...order }: Written): OfficeOrder {
  const instant = (text: string | null | undefined) => (text ? Temporal.Instant.from(text) : null)
  return {
    ...order,
    placedAt: Temporal.Instant.from(placedAt),
    cancelUntil: Temporal.Instant.from(cancelUntil),
    confirmBy: instant(confirmBy),
    releasedAt: instant(releasedAt),
    appointmentStart: instant(booking?.start),
    appointmentEnd: instant(booking?.end),
  }
}

/** Selects these orders' buyers. */
export async function selectBuyers(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, { customer: string; company: string | null }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; customer: string; company: string | null }>`
    select id, first_name || ' ' || last_name as customer, company from sales_order where id = any(${ids}::bigint[])`.execute(
    db,
  )
  return new Map(rows.map(({ id, ...buyer }) => [id, buyer]))
}
