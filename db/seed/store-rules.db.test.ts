/** Tests that the demo's history follows the store's rules regardless of the start date. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBusinessDay } from '#domain/supply/delivery/delivery.ts'
import { confirmWithinHours } from '#domain/ordering/orders/orders.ts'
import {
  CANCEL_WITHIN_MINUTES,
  INSTALLER_PAID_WITHIN_HOURS,
  REFUND_WITHIN_HOURS,
  RETURN_WINDOW_DAYS,
} from '#platform/business-constants.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { inspect } from '#db/invariants/invariants.ts'
import { seed } from './seed.ts'

/**
 * Each rule as a statement that lists what breaks it, and one that counts what it is about. `$now` is the moment of the
 * demo.
 */
const rules: Readonly<Record<string, { of: string; breaks: string }>> = {
  'customers cancel within 30 minutes': {
    of: `select 1 from sales_order where state = 'canceled'`,
    breaks: `select id from sales_order o where state = 'canceled'
      and (select max(at) from order_event e where e.order_id = o.id and to_state = 'canceled') > placed_at + interval '${CANCEL_WITHIN_MINUTES} minutes'`,
  },
  'orders are released after they can be canceled': {
    of: `select 1 from sales_order where released_at is not null`,
    breaks: `select id from sales_order where released_at < cancel_until
      union all select order_id from shipment h join shipment_event e on e.shipment_id = h.id and e.to_state = 'pending-pickup'
      join sales_order o on o.id = h.order_id where e.at < o.released_at`,
  },
  'orders wait for their confirmation as long as the store lets them': {
    of: `select 1 from sales_order where state = 'needs-confirmation'`,
    breaks: `select id from sales_order where state = 'needs-confirmation' and (confirm_by <= $now or confirm_by > placed_at + interval '${confirmWithinHours} hours')`,
  },
  'every installation has a vehicle that its tires fit': {
    of: `select 1 from sales_order where fulfillment in ('shop', 'mobile')`,
    breaks: `select id from sales_order where fitment_verdict ->> 'verdict' is distinct from 'fits' or coalesce(fitment_verdict ->> 'vehicleName', '') = ''`,
  },
  'appointments are within the hours of the shop, and not on its closed days': {
    of: `select 1 from booking`,
    breaks: `select order_id from booking where booking_misfit(booking, 'infinity', booking.created_at) is not null`,
  },
  'tires arrive before the appointment': {
    of: `select 1 from booking where state in ('done', 'no-show')`,
    breaks: `select b.order_id from booking b join shop s on s.id = b.shop_id join shipment h on h.order_id = b.order_id
      where b.state <> 'canceled' and ((lower(b.during) at time zone s.time_zone)::date < h.promised_on
        or b.state in ('done', 'no-show') and (h.state <> 'delivered' or h.delivered_at >= lower(b.during)))`,
  },
  'tires arrive by the promised day': {
    of: `select 1 from shipment where state = 'delivered'`,
    breaks: `select order_id from shipment where state = 'delivered' and delivered_at > promised_on + interval '36 hours'
      union all select order_id from shipment where state not in ('delivered', 'canceled') and promised_on < ($now at time zone 'America/New_York')::date`,
  },
  'what is past is over, and nothing is dated in the future': {
    of: `select 1 from ledger_entry`,
    breaks: `select order_id::text from order_event where at > $now union all select order_id::text from ledger_entry where at > $now
      union all select payment_id::text from payment_event where at > $now union all select shipment_id::text from shipment_event where at > $now
      union all select booking_id::text from booking_event where at > $now union all select booking_id::text from work_order_event where at > $now
      union all select 'refund ' || id from charge_refund where done_at > $now union all select 'return ' || return_id from return_event where at > $now
      union all select 'review ' || id from review where written_at > $now union all select 'pay ' || id from pay_transfer where sent_at > $now
      union all select order_id::text from booking where state = 'confirmed' and upper(during) < $now - interval '30 minutes'`,
  },
  'kept and missed appointments are in the portal, with their pay': {
    of: `select 1 from booking where state in ('done', 'no-show')`,
    breaks: `select b.order_id from booking b left join work_order w on w.booking_id = b.id left join job_pay p on p.booking_id = b.id
      where b.state in ('done', 'no-show') and (w.state is distinct from b.state or p.amount_cents is null or p.amount_cents = 0)`,
  },
  'shops with an account are paid within 48 hours of the job': {
    of: `select 1 from pay_transfer_item`,
    breaks: `select p.order_id from job_pay p join payout_account a on a.shop_id = p.shop_id
      left join pay_transfer_item i on i.job_pay_id = p.id left join pay_transfer t on t.id = i.transfer_id
      where coalesce(t.sent_at, $now) > p.at + interval '${INSTALLER_PAID_WITHIN_HOURS} hours' or t.sent_at < p.due_at`,
  },
  'tires are returned within 30 days of their delivery': {
    of: `select 1 from order_return`,
    breaks: `select r.order_id from order_return r join shipment h on h.order_id = r.order_id
      where r.requested_at < h.delivered_at or r.requested_at > h.delivered_at + interval '${RETURN_WINDOW_DAYS} days'`,
  },
  'returned tires are refunded within 48 hours of their receipt': {
    of: `select 1 from return_tire where state = 'refunded'`,
    breaks: `select tire.order_id from return_tire tire left join charge_refund back on back.key = 'order-refund:' || tire.order_refund_id
      where tire.state = 'refunded' and (back.done_at is null or back.done_at > tire.received_at + interval '${REFUND_WITHIN_HOURS} hours' or back.done_at < tire.inspected_at)`,
  },
  'buyers review what was delivered': {
    of: `select 1 from review where verified_order_id is not null`,
    breaks: `select verified_order_id from review where verified_order_id is not null and not exists (
      select from shipment where order_id = verified_order_id and delivered_at < written_at)`,
  },
  'referrals are earned once the tires can no longer be returned': {
    of: `select 1 from referral where state = 'earned'`,
    breaks: `select order_id from referral join shipment using (order_id) where referral.state = 'earned'
      and (settled_at < delivered_at + interval '${RETURN_WINDOW_DAYS} days' or settled_at > $now)`,
  },
  'invoices are due after they are issued, and were paid before they were due': {
    of: `select 1 from invoice`,
    breaks: `select order_id from invoice where due_on < issued_on or state = 'open' and due_on < ($now at time zone 'America/New_York')::date
      or state = 'paid' and (settled_at > due_on + interval '1 day' or settled_at > $now)`,
  },
}

/** Dates that often break rules (weekends, holidays, and the days after them). */
const moments = {
  'the Friday after Thanksgiving': '2026-11-27T15:00:00Z',
  'January 2': '2027-01-02T18:00:00Z',
  'a Sunday evening': '2026-11-23T02:00:00Z',
  'the Wednesday after Labor Day': '2026-09-09T12:00:00Z',
} as const

describe.for(Object.entries(moments))('demo data made on %s', ([, made]) => {
  const now = Temporal.Instant.from(made)
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
    await seed(database.url, { scale: 'small', now, log: () => {} })
  }, 120_000)
  afterAll(() => database[Symbol.asyncDispose]())

  const list = async (statement: string) =>
    (await sql.raw<object>(statement.replaceAll('$now', `'${now.toString()}'::timestamptz`)).execute(database.db)).rows

  test('breaks no invariant of the store', async () => {
    const broken = (await inspect(database.db, now)).filter((one) => one.broken > 0)
    expect(broken.map(({ name, examples }) => ({ name, examples }))).toEqual([])
  })

  test.for(Object.entries(rules))('%s', async ([, { of, breaks }]) => {
    expect(await list(breaks)).toEqual([])
    expect((await list(of)).length).toBeGreaterThan(0)
  })

  test('carriers take and deliver parcels on business days', async () => {
    const { rows } = await sql<{ day: string }>`
      select distinct (event.at at time zone coalesce(shop.time_zone, 'America/Chicago'))::date::text as day
      from shipment_event event join shipment on shipment.id = event.shipment_id join sales_order o on o.id = shipment.order_id
        left join shop on shop.id = o.shop_id and event.to_state = 'delivered'
      where event.to_state in ('in-transit', 'delivered')`.execute(database.db)
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.filter(({ day }) => !isBusinessDay(Temporal.PlainDate.from(day)))).toEqual([])
  })
})
