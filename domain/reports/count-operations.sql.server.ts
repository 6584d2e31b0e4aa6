/** The statements that count one day of shops, inventory and suppliers. */
import { sql } from 'kysely'
import { ratingRows } from '#domain/appointments/appointments.server.ts'
import { startedCartRows } from '#domain/cart/cart.server.ts'
import { endedBookingRows, orderOfBooking } from '#domain/booking/booking.server.ts'
import { inventoryRows, suppliedLineRows, supplierRows } from '#domain/stock/stock.server.ts'
import type { Tx } from '#platform/db.ts'
import { promisedParcels, type CountedDay } from './count.sql.server.ts'

const orderState = sql`coalesce(breakdown -> 'tax' ->> 'stateCode', ship_to_state)`
const orderType = sql`coalesce(breakdown ->> 'accountType', 'Retail')`

/**
 * Counts how appointments ended, on the day that was recorded, and the ratings that customers gave, on the day they
 * gave them. Of ratings, `kept` counts the jobs that started on time, and `units` sums the stars.
 */
export async function insertShopQuality(tx: Tx, { day, from, until }: CountedDay): Promise<void> {
  await sql`
    insert into report_figure (day, kind, label, state_code, shop_id, account_type, orders, kept, units)
    select ${day}::date, case outcome when 'done' then 'job' when 'no-show' then 'no-show' else 'shop-cancellation' end, '', ${orderState}, ended.shop_id, ${orderType}, count(*), 0, 0
    from (${endedBookingRows({ from, until })}) as ended join sales_order on sales_order.id = ended.order_id
    group by 2, 4, 5, 6
    union all
    select ${day}::date, 'rating', '', ${orderState}, rating.shop_id, ${orderType}, count(*), count(*) filter (where was_on_time), sum(stars)
    from (${ratingRows({ from, until })}) as rating cross join lateral (${orderOfBooking(sql`rating.booking_id`)}) as rated
      join sales_order on sales_order.id = rated.order_id
    group by 4, 5, 6`.execute(tx)
}

/**
 * Counts the purchase order lines sent to suppliers on a day, in lines and units, with the units they filled and the
 * units they rejected or backordered, and the parcels that were promised from their warehouses for that day.
 */
export async function insertSuppliers(
  tx: Tx,
  { day, from, until, isOver }: CountedDay & { isOver: boolean },
): Promise<void> {
  await sql`
    insert into report_figure (day, kind, label, state_code, account_type, orders, units, kept)
    with line as materialized (${suppliedLineRows({ from, until })})
    select ${day}::date, 'supplier-ordered', supplier, '', '', count(*), sum(quantity), 0 from line group by supplier
    union all
    select ${day}::date, 'supplier-filled', supplier, '', '', 0, sum(filled_units), 0 from line where filled_units > 0 group by supplier
    union all
    select ${day}::date, 'supplier-short', supplier, '', '', 0, sum(short_units), 0 from line where short_units > 0 group by supplier
    union all
    select ${day}::date, 'supplier-parcel', supplier, '', '', count(*), 0, count(*) filter (where is_kept)
    from (${promisedParcels({ day, isOver })}) as parcel join (${supplierRows()}) as held on held.warehouse_id = parcel.warehouse_id
    group by supplier`.execute(tx)
}

/**
 * Counts the carts started on a day (`orders`), those of them for which a payment was started or an order placed
 * (`units`), and those that became an order (`kept`), whenever that was.
 */
export async function insertCarts(tx: Tx, { day, from, until }: CountedDay): Promise<void> {
  await sql`
    insert into report_figure (day, kind, label, state_code, account_type, orders, units, kept)
    select ${day}::date, 'cart', '', '', '', count(*), count(*) filter (where is_ordered or exists (select from payment where payment.cart_id = started.cart_id)), count(*) filter (where is_ordered)
    from (${startedCartRows({ from, until })}) as started
      cross join lateral (select exists (select from sales_order where sales_order.cart_id = started.cart_id) as is_ordered) as order_of
    having count(*) > 0`.execute(tx)
}

/**
 * Replaces the inventory of a day by what the store holds itself now: tires by the age of their SKU's oldest DOT week, and
 * their value at cost.
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
      sum(units), coalesce(sum(units) filter (where cost_cents is null), 0), coalesce(sum(units::bigint * cost_cents), 0)
    from (${inventoryRows()}) as tire
    group by age`.execute(tx)
}
