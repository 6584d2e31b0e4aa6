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
  type RowId,
  type RowReader,
} from './act.server.ts'

/** Parses the URL's unique row ids; invalid ones are dropped. */
export function readBulkIds({ readId }: BulkActs<RowId>, named: readonly string[]): RowId[] {
  const ids = named.slice(0, mostAtOnce).map((text) => readId(text))
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** Returns a row's ID as in the list and in form fields. */
export function rowIdText({ writeId }: BulkActs<RowId>, id: RowId): string {
  return writeId?.(id) ?? String(id)
}

/** Parses form fields that start with `name` and continue with a row's ID. Of two equal names, only one counts. */
function readRowFields(
  { readId }: BulkActs<RowId>,
  fields: URLSearchParams,
  name: string,
): [id: RowId, value: string][] {
  return [...fields].slice(0, mostFields).flatMap(([field, value]): [RowId, string][] => {
    const id = field.startsWith(name) ? readId(field.slice(name.length)) : undefined
    return id === undefined ? [] : [[id, value]]
  })
}

/** A row has up to two fields, and the form a few others. */
const mostFields = 3 * mostAtOnce

/** Parses the rows in a preview's form with their keys, in fields named "row-7". */
export function readBulkKeys(of: BulkActs<RowId>, fields: URLSearchParams): Map<RowId, string> {
  const rows = readRowFields(of, fields, 'row-').filter(([, key]) => isId(key))
  return new Map(rows.slice(0, mostAtOnce))
}

/** Parses each row's previewed state from the form, with fields named "agreed-7". */
export function readAgreed(of: BulkActs<RowId>, fields: URLSearchParams): Map<RowId, string> {
  const rows = readRowFields(of, fields, 'agreed-').map(([id, agreed]): [RowId, string] => [
    id,
    agreed.slice(0, longestAgreed),
  ])
  return new Map(rows.slice(0, mostAtOnce))
}

/** In characters. */
const longestAgreed = 40

/** The rows in the order in which they were named; those that do not exist are left out. */
export async function readBulkRows(reader: RowReader, act: BulkAct<RowId>, ids: readonly RowId[]): Promise<BulkRow[]> {
  const rows: BulkRow[] = []
  for (const id of ids) {
    const row = await act.readRow(reader, id)
    if (row) rows.push(row)
  }
  return act.limit ? withinLimit(rows, act.limit) : rows
}

/** Skips the rows above the limit. */
function withinLimit(rows: readonly BulkRow[], { rows: most, message }: BulkFile<RowId>['limit']): BulkRow[] {
  let count = 0
  return rows.map((row) => {
    if (row.whyNot !== null) return row
    count += 1
    return count > most ? { ...row, whyNot: message } : row
  })
}

/** Adds the cost of each possible row for the preview. The form then agrees to this cost. */
export async function withCosts(
  reader: RowReader,
  act: BulkAct<RowId>,
  rows: readonly BulkRow[],
): Promise<readonly BulkRow[]> {
  const { readCost, concurrency } = act.file ? {} : act
  if (!readCost) return rows
  return inGroups(rows, concurrency, async (row) => {
    if (row.whyNot !== null) return row
    const cost = await readCost(reader, row.id)
    return { ...row, ...cost, ...('costCents' in cost && { agreed: String(cost.costCents) }) }
  })
}

/** Runs `act` for each row in order, for up to `size` rows at the same time. */
async function inGroups<Row, Result>(
  rows: readonly Row[],
  size: number | undefined,
  act: (row: Row) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < rows.length; from += size ?? 1)
    results.push(...(await Promise.all(rows.slice(from, from + (size ?? 1)).map(act))))
  return results
}

export type BulkResult = {
  id: string
  label: string
  path: string
  why: string | null
  what?: string | undefined
  undo: string | null
}

/** Performs the action on each row in a separate transaction. A refused row doesn't stop the others. */
export async function performBulk(
  staff: Staff,
  { act, of }: { act: BulkChange<RowId>; of: BulkActs<RowId> },
  {
    rows,
    given,
    keys,
    agreed,
  }: {
    rows: readonly BulkRow[]
    given: string
    keys: ReadonlyMap<RowId, string>
    agreed: ReadonlyMap<RowId, string>
  },
): Promise<BulkResult[]> {
  return inGroups(rows, act.concurrency, async ({ id, was, label, path, whyNot }): Promise<BulkResult> => {
    const key = keys.get(id) ?? ''
    const result =
      whyNot === null
        ? await act.does(staff, { id, given, key, was, agreed: agreed.get(id) ?? '' })
        : refusedFor(whyNot)
    const text = rowIdText(of, id)
    const undo = result.ok && act.undo ? [text, key, was].join(' ') : null
    return { id: text, label, path, undo, ...(result.ok ? { why: null, what: result.what } : { why: result.why }) }
  })
}

/** Takes back what the lines of a result name; each in its own transaction. */
export async function undoBulk(
  staff: Staff,
  { act, of }: { act: BulkChange<RowId>; of: BulkActs<RowId> },
  lines: readonly string[],
): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (const line of lines.slice(0, mostAtOnce)) {
    const [, text = '', key = '', was = ''] = /^(\S{1,40}) ([0-9a-f-]{36}) (\S{0,254})$/.exec(line) ?? []
    const id = of.readId(text)
    const row = id === undefined ? undefined : await act.readRow(staff, id)
    if (id === undefined || !row || !act.undo) continue
    const result = await act.undo.does(staff, { id, given: '', key, was })
    results.push({ id: text, label: row.label, path: row.path, why: result.ok ? null : result.why, undo: null })
  }
  return results
}
