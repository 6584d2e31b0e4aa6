/** The statements that count one day of the store from the ledger, the orders and the parcels. */
import { sql, type RawBuilder } from 'kysely'
import { changeMadeFrom } from '#domain/order-changes/order-changes.server.ts'
import { payOfOrder } from '#domain/payouts/payouts.server.ts'
import { refundedLineRows, refundOfMoney } from '#domain/refunds/refunds.server.ts'
import type { Database, Tx } from '#platform/db.ts'

/** The reason of the ledger's transfer that undoes the sale of refunded lines. */
const linesRefunded = 'lines refunded'

/** A day in the store's zone, with the instants at which it begins and the next one does. */
export type CountedDay = { day: string; from: Temporal.Instant; until: Temporal.Instant }

/** Marks a day as counted at `at`, and locks it until the transaction ends. */
export async function markCounted(tx: Tx, day: string, at: Temporal.Instant): Promise<void> {
  await sql`
    insert into report_day (day, counted_at) values (${day}::date, ${at}::timestamptz)
    on conflict (day) do update set counted_at = excluded.counted_at`.execute(tx)
}

/** Removes the figures of a day that is counted again. */
export async function deleteFigures(tx: Tx, day: string): Promise<void> {
  await sql`delete from report_figure where day = ${day}::date`.execute(tx)
}

/**
 * Counts the sales of a day: orders, tires, amounts, taxes and fees, brands with their cost, and discounts. Each
 * transfer of the ledger counts on its own day: an order when it is placed, its reversal when it is canceled, refunded
 * lines when the refund is approved. Amounts are the ledger's, so that they add up to it; what a later change of an
 * order moved there, and its lines do not explain, is listed separately and its cost is unknown.
 */
export async function insertSales(tx: Tx, { day, from, until }: CountedDay): Promise<void> {
  await sql`
    insert into report_figure (day, kind, label, state_code, shop_id, account_type, orders, units, amount_cents, cost_cents, unknown_cents, taxed_cents, tax_cents, fee_cents, excise_cents, funded_cents)
    with transfer as materialized (
      select order_id, min(at) as at, min(reason) as reason, case min(reason) when 'order placed' then 1 when 'order canceled' then -1 else 0 end as sign,
        -coalesce(sum(amount_cents) filter (where account = 'sales'), 0) as sales,
        -coalesce(sum(amount_cents) filter (where account = 'sales-tax'), 0) as tax,
        -coalesce(sum(amount_cents) filter (where account = 'tire-fee'), 0) as fee,
        -coalesce(sum(amount_cents) filter (where account = 'excise-tax'), 0) as excise
      from ledger_entry
      where at >= ${from.toString()}::timestamptz and at < ${until.toString()}::timestamptz
        and order_id is not null and account in ('sales', 'sales-tax', 'tire-fee', 'excise-tax')
      group by transfer_id, order_id),
    moved as materialized (
      select transfer.order_id, transfer.sign, transfer.reason, part.*
      from transfer join sales_order on sales_order.id = transfer.order_id
        left join lateral (${changeMadeFrom({ orderId: sql`sales_order.id`, at: sql`transfer.at` })}) as change on true
        cross join lateral (${movedParts}) as part),
    refunded as materialized (${refundedLines({ from, until })}),
    about as materialized (
      select id, coalesce(breakdown ->> 'accountType', 'Retail') as account_type,
        case when breakdown -> 'totals' -> 'grossCents' <> breakdown -> 'totals' -> 'netCents' then breakdown end as discounted
      from sales_order where id in (select order_id from moved union select order_id from refunded)),
    line as materialized (
      select moved.sign, moved.sales, about.id, moved.state_code, moved.shop_id, about.account_type,
        ${lineLabel} as label, order_line.quantity, order_line.kind, order_line.net_cents,
        case when order_line.kind = 'tire' then order_line.unit_cost_cents * order_line.quantity
          when order_line.kind in (${installerServices})
            then case when moved.sign = 1 and row_number() over (partition by moved.sign, about.id, order_line.kind in (${installerServices}) order by order_line.line_no) = 1 then pay.cents else 0 * pay.cents end
        end as cost,
        sum(order_line.net_cents) over (partition by moved.sign, about.id) * moved.sign = moved.sales as explains
      from moved join about on about.id = moved.order_id
        join order_line on order_line.order_id = about.id
        cross join lateral (${payOfOrder(sql`about.id`)}) as pay
        left join item on item.id = order_line.item_id left join product_line on product_line.id = item.product_line_id left join brand on brand.id = product_line.brand_id
      where moved.sign <> 0),
    sold as (
      select label, state_code, shop_id, account_type, sign * case when kind = 'tire' then quantity else 0 end as units, sign * net_cents as net,
        sign * coalesce(cost, 0) as cost, case when cost is null then sign * net_cents else 0 end as unknown
      from line where explains
      union all
      select label, state_code, shop_id, account_type, -tires, -net_cents, -coalesce(cost, 0), case when cost is null then -net_cents else 0 end
      from refunded join about on about.id = refunded.order_id),
    sale as (
      select moved.order_id, state_code, shop_id, sign as orders, sign * units as units, sales, taxed, tax, fee, excise
      from moved cross join lateral (select coalesce(sum(quantity), 0) as units from order_line where order_line.order_id = moved.order_id and kind = 'tire') as tires
      union all
      select order_id, state_code, shop_id, 0, -tires, 0, -taxable_cents, 0, 0, 0 from refunded)
    select ${day}::date, figure.*
    from (
      select 'sale', '', state_code, shop_id, account_type, sum(orders), sum(units), sum(sales), 0, 0, sum(taxed), sum(tax), sum(fee), sum(excise), 0
      from sale join about on about.id = sale.order_id
      group by state_code, shop_id, account_type
      union all
      select 'brand', label, state_code, shop_id, account_type, 0, sum(units), sum(net), sum(cost), sum(unknown), 0, 0, 0, 0, 0
      from sold
      group by label, state_code, shop_id, account_type
      union all
      select 'brand', 'Changed after placing', state_code, shop_id, account_type, 0, 0, sum(sales), 0, sum(sales), 0, 0, 0, 0, 0
      from moved join about on about.id = moved.order_id
      where sales <> 0 and reason <> ${linesRefunded} and not exists (select from line where line.id = about.id and line.sign = moved.sign and line.explains)
      group by state_code, shop_id, account_type
      union all
      select 'promotion', left(label, 300), moved.state_code, moved.shop_id, account_type, sum(sign), 0, sum(sign * cents), 0, 0, 0, 0, 0, 0, sum(sign * funded)
      from moved join about on about.id = moved.order_id cross join lateral (${discounts}) as discount
      where sign <> 0 and cents > 0
      group by label, state_code, shop_id, account_type
    ) as figure`.execute(tx)
}

/** The services that the pay of the tire shop covers. */
const installerServices = sql`'installation', 'service-kit', 'disposal'`

/** A tire counts to its brand. */
const lineLabel = sql`
  case when order_line.kind = 'tire' then brand.name when order_line.kind in (${installerServices}) then 'Installation' else 'Coverage, roadside and shipping' end`

/**
 * The lines of refunds that were approved from `from` until `until`, in the state and at the shop that the order had
 * then, with their share of the taxed amount. A refunded tire that the store has again returns its cost; what a shop was
 * paid stays paid.
 */
const refundedLines = (span: Pick<CountedDay, 'from' | 'until'>) => sql`
  select refund.order_id, coalesce(was_then.price -> 'tax' ->> 'stateCode', ship_to_state) as state_code,
    case when change.was is null then sales_order.shop_id else change.from_shop_id end as shop_id,
    ${lineLabel} as label, refund.net_cents, case when order_line.kind = 'tire' then refund.units else 0 end as tires,
    case when order_line.kind = 'tire' then order_line.unit_cost_cents * refund.kept_units when order_line.kind in (${installerServices}) then 0 * pay.cents end as cost,
    taxable.cents * (refund.units_before + refund.units) / order_line.quantity - taxable.cents * refund.units_before / order_line.quantity as taxable_cents
  from (${refundedLineRows(span)}) as refund join order_line on order_line.order_id = refund.order_id and order_line.line_no = refund.line_no
    join sales_order on sales_order.id = refund.order_id
    left join lateral (${changeMadeFrom({ orderId: sql`sales_order.id`, at: sql`refund.decided_at` })}) as change on true
    cross join lateral (select coalesce(change.was, sales_order.breakdown) as price) as was_then
    cross join lateral (select coalesce((was_then.price -> 'lines' -> (refund.line_no - 1) ->> 'taxableCents')::bigint, 0) as cents) as taxable
    cross join lateral (${payOfOrder(sql`refund.order_id`)}) as pay
    left join item on item.id = order_line.item_id left join product_line on product_line.id = item.product_line_id left join brand on brand.id = product_line.brand_id`

const isOfChange = sql`transfer.at = change.ended_at and transfer.reason in ('order changed', 'price difference refunded')`

/**
 * What a transfer moved, in the state and at the shop that the order had then. A change of where it goes takes all out
 * of one and puts all into the other, so that each state has the tax that is due there.
 */
const movedParts = sql`
  select sales, tax, fee, excise, sign * coalesce((was_then.price -> 'totals' ->> 'taxBaseCents')::int, 0) as taxed,
    coalesce(was_then.price -> 'tax' ->> 'stateCode', ship_to_state) as state_code, case when change.was is null then sales_order.shop_id else change.from_shop_id end as shop_id
  from (select coalesce(change.was, sales_order.breakdown) as price) as was_then
  where (${isOfChange}) is not true
  union all
  select side * (price -> 'totals' ->> 'netCents')::int, side * (price -> 'totals' ->> 'taxCents')::int, side * (price -> 'totals' ->> 'tireFeeCents')::int,
    side * (price -> 'totals' ->> 'fetCents')::int, side * (price -> 'totals' ->> 'taxBaseCents')::int, price -> 'tax' ->> 'stateCode', at_shop
  from (values (-1, change.was, change.from_shop_id), (1, change.becomes, change.to_shop_id)) as changed (side, price, at_shop)
  where ${isOfChange}`

/**
 * The discounts of `about.discounted`, the price as it was stored with the order: what each took off, and how much of
 * that a maker, lender or bank pays.
 */
const discounts = sql`
  select coalesce(price -> 'promotion' ->> 'name', 'Promotion') as label, sum((price ->> 'itemPromotionCents')::int) as cents,
    sum((price ->> 'thirdPartyCents')::int
      - case when coalesce(about.discounted -> 'program' ->> 'fundedBy', 'store') <> 'store' then (price ->> 'programCents')::int else 0 end
      - case when coalesce(about.discounted -> 'tender' ->> 'fundedBy', 'store') <> 'store' then (price ->> 'tenderCents')::int else 0 end) as funded
  from jsonb_array_elements(about.discounted -> 'lines') as price
  where (price ->> 'itemPromotionCents')::int > 0
  group by 1
  union all
  select about.discounted -> 'program' ->> 'name', (about.discounted -> 'totals' ->> 'programCents')::int,
    case when coalesce(about.discounted -> 'program' ->> 'fundedBy', 'store') <> 'store' then (about.discounted -> 'totals' ->> 'programCents')::int else 0 end
  where about.discounted is not null
  union all
  select 'Installation discount', (about.discounted -> 'totals' ->> 'installDiscountCents')::int, 0
  where about.discounted is not null
  union all
  select case about.discounted -> 'tender' ->> 'kind' when 'store-card' then 'Store card offer' else 'Pay-later offer' end, (about.discounted -> 'totals' ->> 'tenderCents')::int,
    case when coalesce(about.discounted -> 'tender' ->> 'fundedBy', 'store') <> 'store' then (about.discounted -> 'totals' ->> 'tenderCents')::int else 0 end
  where about.discounted is not null`

/**
 * Rows of the parcels promised for a day, with `order_id`, `warehouse_id` and `is_kept`: kept if delivered by the end of
 * it, on the clock of where they went. One that is on its way counts as missed when the day is over for the store
 * (`isOver`), and not before.
 */
export function promisedParcels({ day, isOver }: { day: string; isOver: boolean }): RawBuilder<unknown> {
  return sql`
    select shipment.order_id, shipment.warehouse_id,
      coalesce((delivered_at at time zone coalesce(shop.time_zone, zip.time_zone, 'America/New_York'))::date <= promised_on, false) as is_kept
    from shipment join sales_order on sales_order.id = shipment.order_id
      left join shop on shop.id = sales_order.shop_id left join zip on zip.zip = sales_order.ship_to_zip
    where promised_on = ${day}::date and shipment.state <> 'canceled' and (${isOver}::bool or delivered_at is not null)`
}

/** Counts the parcels promised for a day. */
export async function insertParcels(tx: Tx, { day, isOver }: { day: string; isOver: boolean }): Promise<void> {
  await sql`
    insert into report_figure (day, kind, label, state_code, shop_id, account_type, orders, kept)
    select ${day}::date, 'parcel', '', coalesce(breakdown -> 'tax' ->> 'stateCode', ship_to_state), shop_id, coalesce(breakdown ->> 'accountType', 'Retail'),
      count(*), count(*) filter (where is_kept)
    from (${promisedParcels({ day, isOver })}) as parcel join sales_order on sales_order.id = parcel.order_id
    group by 4, 5, 6`.execute(tx)
}

/**
 * Counts the money that was refunded on a day, by reason and by who bears the cost ("late:carrier"): what was paid out,
 * credited, taken off an invoice, or waived. A refund that went several ways is one: that of its credit, or of its
 * first charge. The ledger's entries of what is owed for refunded lines are settled by these and do not count.
 */
export async function insertRefunds(tx: Tx, { day, from, until }: CountedDay): Promise<void> {
  await sql`
    insert into report_figure (day, kind, label, state_code, shop_id, account_type, orders, amount_cents)
    with given as (
      select id, order_id, at, amount_cents, reason, row_number() over (partition by order_id, at, amount_cents, reason order by id) as nth
      from ledger_entry
      where at >= ${from.toString()}::timestamptz and at < ${until.toString()}::timestamptz and account = 'refunds' and amount_cents > 0),
    paid as (
      select payment.order_id, done_at, charge_refund.amount_cents, key, row_number() over (partition by payment.order_id, done_at, charge_refund.amount_cents order by charge_refund.id) as nth
      from charge_refund join payment on payment.id = charge_refund.payment_id
      where charge_refund.state = 'done' and done_at >= ${from.toString()}::timestamptz and done_at < ${until.toString()}::timestamptz),
    named as (
      select given.order_id, given.amount_cents, coalesce(refund.reason || ':' || refund.bearer, split_part(paid.key, ':', 1), given.reason) as label,
        case when paid.key like '%+%' or paid.key is not null and refund.credit_cents > 0 then 0 else 1 end as refunds
      from given left join paid on given.reason = 'given back in part' and paid.order_id = given.order_id and paid.done_at = given.at and paid.amount_cents = given.amount_cents and paid.nth = given.nth
        left join lateral (${refundOfMoney({ orderId: sql`given.order_id`, key: sql`paid.key`, reason: sql`given.reason`, at: sql`given.at`, cents: sql`given.amount_cents` })}) as refund on true)
    select ${day}::date, 'refund', label, coalesce(breakdown -> 'tax' ->> 'stateCode', ship_to_state, ''), shop_id, coalesce(breakdown ->> 'accountType', ''), sum(refunds), sum(amount_cents)
    from named left join sales_order on sales_order.id = named.order_id
    group by 3, 4, 5, 6`.execute(tx)
}

/** Counts the cash of a day: what the ledger has, and beside it what the payment provider captured and gave back. */
export async function insertCash(tx: Tx, { day, from, until }: CountedDay): Promise<void> {
  await sql`
    insert into report_figure (day, kind, label, state_code, shop_id, account_type, amount_cents, captured_cents, refunded_cents)
    with cash as (
      select coalesce(charge.provider, case when exists (select from invoice where invoice.order_id = entry.order_id) then 'invoice' end, 'unknown') as label, entry.order_id,
        amount_cents as ledger, 0 as captured, 0 as refunded
      from ledger_entry as entry left join lateral (
        select provider from payment where payment.order_id = entry.order_id or payment.membership_term_id = entry.membership_term_id order by captured_cents desc limit 1) as charge on true
      where entry.at >= ${from.toString()}::timestamptz and entry.at < ${until.toString()}::timestamptz and entry.account = 'cash'
      union all
      select provider, order_id, 0, captured_cents, 0
      from payment_event join payment on payment.id = payment_event.payment_id
      where payment_event.at >= ${from.toString()}::timestamptz and payment_event.at < ${until.toString()}::timestamptz
        and to_state = 'captured' and from_state is distinct from 'captured'
      union all
      select provider, order_id, 0, 0, payment.refunded_cents
      from payment_event join payment on payment.id = payment_event.payment_id
      where payment_event.at >= ${from.toString()}::timestamptz and payment_event.at < ${until.toString()}::timestamptz
        and payment_event.note = 'given back'
      union all
      select provider, order_id, 0, 0, charge_refund.amount_cents
      from charge_refund join payment on payment.id = charge_refund.payment_id
      where charge_refund.state = 'done' and done_at >= ${from.toString()}::timestamptz and done_at < ${until.toString()}::timestamptz)
    select ${day}::date, 'cash', cash.label, coalesce(breakdown -> 'tax' ->> 'stateCode', ship_to_state, ''), shop_id, coalesce(breakdown ->> 'accountType', ''), sum(ledger), sum(captured), sum(refunded)
    from cash left join sales_order on sales_order.id = cash.order_id
    group by 3, 4, 5, 6`.execute(tx)
}

/** The instant of the oldest entry of the ledger; undefined while there is none. */
export async function selectFirstEntry(db: Database): Promise<Temporal.Instant | undefined> {
  const first = await db.selectFrom('ledger_entry').select('at').orderBy('id').limit(1).executeTakeFirst()
  return first?.at
}

/** The days from `from` to `to` that are not counted yet. */
export async function selectUncounted(db: Database, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::text from (select generate_series(${from}::date, ${to}::date, interval '1 day')::date as day) as every_day
    where not exists (select from report_day where report_day.day = every_day.day) order by every_day.day`.execute(db)
  return rows.map(({ day }) => day)
}
