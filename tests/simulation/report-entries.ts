/** The entries behind every cell of a report must add up to it. */
import { expect } from 'vitest'
import {
  readCellSums,
  readEntries,
  type CellQuery,
  type ReportEntryRow,
} from '#domain/operations/reports/reports.server.ts'
import { summedColumns, type Period, type Report, type RowSubject } from '#domain/operations/reports/reports.ts'
import { add, type Store } from './cells.ts'

/** Compares each sum of each row, and of the total, with the entries behind it, read page by page. */
export async function expectEntries({ db }: Store, period: Period, report: Report): Promise<void> {
  const { name, columns, rows, total, subjects = [] } = report
  expect(subjects, name).toHaveLength(rows.length)
  const everything: CellQuery = {
    report: name,
    period,
    filter: { state: null, shopId: null, accountType: null },
    part: { label: null, shopCode: null },
  }
  const ofRow = ({ days, state, label, shopCode }: RowSubject): CellQuery => ({
    ...everything,
    ...(days && { period: { from: Temporal.PlainDate.from(days.from), to: Temporal.PlainDate.from(days.to) } }),
    filter: { ...everything.filter, state: state ?? null },
    part: { label: label ?? null, shopCode: shopCode ?? null },
  })
  const cells = [
    ...rows.map((row, at) => ({ row, query: ofRow(subjects[at] ?? {}) })),
    { row: total, query: ofRow({}) },
  ]
  for (const { row, query } of cells) {
    const [entries, sums] = [await readAll(db, query), await readCellSums(db, query)]
    for (const { label } of summedColumns(name)) {
      const cell = row[columns.findIndex((column) => column.label === label)] ?? 0
      const what = `${name}, ${String(row[0])}, ${label}`
      expect(add(entries.map((entry) => entry.cells.get(label) ?? 0)), what).toBe(cell)
      expect(sums.get(label) ?? 0, what).toBe(cell)
    }
    expect(new Set(entries.map(({ day, key }) => `${day} ${key}`)).size).toBe(entries.length)
  }
}

async function readAll(db: Store['db'], query: CellQuery): Promise<ReportEntryRow[]> {
  const all: ReportEntryRow[] = []
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof readEntries>> = await readEntries(db, query, {
      after,
      limit: 7,
      column: null,
    })
    all.push(...page.entries)
    if (page.next === null) return all
    after = page.next
  }
}
