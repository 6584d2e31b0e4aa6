/**
 * Breaks each invariant once, bypassing constraints. The check must detect it. Over 400 lines: one table, a row for
 * each invariant.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, smallDataMadeAt, type TestDatabase } from '#tests/support/database.ts'
import { inspect, inspectWithin, invariants, type Inspection } from '#db/invariants/invariants.ts'
import { inTurn } from '../../tools/rotation.testing.ts'

const live = "state in ('held', 'confirmed')"
const confirmedOrder = "(select min(id) from sales_order where state = 'confirmed')"
const unconfirmedOrder = "(select min(id) from sales_order where state = 'needs-confirmation')"
const confirmedBooking = "(select id from booking where state = 'confirmed' order by id limit 1)"

const draftStockOrder = `made as (
  insert into stock_order (submission_key, supplier_id, warehouse_id, expected_on, created_at, created_by)
  select gen_random_uuid(), supplier.id, warehouse.id, date '2026-12-01', now(), 'test'
  from supplier, warehouse where warehouse.pool = 'on-hand' order by supplier.id, warehouse.id limit 1 returning id)`
const heldPurchaseOrder = "(select min(id) from purchase_order where state = 'held')"

/** Adds an approved, unpaid refund of 100 cents to the first confirmed order. */
function refundOf({ lines, goodwill }: { lines: number; goodwill: number }): string {
  return `insert into order_refund (id, order_id, submission_key, state, lines_cents, goodwill_cents, amount_cents, card_cents, credit_cents, invoice_cents, reason, bearer, is_over_limit, created_at, created_by, decided_at, decided_by)
      values (gen_random_uuid(), ${confirmedOrder}, gen_random_uuid(), 'approved', ${lines}, ${goodwill}, 100, 100, 0, 0, 'late', 'store', false, now(), 'test', now(), 'test')`
}

/** Adds a change of the first confirmed order, for 100 cents more if it is to be paid. */
function changeOf({
  to = 'fulfillment, shop_id, null::int',
  booking = `case when shop_id is not null then ${confirmedBooking} end`,
  order = confirmedOrder,
  ...change
}: {
  state: string
  settledBy: string
  more: number
  expires: string
  to?: string
  booking?: string
  order?: string
}): string {
  const ended = change.state === 'awaiting-payment' ? 'null' : 'now()'
  return `insert into order_change (id, order_id, submission_key, state, fulfillment, shop_id, carrier_location_id, booking_id, before_breakdown, breakdown, before_cents, after_cents, settled_by, reason, created_at, created_by, expires_at, ended_at)
      select gen_random_uuid(), id, gen_random_uuid(), '${change.state}', ${to}, ${booking}, breakdown, breakdown, total_cents, total_cents + ${change.more}, '${change.settledBy}', 'test', '2026-11-20T00:00:00Z', 'test', ${change.expires}::timestamptz, ${ended}
      from sales_order where id = ${order}`
}

/** Adds a checkout of an agent on the cart of the newest confirmed order, or on one of another account. */
function agentSession(change: Partial<Record<'cart' | 'account' | 'webhook' | 'said' | 'expires', string>>): string {
  const {
    cart = `(select cart_id from sales_order where id = ${newestOrder})`,
    account = 'null',
    webhook: hook = 'null',
    said = '{}',
    expires = 'now()',
  } = change
  return `insert into agent_session (id, kind, cart_id, account_id, platform, version, webhook_url, said, handover_key, expires_at, created_at)
      values (gen_random_uuid(), 'checkout', ${cart}, ${account}, 'https://agents.example.com/ucp', '2026-08-25', ${hook}, '${said}', gen_random_uuid(), ${expires}, now())`
}

const newestOrder = "(select max(id) from sales_order where state = 'confirmed')"

/** Adds an endpoint of an approved company. */
function endpoint(changedAt = '2026-01-01T00:00:00Z'): string {
  return `insert into webhook_endpoint (id, company_id, url, event_types, created_at, changed_at)
      select '00000000-0000-4000-8000-00000000000e', id, 'https://hooks.example.com/', '{order.placed}', '2026-01-01T00:00:00Z', '${changedAt}' from company where state = 'approved' limit 1`
}

/** Adds an endpoint and a delivery of an event of the newest confirmed order to it. */
function webhook(state: string, nextAt: string): string {
  return `${endpoint('2030-01-01T00:00:00Z')};
      insert into webhook_event (type, order_id, at) values ('order.placed', ${newestOrder}, now());
      insert into webhook_delivery (event_id, endpoint_id, order_id, state, next_at, status, created_at, settled_at)
      select id, '00000000-0000-4000-8000-00000000000e', order_id, '${state}', ${nextAt}, 200, now(), case '${state}' when 'waiting' then null else now() end from webhook_event`
}

/** Adds a purchasing system of the company of an order, and that order as one of it: as it ought to be, or otherwise. */
function purchase({
  order = newestOrder,
  number = 'PO-1',
  channel = 'procurement',
  cents = 'total_cents - tax_cents - tire_fee_cents',
}: { order?: string; number?: string; channel?: string; cents?: string } = {}): string {
  const company = "(select id from company where state = 'approved' order by id limit 1)"
  return `update sales_order set company_id = ${company}, buyer_id = null, billing = billing || '{"poNumber":"PO-1"}' where id = ${order};
      insert into purchasing_system (company_id, from_domain, from_identity, document_url, document_secret, bill_name, bill_street, bill_city, bill_state, bill_zip, phone, email, set_at, set_by)
      select ${company}, 'DUNS', '1', 'https://buyer.example/cxml', '\\x00', 'Acme', '1 A St', 'Chicago', 'IL', '60614', '3125550142', 'ap@acme.example', '2026-01-01T00:00:00Z', 'test' on conflict do nothing;
      insert into purchasing_order (order_id, company_id, channel, buyer_order_id, payload_id, order_date, is_test)
      select id, company_id, '${channel}', '${number}', 'p-1', '2026-11-20T12:00:00Z', false from sales_order where id = ${order};
      insert into purchasing_order_line (order_id, line_number, part_id, quantity, unit, unit_cents, name)
      select id, 1, 'T-1', 1, 'EA', ${cents}, 'Tires' from sales_order where id = ${order}`
}

/** Adds an order's purchasing system document. */
function purchasingDocument(state: string, madeAt = 'now()'): string {
  return `insert into purchasing_document (id, order_id, kind, facts, state, made_at, sent_at)
      values (gen_random_uuid(), ${newestOrder}, 'confirmation', '{}', '${state}', ${madeAt}, case '${state}' when 'sent' then now() end)`
}

const doneBooking = "(select id from booking where state = 'done' order by id limit 1)"

/** Removes what the shop wrote down of a job that is done; its pay stays. */
const undocumented = ['tire_registration', 'work_order_event', 'work_order_tire', 'work_order_piece', 'work_order']
  .map((table) => `delete from ${table} where booking_id = ${doneBooking}`)
  .join(';')

/** Makes a job that is done one without any tire. */
const doneJob = `${undocumented}; insert into work_order (booking_id, shop_id, order_id, state, odometer_miles, signed_name, signed_at, state_at, saved_at)
      select id, shop_id, order_id, 'done', 1, 'Ann Lee', now(), now(), now() from booking where id = ${doneBooking}`

/** Adds a use of the demo's coupon by the first confirmed order. */
const couponUse = `insert into coupon_use (order_id, coupon_id, person_most, customer_id, nth, used_at) select id, 1, 1, customer_id, 1, placed_at from sales_order where id = ${confirmedOrder}`

/** Adds a price import from the office in this `state`. */
function importRun(state: string, finishedAt: string): string {
  return `insert into import_run (kind, mode, dry, state, file_name, file_sha256, started_at, finished_at, started_by)
      values ('prices', 'per-row', false, '${state}', 'prices.csv', repeat('0', 64), now(), ${finishedAt}, 'test')`
}

/** Adds a shop application in this state. An approved one belongs to the second shop, which has no staff. */
function shopApplication(state: 'submitted' | 'approved'): string {
  const closed = state === 'approved' ? "now(), 'test', 2" : 'null, null, null'
  return `insert into shop_application (state, company, street, city, us_state, zip, shop_phone, owner_first_name, owner_last_name, owner_email, owner_phone,
      lead_first_name, lead_last_name, lead_email, lead_phone, tire_services, other_services, hours, agreement_version, said, submitted_at, waiting_since, closed_at, closed_by, shop_id)
    values ('${state}', 'Test Tire', '1 Main St', 'Chicago', 'IL', '60614', '3125550142', 'Ann', 'Lee', 'ann@example.com', '3125550142',
      'Ann', 'Lee', 'ann@example.com', '3125550142', '{}', '{}', '[{"weekday": 1, "opens": 480, "closes": 1080}]', '2026-11', decode(repeat('00', 32), 'hex'), now(), now(), ${closed})`
}

/** Adds the event by which every application came to this state. */
function applicationEvent(state: 'asked' | 'approved'): string {
  return `insert into shop_application_event (application_id, at, from_state, to_state, actor) select id, now(), 'submitted', '${state}', 'test' from shop_application`
}

/** A past appointment with unsent pay. */
const unsentBooking = `(select booking_id from job_pay where not exists (select from pay_transfer_item item where item.job_pay_id = job_pay.id) order by at desc limit 1)`

/** Adds a no-show's pay for the first confirmed appointment. */
const noShowPay = `insert into job_pay (id, booking_id, kind, shop_id, order_id, at, on_day, due_at, dispute_until, amount_cents)
      select gen_random_uuid(), id, 'no-show', shop_id, order_id, now(), current_date, now(), now(), 1500 from booking where id = ${confirmedBooking}`

/** Adds a sent transfer of 1,500 cents to the pay's shop. */
const payTransfer = `insert into pay_transfer (id, shop_id, account_ref, amount_cents, state, ref, intended_at, sent_at)
      select gen_random_uuid(), shop_id, 'acct_test', 1500, 'sent', gen_random_uuid(), now(), now() from job_pay where booking_id = ${confirmedBooking}`

/** The statement that breaks the invariant, and the other invariants it also breaks. */
const breaks: Record<string, { by: string; also?: string[] }> = {
  'reference-data-installed': { by: 'delete from model_alias' },
  'bay-taken-once': {
    by: `alter table booking drop constraint booking_bay_taken_once;
      update booking set bay_id = first.bay_id, during = first.during, shop_id = first.shop_id, kind = first.kind, drop_off_window = first.drop_off_window, drop_off_code = first.drop_off_code
      from (select * from booking where state = 'confirmed' and kind <> 'mobile' order by during desc limit 1) as first
      where booking.id = (select id from booking where shop_id = first.shop_id and ${live} and id <> first.id order by id limit 1)`,
  },
  'own-job-overlap-has-reason': {
    by: `alter table own_job disable trigger own_job_overlap_has_reason;
      insert into own_job (id, shop_id, bay_id, during, kind, made_by, made_at, changed_at)
      select gen_random_uuid(), shop_id, bay_id, during, 'block', (select id from shop_member limit 1), created_at, created_at from booking where id = ${confirmedBooking}`,
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
  'installation-has-its-vehicle': {
    by: `update sales_order set vehicle = null, vehicle_note = null, fitment_verdict = null where id = (select order_id from booking where id = ${confirmedBooking})`,
  },
  'tires-before-appointment': {
    by: `update shipment set promised_on = '2026-12-31' where delivered_at is null and order_id in (select order_id from booking where state = 'confirmed')`,
  },
  'shop-in-set-up-is-not-offered': {
    by: 'alter table shop drop constraint shop_in_set_up_is_not_offered; update shop set in_set_up = true where id = 1',
  },
  'approved-shop-has-its-owner': {
    by: `${shopApplication('approved')}; ${applicationEvent('approved')}`,
  },
  'shop-application-is-written-down': {
    by: `${shopApplication('submitted')}; ${applicationEvent('asked')}`,
  },
  'opened-shop-is-complete': {
    by: `insert into shop_set_up_step (shop_id, step, done_at, done_by) select shop_id, 'opened', now(), member.id
        from shop_member member join shop on shop.id = member.shop_id where shop.in_set_up;
      update shop set in_set_up = false, active = true where in_set_up`,
  },
  'finished-job-has-every-tin': { by: doneJob, also: ['finished-job-has-every-piece'] },
  'finished-job-is-registered': {
    by: `${doneJob};
      insert into work_order_tire (booking_id, line_no, nth, position, tin, old_tread_32) values (${doneBooking}, 1, 1, 'LF', '7B3KXYZ920126', 3)`,
    also: ['finished-job-has-every-piece'],
  },
  'finished-job-has-every-piece': { by: doneJob, also: ['finished-job-has-every-tin'] },
  'finished-job-has-its-packet': {
    by: `${doneJob}; insert into fleet_packet (order_id) select order_id from booking where id = ${doneBooking}`,
    also: ['finished-job-has-every-tin', 'finished-job-has-every-piece'],
  },
  'recalled-buyer-is-told': {
    by: `insert into tire_registration (booking_id, line_no, nth, position, order_id, shop_id, tin, brand, line, size, buyer_name, street, city, us_state, zip, installed_at)
      select id, 1, 9, 'LF', order_id, shop_id, '7B3KXYZ920126', 'Kestrel', 'Alltide', '225/65R17', 'Ann Lee', '1 Main St', 'Chicago', 'IL', '60614', '2026-11-17T00:00:00Z'
      from booking where id = ${doneBooking};
      insert into recall (campaign, maker, sizes, defect, remedy, state, drafted_at, drafted_by, opened_at)
      values ('26T-004', 'Kestrel', '{}', 'test', 'test', 'open', now(), 'test', '2026-11-17T00:00:00Z');
      insert into recall_range (recall_id, plant, code, from_week, to_week) select id, '7B3', '', 202601, 202602 from recall`,
  },
  'registration-export-is-whole': {
    by: `insert into tire_registration_export (brand, exported_at, exported_by, tires) values ('Kestrel', now(), 'test', 1)`,
  },
  'registration-handed-over': {
    by: `insert into tire_registration (booking_id, line_no, nth, position, order_id, shop_id, tin, brand, line, size, buyer_name, street, city, us_state, zip, installed_at)
      select id, 1, 9, 'LF', order_id, shop_id, '7B3KXYZ920126', 'Kestrel', 'Alltide', '225/65R17', 'Ann Lee', '1 Main St', 'Chicago', 'IL', '60614', '2026-09-01'
      from booking where id = ${doneBooking}`,
  },
  'ended-job-has-its-pay': {
    by: `delete from job_pay where booking_id = ${unsentBooking}`,
    also: ['ended-appointment-has-its-pay'],
  },
  'ended-appointment-has-its-pay': {
    by: `insert into booking_event (booking_id, at, from_state, to_state, actor) values (${confirmedBooking}, '2026-11-20T00:00:00Z', 'confirmed', 'done', 'shop');
      update booking set state = 'done' where id = ${confirmedBooking}`,
  },
  'pay-sent-in-time': {
    by: `update pay_transfer set intended_at = intended_at + interval '3 hours', sent_at = sent_at + interval '3 hours' where id = (select id from pay_transfer order by sent_at desc limit 1)`,
  },
  'job-pay-is-by-the-matrix': { by: noShowPay.replace("'no-show'", "'finished'") },
  'pay-adjustment-seen-twice': {
    by: `alter table pay_adjustment drop constraint pay_adjustment_second_person;
      insert into pay_adjustment (id, shop_id, kind, amount_cents, reason, is_over_limit, state, submission_key, made_at, made_by, decided_at, decided_by, on_day, dispute_until)
      values (gen_random_uuid(), 1, 'adjustment', 20000, 'test', true, 'approved', gen_random_uuid(), now(), 'test', now(), 'test', current_date, now())`,
  },
  'pay-sent-once': {
    by: `drop index pay_transfer_item_job_once; ${noShowPay}; ${payTransfer}; ${payTransfer};
      insert into pay_transfer_item (transfer_id, shop_id, job_pay_id, amount_cents) select t.id, t.shop_id, p.id, 1500 from pay_transfer t, job_pay p where t.account_ref = 'acct_test' and p.booking_id = ${confirmedBooking}`,
  },
  'transfer-is-what-it-pays': { by: `alter table pay_transfer disable trigger user; ${noShowPay}; ${payTransfer}` },
  'text-has-consent': {
    by: `insert into text_message (id, key, kind, phone, body, state, provider_ref, created_at, sent_at)
      values (gen_random_uuid(), 'test', 'shipped', '+13125550142', 'On its way', 'sent', 'SM1', now(), now())`,
  },
  'stock-never-negative': {
    by: 'alter table stock drop constraint stock_never_negative; update stock set on_hand = -1 where item_id = (select min(item_id) from stock)',
    also: ['inventory-units-on-shelf'],
  },
  'stock-held-with-a-time': {
    by: `insert into stock_hold (booking_id, item_id, warehouse_id, quantity) select ${confirmedBooking}, item_id, warehouse_id, 1 from stock where on_hand > 0 limit 1`,
  },
  'stock-held-is-there': {
    by: `insert into stock_hold (booking_id, item_id, warehouse_id, quantity) select ${confirmedBooking}, item_id, warehouse_id, on_hand + 1 from stock limit 1`,
    also: ['stock-held-with-a-time'],
  },
  'purchase-order-after-the-window': {
    by: `alter table purchase_order disable trigger purchase_order_life;
      update purchase_order set state = 'released', released_at = '2020-01-01' where id = ${heldPurchaseOrder}`,
  },
  'purchase-order-is-the-allocation': {
    by: `update purchase_order_line set quantity = quantity + 1 where purchase_order_id = ${heldPurchaseOrder}`,
  },
  'purchase-order-sent-after-the-window': {
    by: `alter table purchase_order drop constraint purchase_order_sent_once_released;
      update purchase_order set sent_at = '2020-01-01' where id = ${heldPurchaseOrder}`,
  },
  'purchase-order-filled-or-killed': {
    by: `update purchase_order_line set filled_units = quantity where purchase_order_id = ${heldPurchaseOrder}`,
  },
  'stock-adjustment-recorded': {
    by: `insert into stock_adjustment (submission_key, item_id, warehouse_id, reason, before_units, allocated_units, change_units, after_units, recorded_by, recorded_at)
      select gen_random_uuid(), item_id, warehouse_id, 'count', 1, 0, 0, 1, 'test', now() from stock limit 1`,
  },
  'stock-receipt-recorded': {
    by: `with ${draftStockOrder}
      insert into stock_receipt (submission_key, stock_order_id, received_by, received_at) select gen_random_uuid(), id, 'test', now() from made`,
  },
  'stock-order-adds-up': {
    by: `with ${draftStockOrder}
      insert into stock_order_line (stock_order_id, item_id, quantity, unit_cost_cents, received_units)
      select made.id, item.id, 4, 9000, 1 from made, (select id from item limit 1) item`,
  },
  'stock-order-sent-by-staff': {
    by: `with ${draftStockOrder} select from made; update stock_order set asked_no = 1 where created_by = 'test'`,
  },
  'supplier-message-of-its-order': {
    by: `insert into supplier_message (supplier_id, payload_id, purchase_order_id, kind, summary, answer_code, received_at)
      select supplier.id, 'test', po.id, 'confirmation', 'test', 200, now()
      from purchase_order po join supplier on supplier.id <> po.supplier_id order by po.id limit 1`,
  },
  'stock-receipt-weeks-within': {
    by: `with ${draftStockOrder},
        receipt as (insert into stock_receipt (submission_key, stock_order_id, received_by, received_at)
          select gen_random_uuid(), id, 'test', now() from made returning id),
        line as (insert into stock_receipt_line (receipt_id, item_id, received_units, damaged_units, short_units)
          select receipt.id, item.id, 2, 0, 0 from receipt, (select id from item limit 1) item returning receipt_id, item_id)
      insert into stock_receipt_lot (receipt_id, item_id, dot_week, units) select receipt_id, item_id, date '2026-11-02', 1 from line`,
    also: ['stock-receipt-recorded'],
  },
  'line-allocated-whole': { by: `update stock_allocation set quantity = 3 where order_id = ${confirmedOrder}` },
  'part-stock-in-own-warehouses': {
    by: `insert into part_stock (part_id, warehouse_id, on_hand) select part.id, warehouse.id, 1 from part, warehouse where supplier_id is not null limit 1`,
  },
  'part-packed-with-tires': {
    by: `insert into order_line (order_id, line_no, kind, part_id, part_warehouse_id, description, quantity, unit_cents, gross_cents, discount_cents, net_cents, tax_cents, fet_cents, tire_fee_cents)
      select ${confirmedOrder}, 99, 'part', part.id, warehouse.id, 'Test', 1, 0, 0, 0, 0, 0, 0, 0 from part, warehouse
      where not exists (select from shipment where order_id = ${confirmedOrder} and shipment.warehouse_id = warehouse.id) limit 1`,
  },
  'inventory-value-is-the-ledger': {
    by: "update ledger_entry set account = 'inventory-adjustments' where account = 'inventory'",
  },
  'inventory-units-on-shelf': {
    by: `update stock set on_hand = on_hand + 1 where (item_id, warehouse_id) = (
      select item_id, warehouse_id from stock join warehouse on warehouse.id = warehouse_id where pool = 'on-hand' limit 1)`,
  },
  'inventory-value-is-its-movements': {
    by: 'update inventory_value set value_cents = value_cents + 1 where item_id = (select min(item_id) from inventory_value where units > 0)',
    also: ['inventory-value-is-the-ledger'],
  },
  'inventory-movement-in-ledger': {
    by: `with moved as (
        insert into inventory_movement (kind, at, order_id, shipment_id) select 'supplier-shipped', now(), order_id, id from shipment limit 1 returning id)
      insert into inventory_movement_line (movement_id, item_id, units, cents) select moved.id, (select min(id) from item), -1, -100 from moved`,
  },
  'delivery-at-cost-with-freight': {
    by: `with ${draftStockOrder},
        tire as (select min(id) as id from item),
        ordered as (insert into stock_order_line (stock_order_id, item_id, quantity, unit_cost_cents)
          select made.id, tire.id, 2, 9000 from made, tire),
        receipt as (insert into stock_receipt (submission_key, stock_order_id, received_by, received_at)
          select gen_random_uuid(), id, 'test', now() from made returning id),
        received as (insert into stock_receipt_line (receipt_id, item_id, received_units, damaged_units, short_units, freight_cents)
          select receipt.id, tire.id, 2, 0, 0, 500 from receipt, tire),
        moved as (insert into inventory_movement (kind, at, receipt_id) select 'received', now(), id from receipt returning id)
      insert into inventory_movement_line (movement_id, item_id, units, cents) select moved.id, tire.id, 2, 18499 from moved, tire`,
    also: [
      'stock-receipt-recorded',
      'stock-order-adds-up',
      'inventory-value-is-its-movements',
      'inventory-movement-in-ledger',
    ],
  },
  'order-paid-for-once': {
    by: `drop index payment_one_per_order;
      insert into payment (id, cart_id, order_id, provider, flow, amount_cents, state, created_at, updated_at)
      select gen_random_uuid(), cart_id, id, 'stripe', 'fields', total_cents, 'authorized', placed_at, placed_at from sales_order where id = ${confirmedOrder}`,
    also: ['charge-is-the-total', 'state-is-written-down'],
  },
  'charge-is-the-total': {
    by: `update payment set amount_cents = amount_cents + 1, captured_cents = captured_cents + 1 where order_id = ${confirmedOrder}`,
    also: ['ledger-agrees-with-order'],
  },
  'invoice-payments-add-up': {
    by: 'update invoice_payment set amount_cents = amount_cents + 1 where order_id = (select min(order_id) from invoice_payment)',
  },
  'money-taken-within-charge': {
    by: `update payment set captured_cents = captured_cents - 1 where order_id = ${confirmedOrder}`,
    also: ['ledger-agrees-with-order'],
  },
  'financed-money-was-delivered': {
    by: `update payment set method = 'lease' where order_id = ${confirmedOrder}`,
  },
  'email-copy-was-sent': {
    by: `insert into message (id, key, kind, to_address, created_at) values (gen_random_uuid(), 'partner-applied:1', 'partner-applied', 'ann@example.com', now());
      insert into email_copy select id, 'Subject', 'Text', '', '{}', now() from message`,
  },
  'months-are-prepared': {
    by: "select drop_months('provider_event_body', now() + interval '3 months')",
  },
  'refunds-within-charge': {
    by: `insert into charge_refund (id, payment_id, amount_cents, key, promised_at)
      select gen_random_uuid(), id, captured_cents + 1, 'test', now() from payment where order_id = ${confirmedOrder}`,
  },
  'approved-guarantee-is-paid': {
    by: `insert into price_guarantee_request (state, order_id, email, item_id, tire, quantity, our_each_cents, competitor, offer_url, their_each_cents, includes_installation, seen_on, said,
        created_at, decided_at, decided_by, difference_cents)
      select 'approved', order_id, 'dana@example.com', item_id, description, 1, 2, 'Other', 'https://other.example/', 1, false, '2026-11-20', decode(repeat('00', 32), 'hex'), now(), now(), 'test', 1
      from order_line where order_id = ${confirmedOrder} and item_id is not null limit 1`,
  },
  'approved-claim-is-paid': {
    by: `insert into order_line select order_id, 99, 'coverage', null, null, 'Replacement coverage', 1, 0, 0, 0, 0, 0, 0, 0, null, 'replacement' from order_line where order_id = ${confirmedOrder} limit 1;
      insert into coverage_claim (plan, state, order_id, email, item_id, tire, tires, kind, cause, delivered_on, happened_on, most_cents, said, created_at, decided_at, decided_by, given_cents)
      select 'replacement', 'approved', order_id, 'dana@example.com', item_id, description, 1, 'replacement', 'puncture', '2026-11-20', '2026-11-20', 1, decode(repeat('00', 32), 'hex'), now(), now(), 'test', 1
      from order_line where order_id = ${confirmedOrder} and item_id is not null limit 1`,
  },
  'order-refund-adds-up': {
    by: refundOf({ lines: 100, goodwill: 0 }),
    also: ['ledger-agrees-with-order', 'order-refund-is-paid'],
  },
  'order-refund-within-lines': {
    by: `${refundOf({ lines: 100, goodwill: 0 })};
      insert into order_refund_line select id, order_id, 1, 99, 100, 0, 0, 0 from order_refund where created_by = 'test'`,
    also: ['ledger-agrees-with-order', 'order-refund-is-paid'],
  },
  'order-refund-is-paid': {
    by: refundOf({ lines: 0, goodwill: 100 }),
  },
  'refund-email-after-the-money': {
    by: `insert into charge_refund (id, payment_id, amount_cents, key, promised_at)
        select gen_random_uuid(), payment.id, 100, 'guarantee:1', now() from payment join sales_order on sales_order.id = order_id where sales_order.id = ${confirmedOrder} and payment.state = 'captured';
      insert into message (id, kind, key, to_address, order_id, state, created_at)
        values (gen_random_uuid(), 'order-refunded', 'order-refunded:guarantee:1', 'test@example.com', ${confirmedOrder}, 'queued', now())`,
  },
  'canceled-lines-left-the-order': {
    by: `${refundOf({ lines: 100, goodwill: 0 }).replace('order_refund (id,', 'order_refund (kind, id,').replace('values (gen', "values ('cancellation', gen")};
      insert into order_refund_line select id, order_id, 1, 4, 100, 0, 0, 0 from order_refund where created_by = 'test';
      delete from stock_allocation where order_id = ${confirmedOrder}`,
    also: ['ledger-agrees-with-order', 'order-refund-is-paid', 'review-mark-is-proven', 'shipment-agrees-with-order'],
  },
  'refund-over-limit-seen-twice': {
    by: `alter table order_refund drop constraint order_refund_second_person;
      ${refundOf({ lines: 0, goodwill: 100 }).replace('false', 'true')}`,
    also: ['order-refund-is-paid'],
  },
  'held-order-waits': {
    by: `insert into order_screening (id, cart_id, order_id, outcome, reasons, email, total_cents, at, due_at)
      select gen_random_uuid(), cart_id, id, 'review', '[{"rule": 1, "outcome": "review", "words": "A test."}]', email, total_cents, now(), now() + interval '2 days' from sales_order where id = ${confirmedOrder}`,
  },
  'dispute-of-its-charge': {
    by: `insert into dispute (provider, provider_ref, payment_id, order_id, kind, state, reason, amount_cents, opened_at, updated_at)
      select provider, 'du_test', id, null, 'dispute', 'needs-response', 'fraudulent', 1, now(), now() from payment where order_id = ${confirmedOrder}`,
  },
  'reconciled-day-as-compared': {
    by: `insert into reconciled_day (provider, moved_on, state, movements, charged_cents, refunded_cents, disputed_cents, fee_cents, reconciled_at) values ('stripe', '2026-11-01', 'open', 0, 0, 0, 0, 0, now())`,
  },
  'change-is-settled': {
    by: changeOf({ state: 'done', settledBy: 'payment', more: 100, expires: "'2026-11-21T00:00:00Z'" }),
  },
  'change-is-on-its-order': {
    by: changeOf({
      state: 'done',
      settledBy: 'nothing',
      more: 0,
      expires: 'null',
      to: "'home', null, null",
      booking: 'null',
      order: "(select id from sales_order where state = 'confirmed' and fulfillment <> 'home' order by id limit 1)",
    }),
  },
  'offered-bay-is-held': {
    by: changeOf({
      state: 'awaiting-payment',
      settledBy: 'payment',
      more: 100,
      expires: "'2026-11-21T00:00:00Z'",
      to: "'shop', 1, null",
      booking: confirmedBooking,
    }),
  },
  'change-over-is-ended': {
    by: changeOf({
      state: 'awaiting-payment',
      settledBy: 'payment',
      more: 100,
      expires: "'2026-11-20T12:00:00Z'",
      to: "'home', null, null",
      booking: 'null',
    }),
  },
  'quote-ordered-as-promised': {
    by: `update sales_quote set state = 'ordered', order_id = ${confirmedOrder} where id = 2001`,
  },
  'quoted-price-has-its-quote': {
    by: `update cart set quote_id = 2001 where id = (select cart_id from sales_order where id = ${confirmedOrder});
      update sales_order set breakdown = jsonb_set(breakdown, '{lines,0,label}', '"Quoted price"') where id = ${confirmedOrder}`,
  },
  'quote-vehicles-together': {
    by: `alter table sales_quote disable trigger quote_vehicles_together;
      insert into sales_quote (form_key, main_id, position, name, email, price_label, good_through_on, created_at, created_by, updated_at)
      select gen_random_uuid(), id, 2, name, 'other@example.com', price_label, good_through_on, created_at, 'test', updated_at from sales_quote where id = 2002`,
  },
  'lapsed-quote-expired': {
    by: "update sales_quote set sent_at = '2026-10-01T00:00:00Z', expires_at = '2026-10-02T00:00:00Z' where id = 2001",
  },
  'offers-never-edited': { by: 'alter table coupon disable trigger coupon_never_edited' },
  'price-list-as-uploaded': { by: "update price_list_version set starts_at = '2026-11-01' where id = 1" },
  'promotion-as-planned': {
    by: `insert into promotion_plan (form_key, name, headline, kind, amount, funded_by, promotion_id, created_by, created_at)
      select gen_random_uuid(), 'Plan', 'Plan', 'Percentage', case when kind = 'Percentage' and amount = 50 then 51 else 50 end, funded_by, id, 'test', now() from promotion limit 1`,
  },
  'approval-request-has-its-draft': {
    by: `insert into concession (id, kind, reference, state, amount_cents, is_over_limit, requested_by, requested_at)
      values (gen_random_uuid(), 'promotion', '999999', 'requested', 0, true, 'test', now())`,
  },
  'coupon-uses-counted': { by: 'update coupon_tally set uses = 1' },
  'coupon-used-as-offered': { by: `${couponUse}; update coupon_tally set uses = 1` },
  'coupon-order-has-its-use': {
    by: `update sales_order set breakdown = jsonb_set(breakdown, '{program}', '{"kind": "coupon", "id": "WELCOME10"}') where id = ${confirmedOrder}`,
  },
  'store-card-used-as-offered': {
    by: `update sales_order set breakdown = jsonb_set(breakdown, '{tender}', '{"kind": "store-card"}') where id = ${confirmedOrder}`,
  },
  'coupon-not-below-map': {
    by: `delete from promotion; ${couponUse}; update coupon_tally set uses = 1;
      update coupon set starts_at = '2020-01-01';
      update sales_order set breakdown = jsonb_set(jsonb_set(breakdown, '{program}', '{"kind": "coupon", "id": "WELCOME10"}'), '{lines,0,programCents}', '100') where id = ${confirmedOrder};
      update item set map_cents = 10000000, map_set_at = '2020-01-01' where id = (select (breakdown -> 'lines' -> 0 ->> 'articleId')::int from sales_order where id = ${confirmedOrder})`,
  },
  'promotion-not-below-map': {
    by: `update item set map_cents = 10000000, map_set_at = now() where active and id = (select min(id) from item where active);
      update promotion set item_id = null, product_line_id = null, brand_id = null, already_applied = false, ends_at = '2027-01-01' where id = 1`,
  },
  'import-over-left-nothing': {
    by: `${importRun('discarded', 'now()')};
      insert into import_price (run_id, row_no, refused) select id, 1, true from import_run`,
  },
  'import-published-by-someone': { by: importRun('published', 'now()') },
  'late-import-work': {
    by: `${importRun('read', 'null')};
      insert into import_upload (id, run_id, file_name, file_sha256, sent_by, sent_at)
      select gen_random_uuid(), id, file_name, file_sha256, 'test', now() from import_run`,
  },
  'charged-after-the-window': {
    by: `alter table sales_order drop constraint sales_order_released_after_window;
      update sales_order set released_at = cancel_until - interval '1 second' where id = ${confirmedOrder}`,
  },
  'late-cancel-refunded': {
    by: `alter table sales_order disable trigger sales_order_life; update sales_order set state = 'canceled', canceled_late = true where id = ${confirmedOrder};
      alter table sales_order enable trigger sales_order_life`,
    also: ['ledger-agrees-with-order', 'shipment-agrees-with-order', 'state-is-written-down'],
  },
  'order-moves-enforced': { by: 'alter table shipment disable trigger shipment_life' },
  'unconfirmed-order-untouched': {
    by: `alter table sales_order drop constraint sales_order_unconfirmed_unreleased; update sales_order set released_at = cancel_until where id = ${unconfirmedOrder}`,
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
    also: ['inventory-units-on-shelf'],
  },
  'allocation-is-shipped': {
    by: `delete from shipment_event where shipment_id in (select id from shipment where order_id = ${confirmedOrder}); delete from shipment where order_id = ${confirmedOrder}`,
    // One of its shoppers wrote a review, which then no longer has a proven delivery.
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
  'saved-cards-have-a-default': {
    by: `insert into saved_card (id, account_id, provider_ref, fingerprint, brand, last4, exp_month, exp_year, is_default, consent_version, consented_at, added_at)
      values (gen_random_uuid(), gen_random_uuid(), 'pm_1', 'print', 'visa', '4242', 12, 2039, false, 'test', now(), now())`,
  },
  'renewal-charged-once': {
    by: `insert into membership_renewal (id, follows_term_id, amount_cents, told_at, charge_at, state, term_id)
      values (gen_random_uuid(), gen_random_uuid(), 3900, now() - interval '8 days', now(), 'renewed', gen_random_uuid())`,
  },
  'renewal-told-before': {
    by: `insert into membership_renewal (id, follows_term_id, amount_cents, told_at, charge_at)
        values (gen_random_uuid(), gen_random_uuid(), 3900, now() - interval '8 days', now());
      insert into membership_renewal_try (renewal_id, no, begun_at, taken_until, outcome) select id, 1, now(), now(), 'no-card' from membership_renewal`,
  },
  // Day and figures as the worker writes them for an order of 1 cent that the ledger does not know.
  'report-day-is-the-recount': {
    by: `insert into report_day values ('2026-10-01', '2026-10-03T12:00:00Z');
      insert into report_figure (day, kind, label, state_code, account_type, amount_cents) values ('2026-10-01', 'refund', 'test', 'IL', 'Retail', 1)`,
  },
  'report-brands-are-the-sales': {
    by: `insert into report_day values ('2026-11-30', '2026-11-30T12:00:00Z');
      insert into report_figure (day, kind, label, state_code, account_type, amount_cents) values ('2026-11-30', 'brand', 'Kestrel', 'IL', 'Retail', 1)`,
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
  'refund-not-refused': {
    by: `insert into charge_refund (id, payment_id, amount_cents, key, state, promised_at)
      select gen_random_uuid(), id, 1, 'test', 'refused', now() from payment where order_id = ${confirmedOrder}`,
  },
  'confirmed-order-charged': {
    by: `update payment set state = 'authorized', captured_cents = 0 where order_id = ${confirmedOrder}`,
    also: ['ledger-agrees-with-order', 'shipment-agrees-with-order', 'state-is-written-down'],
  },
  'returns-within-delivery': {
    by: `insert into return_tire (return_id, tire_no, order_id, line_no, unit, ships_back)
      select return_id, 9 + series, order_id, line_no, 10 + series, true from return_tire, generate_series(1, 4) as series where tire_no = 1`,
    also: ['return-state-is-written-down'],
  },
  'return-refund-is-paid': {
    by: `insert into return_refund (return_id, no, at, by, goods_cents, fee_cents, fee_reason, refund_cents, way)
      select id, 1, now(), 'test', 100, 0, 'our-mistake', 100, 'card' from order_return where id = 1001`,
  },
  'returned-order-is-undone': {
    by: "update order_refund_line set units = 3 where order_id = (select min(id) from sales_order where state = 'returned')",
  },
  'return-state-is-written-down': { by: 'delete from return_event' },
  'return-refund-late': { by: `update return_tire set received_at = '2026-11-17T00:00:00Z' where state = 'received'` },
  'approved-return-refund-is-completed': {
    by: `insert into order_refund (id, order_id, submission_key, state, lines_cents, goodwill_cents, amount_cents, card_cents, credit_cents, invoice_cents, reason, bearer, is_over_limit, created_at, created_by, decided_at, decided_by)
      select '00000000-0000-7000-8000-000000000001', order_id, gen_random_uuid(), 'approved', 0, 100, 100, 0, 100, 0, 'late', 'store', false, now(), 'test', now(), 'test' from return_tire where state = 'received' limit 1;
      update return_tire set order_refund_id = '00000000-0000-7000-8000-000000000001', order_refund_fee = 'our-mistake' where ctid = (select ctid from return_tire where state = 'received' limit 1)`,
    also: ['ledger-agrees-with-order', 'order-refund-is-paid'],
  },
  'unanswered-order-canceled': {
    by: `update sales_order set confirm_by = '2026-11-20T13:59:59Z' where id = ${unconfirmedOrder}`,
  },
  'late-order-told': {
    by: "update shipment set promised_on = '2026-10-01' where id = (select shipment.id from shipment join sales_order on sales_order.id = order_id where shipment.state = 'in-transit' and sales_order.state = 'confirmed' order by order_id limit 1)",
  },
  'silent-delay-settled': {
    by: `insert into delay_notice (order_id, notice_no, promised_on, told_at, answer_due_on, on_silence, appointment)
      values (${confirmedOrder}, 1, '2026-10-01', now(), '2026-10-02', 'cancel', 'none')`,
  },
  'placed-order-is-told': {
    by: `update sales_order set company_id = (select id from company where state = 'approved' limit 1) where id = ${newestOrder}; ${endpoint()}`,
  },
  'webhook-event-is-sent': { by: `insert into webhook_event (type, at) values ('webhook.test', now())` },
  'webhook-of-its-order': { by: webhook('delivered', 'null') },
  'webhook-is-tried-in-time': {
    by: `update sales_order set company_id = (select id from company where state = 'approved' limit 1) where id = ${newestOrder}; ${webhook('waiting', "'2026-01-01T00:00:00Z'")}`,
  },
  'purchase-is-its-order': { by: `${purchase({ number: 'PO-2' })}; ${purchasingDocument('sent')}` },
  'purchase-number-once': {
    by: `drop index purchasing_order_once; ${purchase()}; ${purchasingDocument('sent')}; ${purchase({ order: `(select max(id) from sales_order where state = 'canceled')` })}`,
  },
  'purchase-lines-are-its-price': { by: `${purchase({ cents: '1' })}; ${purchasingDocument('sent')}` },
  'exchange-order-at-its-price': { by: `${purchase({ channel: 'military-exchange' })}; ${purchasingDocument('sent')}` },
  'purchase-is-told': { by: purchase() },
  'purchasing-document-is-tried': { by: `${purchase()}; ${purchasingDocument('waiting', "'2026-11-19T00:00:00Z'")}` },
  'agent-session-of-its-account': {
    by: `insert into cart (id, account_id, created_at, updated_at) values ('00000000-0000-4000-8000-00000000000c', gen_random_uuid(), now(), now());
      ${agentSession({ cart: "'00000000-0000-4000-8000-00000000000c'", account: 'gen_random_uuid()' })}`,
  },
  'agent-order-is-told': {
    by: `update sales_order set placed_at = '2026-11-01T00:00:00Z' where id = ${newestOrder}; ${agentSession({ webhook: "'https://agents.example.com/orders'" })}`,
  },
  'agent-said-is-forgotten': {
    by: agentSession({ said: '{"buyer": 1}', expires: "'2026-01-01T00:00:00Z'" }),
  },
}

test('demo data is sound, and every invariant has data to check or declares that it doesn’t', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const inspections = await inspect(database.db, smallDataMadeAt)
  expect(inspections.filter(({ broken }) => broken > 0)).toEqual([])
  expect(inspections.filter(({ checked }) => checked === 0).map(({ name }) => name)).toEqual([
    'own-job-overlap-has-reason',
    'opened-shop-is-complete',
    'finished-job-has-its-packet',
    'recalled-buyer-is-told',
    'registration-export-is-whole',
    'pay-adjustment-seen-twice',
    'text-has-consent',
    'stock-held-with-a-time',
    'stock-held-is-there',
    'stock-receipt-recorded',
    'stock-order-adds-up',
    'stock-order-sent-by-staff',
    'supplier-message-of-its-order',
    'stock-receipt-weeks-within',
    'part-packed-with-tires',
    'delivery-at-cost-with-freight',
    'financed-money-was-delivered',
    'email-copy-was-sent',
    'approved-guarantee-is-paid',
    'approved-claim-is-paid',
    'refund-email-after-the-money',
    'canceled-lines-left-the-order',
    'held-order-waits',
    'dispute-of-its-charge',
    'reconciled-day-as-compared',
    'change-is-settled',
    'change-is-on-its-order',
    'offered-bay-is-held',
    'change-over-is-ended',
    'quote-ordered-as-promised',
    'quoted-price-has-its-quote',
    'price-list-as-uploaded',
    'promotion-as-planned',
    'approval-request-has-its-draft',
    'coupon-used-as-offered',
    'coupon-order-has-its-use',
    'store-card-used-as-offered',
    'coupon-not-below-map',
    'promotion-not-below-map',
    'import-over-left-nothing',
    'import-published-by-someone',
    'late-import-work',
    'late-cancel-refunded',
    'message-promised-once',
    'membership-given-back-unused',
    'saved-cards-have-a-default',
    'renewal-charged-once',
    'renewal-told-before',
    'report-day-is-the-recount',
    'report-brands-are-the-sales',
    'lapsed-hold-swept',
    'cut-off-submission-voided',
    'silent-delay-settled',
    'placed-order-is-told',
    'webhook-event-is-sent',
    'webhook-of-its-order',
    'webhook-is-tried-in-time',
    'purchase-is-its-order',
    'purchase-number-once',
    'purchase-lines-are-its-price',
    'exchange-order-at-its-price',
    'purchase-is-told',
    'purchasing-document-is-tried',
    'agent-session-of-its-account',
    'agent-order-is-told',
    'agent-said-is-forgotten',
  ])
})

test('every invariant is broken below', () => {
  expect(Object.keys(breaks)).toEqual(invariants.map(({ name }) => name))
})

let sound: TestDatabase
beforeAll(async () => {
  sound = await createTestDatabase({ from: 'small' })
})
afterAll(() => sound[Symbol.asyncDispose]())

/** Inspects `names` while the statements apply, then rolls them back. Foreign keys and triggers are off. */
async function inspectBroken(statements: readonly string[], names: readonly string[]): Promise<Inspection[]> {
  const tx = await sound.db.startTransaction().execute()
  try {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
    return await inspectWithin(
      tx,
      smallDataMadeAt,
      invariants.filter(({ name }) => names.includes(name)),
    )
  } finally {
    await tx.rollback().execute()
  }
}

/** These breaks must not trip any other invariant. Checking this for all takes ten times as long. */
const alone = inTurn(Object.keys(breaks))

test.for(Object.entries(breaks))('%s is noticed when it is broken', async ([name, { by, also = [] }]) => {
  const inspected = alone.includes(name) ? Object.keys(breaks) : [name, ...also]
  const found = (await inspectBroken(by.split(';'), inspected)).filter(({ broken }) => broken > 0)
  expect(found.map((inspection) => inspection.name).toSorted()).toEqual([name, ...also].toSorted())
  expect(found.find((inspection) => inspection.name === name)?.examples[0]).toMatch(/\w/)
})

test('npm run verify succeeds on a sound database, and exits with 1 and names the invariant on a broken one', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const run = () =>
    promisify(execFile)(process.execPath, ['tools/verify.ts'], { env: { ...process.env, DATABASE_URL: database.url } })
  // It reads by the real clock, and by then the demo's return and quotes may wait too long for staff.
  expect((await run()).stdout).toMatch(
    /^ok {3}reference-data-installed +8 sets of reference data\n((ok|late|--) .*\n)*Sound\.\n$/,
  )
  await sql`update cart set state = 'open' where id = (select min(id::text)::uuid from cart)`.execute(database.db)
  await expect(run()).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^NO {3}cart-ordered-once .* 1 broken: cart [0-9a-f-]{36}$/m) as unknown,
  })
})
