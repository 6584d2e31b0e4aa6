/** The entries of packages, refunds and cash. */
import { sql, type RawBuilder } from 'kysely'
import { refundOfMoney } from '#domain/ordering/refunds/refunds.server.ts'
import { entryColumns, type Span } from './entries.sql.server.ts'

/**
 * Rows of the parcels promised for a day, with `order_id`, `warehouse_id`, `delivered_at` and `is_kept` (delivered by
 * the end of the day at its destination). An undelivered parcel counts as missed only after the store's day is over
 * (`isOver`).
 */
export function promisedParcels({ day, isOver }: { day: string; isOver: boolean }): RawBuilder<unknown> {
  return sql`
    select shipment.order_id, shipment.warehouse_id, shipment.delivered_at,
      coalesce((delivered_at at time zone coalesce(shop.time_zone, zip.time_zone, 'America/New_York'))::date <= promised_on, false) as is_kept
    from shipment join sales_order on sales_order.id = shipment.order_id
      left join shop on shop.id = sales_order.shop_id left join zip on zip.zip = sales_order.ship_to_zip
    where promised_on = ${day}::date and shipment.state <> 'canceled' and (${isOver}::bool or delivered_at is not null)`
}

/** An order's dimensions (state, shop and account type), empty for money without an order. */
const placeOf = {
  state: sql`coalesce(breakdown -> 'tax' ->> 'stateCode', ship_to_state, '')`,
  shop: sql`sales_order.shop_id`,
  type: sql`coalesce(breakdown ->> 'accountType', '')`,
}

/** The entries of the parcels promised for a day. */
export function parcelEntries({ day, isOver }: { day: string; isOver: boolean }): RawBuilder<unknown> {
  const columns = entryColumns(
    {
      ...placeOf,
      type: sql`coalesce(breakdown ->> 'accountType', 'Retail')`,
      kind: sql`'parcel'`,
      label: sql`''`,
      at: sql`parcel.delivered_at`,
      what: sql`case when is_kept then 'package delivered' else 'package late' end`,
      order: sql`parcel.order_id`,
    },
    { orders: sql`1`, kept: sql`is_kept::int` },
  )
  return sql`
    select ${columns}
    from (${promisedParcels({ day, isOver })}) as parcel join sales_order on sales_order.id = parcel.order_id`
}

/**
 * Refund entries by reason and cost bearer ("late:carrier"), as paid out, credited, deducted from an invoice, or
 * waived. A refund to several destinations counts once, by its credit or its first charge. Ledger entries for owed
 * refunds are settled by these and excluded.
 */
export function refundEntries({ from, until }: Span): RawBuilder<unknown> {
  const columns = entryColumns(
    {
      ...placeOf,
      kind: sql`'refund'`,
      label: sql`named.label`,
      at: sql`named.at`,
      what: sql`'refunded'`,
      order: sql`named.order_id`,
    },
    { orders: sql`refunds`, amount_cents: sql`named.amount_cents` },
  )
  return sql`
    with given as (
      select id, order_id, at, amount_cents, reason, row_number() over (partition by order_id, at, amount_cents, reason order by id) as nth
      from ledger_entry
      where at >= ${from.toString()}::timestamptz and at < ${until.toString()}::timestamptz and account = 'refunds' and amount_cents > 0),
    paid as (
      select payment.order_id, done_at, charge_refund.amount_cents, key, row_number() over (partition by payment.order_id, done_at, charge_refund.amount_cents order by charge_refund.id) as nth
      from charge_refund join payment on payment.id = charge_refund.payment_id
      where charge_refund.state = 'done' and done_at >= ${from.toString()}::timestamptz and done_at < ${until.toString()}::timestamptz),
    named as (
      select given.order_id, given.at, given.amount_cents, coalesce(refund.reason || ':' || refund.bearer, split_part(paid.key, ':', 1), given.reason) as label,
        case when paid.key like '%+%' or paid.key is not null and refund.credit_cents > 0 then 0 else 1 end as refunds
      from given left join paid on given.reason = 'given back in part' and paid.order_id = given.order_id and paid.done_at = given.at and paid.amount_cents = given.amount_cents and paid.nth = given.nth
        left join lateral (${refundOfMoney({ orderId: sql`given.order_id`, key: sql`paid.key`, reason: sql`given.reason`, at: sql`given.at`, cents: sql`given.amount_cents` })}) as refund on true)
    select ${columns} from named left join sales_order on sales_order.id = named.order_id`
}

/** Cash entries from the ledger, next to the payment provider's captures and refunds. */
export function cashEntries({ from, until }: Span): RawBuilder<unknown> {
  const columns = entryColumns(
    {
      ...placeOf,
      kind: sql`'cash'`,
      label: sql`cash.label`,
      at: sql`cash.at`,
      what: sql`what`,
      order: sql`cash.order_id`,
    },
    { amount_cents: sql`ledger`, captured_cents: sql`captured`, refunded_cents: sql`refunded` },
  )
  return sql`
    with cash as (
      select coalesce(charge.provider, case when exists (select from invoice where invoice.order_id = entry.order_id) then 'invoice' end, 'unknown') as label, entry.order_id, entry.at, 'ledger entry' as what,
        amount_cents as ledger, 0 as captured, 0 as refunded
      from ledger_entry as entry left join lateral (
        select provider from payment where payment.order_id = entry.order_id or payment.membership_term_id = entry.membership_term_id order by captured_cents desc limit 1) as charge on true
      where entry.at >= ${from.toString()}::timestamptz and entry.at < ${until.toString()}::timestamptz and entry.account = 'cash'
      union all
      select provider, order_id, payment_event.at, 'captured', 0, captured_cents, 0
      from payment_event join payment on payment.id = payment_event.payment_id
      where payment_event.at >= ${from.toString()}::timestamptz and payment_event.at < ${until.toString()}::timestamptz
        and to_state = 'captured' and from_state is distinct from 'captured'
      union all
      select provider, order_id, payment_event.at, 'refunded', 0, 0, payment.refunded_cents
      from payment_event join payment on payment.id = payment_event.payment_id
      where payment_event.at >= ${from.toString()}::timestamptz and payment_event.at < ${until.toString()}::timestamptz
        and payment_event.note = 'given back'
      union all
      select provider, order_id, done_at, 'refunded', 0, 0, charge_refund.amount_cents
      from charge_refund join payment on payment.id = charge_refund.payment_id
      where charge_refund.state = 'done' and done_at >= ${from.toString()}::timestamptz and done_at < ${until.toString()}::timestamptz)
    select ${columns} from cash left join sales_order on sales_order.id = cash.order_id`
}
