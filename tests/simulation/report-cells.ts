/**
 * Computes the expected cells of the office's reports from orders, refunds, returns, and charges with separate queries.
 * The reports use the ledger; this sums up the orders.
 */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { countReports, readReports } from '#domain/operations/reports/reports.server.ts'
import { binsOf } from '#domain/operations/reports/periods.ts'
import {
  hasEntries,
  reportNames,
  type Period,
  type Report,
  type ReportSet,
} from '#domain/operations/reports/reports.ts'
import { refundBearers, refundReasons } from '#domain/ordering/refunds/refunds.ts'
import { add, canceledAt, sorted, within, zone, type Days, type Row, type Store } from './cells.ts'
import { expectEntries } from './report-entries.ts'
import { authorityCells, taxCells } from './tax-cells.ts'

/** Counts the days of a period as the worker does, and compares every cell of its reports but their shares. Returns them. */
export async function expectReportCells(store: Store, period: Period): Promise<ReportSet['reports']> {
  await countReports(store, { again: true })
  const everything = { state: null, shopId: null, accountType: null }
  const { reports } = await readReports(store, { period, comparison: 'nothing', filter: everything })
  const days = { from: period.from.toString(), to: period.to.toString() }
  expect(cellsOf(reports.sales)).toEqual(await salesCells(store, period))
  expect(cellsOf(reports.margin)).toEqual(await marginCells(store, days))
  expect(cellsOf(reports.tax)).toEqual(await taxCells(store, days))
  expect(cellsOf(reports.filing)).toEqual(await authorityCells(store, days))
  expect(cellsOf(reports.promise)).toEqual(await promiseCells(store, period))
  expect(cellsOf(reports.refunds)).toEqual(await refundCells(store, days))
  expect(cellsOf(reports.promotions)).toEqual(await promotionCells(store, days))
  expect(cellsOf(reports.cash)).toEqual(await cashCells(store, days))
  expect(cellsOf(reports.shops)).toEqual(await shopCells(store, days))
  expect(cellsOf(reports.suppliers)).toEqual(await supplierCells(store, days))
  expect(cellsOf(reports.conversion)).toEqual(await conversionCells(store, period))
  expect(cellsOf(reports.searches)).toEqual(await searchCells(store, days))
  expect(cellsOf(reports.inventory)).toEqual(await inventoryCells(store, period))
  for (const name of reportNames.filter(hasEntries)) await expectEntries(store, period, reports[name])
  return reports
}

/** The rows without shares, sorted by their first cells. */
function cellsOf({ columns, rows }: Report): Row[] {
  return sorted(rows.map((row) => row.filter((_, at) => columns[at]?.kind !== 'ppm')))
}

async function salesCells({ db }: Store, period: Period): Promise<Row[]> {
  const rows: Row[] = []
  for (const bin of binsOf(period).bins) {
    const found = await sql<{ orders: number; tires: number; sales: number }>`
      with placed as (select id, 1 as sign from sales_order where ${within(sql`placed_at`, bin)}
        union all select id, -1 from sales_order where ${within(canceledAt, bin)})
      select (select coalesce(sum(sign), 0) from placed)::int as orders,
        ((select coalesce(sum(sign * quantity), 0) from placed join order_line on order_id = id where kind = 'tire')
          - (select coalesce(sum(units), 0) from order_refund refund join order_refund_line given on given.refund_id = refund.id
              join order_line line on line.order_id = given.order_id and line.line_no = given.line_no
              where line.kind = 'tire' and refund.state = 'approved' and ${within(sql`decided_at`, bin)}))::int as tires,
        (select coalesce(-sum(amount_cents), 0) from ledger_entry where account = 'sales' and ${within(sql`at`, bin)})::int as sales`.execute(
      db,
    )
    const { orders, tires, sales } = found.rows[0] ?? {}
    rows.push([bin.label, orders ?? 0, tires ?? 0, sales ?? 0])
  }
  return sorted(rows)
}

async function marginCells({ db }: Store, days: Days): Promise<Row[]> {
  const { rows } = await sql<{ label: string; net: number; cost: number | null; back: number | null }>`
    with pay as (select order_id, sum(amount_cents) as cents from job_pay group by order_id),
    line as (
      select order_line.*, brand.name as brand from order_line left join item on item.id = item_id
        left join product_line on product_line.id = product_line_id left join brand on brand.id = brand_id)
    select coalesce(brand, kind) as label, net_cents as net,
      case when kind = 'tire' then unit_cost_cents * quantity
        when kind = 'installation' then pay.cents when kind in ('service-kit', 'disposal') then pay.cents * 0 end::int as cost, null::int as back
      from sales_order join line on line.order_id = sales_order.id left join pay on pay.order_id = sales_order.id
      where ${within(sql`placed_at`, days)}
    union all
    select coalesce(brand, kind), -net_cents, case when kind = 'tire' then -unit_cost_cents * quantity end, null::int
      from sales_order join line on line.order_id = sales_order.id where ${within(canceledAt, days)}
    union all
    select coalesce(brand, line.kind), -given.net_cents,
      case when line.kind = 'tire' then -unit_cost_cents else pay.cents * 0 end::int,
      case when line.kind <> 'tire' then 0 when refund.kind in ('cancellation', 'delay') then given.units
        else (select count(*) from return_tire back where back.order_refund_id = refund.id and back.line_no = given.line_no and outcome not in ('scrap', 'send-back')) end::int
      from order_refund refund join order_refund_line given on given.refund_id = refund.id join line on line.order_id = given.order_id and line.line_no = given.line_no
        left join pay on pay.order_id = refund.order_id and line.kind in ('installation', 'service-kit', 'disposal')
      where refund.state = 'approved' and ${within(sql`refund.decided_at`, days)}`.execute(db)
  const services = ['installation', 'service-kit', 'disposal']
  const others = ['coverage', 'roadside', 'shipping']
  const named = rows.map((row) => ({
    ...row,
    label: services.includes(row.label)
      ? 'Installation'
      : others.includes(row.label)
        ? 'Coverage, roadside and shipping'
        : row.label,
  }))
  return sorted(
    [...Map.groupBy(named, ({ label }) => label)].map(([label, of]) => {
      const sales = add(of.map(({ net }) => net))
      const unknown = add(of.filter(({ cost }) => cost === null).map(({ net }) => net))
      const cost = add(of.map((row) => (row.cost ?? 0) * (row.back ?? 1)))
      return sales === unknown && cost === 0
        ? [label, sales, unknown, 0, 0]
        : [label, sales, unknown, cost, sales - unknown - cost]
    }),
  )
}

async function promiseCells({ db, clock }: Store, period: Period): Promise<Row[]> {
  const { rows } = await sql<{ day: string; isDue: boolean; isKept: boolean }>`
    select promised_on::text as day, delivered_at is not null or (promised_on + 1)::timestamp at time zone ${zone} <= ${clock.now().toString()}::timestamptz as "isDue",
      coalesce((delivered_at at time zone coalesce(shop.time_zone, zip.time_zone, ${zone}))::date <= promised_on, false) as "isKept"
    from shipment join sales_order on sales_order.id = shipment.order_id left join shop on shop.id = shop_id left join zip on zip.zip = ship_to_zip
    where shipment.state <> 'canceled'`.execute(db)
  return sorted(
    binsOf(period).bins.map(({ label, from, to }) => {
      const due = rows.filter(({ day, isDue }) => isDue && day >= from && day <= to)
      const kept = due.filter(({ isKept }) => isKept).length
      return [label, due.length, kept, due.length - kept]
    }),
  )
}

const automatic: Readonly<Record<string, string>> = {
  cancel: 'Order canceled after its charge',
  guarantee: 'Price guarantee',
  coverage: 'Coverage claim',
}

async function refundCells({ db }: Store, days: Days): Promise<Row[]> {
  const { rows } = await sql<{ reason: string; bearer: string; refunds: number; cents: number }>`
    with card as (
      select split_part(split_part(key, '+', 1), ':', 1) as what, split_part(split_part(key, '+', 1), ':', 2) as id, sum(amount_cents) as cents, bool_or(key not like '%+%') as is_first
      from charge_refund where state = 'done' and ${within(sql`done_at`, days)} group by 1, 2),
    made as (
      select refund.reason, refund.bearer,
        case when ${within(sql`refund.decided_at`, days)} then credit_cents + invoice_cents else 0 end + coalesce(card.cents, 0) as cents,
        case when credit_cents + invoice_cents > 0 then ${within(sql`refund.decided_at`, days)} else coalesce(card.is_first, false) end as is_counted
      from order_refund refund left join card on card.what = 'order-refund' and card.id = refund.id::text where refund.state = 'approved'
      union all select what, 'store', cents, is_first from card where what <> 'order-refund')
    select reason, bearer, count(*) filter (where is_counted)::int as refunds, sum(cents)::int as cents from made where cents > 0 group by 1, 2`.execute(
    db,
  )
  return sorted(
    rows.map(({ reason, bearer, refunds, cents }) => [
      (refundReasons as Record<string, string>)[reason] ?? automatic[reason] ?? reason,
      (refundBearers as Record<string, string>)[bearer] ?? bearer,
      refunds,
      cents,
    ]),
  )
}

type Priced = {
  totals: { programCents: number; installDiscountCents: number; tenderCents: number }
  lines: {
    itemPromotionCents: number
    thirdPartyCents: number
    programCents: number
    tenderCents: number
    promotion: { name: string } | null
  }[]
  program: { name: string; fundedBy: string } | null
  tender: { kind: string; fundedBy: string } | null
}

async function promotionCells({ db }: Store, days: Days): Promise<Row[]> {
  const { rows } = await sql<{ sign: number; price: Priced }>`
    select 1 as sign, breakdown as price from sales_order where ${within(sql`placed_at`, days)}
    union all select -1, breakdown from sales_order where ${within(canceledAt, days)}`.execute(db)
  const sums = new Map<string, [orders: number, cents: number, funded: number]>()
  for (const { sign, price } of rows) {
    const { totals, program, tender } = price
    const isOurs = (by: { fundedBy: string } | null) => (by?.fundedBy ?? 'store') === 'store'
    const ofOrder = new Map<string, { cents: number; funded: number }>()
    const take = (name: string, cents: number, funded: number) => {
      const had = ofOrder.get(name) ?? { cents: 0, funded: 0 }
      if (cents > 0) ofOrder.set(name, { cents: had.cents + cents, funded: had.funded + funded })
    }
    for (const line of price.lines)
      take(
        line.promotion?.name ?? 'Promotion',
        line.itemPromotionCents,
        line.thirdPartyCents - (isOurs(program) ? 0 : line.programCents) - (isOurs(tender) ? 0 : line.tenderCents),
      )
    take(program?.name ?? '', totals.programCents, isOurs(program) ? 0 : totals.programCents)
    take('Installation discount', totals.installDiscountCents, 0)
    const offer = tender?.kind === 'store-card' ? 'Store card offer' : 'Pay-later offer'
    take(offer, totals.tenderCents, isOurs(tender) ? 0 : totals.tenderCents)
    for (const [name, { cents, funded }] of ofOrder) {
      const [orders, all, paid] = sums.get(name) ?? [0, 0, 0]
      sums.set(name, [orders + sign, all + sign * cents, paid + sign * funded])
    }
  }
  return sorted([...sums].map(([name, [orders, cents, funded]]) => [name, orders, cents, funded, cents - funded]))
}

async function cashCells({ db }: Store, days: Days): Promise<Row[]> {
  const { rows } = await sql<Record<'captured' | 'refunded' | 'ledger', number> & { provider: string }>`
    with charge as (select id, provider, order_id, membership_term_id, captured_cents from payment where order_id is not null or membership_term_id is not null),
    part as (
      select provider, captured_cents as captured, 0 as refunded, 0 as ledger from charge
      where ${within(sql`(select min(at) from payment_event where payment_id = charge.id and to_state = 'captured')`, days)}
      union all select provider, 0, charge_refund.amount_cents, 0 from charge_refund join charge on charge.id = payment_id where state = 'done' and ${within(sql`done_at`, days)}
      union all select coalesce((select max(provider) from charge where charge.order_id = entry.order_id or charge.membership_term_id = entry.membership_term_id), 'invoice'), 0, 0, amount_cents
        from ledger_entry entry where account = 'cash' and ${within(sql`at`, days)})
    select provider, sum(captured)::int as captured, sum(refunded)::int as refunded, sum(ledger)::int as ledger from part group by 1`.execute(
    db,
  )
  return sorted(
    rows.map(({ provider, captured, refunded, ledger }) =>
      provider === 'invoice'
        ? ['Check or transfer', ledger, 0, ledger, ledger, 0]
        : [
            provider === 'stripe' ? 'Stripe' : provider,
            captured,
            refunded,
            captured - refunded,
            ledger,
            ledger - captured + refunded,
          ],
    ),
  )
}

/** How each shop's appointments ended, by the last event of each, and its ratings. Stars are compared in hundredths. */
async function shopCells({ db }: Store, days: Days): Promise<Row[]> {
  const { rows } = await sql<
    Record<'done' | 'missed' | 'canceled' | 'ratings' | 'onTime', number> & Named & { stars: number | null }
  >`
    select shop.name || ' (' || shop.code || ')' as name,
      (select count(*) from booking where booking.shop_id = shop.id and state = 'done' and ${within(endedAt, days)})::int as done,
      (select count(*) from booking where booking.shop_id = shop.id and state = 'no-show' and ${within(endedAt, days)})::int as missed,
      (select count(*) from work_order join booking on booking.id = booking_id where booking.shop_id = shop.id
        and work_order.state in ('wrong-vehicle', 'wrong-tires', 'refused') and ${within(endedAt, days)})::int as canceled,
      (select count(*) from shop_rating where shop_id = shop.id and ${within(sql`rated_at`, days)})::int as ratings,
      (select count(*) from shop_rating where shop_id = shop.id and was_on_time and ${within(sql`rated_at`, days)})::int as "onTime",
      (select round(avg(stars) * 100) from shop_rating where shop_id = shop.id and ${within(sql`rated_at`, days)})::int as stars
    from shop`.execute(db)
  return sorted(
    rows.flatMap(({ name, done, missed, canceled, ratings, onTime, stars }) =>
      done + missed + canceled + ratings === 0 ? [] : [[name, done, missed, canceled, ratings, onTime, stars]],
    ),
  )
}

type Named = { name: string }

const endedAt = sql`(select max(at) from booking_event where booking_event.booking_id = booking.id and from_state = 'confirmed')`

async function supplierCells({ db, clock }: Store, days: Days): Promise<Row[]> {
  const { rows } = await sql<Record<'lines' | 'units' | 'filled' | 'short' | 'parcels' | 'kept', number> & Named>`
    with ordered as (
      select supplier_id, count(*) as lines, sum(quantity) as units, sum(filled_units) as filled, sum(rejected_units) + sum(backordered_units) as short
      from purchase_order_line line join purchase_order on purchase_order.id = line.purchase_order_id
      where state in ('released', 'accepted', 'rejected') and ${within(sql`released_at`, days)} group by 1),
    parcel as (
      select supplier_id, count(*) as parcels,
        count(*) filter (where (delivered_at at time zone coalesce(shop.time_zone, zip.time_zone, ${zone}))::date <= promised_on) as kept
      from shipment join warehouse on warehouse.id = warehouse_id join sales_order on sales_order.id = shipment.order_id left join shop on shop.id = shop_id left join zip on zip.zip = ship_to_zip
      where shipment.state <> 'canceled' and promised_on between ${days.from}::date and ${days.to}::date
        and (delivered_at is not null or (promised_on + 1)::timestamp at time zone ${zone} <= ${clock.now().toString()}::timestamptz)
      group by 1)
    select name, coalesce(lines, 0)::int as lines, coalesce(units, 0)::int as units, coalesce(filled, 0)::int as filled, coalesce(short, 0)::int as short,
      coalesce(parcels, 0)::int as parcels, coalesce(kept, 0)::int as kept
    from supplier left join ordered on ordered.supplier_id = supplier.id left join parcel on parcel.supplier_id = supplier.id
    where lines > 0 or parcels > 0`.execute(db)
  return sorted(
    rows.map(({ name, lines, units, filled, short, parcels, kept }) => [
      name,
      lines,
      units,
      filled,
      short,
      units - filled - short,
      parcels,
      kept,
    ]),
  )
}

async function conversionCells({ db }: Store, period: Period): Promise<Row[]> {
  const rows: Row[] = []
  for (const bin of binsOf(period).bins) {
    const found = await sql<{ carts: number; paid: number; ordered: number }>`
      with started as (select id from cart where ${within(sql`created_at`, bin)} and id in (select cart_id from cart_line)),
      ordered as (select cart_id as id from sales_order)
      select (select count(*) from started)::int as carts, (select count(*) from started join ordered using (id))::int as ordered,
        (select count(*) from started where id in (select cart_id from payment union select id from ordered))::int as paid`.execute(
      db,
    )
    const { carts, paid, ordered } = found.rows[0] ?? {}
    rows.push([bin.label, carts ?? 0, paid ?? 0, ordered ?? 0])
  }
  return sorted(rows)
}

/** Searches of the same text, typed at least twice. */
async function searchCells({ db }: Store, { from, to }: Days): Promise<Row[]> {
  const { rows } = await sql<{ query: string; searches: number }>`
    select query, searches from missed_search_day where day between ${from}::date and ${to}::date`.execute(db)
  const sums = new Map<string, number>()
  for (const { query, searches } of rows) sums.set(query, (sums.get(query) ?? 0) + searches)
  const often = [...sums].filter(([query, searches]) => query !== '' && searches > 1)
  const others = add([...sums.values()]) - add(often.map(([, searches]) => searches))
  return sorted([...often, ...(others > 0 ? [['Other searches', others] as const] : [])])
}

/**
 * Returns the tires in our own warehouses, both available ones and those in packages that the carrier hasn't picked up.
 */
async function inventoryCells({ db }: Store, { to }: Period): Promise<Row[]> {
  const { rows } = await sql<{ week: string | null; cost: number | null; units: number }>`
    select oldest_dot_week::text as week, cost_cents as cost,
      coalesce((select sum(on_hand) from stock join warehouse on warehouse.id = warehouse_id where item_id = item.id and supplier_id is null), 0)::int
      + coalesce((select sum(allocation.quantity) from stock_allocation allocation join order_line line using (order_id, line_no) join warehouse on warehouse.id = warehouse_id
          where line.item_id = item.id and supplier_id is null and exists (
            select from shipment where shipment.order_id = allocation.order_id and shipment.warehouse_id = allocation.warehouse_id and shipment.state in ('processed', 'pending-pickup'))), 0)::int as units
    from item`.execute(db)
  const sums = new Map<string, [tires: number, unpriced: number, cents: number]>()
  for (const { week, cost, units } of rows.filter((row) => row.units > 0)) {
    const age = ageOf(week && Temporal.PlainDate.from(week), to)
    const [tires, unpriced, cents] = sums.get(age) ?? [0, 0, 0]
    sums.set(age, [tires + units, unpriced + (cost === null ? units : 0), cents + units * (cost ?? 0)])
  }
  return sorted([...sums].map(([age, sum]) => [age, ...sum]))
}

function ageOf(week: Temporal.PlainDate | null | '', today: Temporal.PlainDate): string {
  if (!week) return 'Unknown'
  const isYounger = (than: Temporal.DurationLike) => Temporal.PlainDate.compare(week, today.subtract(than)) > 0
  return isYounger({ months: 6 })
    ? 'Under 6 months'
    : isYounger({ years: 1 })
      ? '6 to 12 months'
      : isYounger({ years: 2 })
        ? '1 to 2 years'
        : isYounger({ years: 3 })
          ? '2 to 3 years'
          : 'Over 3 years'
}
