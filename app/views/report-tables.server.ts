/** Reports in the office, with tables, charts and file rows. */
import { stateOptions } from '#app/ui/states.ts'
import {
  barChart,
  columnChart,
  percent,
  shareChart,
  shortDollars,
  type Chart,
} from '#app/views/report-charts.server.ts'
import { salesTaxNames } from '#domain/pricing/pricing/pricing.ts'
import {
  codeOf,
  promiseTargetPpm,
  type Cell,
  type Column,
  type Period,
  type Report,
  type ReportName,
  type RowSubject,
} from '#domain/operations/reports/reports.ts'
import { formatCents } from '#platform/money.ts'

export type ReportView = {
  name: ReportName
  title: string
  note: string
  details: string | null
  csv: string
  chart: Chart | null
  columns: { key: string; label: string; isAmount?: boolean; isRowHeader?: boolean }[]
  rows: ReportRow[]
  /** The total, followed by the comparison period's total and the change. */
  footer: ReportRow[]
}

/** `isMain` is false for rows beyond the largest, which only the report's page has. */
type ReportRow = { id: string; isMain: boolean; cells: Record<string, string>; links: Record<string, string> }

/** The amounts by which the rows of a long report are chosen for the overview. */
const mainAmounts: Readonly<Partial<Record<ReportName, string>>> = {
  margin: 'Margin',
  tax: salesTaxNames.charged,
  refunds: 'Amount',
}

/** "October 2026", "Q4 2026", or "Oct 3, 2026 to Nov 8, 2026" */
export function periodName(period: Period): string {
  const code = codeOf(period)
  if (code !== null) return codeName(code)
  const [from, to] = [period.from, period.to].map((day) => day.toLocaleString('en-US', { dateStyle: 'medium' }))
  return from === to ? String(from) : `${from} to ${to}`
}

/** "2026-10", "2026-Q4", or "2026-10-03-2026-11-08": for the names of files and columns. */
export function periodKey(period: Period): string {
  return codeOf(period) ?? `${period.from.toString()}-${period.to.toString()}`
}

/** "October 2026", "Q4 2026" or "2026" */
export function codeName(code: string): string {
  const [year = '', part] = code.split('-')
  if (part === undefined) return year
  if (part.startsWith('Q')) return `${part} ${year}`
  const month = Temporal.PlainYearMonth.from(code).toPlainDate({ day: 1 })
  return month.toLocaleString('en-US', { month: 'long', year: 'numeric' })
}

/** The names of the period and of the one compared with. */
export type Names = { now: string; before: string | null }

/** A nonzero cell. `isBefore` means that it shows the comparison period. */
type LinkedCell = { column: string; subject: RowSubject; isBefore: boolean }

/** Returns a cell's link to its entries or shop; undefined without one. */
export type LinkOf = (cell: LinkedCell) => string | undefined

/** Makes the view of a report; `csv` is the address of its file. */
export function viewOf(
  report: Report,
  { csv, names, linkOf }: { csv: string; names: Names; linkOf: LinkOf },
): ReportView {
  const { name, title, note, details = null, rows, total, before } = report
  const columns = report.columns.map((column) =>
    column.label === 'Before' && names.before ? { ...column, label: names.before } : column,
  )
  const amountAt = report.columns.findIndex(({ label }) => label === mainAmounts[name])
  const main = new Set(amountAt === -1 ? rows : largest(rows, amountAt))
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
    details,
    csv,
    chart: rows.length === 0 ? null : chartOf(report, names),
    columns: columns.map(({ label, kind }, at) => ({
      key: `c${at}`,
      label,
      ...(at === 0 ? { isRowHeader: true } : kind === 'text' ? {} : { isAmount: true }),
    })),
    rows: rows.map((row, index) => ({
      id: String(index),
      isMain: main.has(row),
      cells: cellsOf(named(report, row)),
      links: linksOf(report.columns, row, { subject: report.subjects?.[index], isBefore: false }, linkOf),
    })),
    footer: [
      {
        id: 'total',
        isMain: true,
        cells: cellsOf(total),
        links: linksOf(report.columns, total, { subject: {}, isBefore: false }, linkOf),
      },
      ...(before && names.before
        ? [
            {
              id: 'before',
              isMain: true,
              cells: cellsOf([names.before, ...before.slice(1)]),
              links: linksOf(report.columns, before, { subject: {}, isBefore: true }, linkOf),
            },
            { id: 'change', isMain: true, cells: changesOf(columns, total, before), links: {} },
          ]
        : []),
    ],
  }
}

/** By how much each sum changed from the period before. */
function changesOf(
  columns: readonly Column[],
  total: readonly Cell[],
  before: readonly Cell[],
): Record<string, string> {
  const changes = columns.map(({ kind }, at): [string, string] => {
    const change = kind === 'count' || kind === 'cents' ? changeOf(total[at], before[at]) : null
    return [`c${at}`, at === 0 ? 'Change' : change === null ? '' : signed(change)]
  })
  return Object.fromEntries(changes)
}

/** Returns the change in parts per million; null if the earlier value is zero. */
function changeOf(now: Cell | undefined, before: Cell | undefined): number | null {
  return typeof now === 'number' && typeof before === 'number' && before > 0
    ? Math.round(((now - before) / before) * 1_000_000)
    : null
}

function linksOf(
  columns: Report['columns'],
  row: readonly Cell[],
  { subject, isBefore }: { subject: RowSubject | undefined; isBefore: boolean },
  linkOf: LinkOf,
): Record<string, string> {
  if (!subject) return {}
  const links = columns.flatMap(({ label, kind }, at): [string, string][] => {
    const isSum = (kind === 'count' || kind === 'cents') && row[at] !== 0 && row[at] !== null
    if (!isSum && label !== 'Shop') return []
    const isOther = isBefore || label === 'Before'
    const path = linkOf({ column: label === 'Before' ? 'Sales' : label, subject, isBefore: isOther })
    return path === undefined ? [] : [[`c${at}`, path]]
  })
  return Object.fromEntries(links)
}

/** The rows with the largest amounts, in the order of the table. */
function largest(rows: Report['rows'], at: number): Report['rows'] {
  if (rows.length <= mostBars) return rows
  const shown = new Set(rows.toSorted((one, other) => Number(other[at]) - Number(one[at])).slice(0, mostBars))
  return rows.filter((row) => shown.has(row))
}

/** A row of taxes is named by its state. */
function named({ name }: Report, row: readonly Cell[]): readonly Cell[] {
  if (name !== 'tax' && name !== 'filing') return row
  return [new Map<Cell, string>(stateOptions).get(row[0] ?? null) ?? row[0] ?? null, ...row.slice(1)]
}

/** "Illinois", "Cook County, IL" */
function authorityName([state, , authority]: readonly Cell[]): string {
  return authority === null
    ? (new Map<Cell, string>(stateOptions).get(state ?? null) ?? String(state))
    : `${authority}, ${state}`
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
        label: name === 'filing' ? authorityName(row) : String(named(report, row)[0]),
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
          unit: unitOf(report),
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
    case 'filing':
      return bars('Tax collected', 'Tax collected')
    case 'refunds':
      return bearerChart(report)
    case 'promotions':
      return bars('Cost to us', 'Cost to us')
    case 'cash':
      return bars('Ledger', 'Cash in the ledger')
    case 'shops':
      return bars('Jobs done', 'Jobs done, average rating', (row) => {
        const rating = row[at('Rating')]
        return `${number(value(row, 'Jobs done'))}, ${typeof rating === 'number' ? `${starsText(rating)} stars` : 'no ratings'}`
      })
    case 'conversion':
      return bars('Orders', 'Orders, share of carts', (row) => {
        const rate = row[at('Cart to order')]
        return `${number(value(row, 'Orders'))}, ${typeof rate === 'number' ? percent(rate) : 'no carts'}`
      })
    case 'searches':
      return bars('Searches', 'Searches', (row) => number(value(row, 'Searches')))
    case 'inventory':
      return bars('Value at cost', 'Value at cost')
    case 'suppliers':
      return bars('Units ordered', 'Units ordered, share filled', (row) => {
        const rate = row[at('Fill rate')]
        return `${number(value(row, 'Units ordered'))}, ${typeof rate === 'number' ? percent(rate) : 'none filled'}`
      })
  }
}

/** Returns "week" or "month" for a report by week or month. */
function unitOf({ columns: [first] }: Pick<Report, 'columns'>): string {
  return first?.label.toLowerCase() ?? ''
}

/** Refunds as bars by cost bearer, largest first. Rows with the same bearer are added. */
function bearerChart({ title, columns, rows }: Report): Chart {
  const [bearer, amount] = ['Borne by', 'Amount'].map((label) => columns.findIndex((column) => column.label === label))
  const sums = new Map<string, number>()
  for (const row of rows) {
    const name = String(row[bearer ?? -1] ?? '')
    sums.set(name, (sums.get(name) ?? 0) + Number(row[amount ?? -1] ?? 0))
  }
  const bars = [...sums].map(([label, cents]) => ({ label, cents, words: formatCents(cents) }))
  return barChart(
    bars.toSorted((one, other) => other.cents - one.cents),
    { label: `Bar chart of ${title.toLowerCase()}`, words: 'Refunded' },
  )
}

/** "Oct 4–10" is "4–10", and "Oct 2026" is "Oct", where there is little room. */
function weekLabels(label: string): { label: string; short: string } {
  return { label, short: label.replace(/^[A-Z][a-z]+ (?=\d{1,2}(?:\D|$))| \d{4}$/, '') }
}

function cellText(cell: Cell, { kind, isChange }: { kind: Column['kind']; isChange: boolean }): string {
  if (cell === null) return kind === 'ppm' || kind === 'stars' ? '–' : ''
  if (typeof cell === 'string') return cell
  switch (kind) {
    case 'cents':
      return formatCents(cell)
    case 'ppm':
      return isChange ? signed(cell) : percentCell(cell)
    case 'stars':
      return starsText(cell)
    default:
      return number(cell)
  }
}

/** Hundredths of a star as "4.62". */
function starsText(hundredths: number): string {
  return (hundredths / 100).toFixed(2)
}

export function money(cents: number | null): string {
  return formatCents(cents ?? 0)
}

export function number(count: number | null): string {
  return (count ?? 0).toLocaleString('en-US').replace('-', '−')
}

/** With one decimal, so that the digits of a column stand under each other. */
function percentCell(ppm: number): string {
  return `${(ppm / 10_000).toFixed(1)}%`
}

export function signed(ppm: number): string {
  return `${ppm < 0 ? '−' : '+'}${percentCell(Math.abs(ppm))}`
}

/** Returns a report's rows for a file, with amounts in dollars, shares in percent, and state codes. */
export function csvRowsOf(
  { columns, rows, total, before: totalBefore }: Report,
  before: Period | null,
): (string | number | null)[][] {
  const heads = columns.map(
    ({ label, kind }) =>
      `${label === 'Before' && before ? `Sales ${periodKey(before)}` : label}${kind === 'cents' ? ' (USD)' : kind === 'ppm' ? ' (%)' : ''}`,
  )
  const cellsOf = (row: readonly Cell[]) =>
    columns.map(({ kind }, at) => {
      const cell = row[at] ?? null
      if (typeof cell !== 'number') return cell
      return kind === 'cents' || kind === 'stars' ? cell / 100 : kind === 'ppm' ? cell / 10_000 : cell
    })
  const compared = totalBefore && before ? [[`Total ${periodKey(before)}`, ...totalBefore.slice(1)]] : []
  return [heads, ...[...rows, total, ...compared].map(cellsOf)]
}
