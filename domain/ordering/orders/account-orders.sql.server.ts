/** The statements for the orders of accounts and companies. */
import { sql } from 'kysely'
import { noticeAt } from '#domain/scheduling/installers/installers.server.ts'
import { keepFoundCarts } from '#domain/payments/cart/cart.server.ts'
import type { OrderState, ShipmentState } from './orders.ts'
import { orderTimeZone, type OrderBooking } from './order-view.sql.server.ts'
import type { Database } from '#platform/db.ts'
import { isServiceOrder } from './service-order.sql.server.ts'

/** An order in a list. */
export type OrderInList = {
  id: number
  state: OrderState
  placedAt: Temporal.Instant
  cancelUntil: Temporal.Instant
  releasedAt: Temporal.Instant | null
  totalCents: number
  poNumber: string | null
  /** The account holder's name, if the order was placed with an account. */
  placedBy: string | null
  /** "4 Kestrel Tour 225/65R17 102H" */
  tires: string[]
  /** Whether it is a service without tires. */
  isService: boolean
  shipments: { state: ShipmentState; promisedOn: string }[]
  /** The time zone its times are shown in, as in `OrderView`. */
  timeZone: string
  shop: { name: string } | null
  booking: OrderInListBooking | null
}

type OrderInListBooking = Pick<
  OrderBooking,
  'kind' | 'start' | 'end' | 'dropOffWindow' | 'dropOffCode' | 'state' | 'noticeMinutes'
>

/**
 * Returns up to `limit` orders older than the order `before`, newest first. They were placed by an account, for a
 * company, or both.
 */
export async function selectOrders(
  db: Database,
  by: { accountId: string; companyId: string | null } | { accountId: string | null; companyId: string },
  { before, limit }: { before: number | undefined; limit: number },
): Promise<OrderInList[]> {
  const { rows } = await sql<{
    view: Omit<OrderInList, 'placedAt' | 'cancelUntil' | 'releasedAt' | 'booking'> & Written
  }>`
    select json_build_object(
      'id', o.id, 'state', o.state, 'placedAt', o.placed_at, 'cancelUntil', o.cancel_until, 'releasedAt', o.released_at, 'totalCents', o.total_cents, 'timeZone', ${orderTimeZone},
      'poNumber', o.billing ->> 'poNumber', 'placedBy', (select coalesce(account.name, account.email) from account where account.id = cart.account_id),
      'tires', coalesce((select json_agg(l.quantity || ' ' || l.description || case when canceled.units > 0 then ', ' || canceled.units || ' canceled' else '' end order by l.line_no) from order_line l, lateral (select canceled_units(l.order_id, l.line_no) as units) as canceled where l.order_id = o.id and l.kind in ('tire', 'service')), '[]'),
      'isService', ${isServiceOrder(sql.ref('o.id'))},
      'shipments', coalesce((select json_agg(json_build_object('state', h.state, 'promisedOn', h.promised_on) order by h.promised_on) from shipment h where h.order_id = o.id), '[]'),
      'shop', (select json_build_object('name', s.name) from shop s where s.id = o.shop_id),
      'booking', (select json_build_object('kind', b.kind, 'start', lower(b.during), 'end', upper(b.during), 'dropOffWindow', b.drop_off_window, 'dropOffCode', b.drop_off_code, 'state', b.state, 'noticeMinutes', ${noticeAt(sql`b.shop_id`, sql`lower(b.during)`)}) from booking b where b.order_id = o.id order by b.created_at desc limit 1)
    ) as view
    from cart join sales_order o on o.cart_id = cart.id
    where ${placedBy(by)} and cart.state = 'ordered' and (${before ?? null}::bigint is null or o.id < ${before ?? null}::bigint)
    order by o.id desc limit ${limit}`.execute(db)
  return rows.map(({ view: { placedAt, cancelUntil, releasedAt, booking, ...order } }) => ({
    ...order,
    placedAt: Temporal.Instant.from(placedAt),
    cancelUntil: Temporal.Instant.from(cancelUntil),
    releasedAt: releasedAt === null ? null : Temporal.Instant.from(releasedAt),
    booking: booking && {
      ...booking,
      start: Temporal.Instant.from(booking.start),
      end: Temporal.Instant.from(booking.end),
    },
  }))
}

function placedBy({ accountId, companyId }: { accountId: string | null; companyId: string | null }) {
  if (companyId === null) return sql`cart.account_id = ${accountId}::uuid`
  const ofMember = accountId === null ? sql`` : sql`and cart.account_id = ${accountId}::uuid`
  return sql`o.company_id = ${companyId}::uuid ${ofMember}`
}

/** Instants as JSON text. */
type Written = {
  placedAt: string
  cancelUntil: string
  releasedAt: string | null
  booking: (Omit<OrderInListBooking, 'start' | 'end'> & { start: string; end: string }) | null
}

/** Outcomes and totals of these orders, limited to data that the sender of a quote may see. */
export async function readOrderFates(
  db: Database,
  orderIds: readonly number[],
): Promise<Map<number, Pick<OrderInList, 'state' | 'totalCents' | 'shipments'>>> {
  if (orderIds.length === 0) return new Map()
  const { rows } = await sql<Pick<OrderInList, 'id' | 'state' | 'totalCents' | 'shipments'>>`
    select o.id, o.state, o.total_cents as "totalCents",
      coalesce((select json_agg(json_build_object('state', h.state, 'promisedOn', h.promised_on) order by h.promised_on) from shipment h where h.order_id = o.id), '[]') as shipments
    from sales_order o where o.id = any(${orderIds}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...fate }) => [id, fate]))
}

/** The newest orders of an account, by number. */
export async function orderIdsOfAccount(db: Database, accountId: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from cart join sales_order o on o.cart_id = cart.id
    where cart.account_id = ${accountId}::uuid and cart.state = 'ordered' order by o.id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether the account owns the order. */
export async function ownsOrder({ db }: { db: Database }, accountId: string, orderId: number): Promise<boolean> {
  const row = await db
    .selectFrom('sales_order')
    .innerJoin('cart', 'cart.id', 'sales_order.cart_id')
    .select('sales_order.id')
    .where('sales_order.id', '=', orderId)
    .where('cart.account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}

/** The account's role in the company of the order if it may see the order there: owner or viewer. */
export async function companyRoleFor(
  { db }: { db: Database },
  accountId: string,
  orderId: number,
): Promise<'owner' | 'viewer' | undefined> {
  const { rows } = await sql<{ role: 'owner' | 'viewer' }>`
    select member.role from sales_order o
    join company on company.id = o.company_id and company.state = 'approved'
    join company_member member on member.company_id = company.id
    where o.id = ${orderId}::bigint and member.account_id = ${accountId}::uuid and member.role in ('owner', 'viewer')`.execute(
    db,
  )
  return rows[0]?.role
}

/**
 * Returns the orders of an account with everything entered for them, as plain data for JSON, with instants as
 * PostgreSQL writes them.
 */
export async function exportOrders(db: Database, accountId: string): Promise<object[]> {
  const { rows } = await sql<{ orders: object[] }>`
    select coalesce(json_agg(json_build_object('id', o.id, 'firstName', o.first_name, 'lastName', o.last_name, 'company', o.company, 'address1', o.address1,
      'address2', o.address2, 'city', o.city, 'state', o.state_code, 'zip', o.zip, 'instructions', o.instructions, 'email', o.email, 'phone', o.phone,
      'phoneExtension', o.phone_extension, 'phoneType', o.phone_type, 'shipTo', concat_ws(', ', o.ship_to_name, o.ship_to_street, o.ship_to_city, o.ship_to_state, o.ship_to_zip),
      'vehicle', o.vehicle, 'vehicleNote', o.vehicle_note, 'vin', (select vin from order_vin v where v.order_id = o.id), 'fleetPacket', (select json_build_object('unit', p.unit, 'driver', p.driver, 'plate', p.plate, 'plateState', p.plate_state) from fleet_packet p where p.order_id = o.id),
      'billing', o.billing, 'termsAcceptedAt', o.terms_accepted_at,
      'appointmentReplies', coalesce((select json_agg(json_build_object('kind', r.kind, 'minutesLate', r.minutes_late, 'at', r.replied_at) order by r.replied_at)
        from booking b join appointment_reply r on r.booking_id = b.id where b.order_id = o.id), '[]')) order by o.id), '[]') as orders
    from cart join sales_order o on o.cart_id = cart.id where cart.account_id = ${accountId}::uuid`.execute(db)
  return rows[0]?.orders ?? []
}

/** Counts guest orders placed with the account's verified email; 0 while it is not verified. */
export async function countGuestOrders({ db }: { db: Database }, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${guestOrders(accountId)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Assigns those orders to the account; returns how many there were. */
export function claimGuestOrders({ db }: { db: Database }, accountId: string): Promise<number> {
  return keepFoundCarts(db, accountId, guestOrders(accountId))
}

function guestOrders(accountId: string) {
  return sql`(
    select o.cart_id from account
    join customer on lower(customer.email) = account.email
    join sales_order o on o.customer_id = customer.id
    join cart owner on owner.id = o.cart_id and owner.account_id is null
    where account.id = ${accountId}::uuid and account.email_verified_at is not null) found`
}
