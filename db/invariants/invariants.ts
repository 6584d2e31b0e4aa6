/**
 * Invariants of every row at all times, despite crashes and races. They detect missing constraints and check rules that
 * constraints can't express. Used by `npm run verify` and by the tests that try to break them. Over 400 lines: one
 * table; larger capabilities have their rows in separate files.
 */
import { sql } from 'kysely'
import { channelInvariants } from './channel-invariants.ts'
import { bookingInvariants } from './booking-invariants.ts'
import { offerInvariants } from './offer-invariants.ts'
import { importInvariants } from './import-invariants.ts'
import { quoteInvariants } from './quote-invariants.ts'
import type { Database, Tx } from '#platform/db.ts'
import { returnInvariants } from './return-invariants.ts'
import { workOrderInvariants } from './work-order-invariants.ts'
import { shopInvariants } from './shop-invariants.ts'
import { payInvariants } from './pay-invariants.ts'
import { emailCopyInvariants } from './email-copy-invariants.ts'
import { fraudInvariants } from './fraud-invariants.ts'
import { refundInvariants } from './refund-invariants.ts'
import { referenceInvariants } from './reference-invariants.ts'
import { renewalInvariants } from './renewal-invariants.ts'
import { reportInvariants } from './report-invariants.ts'
import { delayInvariants } from './delay-invariants.ts'
import { financedInvariants, financedMethods } from './financed-invariants.ts'
import { stockInvariants } from './stock-invariants.ts'
import { orderChangeInvariants } from './order-change-invariants.ts'

/** `error`: the store showed wrong information. `warning`: unfinished work. */
export type Invariant = {
  name: string
  severity: 'error' | 'warning'
  /** What is counted. */
  of: string
  /**
   * Selects (what text, holds boolean), with each checked item and whether it is correct. `moment.now` is the time of
   * the check.
   */
  statement: string
}

/** The result of one check, with the number of checked and broken items, and the first few broken ones. */
export type Inspection = Pick<Invariant, 'name' | 'severity' | 'of'> & Counted
type Counted = { checked: number; broken: number; examples: string[] }

export const invariants: readonly Invariant[] = [
  ...referenceInvariants,
  ...bookingInvariants,
  ...shopInvariants,
  ...workOrderInvariants,
  ...payInvariants,
  {
    name: 'text-has-consent',
    severity: 'error',
    of: 'text messages sent',
    statement: `
      select 'text ' || id as what, kind = 'confirm-request' or exists (
        select from text_consent_event event where event.phone = text_message.phone and event.what in ('confirmed', 'resumed') and event.at <= text_message.created_at) as holds
      from text_message where sent_at is not null`,
  },
  {
    name: 'stock-never-negative',
    severity: 'error',
    of: 'stock rows',
    statement: `select 'item ' || item_id || ' in warehouse ' || warehouse_id as what, on_hand >= 0 as holds from stock`,
  },
  ...stockInvariants,
  {
    name: 'order-paid-for-once',
    severity: 'error',
    of: 'orders',
    // An order with an expired authorization requires staff or a new payment, in which case the newest charge counts.
    statement: `
      select 'order ' || id as what, count(by) = 1 and bool_and(case
        when by = 'invoice' and state = 'canceled' then paid_state = 'canceled' or left_cents = 0
        when by = 'invoice' then paid_state <> 'canceled'
        when state = 'canceled' then paid_state in ('authorized', 'voided') or canceled_late and paid_state = 'captured'
        when state = 'returned' then paid_state = 'captured'
        when lapsed_at is not null then paid_state = 'voided'
        else paid_state in ('authorized', 'captured') end) as holds
      from (
        select sales_order.id, sales_order.state, canceled_late, paid.by, paid.state as paid_state, left_cents, lapsed_at
        from sales_order left join (
          select order_id, 'charge' as by, state, amount_cents as left_cents, lapsed_at from payment where order_id is not null and order_change_id is null
            and not (state = 'voided' and exists (select from payment again where again.order_id = payment.order_id and again.order_change_id is null and again.created_at > payment.created_at))
          union all select order_id, 'invoice', state, amount_cents, null from invoice) as paid on paid.order_id = sales_order.id) as owed
      group by id`,
  },
  {
    name: 'charge-is-the-total',
    severity: 'error',
    of: 'charges and invoices of orders',
    // Store credit paid the rest. With order edits, subtracts refunds and waived amounts.
    statement: `
      select 'charges of order ' || sales_order.id as what, sum(amount_cents) = min(total_cents) - min(credit_cents) + (
          select coalesce(sum(before_cents - after_cents), 0) from order_change where order_id = sales_order.id and state = 'done' and settled_by in ('refund', 'waiver'))
        and bool_and(payment.cart_id = sales_order.cart_id or payment.cart_id is null) as holds
      from payment join sales_order on sales_order.id = payment.order_id where payment.state in ('authorized', 'captured') group by sales_order.id
      union all
      select 'invoice of order ' || order_id, amount_cents + lowered_cents = total_cents - credit_cents and company_id is not null
      from invoice join sales_order on sales_order.id = order_id`,
  },
  {
    name: 'invoice-payments-add-up',
    severity: 'error',
    of: 'invoices',
    statement: `
      select 'invoice of order ' || invoice.order_id as what, paid_cents = coalesce(sum(invoice_payment.amount_cents), 0) and (invoice.state <> 'canceled' or paid_cents = 0) as holds
      from invoice left join invoice_payment on invoice_payment.order_id = invoice.order_id group by invoice.order_id`,
  },
  {
    name: 'money-taken-within-charge',
    severity: 'error',
    of: 'charges',
    statement: `
      select 'payment ' || id as what, captured_cents = case when state = 'captured' then amount_cents else coalesce(delivered.cents, 0) end and refunded_cents between 0 and captured_cents as holds
      from payment left join (select payment_id, sum(amount_cents) as cents from financed_delivery group by payment_id) as delivered on payment_id = id`,
  },
  ...financedInvariants,
  ...emailCopyInvariants,
  ...refundInvariants,
  ...fraudInvariants,
  ...orderChangeInvariants,
  ...quoteInvariants,
  ...offerInvariants,
  ...importInvariants,
  {
    name: 'charged-after-the-window',
    severity: 'error',
    of: 'captured charges of orders',
    statement: `
      select 'order ' || sales_order.id as what, released_at >= cancel_until as holds
      from payment join sales_order on sales_order.id = payment.order_id where payment.state = 'captured'`,
  },
  {
    name: 'late-cancel-refunded',
    severity: 'error',
    of: 'orders canceled after their charge',
    // A refund that the provider refused is found by `refund-not-refused`.
    statement: `
      select 'order ' || sales_order.id as what, case
          -- Canceled by line: staff may have kept something of an earlier refund.
          when exists (select from order_refund where order_refund.order_id = sales_order.id and kind = 'cancellation') then given.cents between captured_cents
            - (select coalesce(sum(handling_fee_cents + lowered_cents), 0) from order_refund where order_refund.order_id = sales_order.id and kind = 'refund' and order_refund.state = 'approved') and captured_cents
          else given.cents = captured_cents end
        and not exists (select from shipment where shipment.order_id = sales_order.id and shipment.state <> 'canceled') as holds
      from sales_order join payment on payment.order_id = sales_order.id and payment.state = 'captured',
      lateral (select coalesce(sum(amount_cents), 0) as cents from charge_refund where payment_id = payment.id) as given
      where sales_order.state = 'canceled'`,
  },
  {
    name: 'order-moves-enforced',
    severity: 'error',
    of: 'triggers of states',
    statement: `
      select 'table ' || name as what, exists (select from pg_trigger where tgrelid = name::regclass and tgname = name || '_life' and tgenabled = 'O') as holds
      from (values ('sales_order'), ('shipment')) as part (name)`,
  },
  {
    name: 'unconfirmed-order-untouched',
    severity: 'error',
    of: 'orders to be confirmed',
    statement: `
      select 'order ' || id as what, released_at is null and confirm_by is not null
        and not exists (select from payment where order_id = sales_order.id and payment.state <> 'authorized') as holds
      from sales_order where state = 'needs-confirmation'`,
  },
  {
    name: 'ledger-transfer-balances',
    severity: 'error',
    of: 'transfers',
    statement: `
      select 'transfer ' || transfer_id as what, sum(amount_cents) = 0 and count(distinct (order_id, membership_term_id, credit_grant_id, inventory_movement_id)) = 1 as holds from ledger_entry group by transfer_id`,
  },
  {
    name: 'ledger-agrees-with-order',
    severity: 'error',
    of: 'accounts of orders',
    statement: `
      select 'order ' || id || ' ' || owed.account as what,
        (select coalesce(sum(amount_cents), 0) from ledger_entry where order_id = sale.id and ledger_entry.account = owed.account) = owed.cents as holds
      from (
        -- A sale that is canceled whole is reversed, one that is canceled by line is undone by its refunds; what was received for it before is then owed in refunds, until it is paid back.
        select sales_order.id, case when sales_order.state = 'canceled' and not exists (select from order_refund where order_id = sales_order.id and kind = 'cancellation') then 0 else 1 end as share, total_cents, credit_cents, tax_cents, fet_cents, tire_fee_cents,
          coalesce(sum(captured_cents), 0) + coalesce((select paid_cents from invoice where order_id = sales_order.id), 0) as captured,
          coalesce(sum(refunded_cents), 0) as refunded, coalesce((select lowered_cents from invoice where order_id = sales_order.id), 0) as lowered
        from sales_order left join payment on payment.order_id = sales_order.id group by sales_order.id) as sale,
      lateral (
        select coalesce(sum(lines_cents - handling_fee_cents), 0) as owed_back, coalesce(sum(handling_fee_cents), 0) as kept, coalesce(sum(order_refund.credit_cents), 0) as credited
        from order_refund where order_refund.order_id = sale.id and state = 'approved') as given,
      lateral (
        select coalesce(sum(line.net_cents), 0) as net, coalesce(sum(line.tax_cents), 0) as tax, coalesce(sum(line.fet_cents), 0) as fet, coalesce(sum(line.tire_fee_cents), 0) as tire_fee
        from order_refund_line line join order_refund refund on refund.id = line.refund_id and refund.state = 'approved' where line.order_id = sale.id) as undone,
      lateral (
        -- What changes gave back of a captured charge, less what they waived.
        select coalesce(sum(before_cents - after_cents), 0) as eased from order_change where order_id = sale.id and state = 'done' and settled_by in ('refund', 'waiver')) as change,
      lateral (
        select coalesce(sum(withdrawn_cents - reinstated_cents), 0) as withdrawn, coalesce(sum(fee_cents), 0) as fee from dispute where order_id = sale.id) as disputed,
      lateral (values
        ('receivable', share * (total_cents - credit_cents - captured - lowered + eased)), ('cash', captured - refunded - disputed.withdrawn - disputed.fee), ('disputes', disputed.withdrawn), ('dispute-fees', disputed.fee),
        -- Owed back with the decision, and less with every cent that is paid out.
        ('refunds', refunded + lowered + credited - owed_back - share * eased - (1 - share) * (captured + lowered)), ('handling-fees', -kept),
        ('sales', -share * (total_cents - tax_cents - fet_cents - tire_fee_cents) + net),
        ('sales-tax', -share * tax_cents + tax), ('tire-fee', -share * tire_fee_cents + tire_fee), ('excise-tax', -share * fet_cents + fet)) as owed (account, cents)`,
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
        (sales_order.state <> 'canceled' or shipment.state = 'canceled') and (shipment.state <> 'canceled' or sales_order.state in ('canceled', 'returned') or lines.canceled
          -- Replaced with a change of where the order goes.
          or exists (select from shipment same where same.order_id = shipment.order_id and same.warehouse_id = shipment.warehouse_id and same.state <> 'canceled'))
        and (shipment.state in ('processed', 'canceled') or exists (select from payment where order_id = sales_order.id and (payment.state = 'captured' or payment.state = 'authorized' and method in (${financedMethods})))
          or exists (select from invoice where order_id = sales_order.id))
        and (sales_order.state <> 'needs-confirmation' or shipment.state = 'processed')
        and (exists (select from stock_allocation a where a.order_id = shipment.order_id and a.warehouse_id = shipment.warehouse_id) or lines.canceled and shipment.state = 'canceled') as holds
      from shipment join sales_order on sales_order.id = shipment.order_id,
      lateral (select exists (select from order_refund where order_refund.order_id = sales_order.id and kind = 'cancellation') as canceled) as lines`,
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
    // A company without members has no buyer and no open invitations.
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
  ...renewalInvariants,
  ...reportInvariants,
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
    name: 'refund-not-refused',
    severity: 'warning',
    of: 'refunds of parts of charges',
    statement: `select 'refund ' || key as what, state <> 'refused' as holds from charge_refund`,
  },
  {
    name: 'confirmed-order-charged',
    severity: 'warning',
    of: 'confirmed orders past their window',
    statement: `
      select 'order ' || id as what, exists (select from payment where order_id = sales_order.id and payment.state = 'captured')
        or released_at is not null and (exists (select from invoice where order_id = sales_order.id)
          -- A lender pays with the goods.
          or exists (select from payment where order_id = sales_order.id and payment.state = 'authorized' and method in (${financedMethods}))) as holds
      from sales_order, moment where state = 'confirmed' and cancel_until < moment.now - interval '1 hour'`,
  },
  ...returnInvariants,
  ...delayInvariants,
  ...channelInvariants,
]

/**
 * Checks every invariant over the whole database in one snapshot, so that concurrent work does not appear as a
 * violation. `statementSeconds` replaces the time limit of the connection's statements.
 */
export async function inspect(db: Database, now: Temporal.Instant, statementSeconds?: number): Promise<Inspection[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      if (statementSeconds !== undefined)
        await sql`select set_config('statement_timeout', ${`${statementSeconds}s`}, true)`.execute(tx)
      return inspectWithin(tx, now)
    })
}

/** Checks every invariant, or only `selected`, as one transaction sees the database. */
export async function inspectWithin(tx: Tx, now: Temporal.Instant, selected = invariants): Promise<Inspection[]> {
  const inspections: Inspection[] = []
  for (const { name, severity, of, statement } of selected) {
    const result = await sql<Counted>`
      with moment as (select ${now.toString()}::timestamptz as now),
      looked_at as materialized (${sql.raw(statement)})
      select count(*)::int as checked, count(*) filter (where holds is not true)::int as broken,
        coalesce((array_agg(what order by what) filter (where holds is not true))[:5], '{}') as examples
      from looked_at`.execute(tx)
    inspections.push({ name, severity, of, checked: 0, broken: 0, examples: [], ...result.rows[0] })
  }
  return inspections
}
