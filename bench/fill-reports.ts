/** A day with many orders and months of report data, as in a store with a million orders a month. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** A million orders in a month of thirty days. */
export const ordersOfDay = 33_334

/**
 * Writes one day of orders, with two lines and six ledger entries each, spread over all shops, states, account types
 * and items of the demo data. They are rows as placing writes them, except for what reports do not read.
 */
export async function fillDay(db: Database, day: string): Promise<void> {
  await sql`
    create temporary table made on commit preserve rows as
    select number, gen_random_uuid() as cart_id, gen_random_uuid() as transfer_id, ${day}::timestamptz + number * interval '2 seconds' as at, place.id as shop_id, place.state,
      (array['Retail', 'Retail', 'Retail', 'Retail Member', 'Fleet', 'EPP'])[1 + number % 6] as type, tire.id as item_id, tire.retail_cents as unit_cents, tire.cost_cents
    from generate_series(1, ${ordersOfDay}) as number
      join (select id, state, row_number() over (order by id) - 1 as at from shop) as place on place.at = (number::bigint * 7919) % (select count(*) from shop)
      join (select id, retail_cents, cost_cents, row_number() over (order by id) - 1 as at from item) as tire on tire.at = (number::bigint * 104729) % (select count(*) from item)`.execute(
    db,
  )
  await sql`insert into cart (id, version, zip, fulfillment, shop_id, created_at, updated_at) select cart_id, 1, '60614', 'shop', shop_id, at, at from made`.execute(
    db,
  )
  await sql`
    insert into sales_order (customer_id, cart_id, state, placed_at, cancel_until, fulfillment, shop_id, first_name, last_name, address1, city, state_code, zip, email, phone, phone_type,
      ship_to_name, ship_to_street, ship_to_city, ship_to_state, ship_to_zip, billing, breakdown, terms_accepted_at, tire_fee_cents, fet_cents, tax_cents, total_cents)
    select (select id from customer limit 1), cart_id, 'confirmed', at, at + interval '30 minutes', 'shop', shop_id, 'Dana', 'Ruiz', '1 Sample St', 'Chicago', 'IL', '60614', 'dana@example.com', '3125550142', 'mobile',
      'Shop', '1 Sample Ave', 'Chicago', state, '60614', '{}', priced.breakdown || jsonb_build_object('accountType', type, 'tax', (priced.breakdown -> 'tax') || jsonb_build_object('stateCode', state)), at, 1000, 0, 4 * unit_cents / 10, 4 * unit_cents + 8000 + 1000 + 4 * unit_cents / 10
    from made cross join (select breakdown from sales_order order by id limit 1) as priced`.execute(db)
  await sql`
    insert into order_line (order_id, line_no, kind, item_id, axle, description, quantity, unit_cents, gross_cents, discount_cents, net_cents, tax_cents, fet_cents, tire_fee_cents, unit_cost_cents)
    select sales_order.id, 1, 'tire', item_id, 'all', 'Tires', 4, unit_cents, 4 * unit_cents, 0, 4 * unit_cents, 4 * unit_cents / 10, 0, 1000, made.cost_cents from made join sales_order using (cart_id)
    union all
    select sales_order.id, 2, 'installation', null, null, 'Installation', 4, 2000, 8000, 0, 8000, 0, 0, 0, null from made join sales_order using (cart_id)`.execute(
    db,
  )
  await sql`
    insert into ledger_entry (transfer_id, order_id, account, amount_cents, reason, at)
    select transfer_id, sales_order.id, account, cents, 'order placed', at
    from made join sales_order using (cart_id) cross join lateral (values
      ('receivable', total_cents), ('sales', -(4 * unit_cents + 8000)), ('tire-fee', -1000), ('sales-tax', -tax_cents)) as entry (account, cents)
    order by at`.execute(db)
  await sql`drop table made`.execute(db)
  await sql`analyze`.execute(db)
}

/** Copies the figures of `day` to every other day from `from` to `to`. */
export async function copyFigures(
  db: Database,
  day: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`delete from report_day where day between ${from}::date and ${to}::date and day <> ${day}::date`.execute(db)
  await sql`
    with every_day as (
      insert into report_day select each::date, now() from generate_series(${from}::date, ${to}::date, interval '1 day') as each
      on conflict (day) do nothing returning day)
    insert into report_figure select every_day.day, kind, label, state_code, shop_id, account_type, orders, units, kept, amount_cents, cost_cents, unknown_cents, taxed_cents, tax_cents, fee_cents, excise_cents, funded_cents, captured_cents, refunded_cents
    from every_day cross join report_figure where report_figure.day = ${day}::date`.execute(db)
  await sql`analyze`.execute(db)
}
