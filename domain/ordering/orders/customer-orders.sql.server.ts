/** Queries for a customer's orders, by email and account. */
import { sql, type RawBuilder } from 'kysely'
import { orderTimeZone } from './order-view.sql.server.ts'
import type { OrderProgress } from './office-list.ts'
import { otherRefundCents } from '#domain/payments/payments/payments.server.ts'
import type { Database } from '#platform/db.ts'
import { isServiceOrder } from './service-order.sql.server.ts'

/** A customer's identity in orders, consisting of their email ids and accounts. */
export type OrderingCustomer = {
  customerIds: readonly string[]
  accountIds: readonly string[]
}

/** What a customer has ordered. */
export type OrderSummary = {
  orders: number
  /** Orders that wait for a confirmation, a charge, a parcel or an appointment. */
  openOrders: number
  /** In cents; the total of orders that weren't canceled, less refunds. */
  spentCents: number
  /** Tire units in orders that weren't canceled, less canceled units. */
  tires: number
  canceledTires: number
  last: { id: number; placedAt: Temporal.Instant; vehicle: string | null } | null
}

/**
 * Selects a customer's orders as `id`. Includes orders placed by their accounts, and orders with their emails that no
 * other account placed.
 */
function ordersOf({ customerIds, accountIds }: OrderingCustomer): RawBuilder<unknown> {
  // As text: with arrays PostgreSQL plans the statement again each time.
  const customers = sql`string_to_array(${customerIds.join(' ')}, ' ')::uuid[]`
  const accounts = sql`string_to_array(${accountIds.join(' ')}, ' ')::uuid[]`
  return sql`
    select o.id from sales_order o join cart on cart.id = o.cart_id left join account owner on owner.id = cart.account_id
    where o.customer_id = any(${customers}) and (owner.id is null or owner.email_verified_at is null or owner.id = any(${accounts}))
    union select o.id from cart join sales_order o on o.cart_id = cart.id where cart.account_id = any(${accounts})`
}

/** What each of these customers has ordered, in their order. */
export async function summarizeOrders(
  db: Database,
  customers: readonly OrderingCustomer[],
  now: Temporal.Instant,
): Promise<OrderSummary[]> {
  if (customers.length === 0) return []
  const each = customers.map(
    (customer, index) => sql`
      select ${sql.lit(index)}::int as nth, count(*)::int as orders, count(*) filter (where ${isOpen(now)})::int as "openOrders",
        coalesce(sum(case when o.state = 'canceled' then 0 else o.total_cents - ${refundedCents} end), 0)::float8 as "spentCents",
        coalesce(sum(case when o.state = 'canceled' then 0 else tire.units - tire.canceled end), 0)::int as tires,
        coalesce(sum(case when o.state = 'canceled' then tire.units else tire.canceled end), 0)::int as "canceledTires",
        (array_agg(o.id order by o.placed_at desc, o.id desc))[1] as "lastId"
      from (${ordersOf(customer)}) as own join sales_order o on o.id = own.id
        cross join lateral (
          select coalesce(sum(quantity), 0) as units, coalesce(sum(canceled_units(line.order_id, line.line_no)), 0) as canceled
          from order_line line where line.order_id = o.id and line.kind = 'tire') as tire`,
  )
  const { rows } = await sql<
    Omit<OrderSummary, 'last'> & { lastId: number | null; placedAt: Temporal.Instant | null; vehicle: string | null }
  >`
    select found.*, latest.placed_at as "placedAt", coalesce(latest.fitment_verdict ->> 'vehicleName', latest.vehicle_note) as vehicle
    from (${sql.join(each, sql` union all `)}) as found left join sales_order latest on latest.id = found."lastId" order by nth`.execute(
    db,
  )
  return rows.map(({ lastId, placedAt, vehicle, ...summary }) => ({
    ...summary,
    last: lastId === null || placedAt === null ? null : { id: lastId, placedAt, vehicle },
  }))
}

/** The orders that `orderStatus` puts neither at canceled nor at returned or delivered. */
const isOpen = (now: Temporal.Instant) => sql`
  (o.state = 'needs-confirmation' or o.state = 'confirmed' and (
    o.released_at is null
    or exists (select from shipment where shipment.order_id = o.id and shipment.state in ('processed', 'pending-pickup', 'in-transit'))
    or exists (select from booking where booking.order_id = o.id and booking.state = 'confirmed' and upper(booking.during) > ${now.toString()}::timestamptz)))`

const refundedCents = sql`(
  coalesce((select sum(amount_cents) from order_refund where order_refund.order_id = o.id and order_refund.state = 'approved'), 0)
  + (${otherRefundCents(sql`o.id`)}))`

/** An order of a customer as staff see it in a list. */
export type CustomerOrder = OrderProgress & {
  id: number
  placedAt: Temporal.Instant
  totalCents: number
  email: string
  /** "4 Kestrel Tour 225/65R17 102H" */
  tires: string[]
  timeZone: string
  shop: string | null
  appointmentStart: Temporal.Instant | null
  isInstalled: boolean
}

/** Up to `limit` orders of a customer, newest first. */
export async function selectCustomerOrders(
  db: Database,
  customer: OrderingCustomer,
  limit: number,
): Promise<CustomerOrder[]> {
  const { rows } = await sql<CustomerOrder>`
    select o.id, o.state, o.placed_at as "placedAt", o.cancel_until as "cancelUntil", o.confirm_by as "confirmBy", o.released_at as "releasedAt",
      o.total_cents as "totalCents", o.email, ${orderTimeZone} as "timeZone", (select name from shop where shop.id = o.shop_id) as shop,
      ${isServiceOrder(sql.ref('o.id'))} as "isService",
      array(select line.quantity || ' ' || line.description from order_line line where line.order_id = o.id and line.kind in ('tire', 'service') order by line.line_no) as tires,
      coalesce((select json_agg(json_build_object('state', h.state, 'promisedOn', h.promised_on) order by h.promised_on) from shipment h where h.order_id = o.id), '[]') as shipments,
      lower(latest.during) as "appointmentStart", upper(latest.during) as "appointmentEnd", coalesce(latest.state = 'done', false) as "isInstalled"
    from (${ordersOf(customer)}) as own join sales_order o on o.id = own.id
      left join lateral (select during, state from booking b where b.order_id = o.id and b.state <> 'canceled' order by b.created_at desc limit 1) as latest on true
    order by o.id desc limit ${limit}`.execute(db)
  return rows
}
