/** Reads a CSV file of taxes and fees by state. */
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { readUploadedTable } from '#platform/uploaded-table.server.ts'
import {
  maxStateTaxBytes,
  maxStateTaxRows,
  readStateTaxRows,
  stateTaxColumns,
  type StateTaxFileRow,
} from './state-tax-file.ts'

/** Returns the rows, or refuses the file with every fault by its line. */
export function readStateTaxFile(text: string): Outcome<StateTaxFileRow[], Refused<'faults', string[]>> {
  const table = readUploadedTable(text, {
    columns: stateTaxColumns,
    maxBytes: maxStateTaxBytes,
    maxRows: maxStateTaxRows,
  })
  if (!table.ok) return table
  const { rows, faults } = readStateTaxRows(table.value)
  return faults.length > 0 ? refused('faults', faults) : ok(rows)
}
