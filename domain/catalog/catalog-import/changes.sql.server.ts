/** Reversible catalog writes. Each row a run creates, changes or removes is recorded before and after. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/db.ts'
import type { ChangeCount, Entity } from './catalog-import.ts'

/**
 * Updates `columns` of the rows of `entity` to the result of the query `wanted`, which returns `id` and the same
 * columns. Equal rows are skipped, and locks are no stronger than an update of these columns needs, so that orders
 * referring to a row aren't blocked. A run changes a row once.
 */
export async function changeRows(
  tx: Tx,
  runId: number,
  entity: Entity,
  columns: readonly string[],
  wanted: RawBuilder<unknown>,
): Promise<void> {
  const table = sql.table(entity)
  const pairs = (of: string) => sql.join(columns.flatMap((column) => [sql.lit(column), sql.ref(`${of}.${column}`)]))
  const values = (of: string) => sql.join(columns.map((column) => sql.ref(`${of}.${column}`)))
  const differs = sql`row (${values('present')}) is distinct from row (${values('wanted')})`
  // Locked in key order like all multi-row locks, to prevent deadlocks.
  await sql`
    select count(*) from (
      select from ${table} as present join (${wanted}) as wanted on wanted.id = present.id where ${differs} order by present.id for no key update of present) as locked`.execute(
    tx,
  )
  await sql`
    insert into import_change (run_id, entity, id, action, before, after)
    select ${runId}::int, ${entity}::text, present.id, 'changed',
      (select jsonb_object_agg(key, value) from jsonb_each(old.columns) where new.columns -> key is distinct from value),
      (select jsonb_object_agg(key, value) from jsonb_each(new.columns) where old.columns -> key is distinct from value)
    from ${table} as present join (${wanted}) as wanted on wanted.id = present.id
    cross join lateral (select jsonb_build_object(${pairs('present')}) as columns) as old
    cross join lateral (select jsonb_build_object(${pairs('wanted')}) as columns) as new
    where ${differs}`.execute(tx)
  await sql`
    update ${table} as present set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`wanted.${column}`)}`))}
    from (${wanted}) as wanted where wanted.id = present.id and ${differs}`.execute(tx)
}

/** Inserts the rows `rows` selects, in the order of `columns`, and records the new keys. */
export async function createRows(
  tx: Tx,
  runId: number,
  entity: Entity,
  columns: readonly string[],
  rows: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with created as (insert into ${sql.table(entity)} (${sql.join(columns.map((column) => sql.ref(column)))}) ${rows} returning id)
    insert into import_change (run_id, entity, id, action) select ${runId}::int, ${entity}::text, id, 'created' from created`.execute(
    tx,
  )
}

/** Deletes rows with an `id` in `ids`, and records them completely. */
export async function removeRows(tx: Tx, runId: number, entity: Entity, ids: RawBuilder<unknown>): Promise<void> {
  const table = sql.table(entity)
  await sql`
    with removed as (delete from ${table} as present where id in (${ids}) returning present.id, to_jsonb(present) as before)
    insert into import_change (run_id, entity, id, action, before) select ${runId}::int, ${entity}::text, id, 'removed', before from removed`.execute(
    tx,
  )
}

/** Counts the run's changes by table. */
export async function countChanges(tx: Tx, runId: number): Promise<ChangeCount[]> {
  const { rows } = await sql<ChangeCount>`
    select entity, action, count(*)::int as count from import_change where run_id = ${runId} group by entity, action order by entity, action`.execute(
    tx,
  )
  return rows
}
