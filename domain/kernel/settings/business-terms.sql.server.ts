/** The queries for business terms. Rows are only added, and canceled before they start. */
import { sql, type RawBuilder } from 'kysely'
import {
  isTerm,
  standardTerms,
  termHistory,
  type TermChange,
  type TermHistory,
  type TermName,
} from './business-terms.ts'
import { selectPlans } from './shipping-plan.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

/** The most changes that a store makes; each process has all of them in memory. */
export const maxTermChanges = 5_000

/** Every change that was not canceled, of terms that this release has. */
export async function selectTermChanges(db: Database): Promise<TermChange[]> {
  const rows = await db
    .selectFrom('business_term')
    .select(['name', 'value', 'valid_from as validFrom'])
    .where('canceled_at', 'is', null)
    .limit(maxTermChanges)
    .execute()
  return rows.flatMap(({ name, ...row }) => (isTerm(name) ? [{ name, ...row }] : []))
}

/** Reads the terms with their past and scheduled changes. */
export async function selectTermHistory(db: Database): Promise<TermHistory> {
  const changes = await selectTermChanges(db)
  return termHistory(changes, await selectPlans(db))
}

/** A change as the history lists it. */
export type TermRow = {
  id: number
  name: TermName
  value: number
  /** The value that applied before it; null for the standard one. */
  was: number | null
  validFrom: Temporal.Instant
  setAt: Temporal.Instant
  setBy: string
  canceledAt: Temporal.Instant | null
  canceledBy: string | null
}

/** The newest `count` changes of `names` before the row `before`; null for the newest of all. */
export async function selectTermRows(
  db: Database,
  { before, names, count }: { before: number | null; names: readonly TermName[]; count: number },
): Promise<TermRow[]> {
  const { rows } = await sql<TermRow>`
    select id, name, value, valid_from as "validFrom", set_at as "setAt", set_by as "setBy", canceled_at as "canceledAt", canceled_by as "canceledBy",
      (select value from business_term as earlier
        where earlier.name = changed.name and earlier.canceled_at is null and earlier.valid_from < changed.valid_from
        order by valid_from desc limit 1) as was
    from business_term as changed
    where (${before}::bigint is null or id < ${before}) and name in (${sql.join(names)}) order by id desc limit ${count}`.execute(
    db,
  )
  return rows
}

/** Up to 100 changes of `names` that start after `at`, the first to start first. */
export async function selectScheduledTerms(
  db: Database,
  at: Temporal.Instant,
  names: readonly TermName[],
): Promise<TermRow[]> {
  const rows = await db
    .selectFrom('business_term')
    .select(['id', 'name', 'value', 'valid_from as validFrom', 'set_at as setAt', 'set_by as setBy'])
    .where('canceled_at', 'is', null)
    .where('valid_from', '>', at)
    .where('name', 'in', [...names])
    .orderBy('valid_from')
    .orderBy('id')
    .limit(100)
    .execute()
  return rows.flatMap(({ name, ...row }) =>
    isTerm(name) ? [{ ...row, name, was: null, canceledAt: null, canceledBy: null }] : [],
  )
}

/** The value of a term at a time, for a statement that reads it of each row. */
export function termAt(name: TermName, at: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`business_term_at(${sql.lit(name)}, ${at}, ${sql.lit(standardTerms[name])})`
}

/** The next time at which a term gets another value; null without one. */
export function nextTermAt(name: TermName, at: RawBuilder<unknown>): RawBuilder<Temporal.Instant | null> {
  return sql`(
    select min(valid_from) from business_term where name = ${sql.lit(name)} and canceled_at is null and valid_from > ${at})`
}

/** The number of the latest change of a term. */
export const latestTermsVersion: RawBuilder<number> = sql<number>`(select terms_version from store_state)`

/** Whether staff confirmed or changed a shipping rate, for the statement of the setup. */
export const areRatesConfirmed: RawBuilder<boolean> = sql<boolean>`exists (select from business_term where name like 'shipping-%' and canceled_at is null)`

/** Whether staff ever set one of the terms of these names, or saved them as they are. */
export async function hasTermRows(db: Database, names: readonly TermName[]): Promise<boolean> {
  const row = await db
    .selectFrom('business_term')
    .select('id')
    .where('name', 'in', [...names])
    .where('canceled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Locks the store's state, which every order shares. Orders in progress come first, and later ones wait. */
export async function lockTerms(tx: Tx): Promise<number> {
  const { version } = await tx
    .selectFrom('store_state')
    .select('terms_version as version')
    .forUpdate()
    .executeTakeFirstOrThrow()
  return version
}

/** Adds changes. */
export async function insertTermChanges(
  tx: Tx,
  changes: readonly TermChange[],
  { by, at }: { by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('business_term')
    .values(
      changes.map(({ name, value, validFrom }) => ({ name, value, valid_from: validFrom, set_at: at, set_by: by })),
    )
    .execute()
}

/** The change `id`, unless it was canceled or is of a later release. */
export async function selectTermChange(db: Database, id: number): Promise<TermChange | undefined> {
  const row = await db
    .selectFrom('business_term')
    .select(['name', 'value', 'valid_from as validFrom'])
    .where('id', '=', id)
    .where('canceled_at', 'is', null)
    .executeTakeFirst()
  return row && isTerm(row.name) ? { ...row, name: row.name } : undefined
}

/** Cancels a change that has not started. */
export async function cancelTermRow(
  tx: Tx,
  id: number,
  { by, at }: { by: string; at: Temporal.Instant },
): Promise<void> {
  await tx.updateTable('business_term').set({ canceled_at: at, canceled_by: by }).where('id', '=', id).execute()
}
