/** Sales tax rates in the office. A file is parsed, compared with the table, and imported as a whole. */
import { parse } from 'csv-parse/sync'
import { statesOfZips } from '#domain/kernel/places/places.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { deletePlaceAnswers } from './answers.sql.server.ts'
import {
  compareRates,
  mostRateBytes,
  mostRateRows,
  rateColumns,
  readRateRows,
  type RateChanges,
  type RateRow,
} from './rate-rows.ts'
import {
  deleteRateFile,
  insertRateFile,
  replaceRates,
  selectRateFile,
  selectRatesOfStates,
  type RateFile,
} from './rates.sql.server.ts'
import { uploadedCsv } from '#platform/csv-text.ts'
import { countOf } from '#platform/count-text.ts'

type Deps = { db: Database; clock: Clock }
type NotAllowed = Refused<'not-allowed'>
type Gone = Refused<'gone'>

/** Reads a CSV file. Refuses it with every fault by its line. */
export async function readRateFile(
  db: Database,
  text: string,
): Promise<Outcome<RateRow[], Refused<'faults', string[]>>> {
  const records = recordsOf(text)
  if (!records.ok) return records
  const zips = records.value.map(({ zip }) => zip ?? '').filter((zip) => /^\d{5}$/.test(zip))
  const states = await statesOfZips(db, [...new Set(zips)])
  const { rows, faults } = readRateRows(records.value, (zip) => states.get(zip))
  return faults.length > 0 ? refused('faults', faults) : ok(rows)
}

function recordsOf(text: string): Outcome<Record<string, string>[], Refused<'faults', string[]>> {
  if (text.length > mostRateBytes)
    return refused('faults', [`The file is larger than ${mostRateBytes / 1024 / 1024} MB.`])
  try {
    const records: Record<string, string>[] = parse(text, {
      ...uploadedCsv,
      columns: true,
      trim: true,
      to: mostRateRows + 1,
    })
    if (records.length === 0) return refused('faults', ['The file has no rows below its header.'])
    if (records.length > mostRateRows)
      return refused('faults', [`The file has more than ${countOf(mostRateRows, 'row')}.`])
    const missing = rateColumns.filter((column) => !Object.hasOwn(records[0] ?? {}, column))
    return missing.length > 0 ? refused('faults', [`The header lacks ${missing.join(', ')}.`]) : ok(records)
  } catch {
    return refused('faults', ['The file cannot be read as CSV.'])
  }
}

/** Stores a file for review, and returns its id, once per form. Refuses as `readRateFile` does. */
export async function uploadRates(
  { db, clock }: Deps,
  by: Actor,
  { formKey, fileName, text }: { formKey: string; fileName: string; text: string },
): Promise<Outcome<number, NotAllowed | Refused<'faults', string[]>>> {
  const read = await readRateFile(db, text)
  if (!read.ok) return read
  const states = statesOf(read.value)
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'sales-tax.edit', at)
    if (!permitted.ok) return permitted
    const { id, isNew } = await insertRateFile(tx, { formKey, fileName, rows: read.value, states, at, by: by.name })
    const after = { file: fileName, rows: read.value.length }
    if (isNew) await recordAct(tx, { by, act: 'sales-tax.uploaded', subject: subjectOf(id), after, at })
    return ok(id)
  })
}

/** A pending file with its changes. */
export type RatePreview = RateFile & { changes: RateChanges; sample: RateRow[] }

const sampleRows = 20

/** Returns a file's changes; undefined if it doesn't exist, or was already imported. */
export async function previewRates(db: Database, id: number): Promise<RatePreview | undefined> {
  const file = await selectRateFile(db, id)
  if (!file?.rows) return undefined
  const before = await selectRatesOfStates(db, file.states)
  return { ...file, changes: compareRates(before, file.rows), sample: file.rows.slice(0, sampleRows) }
}

/** Imports a file. Its rows replace all rows of its states. Refuses a file that is gone or was imported. */
export async function importRates(
  { db, clock }: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<{ rows: number }, NotAllowed | Gone>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'sales-tax.edit', at)
    if (!permitted.ok) return permitted
    const file = await selectRateFile(tx, id, { isLocked: true })
    if (!file?.rows) return refused('gone')
    await replaceRates(tx, { id, states: file.states, rows: file.rows, at, by: by.name })
    await deletePlaceAnswers(tx, file.states)
    const after = { file: file.fileName, rows: file.rowCount, states: file.states.join(' ') }
    await recordAct(tx, { by, act: 'sales-tax.imported', subject: subjectOf(id), after, at })
    return ok({ rows: file.rowCount })
  })
}

/** Discards a file that was not imported. */
export async function discardRates(
  { db, clock }: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<null, NotAllowed | Gone>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'sales-tax.edit', at)
    if (!permitted.ok) return permitted
    if (!(await deleteRateFile(tx, id))) return refused('gone')
    await recordAct(tx, { by, act: 'sales-tax.discarded', subject: subjectOf(id), at })
    return ok(null)
  })
}

function statesOf(rows: readonly RateRow[]): string[] {
  return [...new Set(rows.map(({ state }) => state))].toSorted()
}

function subjectOf(id: number): string {
  return `sales tax file ${id}`
}
