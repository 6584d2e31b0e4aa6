/** Generates many orders for the office's lists and search, with the same columns as placed orders. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'

/** The newest orders are open, this many in each of the open tabs. The others were delivered or canceled long ago. */
const perOpenTab = 100
const openTabs = ['to-confirm', 'cancel-window', 'to-ship', 'late', 'in-transit', 'at-shop'] as const
export const openOrders = perOpenTab * openTabs.length

/**
 * Inserts `count` orders, newest first, 30 seconds apart. Each has two lines, a charge, and its own customer, and a
 * package and an appointment if its state requires them. The number of open orders is constant, as in a growing store.
 * A quarter of the others are canceled, and a tenth have a purchase order. Leaves out data that lists, search, and the
 * order page don't read: carts, prices, and ledger entries.
 */
export async function fillOrders(db: Database, count: number): Promise<void> {
  await db.connection().execute(async (one) => {
    // Triggers and foreign keys are off because checking them takes minutes and carts are left out.
    await sql`set session_replication_role = replica`.execute(one)
    // Written row by row, the index of parts takes most of the time.
    const { rows } = await sql<{ definition: string }>`
      select pg_get_indexdef('sales_order_by_part'::regclass) as definition`.execute(one)
    await sql`drop index sales_order_by_part`.execute(one)
    await insertOrders(one, count)
    for (const { definition } of rows) await sql.raw(definition).execute(one)
    await insertParts(one)
    await sql`drop table made`.execute(one)
    await sql`set session_replication_role = origin`.execute(one)
  })
  await sql`vacuum analyze sales_order, order_line, shipment, booking, payment, order_vin, fleet_packet, work_order, work_order_tire`.execute(
    db,
  )
}

async function insertOrders(db: Database, count: number): Promise<void> {
  await sql`
    create temporary table made on commit preserve rows as
    select number, lpad(number::text, 9, '0') as padded, gen_random_uuid() as cart_id, now() - interval '1 day' - number * interval '30 seconds' as at,
      case when number <= ${openOrders} then (${[...openTabs]}::text[])[1 + number % ${openTabs.length}]
        when number % 4 = 0 then 'canceled' else 'delivered' end as tab,
      shop.id as shop_id, item.id as item_id, item.retail_cents as cents, bay.id as bay_id
    from generate_series(${count}::integer, 1, -1) as number
      join (select id, row_number() over (order by id) - 1 as at from shop where kind = 'shop') as shop
        on shop.at = number % (select count(*) from shop where kind = 'shop')
      join lateral (select id from shop_bay where shop_bay.shop_id = shop.id order by id limit 1) as bay on true
      join (select id, retail_cents, row_number() over (order by id) - 1 as at from item) as item
        on item.at = (number::bigint * 7919) % (select count(*) from item)`.execute(db)
  await sql`analyze made`.execute(db)
  await sql`
    insert into sales_order (customer_id, cart_id, state, placed_at, cancel_until, confirm_by, released_at, fulfillment, shop_id,
      first_name, last_name, address1, city, state_code, zip, email, phone, phone_type, ship_to_name, ship_to_street, ship_to_city,
      ship_to_state, ship_to_zip, billing, breakdown, terms_accepted_at, tire_fee_cents, fet_cents, tax_cents, total_cents)
    select cart_id, cart_id, case tab when 'to-confirm' then 'needs-confirmation' when 'canceled' then 'canceled' else 'confirmed' end, at,
      case when tab = 'cancel-window' then now() + interval '1 day' else at + interval '30 minutes' end,
      case when tab = 'to-confirm' then at + interval '3 days' end,
      case when tab not in ('to-confirm', 'cancel-window', 'canceled') then at + interval '30 minutes' end, 'shop', shop_id,
      ${firstName}, case when number % 50 = 7 then 'Smith' else ${lastName} end,
      '1 Sample St', 'Chicago', 'IL', ${zip}, lower(${firstName} || '.' || ${lastName}) || number || '@' || ${mailHost}, ${phone}, 'mobile',
      'Shop', '1 Sample Ave', 'Chicago', 'IL', '60614',
      case when number % 10 = 0 then jsonb_build_object('poNumber', 'PO-' || padded) else '{}' end, '{}', at, 1000, 0, cents / 4, 4 * cents + 9000 + cents / 4
    from made order by number desc`.execute(db)
}

const firstNames =
  'Dana Lee Mona Sol Vic Noa Will Olive Priya Marcus Elena Tom Ruth Nadia Victor Joel Hana Rob Grace Omar Ines Kofi Wren Theo June Silas Maya Otis Iris Dean Vera Hugo'
const stems =
  'Brook Ash Wood Hart Fair Stan Black Lang Hol Mar Win Red Clay Thorn West Nor Hay Whit Cal Ever Kings Shel Lin Rad Al Bern Den Fen Gar Hum Ken Lock Mort Nash Or Pem Quin Rom Sed Tur'
const endings =
  'field ton ley man ford worth by ham more well son wick land stone ridge dale bury court mont gate hurst lin ner kins der wood ell ard ing set'
const mailHosts = 'example.com example.net example.org mail.example.com post.example.net ames.example.org'

/** Takes a word of a list by the order's number; \`step\` is how many orders in a row get the same one. */
function pick(words: string, step: number): RawBuilder<string> {
  const list = words.split(' ')
  return sql<string>`(${list}::text[])[1 + (number / ${sql.lit(step)}) % ${sql.lit(list.length)}]`
}

const firstName = pick(firstNames, 1)
const lastName = sql`(${pick(stems, 7)} || ${pick(endings, 283)})`
const mailHost = pick(mailHosts, 3)
const zip = sql`lpad(((number::bigint * 7919) % 41000 + 1001)::text, 5, '0')`
/** A prime modulus, so that no two orders share a phone. */
const phones = { first: 2_000_000_000, step: 6_700_417, count: 7_999_999_787 }
const phone = sql`(${sql.lit(phones.first)} + (number::bigint * ${sql.lit(phones.step)}) % ${sql.lit(phones.count)})::text`
const vinEnd = sql`lpad(((number::bigint * 15485863) % 99999989)::text, 8, '0')`
const plate = sql`chr(65 + number % 26) || chr(65 + (number / 26) % 26) || lpad(((number::bigint * 104729) % 99991)::text, 5, '0')`

async function insertParts(db: Database): Promise<void> {
  await sql`
    insert into order_line (order_id, line_no, kind, item_id, axle, description, quantity, unit_cents, gross_cents, discount_cents, net_cents, tax_cents, fet_cents, tire_fee_cents)
    select sales_order.id, 1, 'tire', item_id, 'all', 'Kestrel Tour 225/65R17 102H', 4, cents, 4 * cents, 0, 4 * cents, cents / 4, 0, 1000 from made join sales_order using (cart_id)
    union all
    select sales_order.id, 2, 'installation', null, null, 'Installation', 4, 2000, 8000, 0, 8000, 0, 0, 0 from made join sales_order using (cart_id)`.execute(
    db,
  )
  await sql`
    insert into shipment (id, order_id, warehouse_id, state, carrier, tracking_number, promised_on, delivered_at, created_at)
    select gen_random_uuid(), sales_order.id, (select min(id) from warehouse),
      case tab when 'to-ship' then 'processed' when 'late' then 'in-transit' when 'in-transit' then 'in-transit' else 'delivered' end,
      case when tab <> 'to-ship' then 'Sidewall Freight' end, case when tab <> 'to-ship' then 'BENCH' || padded end,
      (case when tab = 'late' then now() - interval '3 days' when tab in ('to-ship', 'in-transit') then now() + interval '5 days' else at + interval '3 days' end)::date,
      case when tab in ('at-shop', 'delivered') then at + interval '2 days' end, at
    from made join sales_order using (cart_id) where tab not in ('to-confirm', 'cancel-window', 'canceled') order by number desc`.execute(
    db,
  )
  // Upcoming ones are a year ahead, an hour each, where the demo's own appointments are not.
  await sql`
    insert into booking (id, shop_id, bay_id, kind, during, state, order_id, created_at)
    select gen_random_uuid(), made.shop_id, bay_id, 'wait',
      case tab when 'at-shop' then tstzrange(date_trunc('hour', now()) + interval '365 days' + number * interval '1 hour', date_trunc('hour', now()) + interval '365 days' + (number + 1) * interval '1 hour')
        else tstzrange(at + interval '3 days', at + interval '3 days 1 hour') end,
      case tab when 'at-shop' then 'confirmed' else 'done' end, sales_order.id, at
    from made join sales_order using (cart_id) where tab in ('at-shop', 'delivered') order by number desc`.execute(db)
  await sql`
    insert into payment (id, cart_id, order_id, provider, flow, amount_cents, captured_cents, state, created_at, updated_at)
    select gen_random_uuid(), cart_id, sales_order.id, 'stripe', 'fields', total_cents, case when tab in ('to-confirm', 'cancel-window', 'canceled') then 0 else total_cents end,
      case when tab in ('to-confirm', 'cancel-window') then 'authorized' when tab = 'canceled' then 'voided' else 'captured' end, at, at
    from made join sales_order using (cart_id) order by number desc`.execute(db)
  await insertVehicles(db)
}

/** A third of the orders has a VIN, a twentieth a fleet's plate, and every finished job its four tires. */
async function insertVehicles(db: Database): Promise<void> {
  await sql`
    insert into order_vin (order_id, vin, set_by, set_at)
    select sales_order.id, '1HGCM8263' || ${vinEnd}, 'customer', at from made join sales_order using (cart_id) where number % 3 = 0`.execute(
    db,
  )
  await sql`
    insert into fleet_packet (order_id, unit, plate, plate_state, changed_at)
    select sales_order.id, 'Unit ' || number % 100, ${plate}, 'IL', at from made join sales_order using (cart_id) where number % 20 = 0`.execute(
    db,
  )
  await sql`
    insert into work_order (booking_id, shop_id, order_id, state, odometer_miles, signed_name, signed_at, state_at, saved_at)
    select booking.id, booking.shop_id, booking.order_id, 'done', 42000, 'Dana', upper(during), upper(during), upper(during)
    from booking where state = 'done' and order_id in (select id from made join sales_order using (cart_id))`.execute(
    db,
  )
  await sql`
    insert into work_order_tire (booking_id, line_no, nth, position, tin, old_tread_32)
    select work_order.booking_id, 1, nth, (array['LF', 'RF', 'LR', 'RR'])[nth], ${tin}, 3
    from made join sales_order using (cart_id) join work_order on work_order.order_id = sales_order.id cross join generate_series(1, 4) nth`.execute(
    db,
  )
}

const tin = sql`'4B' || lpad(upper(to_hex(number)), 6, '0') || nth || lpad((1 + number % 52)::text, 2, '0') || '26'`

/** The values that people search for, of orders spread over all that `fillOrders` wrote, and places in its lists. */
export async function readSamples(db: Database, count: number): Promise<OfficeSamples> {
  const numbers = Array.from(
    { length: 40 },
    (_, index) => openOrders + 10 * (1 + Math.floor((index * (count - openOrders)) / 410)),
  )
  const orders = await Promise.all(numbers.map((number) => readSample(db, number)))
  // More than a page of each tab is older.
  const [open, all] = await Promise.all(
    [Math.floor(openOrders / 3), Math.floor((openOrders + count) / 2)].map((number) => readSample(db, number)),
  )
  // Searches for full values find one order at both sizes. Searches for partial values find more in a larger store.
  const of = (by: string, isAlone: boolean, valueOf: (order: Sample) => string | null) => ({
    by,
    isAlone,
    texts: orders.map(valueOf).filter((text) => text !== null),
  })
  return {
    amidOpen: open?.id ?? 0,
    amidAll: all?.id ?? 0,
    searches: [
      of('number', true, ({ id }) => `S-${id}`),
      of('email', true, ({ email }) => email),
      of('phone', true, (order) => order.phone),
      of('PO number', true, ({ poNumber }) => poNumber),
      of('tracking number', true, ({ tracking }) => tracking),
      of('end of VIN', true, ({ vin }) => vin?.slice(-8) ?? null),
      of('license plate', true, (order) => order.plate),
      of('DOT number', true, (order) => order.tin),
      of('last digits of phone', false, (order) => order.phone.slice(-4)),
      of('part of email', false, ({ email }) => email.slice(2, -6)),
      of('name', false, ({ name }) => name),
      of('name with a typo', false, ({ name }) => `${name.slice(0, -3)}${name.slice(-2)}`),
      { by: 'name that every fiftieth has', isAlone: false, texts: ['Smith'] },
      { by: 'name that every fiftieth has, with a typo', isAlone: false, texts: ['Smtih'] },
    ].filter(({ texts }) => texts.length > 0),
  }
}

type Sample = Record<'email' | 'phone' | 'name', string> &
  Record<'poNumber' | 'tracking' | 'vin' | 'plate' | 'tin', string | null> & { id: number }

async function readSample(db: Database, number: number): Promise<Sample> {
  const { first, step, count } = phones
  const { rows } = await sql<Sample>`
    select o.id, o.email, o.phone, o.first_name || ' ' || o.last_name as name, o.billing ->> 'poNumber' as "poNumber",
      (select tracking_number from shipment where order_id = o.id) as tracking,
      (select vin from order_vin where order_id = o.id) as vin,
      (select plate from fleet_packet where order_id = o.id) as plate,
      (select max(tin) from work_order join work_order_tire using (booking_id) where order_id = o.id) as tin
    from sales_order o where o.phone = ${String(first + ((number * step) % count))}`.execute(db)
  const [sample] = rows
  if (!sample) throw new Error(`There is no order ${number}.`)
  return sample
}

/** `amidOpen` and `amidAll`: orders in the middle of the open ones, and of all the others. */
export type OfficeSamples = {
  amidOpen: number
  amidAll: number
  /** `isAlone`: whether each text finds one order, however many there are. */
  searches: { by: string; isAlone: boolean; texts: string[] }[]
}
