/**
 * Redirects from addresses of an earlier store to the pages that took their place. They are read for missing pages
 * only.
 */
import { parse } from 'csv-parse/sync'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { countOf } from '#platform/count-text.ts'
import { uploadedCsv } from '#platform/csv-text.ts'
import { type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { mostRows, oldPathOf, targetOf } from './redirects.ts'
import {
  deleteRedirect,
  lockRedirects,
  selectChained,
  selectRedirect,
  selectRedirects,
  selectTarget,
  upsertRedirects,
  type Pair,
  type Redirect,
} from './redirects.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type NotAllowed = Refused<'not-allowed'>

/**
 * Returns the target of a missing page's address; undefined for most. One lookup by key, skipped for impossible
 * addresses.
 */
export async function findRedirect({ db }: Pick<Deps, 'db'>, pathname: string): Promise<string | undefined> {
  const from = oldPathOf(pathname)
  return from === undefined ? undefined : selectTarget(db, from)
}

/** Returns a redirect by its old address, in any spelling, with its version; undefined if not found. */
export async function readRedirect(
  { db }: Pick<Deps, 'db'>,
  pathname: string,
): Promise<(Pair & { version: number }) | undefined> {
  const from = oldPathOf(pathname)
  const found = from === undefined ? undefined : await selectRedirect(db, from)
  return from === undefined ? undefined : found && { from, ...found }
}

const perPage = 50

/** Lists redirects by old address, one page after the old address `after`. `start` filters by prefix. */
export async function listRedirects(
  { db }: Pick<Deps, 'db'>,
  { start, after }: { start: string; after: string | null },
): Promise<{ redirects: Redirect[]; next: string | null }> {
  const found = await selectRedirects(db, { start: start.toLowerCase(), after, limit: perPage + 1 })
  const redirects = found.slice(0, perPage)
  return { redirects, next: found.length > perPage ? (redirects.at(-1)?.from ?? null) : null }
}

/**
 * Adds a redirect with `version` 0, or changes the target of the one with this version. Refuses `chain` if it would lead
 * to another redirect, and `changed-meanwhile` for another version.
 */
export function addRedirect(
  deps: Deps,
  by: Actor,
  { version, ...pair }: Pair & { version: number },
): Promise<Outcome<null, NotAllowed | Refused<'chain'> | Refused<'changed-meanwhile'>>> {
  return change(deps, by, async (tx, at) => {
    const before = await selectRedirect(tx, pair.from)
    if ((before?.version ?? 0) !== version) return refused('changed-meanwhile')
    const chained = await selectChained(tx, [pair])
    if (chained.size > 0) return refused('chain')
    await upsertRedirects(tx, [pair], { by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'redirect.added',
      subject: pair.from.slice(0, 254),
      ...(before && { before: { to: before.to } }),
      after: { to: pair.to },
      at,
    })
    return ok(null)
  })
}

/** Removes a redirect. Refuses `gone` if it doesn't exist, and `changed-meanwhile` for another version. */
export function removeRedirect(
  deps: Deps,
  by: Actor,
  { from, version }: { from: string; version: number },
): Promise<Outcome<null, NotAllowed | Refused<'gone'> | Refused<'changed-meanwhile'>>> {
  return change(deps, by, async (tx, at) => {
    const before = await selectRedirect(tx, from)
    if (!before) return refused('gone')
    if (before.version !== version) return refused('changed-meanwhile')
    await deleteRedirect(tx, from)
    await recordAct(tx, { by, act: 'redirect.removed', subject: from.slice(0, 254), before: { to: before.to }, at })
    return ok(null)
  })
}

/**
 * Adds all redirects of a CSV file with the columns `from` and `to`, or refuses the whole file. Returns how many.
 * Refuses `bad-file` with the error in each row, such as an address that can't be read, repeats, leads to itself, or
 * leads to another redirect.
 */
export async function importRedirects(
  deps: Deps,
  by: Actor,
  text: string,
): Promise<Outcome<number, NotAllowed | Refused<'bad-file', readonly string[]>>> {
  const read = readPairs(text)
  if (!read.ok) return read
  return change(deps, by, async (tx, at) => {
    const pairs = read.value.map(({ from, to }) => ({ from, to }))
    const chained = await selectChained(tx, pairs)
    const faults = read.value
      .filter(({ from }) => chained.has(from))
      .map(({ row, from }) => `Row ${row}: ${from} is part of a chain with another redirect of this store.`)
    if (faults.length > 0) return refused('bad-file', faults)
    await upsertRedirects(tx, pairs, { by: by.name, at })
    await recordAct(tx, { by, act: 'redirect.imported', subject: countOf(pairs.length, 'redirect'), at })
    return ok(pairs.length)
  })
}

type Row = Pair & { row: number }

function readPairs(text: string): Outcome<Row[], Refused<'bad-file', readonly string[]>> {
  let rows: string[][]
  try {
    rows = parse(text, { ...uploadedCsv, relax_column_count: true, skip_empty_lines: true, to: mostRows + 2 })
  } catch {
    return refused('bad-file', ['The file can’t be read as CSV. Check its quotation marks.'])
  }
  const [head = [], ...body] = rows
  const [fromAt, toAt] = ['from', 'to'].map((name) => head.findIndex((cell) => cell.trim().toLowerCase() === name))
  if (fromAt === undefined || toAt === undefined || fromAt < 0 || toAt < 0)
    return refused('bad-file', ['The first line needs the columns from and to.'])
  if (body.length > mostRows) return refused('bad-file', ['The file has more than 100,000 rows. Split it.'])
  if (body.length === 0) return refused('bad-file', ['The file has no rows.'])
  const read = body.map((cells, index) => ({
    row: index + 2,
    from: oldPathOf(cells[fromAt] ?? ''),
    to: targetOf(cells[toAt] ?? ''),
  }))
  const froms = new Map<string, number>()
  for (const { row, from } of read) if (from !== undefined && !froms.has(from)) froms.set(from, row)
  const faults: string[] = []
  const pairs: Row[] = []
  for (const row of read) {
    const checked = checkRow(row, froms)
    if (checked.ok) pairs.push(checked.value)
    else faults.push(`Row ${row.row}: ${checked.detail}`)
  }
  return faults.length > 0 ? refused('bad-file', faults) : ok(pairs)
}

/** `froms` has the first row of each old address of the file. */
function checkRow(
  { row, from, to }: { row: number; from: string | undefined; to: string | undefined },
  froms: ReadonlyMap<string, number>,
): Outcome<Row, Refused<'bad-row', string>> {
  if (from === undefined) return refused('bad-row', '“from” must be an old address such as /old-page.')
  if (to === undefined) return refused('bad-row', '“to” must be a page of this store such as /tires.')
  if (to.toLowerCase() === from) return refused('bad-row', `${from} leads to itself.`)
  if (froms.get(from) !== row) return refused('bad-row', `${from} is also in row ${froms.get(from)}.`)
  const further = froms.get(to.toLowerCase())
  return further === undefined
    ? ok({ row, from, to })
    : refused('bad-row', `${to} is redirected itself, in row ${further}. Use its target.`)
}

/** Runs a change of redirects after checking the permission, one at a time. */
async function change<Value, Refusal extends Refused<string, unknown>>(
  { db, clock }: Deps,
  by: Actor,
  act: (tx: Tx, at: Temporal.Instant) => Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal | NotAllowed>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'redirects.edit', at)
    if (!permitted.ok) return permitted
    await lockRedirects(tx)
    return act(tx, at)
  })
}
