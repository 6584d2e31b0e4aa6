/**
 * Each invariant is broken once, bypassing constraints, and must be noticed: a check that cannot fail proves nothing.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import { inspect, invariants } from '../../tools/invariants.ts'

const live = "state in ('held', 'confirmed')"
const confirmedOrder = "(select min(id) from sales_order where state = 'confirmed')"
const confirmedBooking = "(select id from booking where state = 'confirmed' order by id limit 1)"

/** The statement that breaks the invariant, and the other invariants it also breaks. */
const breaks: Record<string, { by: string; also?: string[] }> = {
  'bay-taken-once': {
    by: `alter table booking drop constraint booking_bay_taken_once;
      update booking set bay_id = first.bay_id, during = first.during, shop_id = first.shop_id, kind = first.kind, drop_off_window = first.drop_off_window, drop_off_code = first.drop_off_code
      from (select * from booking where id = ${confirmedBooking}) as first
      where booking.id = (select id from booking where shop_id = first.shop_id and ${live} and id <> first.id order by id limit 1)`,
  },
  'booking-has-its-order': { by: `update booking set cart_id = null where id = ${confirmedBooking}` },
  'booking-within-hours': {
    by: `insert into shop_closure select shop_id, (lower(during) at time zone time_zone)::date, 'Flood' from booking join shop on shop.id = shop_id where booking.id = ${confirmedBooking}`,
  },
  'calendar-changes-counted': {
    by: `delete from shop_calendar where shop_id = 1; alter table booking disable trigger calendar_version_on_update`,
  },
  'installed-order-has-its-booking': {
    by: `with gone as (update booking set state = 'canceled' where id = ${confirmedBooking} returning id)
      insert into booking_event (booking_id, at, from_state, to_state, actor) select id, now(), 'confirmed', 'canceled', 'test' from gone`,
  },
  'tires-before-appointment': {
    by: `update shipment set promised_on = '2026-12-31' where order_id = (select order_id from booking where id = ${confirmedBooking})`,
  },
  'stock-never-negative': {
    by: 'alter table stock drop constraint stock_never_negative; update stock set on_hand = -1 where item_id = (select min(item_id) from stock)',
  },
  'line-allocated-whole': { by: `update stock_allocation set quantity = 3 where order_id = ${confirmedOrder}` },
  'order-paid-for-once': {
    by: `drop index payment_one_per_order;
      insert into payment (id, cart_id, order_id, provider, flow, amount_cents, state, created_at, updated_at)
      select gen_random_uuid(), cart_id, id, 'stripe', 'fields', total_cents, 'authorized', placed_at, placed_at from sales_order where id = ${confirmedOrder}`,
    also: ['state-is-written-down'],
  },
  'charge-is-the-total': {
    by: `update payment set amount_cents = amount_cents + 1, captured_cents = captured_cents + 1 where order_id = ${confirmedOrder}`,
    also: ['ledger-agrees-with-order'],
  },
  'money-taken-within-charge': {
    by: `update payment set captured_cents = captured_cents - 1 where order_id = ${confirmedOrder}`,
    also: ['ledger-agrees-with-order'],
  },
  'charged-after-the-window': {
    by: `alter table sales_order drop constraint sales_order_released_after_window;
      update sales_order set released_at = cancel_until - interval '1 second' where id = ${confirmedOrder}`,
  },
  'ledger-transfer-balances': {
    by: `update ledger_entry set order_id = ${confirmedOrder} + 1 where id = (select min(id) from ledger_entry where order_id is not null)`,
    also: ['ledger-agrees-with-order'],
  },
  'ledger-agrees-with-order': {
    by: `delete from ledger_entry where order_id = ${confirmedOrder} and reason = 'charge captured'`,
  },
  'order-adds-up': {
    by: `update order_line set tax_cents = tax_cents + 1 where order_id = ${confirmedOrder} and line_no = 1`,
  },
  'cart-ordered-once': {
    by: `update cart set state = 'open' where id = (select cart_id from sales_order where id = ${confirmedOrder})`,
  },
  'message-promised-once': {
    by: `alter table message drop constraint message_key_key;
      insert into message (id, key, kind, to_address, created_at) select gen_random_uuid(), 'order-received:1', 'order-received', 'dana@example.com', now() from generate_series(1, 2)`,
  },
  'shipment-agrees-with-order': {
    by: `with gone as (update shipment set state = 'canceled' where id = (select id from shipment where state = 'processed' order by id limit 1) returning id)
      insert into shipment_event (shipment_id, at, from_state, to_state, actor) select id, now(), 'processed', 'canceled', 'test' from gone`,
  },
  'allocation-is-shipped': {
    by: `delete from shipment_event where shipment_id in (select id from shipment where order_id = ${confirmedOrder}); delete from shipment where order_id = ${confirmedOrder}`,
    // One of its shoppers wrote a review, whose delivery is then no longer proven.
    also: ['review-mark-is-proven'],
  },
  'state-is-written-down': { by: `delete from order_event where order_id = ${confirmedOrder}` },
  'rating-is-the-recount': {
    by: 'update line_rating set histogram[5] = histogram[5] + 1 where product_line_id = (select min(product_line_id) from line_rating)',
  },
  'review-mark-is-proven': {
    by: 'update review set verified_order_id = 1 where id = (select min(id) from review where verified_order_id is null)',
  },
  'helpful-count-is-the-votes': {
    by: `insert into review_vote (review_id, visitor_id, network, at) select id, gen_random_uuid(), 'network ' || series, now() from review, generate_series(1, 100) as series
      where id = (select min(id) from review)`,
  },
  'company-has-an-owner': {
    by: `insert into company (id, kind, name, phone, vehicles, applied_at) values (gen_random_uuid(), 'fleet', 'Nobody Plumbing', '3125550142', 1, now());
      insert into company_member (account_id, company_id, role, joined_at) select gen_random_uuid(), id, 'buyer', now() from company where name = 'Nobody Plumbing'`,
  },
  'buyer-has-the-order': { by: `update sales_order set buyer_id = gen_random_uuid() where id = ${confirmedOrder}` },
  'membership-given-back-unused': {
    by: `insert into membership_term (id, account_id, state, price_cents, begun_at, bought_at, starts_at, ends_at)
        select gen_random_uuid(), gen_random_uuid(), 'refunded', 3900, placed_at, placed_at, placed_at, placed_at + interval '1 year' from sales_order where id = ${confirmedOrder};
      insert into membership_event (term_id, at, from_state, to_state, actor) select id, now(), 'active', 'refunded', 'test' from membership_term where state = 'refunded';
      update sales_order set breakdown = jsonb_set(breakdown, '{accountType}', '"Retail Member"'), buyer_id = account_id from membership_term
        where membership_term.state = 'refunded' and sales_order.id = ${confirmedOrder};
      update cart set account_id = buyer_id from sales_order where cart.id = cart_id and sales_order.id = ${confirmedOrder}`,
  },
  'lapsed-hold-swept': {
    by: `update booking set state = 'held', hold_expires_at = '2026-11-20T13:59:59Z' where id = ${confirmedBooking}`,
    also: ['installed-order-has-its-booking', 'state-is-written-down'],
  },
  'abandoned-charge-voided': {
    by: `insert into payment (id, cart_id, provider, flow, amount_cents, state, created_at, updated_at)
      select gen_random_uuid(), cart_id, 'stripe', 'fields', 100, 'pending', '2026-11-20T12:59:59Z', '2026-11-20T12:59:59Z' from sales_order where id = ${confirmedOrder}`,
  },
  'cut-off-submission-voided': {
    by: `insert into payment (id, cart_id, provider, flow, amount_cents, state, created_at, updated_at, submitted_at)
      select gen_random_uuid(), cart_id, 'stripe', 'fields', 100, 'pending', '2026-11-20T14:50:00Z', '2026-11-20T14:50:00Z', '2026-11-20T14:50:00Z'
      from sales_order where id = ${confirmedOrder}`,
  },
  'confirmed-order-charged': {
    by: `update payment set state = 'authorized', captured_cents = 0 where order_id = ${confirmedOrder}`,
    also: ['ledger-agrees-with-order', 'shipment-agrees-with-order', 'state-is-written-down'],
  },
}

test('the demo data is sound, and every invariant has data to check or declares that it has none', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const inspections = await inspect(database.db, smallDataMadeAt)
  expect(inspections.filter(({ broken }) => broken > 0)).toEqual([])
  expect(inspections.filter(({ checked }) => checked === 0).map(({ name }) => name)).toEqual([
    'message-promised-once',
    'buyer-has-the-order',
    'membership-given-back-unused',
    'lapsed-hold-swept',
    'cut-off-submission-voided',
  ])
})

test('every invariant is broken below', () => {
  expect(Object.keys(breaks)).toEqual(invariants.map(({ name }) => name))
})

test.for(Object.entries(breaks))('%s is noticed when it is broken', async ([name, { by, also = [] }]) => {
  await using database = await createTestDatabase({ from: 'small' })
  // Disables foreign keys and triggers.
  await database.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    for (const statement of by.split(';')) await sql.raw(statement).execute(db)
  })
  const found = await verify(database.db, smallDataMadeAt)
  expect(found.map((inspection) => inspection.name).toSorted()).toEqual([name, ...also].toSorted())
  expect(found.find((inspection) => inspection.name === name)?.examples[0]).toMatch(/\w/)
})

test('npm run verify succeeds on a sound database, and exits with 1 and names the invariant on a broken one', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const run = () =>
    promisify(execFile)(process.execPath, ['tools/verify.ts'], { env: { ...process.env, DATABASE_URL: database.url } })
  expect((await run()).stdout).toMatch(/^ok {3}bay-taken-once +\d+ live bookings\n(ok .*\n)*Sound\.\n$/)
  await sql`update cart set state = 'open' where id = (select min(id::text)::uuid from cart)`.execute(database.db)
  await expect(run()).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^NO {3}cart-ordered-once .* 1 broken: cart [0-9a-f-]{36}$/m) as unknown,
  })
})
