/** Reads the entries behind a report cell (orders, refunds, appointments, and packages). */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import { storeZone } from '#platform/store-zone.ts'
import { entriesOf } from './count.sql.server.ts'
import { mergedEntries } from './entries.sql.server.ts'
import {
  isCounted,
  selectFigures,
  type Figure,
  type FigureKind,
  type FigurePart,
  type ReportFilter,
} from './figures.sql.server.ts'
import { reportEntries, type Cell, type Period, type ReportName } from './reports.ts'

/** The cells of one row or the total of a report. */
export type CellQuery = { report: ReportName; period: Period; filter: ReportFilter; part: FigurePart }

/** One contribution to a row of a report. */
export type ReportEntryRow = {
  /** Unique within its day, the same each time. */
  key: string
  at: Temporal.Instant | null
  day: string
  what: string
  orderId: number | null
  purchaseOrderId: number | null
  /** Values by label, for each count or cents column. */
  cells: ReadonlyMap<string, number>
}

/** Maximum days read per page, so that rare entries don't require reading a year. */
const maxDaysRead = 31

/**
 * Returns the sums of a row, or of the total, of a report by column label: what the report itself shows.
 */
export async function readCellSums(db: Database, query: CellQuery): Promise<ReadonlyMap<string, number>> {
  const { report, period, filter, part } = query
  const figures = await selectFigures(db, daysOf(period), filter, reportEntries[report].kinds, part)
  return cellsOf(report, period, figures)
}

/**
 * Returns the entries for a report row or total, newest day first, with the cursor of the next page, or null. At least
 * `limit` entries, unless fewer remain or the maximum days were read, because days are read completely. With `column`,
 * only entries that change it. For unfinished days, entries stop at the last count, so that they match the report.
 */
export async function readEntries(
  db: Database,
  query: CellQuery,
  { after, limit, column }: { after: string | null; limit: number; column: string | null },
): Promise<{ entries: ReportEntryRow[]; next: string | null }> {
  const place = readPlace(after)
  const days = await selectDays(db, query, place?.day ?? null)
  const entries: ReportEntryRow[] = []
  let skip = place?.skip ?? 0
  for (const [index, day] of days.entries()) {
    const found = (await readDay(db, query, day)).filter(
      ({ cells }) => column === null || (cells.get(column) ?? 0) !== 0,
    )
    const room = limit - entries.length
    entries.push(...found.slice(skip, skip + room))
    if (found.length > skip + room) return { entries, next: `${day.day}.${skip + room}` }
    skip = 0
    const nextDay = days[index + 1]
    if (nextDay && (entries.length >= limit || index + 1 === maxDaysRead)) return { entries, next: `${nextDay.day}.0` }
  }
  return { entries, next: null }
}

function readPlace(text: string | null): { day: string; skip: number } | null {
  const [, day, skip] = /^(\d{4}-\d{2}-\d{2})\.(\d{1,7})$/.exec(text ?? '') ?? []
  return day !== undefined && isDay(day) ? { day, skip: Number(skip) } : null
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

type FoundDay = { day: string; countedAt: Temporal.Instant }

/** The days that have figures of a row, newest first, from `until` back. */
async function selectDays(
  db: Database,
  { report, period, filter, part }: CellQuery,
  until: string | null,
): Promise<FoundDay[]> {
  const { from, to } = daysOf(period)
  const { rows } = await sql<FoundDay>`
    select report_day.day::text as day, counted_at as "countedAt" from report_day
    where report_day.day >= ${from}::date and report_day.day <= least(${to}::date, ${until}::date) and exists (
      select from report_figure where report_figure.day = report_day.day and ${isCounted(reportEntries[report].kinds, filter, part)})
    order by report_day.day desc limit ${maxDaysRead + 1}`.execute(db)
  return rows
}

type Row = Omit<Figure, 'kind'> & {
  kind: FigureKind
  at: Temporal.Instant | null
  what: string
  orderId: number | null
  purchaseOrderId: number | null
}

async function readDay(db: Database, query: CellQuery, { day, countedAt }: FoundDay): Promise<ReportEntryRow[]> {
  const { report, period, filter, part } = query
  const { kinds } = reportEntries[report]
  const date = Temporal.PlainDate.from(day)
  const end = date.add({ days: 1 }).toZonedDateTime(storeZone).toInstant()
  const isOver = Temporal.Instant.compare(end, countedAt) <= 0
  const span = { from: date.toZonedDateTime(storeZone).toInstant(), until: isOver ? end : countedAt }
  const entries = entriesOf({ day, isOver, ...span }, kinds)
  if (!entries) return []
  const { rows } = await sql<Row>`
    select kind, ${day} as day, state_code as state, '' as "shopCode", label, at, what, order_id as "orderId", purchase_order_id as "purchaseOrderId",
      orders, units, kept, amount_cents as "amountCents", cost_cents as "costCents", unknown_cents as "unknownCents", taxed_cents as "taxedCents",
      tax_cents as "taxCents", fee_cents as "feeCents", excise_cents as "exciseCents", funded_cents as "fundedCents",
      captured_cents as "capturedCents", refunded_cents as "refundedCents"
    from (${mergedEntries(entries)}) as entry where ${isCounted(kinds, filter, part)}`.execute(db)
  const merged = [...Map.groupBy(rows, keyOf)].map(([key, of]): ReportEntryRow => {
    const [first] = of
    const { at = null, what = '', orderId = null, purchaseOrderId = null } = first ?? {}
    return { key, at, day, what, orderId, purchaseOrderId, cells: cellsOf(report, period, of) }
  })
  return merged
    .filter(({ cells }) => [...cells.values()].some((value) => value !== 0))
    .toSorted((one, other) => (one.key < other.key ? 1 : -1))
}

/** An order's figures at the same time are one entry, such as a refund across several brands. */
function keyOf({ at, orderId, purchaseOrderId, what }: Row): string {
  const time = at?.toString({ smallestUnit: 'microsecond' }) ?? ''
  return [time, orderId ?? '', purchaseOrderId ?? '', what].join(' ')
}

function cellsOf(report: ReportName, period: Period, figures: readonly Figure[]): ReadonlyMap<string, number> {
  const { columns, total } = reportEntries[report].make({ period, figures, before: null })
  return new Map(
    columns.flatMap(({ label, kind }, at): [string, number][] => {
      const cell: Cell = total[at] ?? null
      return (kind === 'count' || kind === 'cents') && typeof cell === 'number' ? [[label, cell]] : []
    }),
  )
}

function daysOf({ from, to }: Period): { from: string; to: string } {
  return { from: from.toString(), to: to.toString() }
}
