/** Reports counted from orders that are placed, canceled, charged and refunded by their use cases. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { cancelOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { changeOrder, payForChange } from '#domain/ordering/order-changes/order-changes.server.ts'
import { askedChange, authorizeChange } from '#domain/ordering/order-changes/order-changes.testing.ts'
import { dana, orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { payOutRefund, promiseRefund } from '#domain/payments/payments/payments.server.ts'
import { storeDay } from '#platform/store-zone.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { inspect } from '#db/invariants/invariants.ts'
import { countReports, readReports, type ReportFilter } from './reports.server.ts'
import { daysOfMonth, reportNames, type Report } from './reports.ts'

const [port = 0] = await freePorts(3)
const everything: ReportFilter = { state: null, shopId: null, accountType: null }

function read(store: TestStore, month: string, filter: ReportFilter = everything) {
  return readReports(store, { period: daysOfMonth(Temporal.PlainYearMonth.from(month)), comparison: 'month', filter })
}

/** The sum of a column over the rows of a report. */
function sumOf({ columns, rows }: Report, label: string): number {
  const at = columns.findIndex((column) => column.label === label)
  if (at < 0) throw new Error(`The report has no column ${label}.`)
  return rows.reduce((whole, row) => whole + Number(row[at]), 0)
}

/** What the ledger moved on an account in a month of the store's zone, credits positive. */
async function ledgerOf(store: TestStore, account: string, month: string, which = 'true'): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(-sum(amount_cents), 0) as cents from ledger_entry
    where account = ${account} and order_id is not null and ${sql.raw(which)} and to_char(at at time zone 'America/New_York', 'YYYY-MM') = ${month}`.execute(
    store.db,
  )
  return rows[0]?.cents ?? 0
}

/** Sales of counties, cities and districts are in their states' rows, too. */
function addedRows(report: Report, label: string): Report {
  const isAdded = report.name !== 'filing' || label === 'Tax collected'
  return isAdded ? report : { ...report, rows: report.rows.filter(([, level]) => level === 'State') }
}

function expectTotalsToAddUp(reports: Readonly<Record<string, Report>>): void {
  for (const name of reportNames) {
    const report = reports[name]
    if (!report) throw new Error(`There is no report ${name}.`)
    for (const [at, { label, kind }] of report.columns.entries())
      if (kind === 'count' || kind === 'cents')
        expect(report.total[at], `${name} ${label}`).toEqual(sumOf(addedRows(report, label), label))
  }
}

test('each total is the sum of its rows and of the ledger, over random orders', async () => {
  await using store = await openTestStore(port)
  const picks = [0, 1, 2, 3].map(() => ({ isCanceled: Math.random() < 0.4, isHome: Math.random() < 0.5 }))
  // At least one of each.
  const orders = [...picks, { isCanceled: true, isHome: false }, { isCanceled: false, isHome: true }]
  for (const [index, { isCanceled, isHome }] of orders.entries()) {
    const { orderId, totalCents } = await makePlacedOrder(store, isHome ? { fulfillment: 'home' } : {})
    store.clock.set(store.clock.now().add({ minutes: 29 }))
    if (isCanceled) must(await cancelOrder(store, { orderId, actor: 'shopper' }))
    else {
      store.clock.set(store.clock.now().add({ minutes: 2 }))
      await releaseOrder(store, orderId)
      const key = `test:${index}`
      const amountCents = 1 + Math.floor(Math.random() * (totalCents - 1))
      must(
        await store.db
          .transaction()
          .execute((tx) => promiseRefund(tx, { orderId, amountCents, key, at: store.clock.now() })),
      )
      const { id } = await store.db
        .selectFrom('charge_refund')
        .select('id')
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
      await payOutRefund(store, id)
      await payOutRefund(store, id)
    }
  }
  await countReports(store)
  const { reports, countedAt, choices } = await read(store, '2026-11')
  expect(countedAt).not.toBeNull()
  expect(choices.states).toContain('IL')
  expectTotalsToAddUp(reports)
  const sales = await ledgerOf(store, 'sales', '2026-11')
  expect(sales).toBeGreaterThan(0)
  expect(sumOf(reports.sales, 'Sales')).toEqual(sales)
  expect(sumOf(reports.margin, 'Sales')).toEqual(sales)
  const fees = sumOf(reports.tax, 'Tire fee') + sumOf(reports.tax, 'Excise tax')
  expect(sumOf(reports.tax, 'Gross sales')).toEqual(sales + fees)
  expect(sumOf(reports.tax, 'Sales tax')).toBe(await ledgerOf(store, 'sales-tax', '2026-11'))
  expect(sumOf(reports.tax, 'Tire fee')).toBe(await ledgerOf(store, 'tire-fee', '2026-11'))
  expect(sumOf(reports.tax, 'Excise tax')).toBe(await ledgerOf(store, 'excise-tax', '2026-11'))
  // Only paid-out refunds; the account also includes owed refunds.
  expect(sumOf(reports.refunds, 'Amount')).toBe(-(await ledgerOf(store, 'refunds', '2026-11', 'amount_cents > 0')))
  expect(reports.refunds.rows.some(([label, , count]) => label === 'test' && Number(count) > 0)).toBe(true)
  expect(sumOf(reports.margin, 'Cost')).toBeGreaterThan(0)
  const { rows } = await sql<{ cents: number }>`
    select sum(amount_cents) as cents from ledger_entry where account = 'inventory'`.execute(store.db)
  expect(rows[0]?.cents).toBeGreaterThan(0)
  expect(sumOf(reports.inventory, 'Value at cost')).toBe(rows[0]?.cents)

  // What one filter shows and what it hides are everything.
  const parts = await Promise.all(
    choices.accountTypes.map(async (accountType) =>
      sumOf((await read(store, '2026-11', { ...everything, accountType })).reports.sales, 'Sales'),
    ),
  )
  expect(parts.reduce((whole, part) => whole + part, 0)).toBe(sales)
  const broken = (await inspect(store.db, store.clock.now())).filter(
    ({ name, broken }) => name.startsWith('report-') && broken > 0,
  )
  expect(broken).toEqual([])
})

test('the cash of the ledger is what the provider captured and gave back', async () => {
  await using store = await openTestStore(port)
  await countReports(store)
  const before = (await read(store, '2026-11')).reports.cash
  const { orderId, totalCents } = await makePlacedOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 30 }))
  await releaseOrder(store, orderId)
  await countReports(store)
  const after = (await read(store, '2026-11')).reports.cash
  expect(sumOf(after, 'Captured') - sumOf(before, 'Captured')).toBe(totalCents)
  expect(sumOf(after, 'Ledger') - sumOf(before, 'Ledger')).toBe(totalCents)
  expect(sumOf(after, 'Difference')).toBe(sumOf(before, 'Difference'))
})

test.for([
  ['the last second of a month', '2026-12-01T04:59:59Z', '2026-11', 'Nov 29–30'],
  ['the first instant of a month', '2026-12-01T05:00:00Z', '2026-12', 'Dec 1–5'],
  ['the last second of a day of 23 hours', '2027-03-15T03:59:59Z', '2027-03', 'Mar 14–20'],
  ['the first instant of that day', '2027-03-14T05:00:00Z', '2027-03', 'Mar 14–20'],
  ['the second before the day on which clocks change', '2027-03-14T04:59:59Z', '2027-03', 'Mar 7–13'],
] as const)('an order counts in the store’s zone: %s', async ([, at, month, week]) => {
  await using store = await openTestStore(port)
  store.clock.set(Temporal.Instant.from(at))
  await countReports(store)
  const sales = async (of: string) =>
    new Map((await read(store, of)).reports.sales.rows.map(([label, orders]) => [label, Number(orders)]))
  const before = await sales(month)
  await makePlacedOrder(store, { fulfillment: 'home' })
  await countReports(store)
  const after = await sales(month)
  const moved = [...after].filter(([label, orders]) => orders !== before.get(label)).map(([label]) => label)
  expect(moved).toEqual([week])
})

test('an order canceled the next month counts back there, and its margin with it', async () => {
  await using store = await openTestStore(port)
  store.clock.set(Temporal.Instant.from('2026-12-01T04:50:00Z'))
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  await countReports(store)
  const placed = (await read(store, '2026-12')).reports
  expect(sumOf(placed.sales, 'Orders')).toBe(0)
  store.clock.set(Temporal.Instant.from('2026-12-01T05:10:00Z'))
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  await countReports(store)
  const { sales, margin } = (await read(store, '2026-12')).reports
  expect(sumOf(sales, 'Orders')).toBe(-1)
  expect(sumOf(sales, 'Tires')).toBe(-4)
  expect(sumOf(sales, 'Sales')).toBe(await ledgerOf(store, 'sales', '2026-12'))
  expect(sumOf(margin, 'Cost')).toBeLessThan(0)
})

test('uses the cost on the sale date and excludes tires without one from the margin', async () => {
  await using store = await openTestStore(port)
  store.clock.set(Temporal.Instant.from('2026-12-02T15:00:00Z'))
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  await countReports(store)
  const margin = async () => (await read(store, '2026-12')).reports.margin
  const cost = sumOf(await margin(), 'Cost')
  const { item_id: itemId } = await store.db
    .selectFrom('order_line')
    .select('item_id')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'tire')
    .executeTakeFirstOrThrow()
  // As a price list does later.
  await store.db.updateTable('item').set({ cost_cents: 1 }).where('id', '=', itemId).execute()
  await countReports(store)
  expect(sumOf(await margin(), 'Cost')).toBe(cost)
  await store.db.updateTable('item').set({ cost_cents: null }).where('id', '=', itemId).execute()
  // Tires from the store's own stock cost their average.
  await store.db.updateTable('inventory_value').set({ value_cents: 0 }).where('item_id', '=', itemId).execute()
  await makePlacedOrder(store, { fulfillment: 'home', itemId: itemId ?? 0 })
  await countReports(store)
  expect(sumOf(await margin(), 'Cost')).toBe(cost)
  expect(sumOf(await margin(), 'Cost unknown')).toBeGreaterThan(0)
})

test('an order that goes to another state is taken out of the first and put into the other, also when counted again', async () => {
  await using store = await openTestStore(port)
  store.clock.set(Temporal.Instant.from('2026-11-30T15:00:00Z'))
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const before = await orderOf(store, orderId)
  const { id: shopId } = await store.db
    .selectFrom('shop')
    .select('id')
    .where('state', 'not in', ['IL', 'AK', 'HI', 'OR', 'MT', 'NH', 'DE'])
    .where('kind', '=', 'shop')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const place = { fulfillment: 'shop', shopId, carrierLocationId: null } as const
  must(await changeOrder(store, dana, await askedChange(store, orderId, place)))
  // Paid in the next month of the store.
  store.clock.set(Temporal.Instant.from('2026-12-01T06:00:00Z'))
  must(await payForChange(store, await authorizeChange(store, orderId)))
  const after = await orderOf(store, orderId)
  const { state } = after.shipTo
  const was = before.breakdown.totals
  const is = after.breakdown.totals
  for (const _ of ['counted', 'counted again']) {
    await store.db.deleteFrom('report_day').execute()
    await countReports(store)
    const { rows } = await sql<{ state: string; shop: number | null; tax: number; taxed: number }>`
      select state_code as state, shop_id as shop, sum(tax_cents)::int as tax, sum(taxed_cents)::int as taxed from report_figure
      where kind = 'sale' and day >= '2026-12-01' group by 1, 2 order by state_code <> 'IL'`.execute(store.db)
    expect(rows).toEqual([
      { state: 'IL', shop: null, tax: -was.taxCents, taxed: -was.taxBaseCents },
      { state, shop: shopId, tax: is.taxCents, taxed: is.taxBaseCents },
    ])
    expect(sumOf((await read(store, '2026-12')).reports.sales, 'Sales')).toBe(is.netCents - was.netCents)
    expect(await ledgerOf(store, 'sales', '2026-12')).toBe(is.netCents - was.netCents)
  }
})

test('a promise is kept by the end of its day where the parcel went, and missed only when it is over', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const { promised_on: promised } = await store.db
    .selectFrom('shipment')
    .select('promised_on')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const day = Temporal.PlainDate.from(promised)
  const counted = async () => {
    await countReports(store)
    const { rows } = await sql<{ parcels: number; kept: number }>`
      select coalesce(sum(orders), 0) as parcels, coalesce(sum(kept), 0) as kept from report_figure where kind = 'parcel' and day = ${day.toString()}::date`.execute(
      store.db,
    )
    return rows[0]
  }
  // Demo parcels promised for the same day are missed, too.
  const { parcels } = await store.db
    .selectFrom('shipment')
    .select(({ fn }) => fn.countAll<number>().as('parcels'))
    .where('promised_on', '=', promised)
    .where('state', 'in', ['processed', 'pending-pickup', 'in-transit'])
    .executeTakeFirstOrThrow()
  store.clock.set(day.toZonedDateTime('America/New_York').toInstant())
  const before = await counted()
  expect(storeDay(store.clock.now()).toString()).toBe(day.toString())
  store.clock.set(day.add({ days: 1 }).toZonedDateTime('America/New_York').toInstant())
  const missed = await counted()
  expect(Number(missed?.parcels) - Number(before?.parcels)).toBe(parcels)
  expect(missed?.kept).toEqual(before?.kept)
})
