/** Reads a CSV file of taxes and fees by state. */
import { parse } from 'csv-parse/sync'
import { uploadedCsv } from '#platform/csv-text.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  headOf,
  maxStateTaxBytes,
  maxStateTaxRows,
  missingStateTaxColumns,
  readStateTaxRows,
  stateTaxRowLimit,
  type StateTaxFileRow,
} from './state-tax-file.ts'

type Record = { record: { [column: string]: string }; info: { lines: number } }

/** Returns the rows, or refuses the file with every fault by its line. */
export function readStateTaxFile(text: string): Outcome<StateTaxFileRow[], Refused<'faults', string[]>> {
  if (text.length > maxStateTaxBytes)
    return refused('faults', [`The file is larger than ${maxStateTaxBytes / 1024} kB.`])
  let header: string[] = []
  let records: Record[]
  try {
    records = parse(text, {
      ...uploadedCsv,
      columns: (cells: string[]) => (header = cells.map(headOf)),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: maxStateTaxRows + 1,
    })
  } catch {
    return refused('faults', ['The file can’t be read as CSV. Check its quotation marks.'])
  }
  const missing = missingStateTaxColumns(header)
  if (missing.length > 0) return refused('faults', [`The first line lacks the columns ${missing.join(', ')}.`])
  if (records.length === 0) return refused('faults', ['The file has no rows below its header.'])
  if (records.length > maxStateTaxRows) return refused('faults', [`The file has more than ${stateTaxRowLimit}.`])
  const { rows, faults } = readStateTaxRows(
    records.map(({ record }) => record),
    (index) => records[index]?.info.lines ?? 0,
  )
  return faults.length > 0 ? refused('faults', faults) : ok(rows)
}
