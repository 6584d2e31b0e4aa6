/** The entries of shops, suppliers and carts, and the inventory of a day. */
import { sql, type RawBuilder } from 'kysely'
import { ratingRows } from '#domain/installer-portal/appointments/appointments.server.ts'
import { startedCartRows } from '#domain/payments/cart/cart.server.ts'
import { endedBookingRows, orderOfBooking } from '#domain/scheduling/booking/booking.server.ts'
import { inventoryRows, suppliedLineRows, supplierRows } from '#domain/supply/stock/stock.server.ts'
import type { Tx } from '#platform/db.ts'
import { entryColumns, type Span } from './entries.sql.server.ts'
import { promisedParcels } from './money-entries.sql.server.ts'

const placeOfOrder = {
  state: sql`coalesce(breakdown -> 'tax' ->> 'stateCode', ship_to_state)`,
  type: sql`coalesce(breakdown ->> 'accountType', 'Retail')`,
  order: sql`sales_order.id`,
  label: sql`''`,
}

/**
 * The entries of how appointments ended, when that was recorded, and of the ratings that customers gave. Of ratings,
 * `kept` counts the jobs that started on time, and `units` sums the stars.
 */
export function shopEntries(span: Span): RawBuilder<unknown> {
  const outcome = sql`case outcome when 'done' then 'job' when 'no-show' then 'no-show' else 'shop-cancellation' end`
  const ended = { ...placeOfOrder, shop: sql`ended.shop_id`, at: sql`ended.at`, kind: outcome, what: outcome }
  const rated = {
    ...placeOfOrder,
    shop: sql`rating.shop_id`,
    at: sql`rated_at`,
    kind: sql`'rating'`,
    what: sql`'rating'`,
  }
  return sql`
    select ${entryColumns(ended, { orders: sql`1` })}
    from (${endedBookingRows(span)}) as ended join sales_order on sales_order.id = ended.order_id
    union all
    select ${entryColumns(rated, { orders: sql`1`, kept: sql`was_on_time::int`, units: sql`stars` })}
    from (${ratingRows(span)}) as rating cross join lateral (${orderOfBooking(sql`rating.booking_id`)}) as rated
      join sales_order on sales_order.id = rated.order_id`
}

const ofStore = { state: sql`''`, shop: sql`null`, type: sql`''` }

/**
 * The entries of purchase order lines sent to suppliers, in lines and units, with the units they filled and the units
 * they rejected or backordered, and of the parcels that were promised from their warehouses for a day.
 */
export function supplierEntries(span: Span & { day: string; isOver: boolean }): RawBuilder<unknown> {
  const line = {
    ...ofStore,
    label: sql`supplier`,
    at: sql`released_at`,
    order: sql`order_id`,
    purchaseOrder: sql`purchase_order_id`,
  }
  const parcel = {
    ...ofStore,
    kind: sql`'supplier-parcel'`,
    label: sql`supplier`,
    at: sql`delivered_at`,
    what: sql`case when is_kept then 'package delivered' else 'package late' end`,
    order: sql`order_id`,
  }
  const units = (kind: string, amount: RawBuilder<unknown>, lines: RawBuilder<unknown> = sql`0`) =>
    sql`select ${entryColumns({ ...line, kind: sql.lit(kind), what: sql`'purchase order'` }, { orders: lines, units: amount })} from line`
  return sql`
    with line as materialized (${suppliedLineRows(span)})
    ${units('supplier-ordered', sql`quantity`, sql`1`)}
    union all ${units('supplier-filled', sql`filled_units`)} where filled_units > 0
    union all ${units('supplier-short', sql`short_units`)} where short_units > 0
    union all
    select ${entryColumns(parcel, { orders: sql`1`, kept: sql`is_kept::int` })}
    from (${promisedParcels(span)}) as parcel join (${supplierRows()}) as held on held.warehouse_id = parcel.warehouse_id`
}

/**
 * Entries for started carts (`orders`), those with a started payment or placed order (`units`), and those that became
 * an order at any time (`kept`).
 */
export function cartEntries(span: Span): RawBuilder<unknown> {
  const cart = {
    ...ofStore,
    kind: sql`'cart'`,
    label: sql`''`,
    at: sql`started.created_at`,
    what: sql`'cart started'`,
    order: sql`placed.id`,
  }
  const isPaid = sql`placed.id is not null or exists (select from payment where payment.cart_id = started.cart_id)`
  return sql`
    select ${entryColumns(cart, { orders: sql`1`, units: sql`(${isPaid})::int`, kept: sql`(placed.id is not null)::int` })}
    from (${startedCartRows(span)}) as started
      cross join lateral (select max(id) as id from sales_order where sales_order.cart_id = started.cart_id) as placed`
}

/**
 * Replaces the inventory of a day by what the store holds itself now: tires by the age of their SKU's oldest DOT week, and
 * their value at moving average cost.
 */
export async function replaceInventory(tx: Tx, day: string): Promise<void> {
  await sql`delete from inventory_day where day = ${day}::date`.execute(tx)
  await sql`
    insert into inventory_day (day, age, units, unpriced_units, value_cents)
    select ${day}::date, case
        when oldest_dot_week is null then 'unknown'
        when oldest_dot_week > ${day}::date - interval '6 months' then 'under-6-months'
        when oldest_dot_week > ${day}::date - interval '1 year' then 'under-1-year'
        when oldest_dot_week > ${day}::date - interval '2 years' then 'under-2-years'
        when oldest_dot_week > ${day}::date - interval '3 years' then 'under-3-years'
        else 'over-3-years' end as age,
      sum(units), coalesce(sum(units) filter (where value_cents = 0), 0), sum(value_cents)
    from (${inventoryRows()}) as tire
    group by age`.execute(tx)
}
