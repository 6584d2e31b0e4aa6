/** Reads an uploaded CSV file with a header. */
import { parse } from 'csv-parse/sync'
import { countOf } from './count-text.ts'
import { headOf, uploadedCsv } from './csv-text.ts'
import { ok, refused, type Outcome, type Refused } from './outcome.ts'

/** The file's limits, and the headings that it needs. */
type TableTerms = { columns: readonly string[]; maxBytes: number; maxRows: number }

/** A row's cells by `headOf` of their columns. */
export type TableRow = { line: number; cells: { [column: string]: string } }

/** Returns the rows below the header with their lines, or refuses the file with its faults. */
export function readUploadedTable(
  text: string,
  { columns, maxBytes, maxRows }: TableTerms,
): Outcome<TableRow[], Refused<'faults', string[]>> {
  if (text.length > maxBytes) return refused('faults', [`The file is larger than ${maxBytes / 1024} kB.`])
  let header: string[] = []
  let records: { record: TableRow['cells']; info: { lines: number } }[]
  try {
    records = parse(text, {
      ...uploadedCsv,
      columns: (cells: string[]) => (header = cells.map(headOf)),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: maxRows + 1,
    })
  } catch {
    return refused('faults', ['The file can’t be read as CSV. Check its quotation marks.'])
  }
  const missing = columns.filter((column) => !header.includes(headOf(column)))
  if (missing.length > 0) return refused('faults', [`The first line lacks the columns ${missing.join(', ')}.`])
  if (records.length === 0) return refused('faults', ['The file has no rows below its header.'])
  if (records.length > maxRows) return refused('faults', [`The file has more than ${countOf(maxRows, 'row')}.`])
  return ok(records.map(({ record, info }) => ({ line: info.lines, cells: record })))
}
