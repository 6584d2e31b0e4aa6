/** A month of reports, or other days, as the office shows it: figures, tables, charts, and the addresses of their files. */
import { salesTaxNames } from '#domain/pricing/pricing.ts'
import { stateOptions } from '#app/ui/states.ts'
import {
  barChart,
  columnChart,
  percent,
  shareChart,
  shortDollars,
  type Chart,
} from '#app/views/report-charts.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { readReports, type ReportFilter, type ReportsOfPeriod } from '#domain/reports/reports.server.ts'
import {
  comparedWith,
  comparisons,
  daysOfMonth,
  lengthOf,
  monthOf,
  promiseTargetPpm,
  reportNames,
  type Cell,
  type Column,
  type Comparison,
  type Period,
  type Report,
  type ReportName,
} from '#domain/reports/reports.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Shop } from '#shop'
import { readDay } from './office-times.ts'

/** What is asked for; what makes no sense counts as not asked. */
export type AskedReports = { period: Period; comparison: Comparison; filter: ReportFilter }

/** How many months are offered, the current one first. */
const monthsOffered = 36

/** The most days that are shown at once. */
const mostDays = 366

/** Reads a month, or days that take its place, and filters from the address of a page. */
export function readAskedReports(query: URLSearchParams, now: Temporal.Instant): AskedReports {
  const today = storeDay(now)
  const current = today.toPlainYearMonth()
  const comparison = comparisons.find((each) => each === query.get('compare')) ?? 'year'
  const state = query.get('state') ?? ''
  const shop = query.get('shop') ?? ''
  const type = (query.get('type') ?? '').trim()
  return {
    period: daysIn(query, today) ?? daysOfMonth(monthIn(query.get('month') ?? '', current) ?? current),
    comparison,
    filter: {
      state: /^[A-Z]{2}$/.test(state) ? state : null,
      shopId: /^[1-9]\d{0,8}$/.test(shop) ? Number(shop) : null,
      accountType: /^[A-Za-z ]{1,40}$/.test(type) ? type : null,
    },
  }
}

function monthIn(text: string, current: Temporal.PlainYearMonth): Temporal.PlainYearMonth | undefined {
  if (!/^20\d\d-(?:0[1-9]|1[0-2])$/.test(text)) return undefined
  const month = Temporal.PlainYearMonth.from(text)
  return Temporal.PlainYearMonth.compare(month, current) > 0 ? undefined : month
}

/** The days from `from` to `to`, at most a year of them, none of which is to come. */
function daysIn(query: URLSearchParams, today: Temporal.PlainDate): Period | undefined {
  const [from, to] = [readDay(query.get('from') ?? ''), readDay(query.get('to') ?? '')]
  if (from === '' || to === '') return undefined
  const period = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) }
  const length = lengthOf(period)
  return length < 1 || length > mostDays || Temporal.PlainDate.compare(period.to, today) > 0 ? undefined : period
}

/** "October 2026", or "Oct 3, 2026 to Nov 8, 2026" */
export function periodName(period: Period): string {
  const month = monthOf(period)
  if (month) return monthName(month)
  const [from, to] = [period.from, period.to].map((day) => day.toLocaleString('en-US', { dateStyle: 'medium' }))
  return from === to ? String(from) : `${from} to ${to}`
}

/** "2026-10", or "2026-10-03-2026-11-08": for the names of files and columns. */
export function periodKey(period: Period): string {
  return monthOf(period)?.toString() ?? `${period.from.toString()}-${period.to.toString()}`
}

/** "October 2026" */
function monthName(month: Temporal.PlainYearMonth): string {
  return month.toPlainDate({ day: 1 }).toLocaleString('en-US', { month: 'long', year: 'numeric' })
}

export type ReportView = {
  name: ReportName
  title: string
  note: string
  csv: string
  chart: Chart | null
  columns: { key: string; label: string; isAmount?: boolean; isRowHeader?: boolean }[]
  rows: { id: string; cells: Record<string, string> }[]
  footer: Record<string, string>
}

/** Reads what the page of reports shows. */
export async function readReportsPage({ db, clock }: Pick<Shop, 'db' | 'clock'>, asked: AskedReports) {
  const now = clock.now()
  const { period, comparison, filter } = asked
  const found = await readReports({ db }, asked)
  const isRunning = Temporal.PlainDate.compare(period.to, storeDay(now)) >= 0
  const address = (of: Period = period) => {
    const month = monthOf(of)
    return {
      month: month?.toString(),
      from: month ? undefined : of.from.toString(),
      to: month ? undefined : of.to.toString(),
      compare: comparison === 'year' ? undefined : comparison,
      state: filter.state ?? undefined,
      shop: filter.shopId?.toString(),
      type: filter.accountType ?? undefined,
    }
  }
  const other = comparedWith(period, comparison)
  const names = { now: periodName(period), before: other && periodName(other.period) }
  const link = (of: Period) => ({ label: periodName(of), path: officePaths.officeReports(address(of)) })
  const after = besides(period, 1)
  return {
    title: names.now,
    isMonth: monthOf(period) !== null,
    isRunning,
    countedAt: found.countedAt && timeText(found.countedAt, storeZone),
    facts: factsOf(found, names.before),
    previous: link(besides(period, -1)),
    next: Temporal.PlainDate.compare(after.from, storeDay(now)) > 0 || isCut(after, storeDay(now)) ? null : link(after),
    allCsv: officePaths.officeReportsCsv(address()),
    filters: filtersOf(found, asked, storeDay(now).toPlainYearMonth()),
    reports: reportNames.map((name) =>
      viewOf(found.reports[name], officePaths.officeReportsCsv({ ...address(), report: name }), names),
    ),
  }
}

/** The period right after this one, or with -1 right before it: a month for a month, as many days for days. */
function besides(period: Period, steps: 1 | -1): Period {
  const month = monthOf(period)
  if (month) return daysOfMonth(month.add({ months: steps }))
  const days = steps * lengthOf(period)
  return { from: period.from.add({ days }), to: period.to.add({ days }) }
}

/** Whether days, other than those of a month, are still to come. */
function isCut(period: Period, today: Temporal.PlainDate): boolean {
  return monthOf(period) === null && Temporal.PlainDate.compare(period.to, today) > 0
}

type Choice = { value: string; label: string }

function filtersOf(
  { choices }: ReportsOfPeriod,
  { period, comparison, filter }: AskedReports,
  current: Temporal.PlainYearMonth,
) {
  const states = new Map(stateOptions)
  const withChosen = (options: Choice[], chosen: string | null): Choice[] =>
    chosen === null || options.some(({ value }) => value === chosen)
      ? options
      : [...options, { value: chosen, label: chosen }]
  const month = monthOf(period)
  return {
    month: month?.toString() ?? '',
    // Days that are no month take its place.
    days: month ? { from: '', to: '' } : { from: period.from.toString(), to: period.to.toString() },
    months: withChosen(
      Array.from({ length: monthsOffered }, (_, back) => current.subtract({ months: back })).map((each) => ({
        value: each.toString(),
        label: monthName(each),
      })),
      month?.toString() ?? null,
    ),
    comparison,
    state: filter.state ?? '',
    states: withChosen(
      choices.states.map((code) => ({ value: code, label: states.get(code) ?? code })),
      filter.state,
    ),
    shop: filter.shopId?.toString() ?? '',
    shops: withChosen(
      choices.shops.map(({ id, name }) => ({ value: String(id), label: name })),
      filter.shopId?.toString() ?? null,
    ),
    type: filter.accountType ?? '',
    types: withChosen(
      choices.accountTypes.map((type) => ({ value: type, label: type })),
      filter.accountType,
    ),
  }
}

function factsOf({ reports }: ReportsOfPeriod, before: string | null) {
  const cell = (name: ReportName, label: string): number | null => {
    const { columns, total } = reports[name]
    const found = total[columns.findIndex((column) => column.label === label)]
    return typeof found === 'number' ? found : null
  }
  const change = cell('sales', 'Change')
  const [marginShare, unknown] = [cell('margin', 'Share'), cell('margin', 'Cost unknown') ?? 0]
  const refunded = cell('refunds', 'Amount') ?? 0
  const promised = cell('promise', 'Parcels') ?? 0
  return [
    {
      label: 'Sales',
      value: money(cell('sales', 'Sales')),
      meta:
        change === null || before === null
          ? `${number(cell('sales', 'Orders'))} orders`
          : `${signed(change)} on ${before}`,
    },
    {
      label: 'Margin',
      value: marginShare === null ? 'Cost unknown' : percent(marginShare),
      meta: `${money(cell('margin', 'Margin'))}${unknown === 0 ? '' : `; cost unknown of ${money(unknown)}`}`,
    },
    {
      label: 'Tax to remit',
      value: money(cell('tax', salesTaxNames.charged)),
      meta: `and ${money(cell('tax', 'Tire fee'))} in tire fees`,
    },
    {
      label: 'Promise kept',
      value: promised === 0 ? 'None due' : percent(cell('promise', 'Share') ?? 0),
      meta: `${number(cell('promise', 'Kept'))} of ${number(promised)}, target ${percent(promiseTargetPpm)}`,
    },
    { label: 'Refunds', value: money(refunded), meta: `${number(cell('refunds', 'Refunds'))} paid out` },
  ]
}

type Names = { now: string; before: string | null }

function viewOf(report: Report, csv: string, names: Names): ReportView {
  const { name, title, note, rows, total } = report
  const columns = report.columns.map((column) =>
    column.label === 'Before' && names.before ? { ...column, label: names.before } : column,
  )
  const cellsOf = (row: readonly Cell[]) =>
    Object.fromEntries(
      columns.map(({ kind }, at) => [
        `c${at}`,
        cellText(row[at] ?? null, { kind, isChange: columns[at]?.label === 'Change' }),
      ]),
    )
  return {
    name,
    title,
    note,
    csv,
    chart: rows.length === 0 ? null : chartOf(report, names),
    columns: columns.map(({ label, kind }, at) => ({
      key: `c${at}`,
      label,
      ...(at === 0 ? { isRowHeader: true } : kind === 'text' ? {} : { isAmount: true }),
    })),
    rows: rows.map((row, index) => ({ id: String(index), cells: cellsOf(named(report, row)) })),
    footer: cellsOf(total),
  }
}

/** The rows with the largest amounts, in the order of the table. */
function largest(rows: Report['rows'], at: number): Report['rows'] {
  if (rows.length <= mostBars) return rows
  const shown = new Set(rows.toSorted((one, other) => Number(other[at]) - Number(one[at])).slice(0, mostBars))
  return rows.filter((row) => shown.has(row))
}

/** A row of taxes is named by its state. */
function named({ name }: Report, row: readonly Cell[]): readonly Cell[] {
  if (name !== 'tax') return row
  return [new Map<Cell, string>(stateOptions).get(row[0] ?? null) ?? row[0] ?? null, ...row.slice(1)]
}

/** Longer lists go on in the table. */
const mostBars = 12

function chartOf(report: Report, names: Names): Chart | null {
  const { name, title, columns, rows } = report
  const at = (label: string) => columns.findIndex((column) => column.label === label)
  const value = (row: readonly Cell[], label: string) => Number(row[at(label)] ?? 0)
  const bars = (
    label: string,
    words: string,
    text: (row: readonly Cell[]) => string = (row) => formatCents(value(row, label)),
  ) =>
    barChart(
      largest(rows, at(label)).map((row) => ({
        label: String(named(report, row)[0]),
        cents: value(row, label),
        words: text(row),
      })),
      { label: `Bar chart of ${title.toLowerCase()}`, words },
    )
  switch (name) {
    case 'sales':
      return columnChart(
        rows.map((row) => ({
          ...weekLabels(String(row[0])),
          now: value(row, 'Sales'),
          before: names.before === null ? null : value(row, 'Before'),
        })),
        { label: `Bar chart of ${title.toLowerCase()}`, now: names.now, before: names.before },
      )
    case 'promise':
      return shareChart(
        rows.map((row) => ({
          ...weekLabels(String(row[0])),
          ppm: row[at('Share')] === null ? null : value(row, 'Share'),
        })),
        {
          label: `Line chart of ${title.toLowerCase()} against a target of ${percent(promiseTargetPpm)}`,
          targetPpm: promiseTargetPpm,
        },
      )
    case 'margin':
      return bars('Margin', 'Margin in dollars, share of sales', (row) => {
        const share = row[at('Share')]
        return share === null || share === undefined
          ? 'Cost unknown'
          : `${shortDollars(value(row, 'Margin'))}, ${percent(Number(share))}`
      })
    case 'tax':
      return bars(salesTaxNames.charged, salesTaxNames.charged)
    case 'refunds':
      return bars('Amount', 'Refunded')
    case 'promotions':
      return bars('Cost to us', 'Cost to us')
    case 'cash':
      return bars('Ledger', 'Cash in the ledger')
  }
}

/** "Oct 4–10" is "4–10" where there is little room. */
function weekLabels(label: string): { label: string; short: string } {
  return { label, short: label.replace(/^[A-Z][a-z]+ (?=\d{1,2}(?:\D|$))/, '') }
}

function cellText(cell: Cell, { kind, isChange }: { kind: Column['kind']; isChange: boolean }): string {
  if (cell === null) return kind === 'ppm' ? '–' : ''
  if (typeof cell === 'string') return cell
  return kind === 'cents'
    ? formatCents(cell)
    : kind === 'ppm'
      ? isChange
        ? signed(cell)
        : percentCell(cell)
      : number(cell)
}

function money(cents: number | null): string {
  return formatCents(cents ?? 0)
}

function number(count: number | null): string {
  return (count ?? 0).toLocaleString('en-US').replace('-', '−')
}

/** With one decimal, so that the digits of a column stand under each other. */
function percentCell(ppm: number): string {
  return `${(ppm / 10_000).toFixed(1)}%`
}

function signed(ppm: number): string {
  return `${ppm < 0 ? '−' : '+'}${percentCell(Math.abs(ppm))}`
}

/** The rows of a report as a file has them: amounts in dollars, shares in percent, states by their letters. */
export function csvRowsOf({ columns, rows, total }: Report, before: Period | null): (string | number | null)[][] {
  const heads = columns.map(
    ({ label, kind }) =>
      `${label === 'Before' && before ? `Sales ${periodKey(before)}` : label}${kind === 'cents' ? ' (USD)' : kind === 'ppm' ? ' (%)' : ''}`,
  )
  const cellsOf = (row: readonly Cell[]) =>
    columns.map(({ kind }, at) => {
      const cell = row[at] ?? null
      if (typeof cell !== 'number') return cell
      return kind === 'cents' ? cell / 100 : kind === 'ppm' ? cell / 10_000 : cell
    })
  return [heads, ...[...rows, total].map(cellsOf)]
}
