/**
 * Bulk actions on a list's rows. A preview describes each row's action or refusal. Each row is then a separate
 * transaction, so that a refusal doesn't affect the others. Reversible actions can be undone.
 */
import type { Staff } from '#app/server/office.server.ts'
import { isId } from '#platform/ids.ts'
import {
  mostAtOnce,
  refusedFor,
  type BulkAct,
  type BulkActs,
  type BulkChange,
  type BulkFile,
  type BulkRow,
  type RowReader,
} from './act.server.ts'

/** Parses the URL's unique row ids; invalid ones are dropped. */
export function readBulkIds({ readId }: BulkActs, named: readonly string[]): number[] {
  const ids = named.slice(0, mostAtOnce).map((text) => readId(text))
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/**
 * Parses the rows in a preview's form with their keys. Fields are named "row-7", because of two equal names only one
 * counts.
 */
export function readBulkKeys(fields: URLSearchParams): Map<number, string> {
  const rows = [...fields].flatMap(([name, key]): [number, string][] => {
    const [, id] = /^row-(\d{1,12})$/.exec(name) ?? []
    return id !== undefined && isId(key) ? [[Number(id), key]] : []
  })
  return new Map(rows.slice(0, mostAtOnce))
}

/** Parses each row's previewed state from the form, with fields named "agreed-7". */
export function readAgreed(fields: URLSearchParams): Map<number, string> {
  const rows = [...fields].flatMap(([name, agreed]): [number, string][] => {
    const [, id] = /^agreed-(\d{1,12})$/.exec(name) ?? []
    return id === undefined ? [] : [[Number(id), agreed.slice(0, longestAgreed)]]
  })
  return new Map(rows.slice(0, mostAtOnce))
}

/** In characters. */
const longestAgreed = 40

/** The rows in the order in which they were named; those that do not exist are left out. */
export async function readBulkRows(reader: RowReader, act: BulkAct, ids: readonly number[]): Promise<BulkRow[]> {
  const rows: BulkRow[] = []
  for (const id of ids) {
    const row = await act.readRow(reader, id)
    if (row) rows.push(row)
  }
  return act.file ? withinLimit(rows, act.limit) : rows
}

/** Skips the rows above the limit of a file. */
function withinLimit(rows: readonly BulkRow[], { rows: most, message }: BulkFile['limit']): BulkRow[] {
  let count = 0
  return rows.map((row) => {
    if (row.whyNot !== null) return row
    count += 1
    return count > most ? { ...row, whyNot: message } : row
  })
}

export type BulkResult = { id: number; label: string; path: string; why: string | null; undo: string | null }

/** Does it to one row after the other, each in its own transaction; a row that refuses stops no other. */
export async function performBulk(
  staff: Staff,
  act: BulkChange,
  {
    rows,
    given,
    keys,
    agreed,
  }: {
    rows: readonly BulkRow[]
    given: string
    keys: ReadonlyMap<number, string>
    agreed: ReadonlyMap<number, string>
  },
): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (const row of rows) {
    const { id, was, label, path, whyNot } = row
    const key = keys.get(id) ?? ''
    const result =
      whyNot === null
        ? await act.does(staff, { id, given, key, was, agreed: agreed.get(id) ?? '' })
        : refusedFor(whyNot)
    const undo = result.ok && act.undo ? [id, key, was].join(' ') : null
    results.push({ id, label, path, why: result.ok ? null : result.why, undo })
  }
  return results
}

/** Takes back what the lines of a result name; each in its own transaction. */
export async function undoBulk(staff: Staff, act: BulkChange, lines: readonly string[]): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (const line of lines.slice(0, mostAtOnce)) {
    const [, id = '', key = '', was = ''] = /^(\d{1,12}) ([0-9a-f-]{36}) (\S{0,254})$/.exec(line) ?? []
    const row = id === '' ? undefined : await act.readRow(staff, Number(id))
    if (!row || !act.undo) continue
    const result = await act.undo.does(staff, { id: Number(id), given: '', key, was })
    results.push({ id: row.id, label: row.label, path: row.path, why: result.ok ? null : result.why, undo: null })
  }
  return results
}
