/** The orders, refunds, appointments, packages, cash, and purchase orders behind a report cell. */
import { defineList, money, time, type ListQuery, type ListReader } from '#app/office/define-list.server.ts'
import type { ListCell, ListChoice, ListColumn, ListRow } from '#app/office/list.ts'
import { stateOptions } from '#app/ui/states.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  readCellSums,
  readEntries,
  readReports,
  type CellQuery,
  type ReportEntryRow,
} from '#domain/operations/reports/reports.server.ts'
import {
  daysOfMonth,
  hasEntries,
  isReportName,
  lengthOf,
  reportEntries as reports,
  reportNames,
  summedColumns,
  type Cell,
  type Column,
  type Period,
  type ReportName,
} from '#domain/operations/reports/reports.ts'
import { purchaseOrderNumber } from '#domain/supply/stock/stock.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'

const listed = reportNames.filter(hasEntries)
/** In days. */
const longestPeriod = 366

/** A key for each column of the reports: "Cost to us" is "cost-to-us". */
const keyOf = (label: string) => label.toLowerCase().replaceAll(/[^a-z]+/g, '-')

/** The columns of all reports, each once. */
const sums = new Map<string, Column>(
  listed.flatMap((name) => summedColumns(name).map((column) => [keyOf(column.label), column] as const)),
)

const sumColumns = [...sums].map(([key, { label, kind }]): ListColumn => {
  return { key, label, kind: kind === 'cents' ? 'money' : 'count' }
})

export const reportEntries = defineList({
  name: 'report-entries',
  title: 'Report entries',
  path: officePaths.officeReportEntries({}),
  crumbs: [{ label: 'Reports', path: officePaths.officeReports() }],
  permission: 'reports.read',
  caption: 'Entries of a report, newest first',
  nouns: ['entry', 'entries'],
  filters: [
    { kind: 'choice', name: 'report', label: 'Report', options: listed.map((name) => [name, reports[name].label]) },
    { kind: 'days', label: 'Days' },
    { kind: 'choice', name: 'row', label: 'Row', options: [] },
    {
      kind: 'choice',
      name: 'of',
      label: 'Column',
      options: [...new Set([...sums.values()].map(({ label }) => label))].map((label) => [label, label]),
    },
    { kind: 'choice', name: 'state', label: 'State', options: stateOptions },
    { kind: 'text', name: 'shop', label: 'Shop code', max: 40 },
    { kind: 'text', name: 'type', label: 'Account type', max: 40 },
  ],
  columns: [
    { key: 'entry', label: 'Order', isFixed: true },
    { key: 'what', label: 'Entry', isFixed: true },
    { key: 'at', label: 'Time', kind: 'time' },
    ...sumColumns,
  ],
  relevantColumns: (filters) => [
    'entry',
    'what',
    'at',
    ...summedColumns(reportOf(filters)).map(({ label }) => keyOf(label)),
  ],
  choices: async ({ app, now }, filters) => ({ row: await rowsOf(app, queryOf(filters, now)) }),
  facts: async ({ app, now }, filters) => {
    const query = queryOf(filters, now)
    const cells = await readCellSums(app.db, query)
    return summedColumns(query.report).map(({ label, kind }) => ({
      label,
      value:
        kind === 'cents' ? String(money(cells.get(label) ?? 0).text) : (cells.get(label) ?? 0).toLocaleString('en-US'),
    }))
  },
  read: async (reader, { filters, after, before, limit }: ListQuery) => {
    const query = queryOf(filters, reader.now)
    const page = { after: after ?? before, limit, column: filters['of'] ?? null }
    const { entries, next } = await readEntries(reader.app.db, query, page)
    return { rows: entries.map((entry) => rowOf(reader, query.report, entry)), next }
  },
})

function reportOf({ report = '' }: Readonly<Record<string, string>>): ReportName {
  return isReportName(report) && hasEntries(report) ? report : 'sales'
}

function queryOf(filters: Readonly<Record<string, string>>, now: Temporal.Instant): CellQuery {
  const { state = null, shop = null, type = null, row = null } = filters
  return {
    report: reportOf(filters),
    period: periodOf(filters, now),
    filter: { state, shopId: null, accountType: type },
    part: { label: row, shopCode: shop },
  }
}

/** Returns the requested period, at most one year. Defaults to the current month. */
function periodOf({ from, to }: Readonly<Record<string, string>>, now: Temporal.Instant): Period {
  const today = storeDay(now)
  if (from === undefined && to === undefined) return daysOfMonth(today.toPlainYearMonth())
  const last = to === undefined ? today : Temporal.PlainDate.from(to)
  const first = from === undefined ? last : Temporal.PlainDate.from(from)
  const period = Temporal.PlainDate.compare(first, last) > 0 ? { from: last, to: first } : { from: first, to: last }
  return lengthOf(period) > longestPeriod
    ? { ...period, from: period.to.subtract({ days: longestPeriod - 1 }) }
    : period
}

/** The rows of the report that are named by a label. */
async function rowsOf(app: ListReader['app'], { report, period, filter }: CellQuery): Promise<ListChoice> {
  const found = await readReports(app, { period, comparison: 'nothing', filter, names: [report] })
  const { columns, rows, subjects = [] } = found.reports[report]
  const names = subjects.flatMap(({ label, state }, at): [string, string][] => {
    const texts = columns.flatMap(({ kind }, place): Cell[] => (kind === 'text' ? [rows[at]?.[place] ?? null] : []))
    const words = texts.filter((text) => text !== null && text !== '' && text !== state)
    return label === undefined ? [] : [[label, words.join(', ')]]
  })
  return [...new Map(names)]
}

function rowOf({ can }: ListReader, report: ReportName, entry: ReportEntryRow): ListRow {
  const { key, at, day, orderId, purchaseOrderId, cells } = entry
  const name =
    purchaseOrderId === null
      ? orderId === null
        ? withoutOrder(report)
        : orderNumber(orderId)
      : purchaseOrderNumber(purchaseOrderId)
  const numbers = summedColumns(report).map(({ label, kind }): [string, ListCell] => {
    const value = cells.get(label) ?? 0
    return [keyOf(label), kind === 'cents' ? money(value) : value]
  })
  return {
    id: key,
    label: name,
    path: pathOf(entry, can),
    cells: {
      entry: name,
      what: entryName(entry.what),
      at: at === null ? dateText(day) : time(at),
      ...Object.fromEntries<ListCell>(numbers),
    },
  }
}

function pathOf({ orderId, purchaseOrderId }: ReportEntryRow, can: ListReader['can']): string | null {
  if (purchaseOrderId !== null) return can('suppliers.read') ? officePaths.officePurchaseOrder(purchaseOrderId) : null
  return orderId !== null && can('orders.read') ? officePaths.officeOrder(orderId) : null
}

function withoutOrder(report: ReportName): string {
  return report === 'conversion' ? 'Cart without an order' : 'No order'
}

const entryNames: Readonly<Record<string, string>> = {
  job: 'Appointment done',
  'no-show': 'No-show',
  'shop-cancellation': 'Canceled by shop',
}

/** "Order placed": the reason in the ledger, or what happened. */
function entryName(what: string): string {
  return entryNames[what] ?? `${what.slice(0, 1).toUpperCase()}${what.slice(1).replaceAll('-', ' ')}`
}
