/**
 * The orders of an account: those placed from its carts. An order made as a guest joins them when its email is one the
 * account has verified.
 */
import { sql, type RawBuilder } from 'kysely'
import type { OrderState, ShipmentState } from '#domain/orders/orders.ts'
import { orderTimeZone, type OrderBooking } from '#domain/orders/order-view.sql.server.ts'
import type { Database } from '#platform/db.ts'

/** An order in a list of many. */
export type OrderInList = {
  id: number
  state: OrderState
  placedAt: Temporal.Instant
  cancelUntil: Temporal.Instant
  releasedAt: Temporal.Instant | null
  totalCents: number
  poNumber: string | null
  /** Who placed it, where that was with an account. */
  placedBy: string | null
  /** "4 Kestrel Tour 225/65R17 102H" */
  tires: string[]
  shipments: { state: ShipmentState; promisedOn: string }[]
  /** The clock its times are told on, as of an `OrderView`. */
  timeZone: string
  shop: { name: string } | null
  booking: OrderInListBooking | null
}

type OrderInListBooking = Pick<OrderBooking, 'kind' | 'start' | 'end' | 'dropOffWindow' | 'dropOffCode' | 'state'>

export const ordersPerPage = 20

type OrderPage = { orders: OrderInList[]; hasMore: boolean }

/**
 * The orders of an account. The newest first; `before` is the id of the last one on the page before. One more than a
 * page is never read.
 */
export function listAccountOrders({ db }: { db: Database }, accountId: string, before?: number): Promise<OrderPage> {
  return listOrders(db, sql`cart.account_id = ${accountId}::uuid`, before)
}

/** The orders placed for a company, in the same pages: all of them, or those that one of its members placed. */
export function listCompanyOrders(
  { db }: { db: Database },
  { companyId, accountId }: { companyId: string; accountId: string | null },
  before?: number,
): Promise<OrderPage> {
  const ofMember = accountId === null ? sql`` : sql`and cart.account_id = ${accountId}::uuid`
  return listOrders(db, sql`o.company_id = ${companyId}::uuid ${ofMember}`, before)
}

/**
 * What an account is in the company that an order was placed for, if it may see that order there: an owner or a viewer.
 */
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

async function listOrders(db: Database, which: RawBuilder<unknown>, before: number | undefined): Promise<OrderPage> {
  const { rows } = await sql<{
    view: Omit<OrderInList, 'placedAt' | 'cancelUntil' | 'releasedAt' | 'booking'> & Written
  }>`
    select json_build_object(
      'id', o.id, 'state', o.state, 'placedAt', o.placed_at, 'cancelUntil', o.cancel_until, 'releasedAt', o.released_at, 'totalCents', o.total_cents, 'timeZone', ${orderTimeZone},
      'poNumber', o.billing ->> 'poNumber', 'placedBy', (select coalesce(account.name, account.email) from account where account.id = cart.account_id),
      'tires', coalesce((select json_agg(l.quantity || ' ' || l.description order by l.line_no) from order_line l where l.order_id = o.id and l.kind = 'tire'), '[]'),
      'shipments', coalesce((select json_agg(json_build_object('state', h.state, 'promisedOn', h.promised_on) order by h.promised_on) from shipment h where h.order_id = o.id), '[]'),
      'shop', (select json_build_object('name', s.name) from shop s where s.id = o.shop_id),
      'booking', (select json_build_object('kind', b.kind, 'start', lower(b.during), 'end', upper(b.during), 'dropOffWindow', b.drop_off_window, 'dropOffCode', b.drop_off_code, 'state', b.state) from booking b where b.order_id = o.id order by b.created_at desc limit 1)
    ) as view
    from cart join sales_order o on o.cart_id = cart.id
    where ${which} and cart.state = 'ordered' and (${before ?? null}::bigint is null or o.id < ${before ?? null}::bigint)
    order by o.id desc limit ${ordersPerPage + 1}`.execute(db)
  const orders = rows
    .slice(0, ordersPerPage)
    .map(({ view: { placedAt, cancelUntil, releasedAt, booking, ...order } }) => ({
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
  return { orders, hasMore: rows.length > ordersPerPage }
}

/** Instants as JSON writes them. */
type Written = {
  placedAt: string
  cancelUntil: string
  releasedAt: string | null
  booking: (Omit<OrderInListBooking, 'start' | 'end'> & { start: string; end: string }) | null
}

/** Whether an order is one of the account's. */
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

/**
 * What an account may do with an order: `own` everything, `read` nothing but see it, as a viewer of the company it was
 * placed for.
 */
export async function orderAccessOf(
  deps: { db: Database },
  accountId: string,
  orderId: number,
): Promise<'own' | 'read' | undefined> {
  if (await ownsOrder(deps, accountId, orderId)) return 'own'
  const role = await companyRoleFor(deps, accountId, orderId)
  return role && (role === 'owner' ? 'own' : 'read')
}

/** How many orders of nobody's account were placed with the account's verified email; 0 while it is not verified. */
export async function countGuestOrders({ db }: { db: Database }, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${guestOrders(accountId)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Makes those orders the account's; answers how many there were. */
export async function claimGuestOrders({ db }: { db: Database }, accountId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update cart set account_id = ${accountId}::uuid from ${guestOrders(accountId)} where cart.id = found.cart_id and cart.account_id is null`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}

function guestOrders(accountId: string) {
  return sql`(
    select o.cart_id from account
    join customer on lower(customer.email) = account.email
    join sales_order o on o.customer_id = customer.id
    join cart owner on owner.id = o.cart_id and owner.account_id is null
    where account.id = ${accountId}::uuid and account.email_verified_at is not null) found`
}
