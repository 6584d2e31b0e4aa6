/**
 * Sales entries with orders, tires, amounts, taxes and fees, brands with their cost, discounts, and tax authorities.
 */
import { sql, type RawBuilder } from 'kysely'
import { changeMadeFrom } from '#domain/ordering/order-changes/order-changes.server.ts'
import { payOfOrder } from '#domain/installer-portal/payouts/payouts.server.ts'
import { refundedLineRows } from '#domain/ordering/refunds/refunds.server.ts'
import { entryColumns, type Span } from './entries.sql.server.ts'

/** The reason of the ledger's transfer that undoes the sale of refunded lines. */
const linesRefunded = sql.lit('lines refunded')

export type SaleKind = 'sale' | 'brand' | 'promotion' | 'authority'

/**
 * Returns the entries in a time span. Each ledger transfer counts when it was made: when an order is placed or
 * canceled, or a refund is approved. Amounts match the ledger. Ledger changes from a later order edit that its lines
 * don't explain are listed separately, with unknown cost.
 */
export function saleEntries(
  { from, until }: Span,
  kinds: readonly SaleKind[] = ['sale', 'brand', 'promotion', 'authority'],
): RawBuilder<unknown> {
  return sql`
    with transfer as materialized (
      select order_id, min(id) as first_id, min(at) as at, min(reason) as reason, case min(reason) when 'order placed' then 1 when 'order canceled' then -1 else 0 end as sign,
        -coalesce(sum(amount_cents) filter (where account = 'sales'), 0) as sales,
        -coalesce(sum(amount_cents) filter (where account = 'sales-tax'), 0) as tax,
        -coalesce(sum(amount_cents) filter (where account = 'tire-fee'), 0) as fee,
        -coalesce(sum(amount_cents) filter (where account = 'excise-tax'), 0) as excise
      from ledger_entry
      where at >= ${from.toString()}::timestamptz and at < ${until.toString()}::timestamptz
        and order_id is not null and account in ('sales', 'sales-tax', 'tire-fee', 'excise-tax')
      group by transfer_id, order_id),
    moved as materialized (
      select transfer.order_id, transfer.at, transfer.first_id, transfer.sign, transfer.reason, part.*
      from transfer join sales_order on sales_order.id = transfer.order_id
        left join lateral (${changeMadeFrom({ orderId: sql`sales_order.id`, at: sql`transfer.at` })}) as change on true
        cross join lateral (${movedParts}) as part),
    refunded as materialized (${refundedLines({ from, until })}),
    about as materialized (
      select id, coalesce(breakdown ->> 'accountType', 'Retail') as account_type,
        case when breakdown -> 'totals' -> 'grossCents' <> breakdown -> 'totals' -> 'netCents' then breakdown end as discounted
      from sales_order where id in (select order_id from moved union select order_id from refunded)),
    line as materialized (
      select moved.sign, moved.sales, moved.at, moved.reason, about.id, moved.state_code, moved.shop_id, about.account_type,
        ${lineLabel} as label, order_line.quantity, order_line.kind, order_line.net_cents,
        case when order_line.kind in (${goods}) then order_line.unit_cost_cents * order_line.quantity
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
      select id as order_id, at, reason, label, state_code, shop_id, account_type, sign * case when kind = 'tire' then quantity else 0 end as units, sign * net_cents as net,
        sign * coalesce(cost, 0) as cost, case when cost is null then sign * net_cents else 0 end as unknown
      from line where explains
      union all
      select order_id, at, ${linesRefunded}, label, state_code, shop_id, account_type, -tires, -net_cents, -coalesce(cost, 0), case when cost is null then -net_cents else 0 end
      from refunded join about on about.id = refunded.order_id),
    sale as (
      select moved.order_id, moved.at, reason, state_code, shop_id, sign as orders, sign * units as units, sales, taxed, tax, fee, excise
      from moved cross join lateral (select coalesce(sum(quantity), 0) as units from order_line where order_line.order_id = moved.order_id and kind = 'tire') as tires
      union all
      select order_id, at, ${linesRefunded}, state_code, shop_id, 0, -tires, 0, -taxable_cents, 0, 0, 0 from refunded)
    ${sql.join(
      kinds.map((kind) => selects[kind]),
      sql` union all `,
    )}`
}

const place = {
  state: sql`state_code`,
  shop: sql`shop_id`,
  type: sql`account_type`,
  at: sql`at`,
  what: sql`reason`,
  order: sql`order_id`,
}

const sale = entryColumns(
  { ...place, kind: sql`'sale'`, label: sql`''` },
  {
    orders: sql`orders`,
    units: sql`units`,
    amount_cents: sql`sales`,
    taxed_cents: sql`taxed`,
    tax_cents: sql`tax`,
    fee_cents: sql`fee`,
    excise_cents: sql`excise`,
  },
)

const brand = entryColumns(
  { ...place, kind: sql`'brand'`, label: sql`label` },
  { units: sql`units`, amount_cents: sql`net`, cost_cents: sql`cost`, unknown_cents: sql`unknown` },
)

const changed = entryColumns(
  { ...place, kind: sql`'brand'`, label: sql`'Changed after placing'` },
  { amount_cents: sql`sales`, unknown_cents: sql`sales` },
)

const promotion = entryColumns(
  { ...place, kind: sql`'promotion'`, label: sql`left(label, 300)` },
  { orders: sql`sign`, amount_cents: sql`sign * cents`, funded_cents: sql`sign * funded` },
)

// Returns are filed for the store as a whole, so that authorities are not counted by shop or account type.
const authority = entryColumns(
  {
    ...place,
    shop: sql`null`,
    type: sql`''`,
    kind: sql`'authority'`,
    label: sql`left(part.level || ':' || part.name, 300)`,
  },
  {
    orders: sql`orders`,
    amount_cents: sql`sales`,
    taxed_cents: sql`case when levies then taxed else 0 end`,
    tax_cents: sql`part.cents`,
    fee_cents: sql`fee`,
    excise_cents: sql`excise`,
  },
)

/** Lines with a cost when they were sold. */
const goods = sql`'tire', 'part'`

/** Services covered by the installer payout. */
const installerServices = sql`'installation', 'service-kit', 'disposal', 'service'`

/** A tire counts to its brand, and parts of all kinds count together. */
const lineLabel = sql`
  case when order_line.kind = 'tire' then brand.name when order_line.kind = 'part' then 'Parts' when order_line.kind = 'service' then 'Services without tires' when order_line.kind in (${installerServices}) then 'Installation' else 'Coverage, roadside and shipping' end`

/**
 * The lines of refunds that were approved from `from` until `until`, in the state and at the shop that the order had
 * then, with their share of the taxed amount. A refunded tire that the store has again returns its cost; what a shop was
 * paid stays paid.
 */
const refundedLines = (span: Span) => sql`
  select refund.order_id, refund.decided_at as at, was_then.price -> 'tax' as tax_of, coalesce(was_then.price -> 'tax' ->> 'stateCode', ship_to_state) as state_code,
    case when change.was is null then sales_order.shop_id else change.from_shop_id end as shop_id,
    ${lineLabel} as label, refund.net_cents, case when order_line.kind = 'tire' then refund.units else 0 end as tires,
    case when order_line.kind in (${goods}) then order_line.unit_cost_cents * refund.kept_units when order_line.kind in (${installerServices}) then 0 * pay.cents end as cost,
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
  select 0 as side, was_then.price -> 'tax' as tax_of, sales, tax, fee, excise, sign * coalesce((was_then.price -> 'totals' ->> 'taxBaseCents')::int, 0) as taxed,
    coalesce(was_then.price -> 'tax' ->> 'stateCode', ship_to_state) as state_code, case when change.was is null then sales_order.shop_id else change.from_shop_id end as shop_id
  from (select coalesce(change.was, sales_order.breakdown) as price) as was_then
  where (${isOfChange}) is not true
  union all
  select side, price -> 'tax', side * (price -> 'totals' ->> 'netCents')::int, side * (price -> 'totals' ->> 'taxCents')::int, side * (price -> 'totals' ->> 'tireFeeCents')::int,
    side * (price -> 'totals' ->> 'fetCents')::int, side * (price -> 'totals' ->> 'taxBaseCents')::int, price -> 'tax' ->> 'stateCode', at_shop
  from (values (-1, change.was, change.from_shop_id), (1, change.becomes, change.to_shop_id)) as changed (side, price, at_shop)
  where ${isOfChange}`

/**
 * The discounts in `about.discounted`, the price stored with the order, with each discount's amount and the part funded
 * by a manufacturer, lender or bank.
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

/** What the tax that was charged to an order came to before a transfer; a change of an order settles all of it. */
const taxBefore = sql`
  case when side = -1 then -tax when side = 1 or reason = 'order placed' then 0 else coalesce((
    select -sum(earlier.amount_cents) from ledger_entry as earlier
    where earlier.order_id = moved.order_id and earlier.account = 'sales-tax' and earlier.id < moved.first_id), 0) end`

/** What transfers moved, and the taxable amounts of refunded lines, with what the order was charged `before` and after. */
const taxMoved = sql`
  select order_id, at, reason, state_code, sign as orders, sales, taxed, fee, excise, tax_of, before, before + tax as after
  from moved cross join lateral (select ${taxBefore} as before) as charged
  union all
  select order_id, at, ${linesRefunded}, state_code, 0, 0, -taxable_cents, 0, 0, tax_of, 0, 0 from refunded`

/**
 * The tax authorities of `tax_of`, each with its share of a transfer. Shares are proportional to the order's tax,
 * rounded cumulatively from the first authority to the last, so that they always add up to the order's tax and reach
 * zero after a full refund. The state is always included, even if only cities or counties have a tax, or an exempt
 * order wasn't taxed.
 */
const authorities = sql`
  select level, name, levies, case when whole = 0 then case when upto_row = 1 then after - before else 0 end
    else round(after * upto / whole) - round(after * (upto - cents) / whole) - round(before * upto / whole) + round(before * (upto - cents) / whole) end as cents
  from (
    select level, name, levies, cents, sum(cents) over (order by level, name) as upto, sum(cents) over () as whole, row_number() over (order by level, name) as upto_row
    from (
      select level, case level when 'state' then '' else name end as name, true as levies, sum(cents)::numeric as cents
      from jsonb_to_recordset(coalesce(tax_of -> 'parts', '[]')) as part (level text, name text, cents bigint)
      group by 1, 2
      union all
      select 'state', '', jsonb_array_length(coalesce(tax_of -> 'parts', '[]')) = 0, 0
      where not coalesce(tax_of -> 'parts' @> '[{"level": "state"}]', false)) as levy) as ranked`

const selects: Readonly<Record<SaleKind, RawBuilder<unknown>>> = {
  sale: sql`select ${sale} from sale join about on about.id = sale.order_id`,
  brand: sql`
    select ${brand} from sold
    union all
    select ${changed} from moved join about on about.id = moved.order_id
    where sales <> 0 and reason <> ${linesRefunded} and not exists (select from line where line.id = about.id and line.sign = moved.sign and line.explains)`,
  promotion: sql`
    select ${promotion} from moved join about on about.id = moved.order_id cross join lateral (${discounts}) as discount
    where sign <> 0 and cents > 0`,
  authority: sql`select ${authority} from (${taxMoved}) as charged cross join lateral (${authorities}) as part`,
}
