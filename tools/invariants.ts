/**
 * What must be true of every row at all times, despite crashes and races. Constraints enforce most of it; checking
 * again finds lost constraints and covers what no constraint can express. Used by `npm run verify` and by the tests
 * that try to break it.
 */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** `error`: the store gave somebody wrong information. `warning`: unfinished work. */
export type Invariant = {
  name: string
  severity: 'error' | 'warning'
  /** What is counted. */
  of: string
  /**
   * Selects (what text, holds boolean): every item checked, and whether it is correct. `moment.now` is the time of the
   * check.
   */
  statement: string
}

/**
 * The result of checking one invariant: how many items were checked, how many are broken, and the first few by name.
 */
export type Inspection = Pick<Invariant, 'name' | 'severity' | 'of'> & {
  checked: number
  broken: number
  examples: string[]
}

export const invariants: readonly Invariant[] = [
  {
    name: 'bay-taken-once',
    severity: 'error',
    of: 'live bookings',
    statement: `
      select 'booking ' || id as what, not exists (
        select from booking other where other.bay_id = booking.bay_id and other.id <> booking.id and other.during && booking.during and other.state in ('held', 'confirmed')) as holds
      from booking where state in ('held', 'confirmed')`,
  },
  {
    name: 'booking-has-its-order',
    severity: 'error',
    of: 'confirmed bookings',
    statement: `
      select 'booking ' || booking.id as what,
        sales_order.state in ('confirmed', 'needs-confirmation') and sales_order.shop_id = booking.shop_id and sales_order.cart_id = booking.cart_id
        and (select count(*) from booking same where same.order_id = booking.order_id and same.state = 'confirmed') = 1 as holds
      from booking left join sales_order on sales_order.id = booking.order_id where booking.state = 'confirmed'`,
  },
  {
    name: 'booking-within-hours',
    severity: 'error',
    of: 'live bookings',
    statement: `
      select 'booking ' || id as what,
        exists (select from shop_hours where shop_hours.shop_id = local.shop_id and weekday = extract(isodow from starts) and starts::date + opens <= starts and ends <= starts::date + closes)
        and not exists (select from shop_closure where shop_closure.shop_id = local.shop_id and closed_on = starts::date) as holds
      from (
        select booking.id, shop_id, lower(during) at time zone time_zone as starts, upper(during) at time zone time_zone as ends
        from booking join shop on shop.id = booking.shop_id where booking.state in ('held', 'confirmed')) as local`,
  },
  {
    name: 'calendar-changes-counted',
    severity: 'error',
    of: 'shops and what their calendars are made of',
    statement: `
      select 'shop ' || id as what, exists (select from shop_calendar where shop_id = shop.id) as holds from shop
      union all
      select 'table ' || name as what,
        (select count(*) from pg_trigger where tgrelid = name::regclass and tgname like 'calendar_version_on_%' and tgenabled = 'O') = triggers as holds
      from (values ('shop', 2), ('shop_hours', 3), ('shop_closure', 3), ('shop_bay', 3), ('shop_rate', 3), ('booking', 3)) as part (name, triggers)`,
  },
  {
    name: 'installed-order-has-its-booking',
    severity: 'error',
    of: 'orders',
    statement: `
      select 'order ' || id as what,
        (select count(*) from booking where order_id = sales_order.id and booking.state in ('confirmed', 'done', 'no-show'))
        = case when fulfillment in ('shop', 'mobile') and state = 'confirmed' then 1 else 0 end as holds
      from sales_order where state <> 'returned'`,
  },
  {
    name: 'tires-before-appointment',
    severity: 'error',
    of: 'confirmed bookings',
    statement: `
      select 'booking ' || booking.id as what,
        (lower(during) at time zone time_zone)::date >= (select coalesce(max(promised_on), '-infinity') from shipment where shipment.order_id = booking.order_id) as holds
      from booking join shop on shop.id = booking.shop_id where booking.state = 'confirmed'`,
  },
  {
    name: 'stock-never-negative',
    severity: 'error',
    of: 'stock rows',
    statement: `select 'item ' || item_id || ' in warehouse ' || warehouse_id as what, on_hand >= 0 as holds from stock`,
  },
  {
    name: 'line-allocated-whole',
    severity: 'error',
    of: 'lines of tires',
    statement: `
      select 'line ' || line_no || ' of order ' || order_id as what,
        quantity = (select coalesce(sum(a.quantity), 0) from stock_allocation a where a.order_id = order_line.order_id and a.line_no = order_line.line_no) as holds
      from order_line join sales_order on sales_order.id = order_id where kind = 'tire' and state <> 'canceled'`,
  },
  {
    name: 'order-paid-for-once',
    severity: 'error',
    of: 'orders',
    statement: `
      select 'order ' || id as what, count(by) = 1 and bool_and(case
        when by = 'invoice' then (paid_state = 'canceled') = (state = 'canceled')
        when state = 'canceled' then paid_state in ('authorized', 'voided')
        when state = 'returned' then paid_state = 'captured'
        else paid_state in ('authorized', 'captured') end) as holds
      from (
        select sales_order.id, sales_order.state, paid.by, paid.state as paid_state
        from sales_order left join (
          select order_id, 'charge' as by, state from payment where order_id is not null
          union all select order_id, 'invoice', state from invoice) as paid on paid.order_id = sales_order.id) as owed
      group by id`,
  },
  {
    name: 'charge-is-the-total',
    severity: 'error',
    of: 'charges and invoices of orders',
    // Store credit paid the rest.
    statement: `
      select 'payment ' || payment.id as what, amount_cents = total_cents - credit_cents and payment.cart_id = sales_order.cart_id as holds
      from payment join sales_order on sales_order.id = payment.order_id where payment.state in ('authorized', 'captured')
      union all
      select 'invoice of order ' || order_id, amount_cents = total_cents - credit_cents and company_id is not null
      from invoice join sales_order on sales_order.id = order_id`,
  },
  {
    name: 'money-taken-within-charge',
    severity: 'error',
    of: 'charges',
    statement: `
      select 'payment ' || id as what, captured_cents = case when state = 'captured' then amount_cents else 0 end and refunded_cents between 0 and captured_cents as holds
      from payment`,
  },
  {
    name: 'charged-after-the-window',
    severity: 'error',
    of: 'captured charges of orders',
    statement: `
      select 'order ' || sales_order.id as what, released_at >= cancel_until as holds
      from payment join sales_order on sales_order.id = payment.order_id where payment.state = 'captured'`,
  },
  {
    name: 'ledger-transfer-balances',
    severity: 'error',
    of: 'transfers',
    statement: `
      select 'transfer ' || transfer_id as what, sum(amount_cents) = 0 and count(distinct (order_id, membership_term_id)) = 1 as holds from ledger_entry group by transfer_id`,
  },
  {
    name: 'ledger-agrees-with-order',
    severity: 'error',
    of: 'accounts of orders',
    statement: `
      select 'order ' || id || ' ' || owed.account as what,
        (select coalesce(sum(amount_cents), 0) from ledger_entry where order_id = sale.id and ledger_entry.account = owed.account) = owed.cents as holds
      from (
        -- A canceled sale is reversed whole.
        select sales_order.id, case when sales_order.state = 'canceled' then 0 else 1 end as share, total_cents, credit_cents, tax_cents, fet_cents, tire_fee_cents,
          coalesce(sum(captured_cents), 0) + coalesce((select amount_cents from invoice where order_id = sales_order.id and invoice.state = 'paid'), 0) as captured,
          coalesce(sum(refunded_cents), 0) as refunded
        from sales_order left join payment on payment.order_id = sales_order.id group by sales_order.id) as sale,
      lateral (values
        ('receivable', share * (total_cents - credit_cents) - captured), ('cash', captured - refunded), ('refunds', refunded),
        ('sales', -share * (total_cents - tax_cents - fet_cents - tire_fee_cents)),
        ('sales-tax', -share * tax_cents), ('tire-fee', -share * tire_fee_cents), ('excise-tax', -share * fet_cents)) as owed (account, cents)`,
  },
  {
    name: 'order-adds-up',
    severity: 'error',
    of: 'orders',
    statement: `
      select 'order ' || id as what,
        total_cents = sum(line.net_cents + line.tax_cents + line.fet_cents + line.tire_fee_cents) and sales_order.tax_cents = sum(line.tax_cents)
        and sales_order.fet_cents = sum(line.fet_cents) and sales_order.tire_fee_cents = sum(line.tire_fee_cents)
        and total_cents = (breakdown #>> '{totals,totalCents}')::int as holds
      from sales_order left join order_line line on line.order_id = id group by id`,
  },
  {
    name: 'cart-ordered-once',
    severity: 'error',
    of: 'carts',
    statement: `
      select 'cart ' || id as what, (select count(*) from sales_order where cart_id = cart.id) = case when state = 'ordered' then 1 else 0 end as holds from cart`,
  },
  {
    name: 'message-promised-once',
    severity: 'error',
    of: 'messages',
    statement: `select 'message ' || id as what, count(*) over (partition by key) = 1 as holds from message`,
  },
  {
    name: 'shipment-agrees-with-order',
    severity: 'error',
    of: 'shipments',
    statement: `
      select 'shipment ' || shipment.id as what,
        (sales_order.state = 'canceled') = (shipment.state = 'canceled')
        and (shipment.state in ('processed', 'canceled') or exists (select from payment where order_id = sales_order.id and payment.state = 'captured')
          or exists (select from invoice where order_id = sales_order.id))
        and (sales_order.state <> 'needs-confirmation' or shipment.state = 'processed')
        and exists (select from stock_allocation a where a.order_id = shipment.order_id and a.warehouse_id = shipment.warehouse_id) as holds
      from shipment join sales_order on sales_order.id = shipment.order_id`,
  },
  {
    name: 'allocation-is-shipped',
    severity: 'error',
    of: 'allocations',
    statement: `
      select 'line ' || line_no || ' of order ' || order_id || ' from warehouse ' || warehouse_id as what,
        exists (select from shipment where shipment.order_id = a.order_id and shipment.warehouse_id = a.warehouse_id) as holds
      from stock_allocation a`,
  },
  {
    name: 'state-is-written-down',
    severity: 'error',
    of: 'states of orders, shipments, bookings, charges and reviews',
    statement: `
      select what, coalesce(is_chain, state = 'pending') and coalesce(latest, state) = state as holds
      from (
        select 'order ' || id as what, state, is_chain, latest from sales_order left join (
          select order_id, bool_and(from_state is not distinct from before) as is_chain, (array_agg(to_state order by id desc))[1] as latest
          from (select *, lag(to_state) over (partition by order_id order by id) as before from order_event) as event group by order_id) as story on story.order_id = id
        union all
        select 'shipment ' || id, state, is_chain, latest from shipment left join (
          select shipment_id, bool_and(from_state is not distinct from before) as is_chain, (array_agg(to_state order by id desc))[1] as latest
          from (select *, lag(to_state) over (partition by shipment_id order by id) as before from shipment_event) as event group by shipment_id) as story on story.shipment_id = id
        union all
        select 'booking ' || id, state, is_chain, latest from booking left join (
          select booking_id, bool_and(from_state is not distinct from before) as is_chain, (array_agg(to_state order by id desc))[1] as latest
          from (select *, lag(to_state) over (partition by booking_id order by id) as before from booking_event) as event group by booking_id) as story on story.booking_id = id
        union all
        -- A charge begins pending, and its first event is what became of that.
        select 'payment ' || id, state, is_chain, latest from payment left join (
          select payment_id, bool_and(from_state is not distinct from before or before is null and from_state = 'pending') as is_chain, (array_agg(to_state order by id desc))[1] as latest
          from (select *, lag(to_state) over (partition by payment_id order by id) as before from payment_event) as event group by payment_id) as story on story.payment_id = id
        union all
        -- Sample reviews came as they are.
        select 'review ' || id, state, is_chain, latest from review left join (
          select review_id, bool_and(from_state is not distinct from before) as is_chain, (array_agg(to_state order by id desc))[1] as latest
          from (select *, lag(to_state) over (partition by review_id order by id) as before from review_event) as event group by review_id) as story on story.review_id = id
        where not sample
      ) as life`,
  },
  {
    name: 'rating-is-the-recount',
    severity: 'error',
    of: 'rated product lines',
    statement: `
      select 'line ' || coalesce(kept.product_line_id, counted.product_line_id) as what, kept is not distinct from counted as holds
      from (
        select product_line_id, review_count, overall_hundredths, dry_hundredths, wet_hundredths, winter_hundredths, comfort_hundredths, noise_hundredths, treadwear_hundredths, buy_again_percent, histogram
        from line_rating) as kept
      full join (
        select product_line_id, count(*)::int as review_count, round(avg(overall_hundredths))::smallint as overall_hundredths,
          round(avg(dry) * 100)::smallint as dry_hundredths, round(avg(wet) * 100)::smallint as wet_hundredths, round(avg(winter) * 100)::smallint as winter_hundredths,
          round(avg(comfort) * 100)::smallint as comfort_hundredths, round(avg(noise) * 100)::smallint as noise_hundredths, round(avg(treadwear) * 100)::smallint as treadwear_hundredths,
          round(avg(buy_again::int) * 100)::smallint as buy_again_percent,
          array(select count(*) filter (where least(greatest(round(same.overall_hundredths / 100.0), 1), 5) = stars)::int
            from review same, generate_series(1, 5) as stars where same.product_line_id = review.product_line_id and same.state = 'published' group by stars order by stars) as histogram
        from review where state = 'published' group by product_line_id) as counted using (product_line_id)`,
  },
  {
    name: 'review-mark-is-proven',
    severity: 'error',
    of: 'verified reviews',
    statement: `
      select 'review ' || id as what, order_brought_line(verified_order_id, product_line_id)
        and not exists (select from review same where same.verified_order_id = review.verified_order_id and same.product_line_id = review.product_line_id
          and same.id <> review.id and same.state <> 'refused' and review.state <> 'refused') as holds
      from review where verified_order_id is not null`,
  },
  {
    name: 'helpful-count-is-the-votes',
    severity: 'error',
    of: 'reviews',
    // Sample reviews start with votes that have no voter.
    statement: `
      select 'review ' || id as what, case when sample then helpful_count >= coalesce(votes, 0) else helpful_count = coalesce(votes, 0) end as holds
      from review left join (select review_id, count(*) as votes from review_vote group by review_id) as vote on review_id = id`,
  },
  {
    name: 'company-has-an-owner',
    severity: 'error',
    of: 'companies',
    // A company without members has nobody who could buy for it, and no open invitations.
    statement: `
      select 'company ' || id as what, exists (select from company_member where company_id = company.id and role = 'owner')
        or not exists (select from company_member where company_id = company.id) as holds
      from company`,
  },
  {
    name: 'buyer-has-the-order',
    severity: 'error',
    of: 'orders of accounts',
    statement: `
      select 'order ' || sales_order.id as what, cart.account_id is not distinct from buyer_id as holds
      from sales_order join cart on cart.id = sales_order.cart_id where buyer_id is not null`,
  },
  {
    name: 'membership-given-back-unused',
    severity: 'error',
    of: 'memberships given back',
    statement: `
      select 'membership ' || term.id as what, not exists (
        select from sales_order where buyer_id = term.account_id and state <> 'canceled' and breakdown ->> 'accountType' = 'Retail Member'
          and placed_at >= term.bought_at
          and placed_at < (select max(at) from membership_event where term_id = term.id and to_state = 'refunded')) as holds
      from membership_term term where term.state = 'refunded'`,
  },
  {
    name: 'lapsed-hold-swept',
    severity: 'warning',
    of: 'holds',
    statement: `select 'booking ' || id as what, hold_expires_at > moment.now - interval '1 hour' as holds from booking, moment where state = 'held'`,
  },
  {
    name: 'abandoned-charge-voided',
    severity: 'warning',
    of: 'charges without an order',
    statement: `
      select 'payment ' || id as what, state not in ('pending', 'authorized') or updated_at > moment.now - interval '2 hours' as holds
      from payment, moment where order_id is null`,
  },
  {
    name: 'cut-off-submission-voided',
    severity: 'warning',
    of: 'charges of presses without an order',
    statement: `
      select 'payment ' || id as what, state not in ('pending', 'authorized') or submitted_at > moment.now - interval '5 minutes' as holds
      from payment, moment where order_id is null and submitted_at is not null`,
  },
  {
    name: 'confirmed-order-charged',
    severity: 'warning',
    of: 'confirmed orders past their window',
    statement: `
      select 'order ' || id as what, exists (select from payment where order_id = sales_order.id and payment.state = 'captured')
        or released_at is not null and exists (select from invoice where order_id = sales_order.id) as holds
      from sales_order, moment where state = 'confirmed' and cancel_until < moment.now - interval '1 hour'`,
  },
]

/**
 * Checks every invariant over the whole database in one snapshot, so that concurrent work does not appear as a
 * violation.
 */
export async function inspect(db: Database, now: Temporal.Instant): Promise<Inspection[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const inspections: Inspection[] = []
      for (const { name, severity, of, statement } of invariants) {
        const result = await sql<{ checked: number; broken: number; examples: string[] }>`
          with moment as (select ${now.toString()}::timestamptz as now),
          looked_at as materialized (${sql.raw(statement)})
          select count(*)::int as checked, count(*) filter (where holds is not true)::int as broken,
            coalesce((array_agg(what order by what) filter (where holds is not true))[:5], '{}') as examples
          from looked_at`.execute(tx)
        inspections.push({ name, severity, of, checked: 0, broken: 0, examples: [], ...result.rows[0] })
      }
      return inspections
    })
}
