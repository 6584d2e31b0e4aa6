import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { importLock } from './runs.sql.server.ts'

/** A list of original sizes. `listedOn` is a date such as 2026-10-05; null for the store's open list. */
export type SizeList = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly license: string
  readonly listedOn: string | null
  readonly vehicles: number
  readonly sizes: number
}

/** All lists by precedence, as rule FR49 combines them. */
export async function selectSizeLists(db: Database | Tx): Promise<SizeList[]> {
  const { rows } = await sql<SizeList>`
    select id, slug, name, license, to_char(listed_on, 'YYYY-MM-DD') as "listedOn", coalesce(vehicles, 0) as vehicles, coalesce(sizes, 0) as sizes
    from size_list left join (
      select list_id, count(*)::int as sizes, count(distinct vehicle_id)::int as vehicles from oe_fitment group by list_id) as counted on list_id = id
    order by listed_on desc nulls last, id`.execute(db)
  return rows
}

/** Takes the import lock until the transaction ends; false while an import, a rollback, or another removal runs. */
export async function takeImportLock(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isTaken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.raw(importLock)}) as "isTaken"`.execute(tx)
  return rows[0]?.isTaken ?? false
}

/** Deletes a list, its sizes, and vehicles that have no other sizes. Rollbacks of earlier imports skip all of them. */
export async function deleteSizeList(tx: Tx, id: number): Promise<void> {
  await sql`
    update import_change set undone = true where not undone and (
      (entity = 'size_list' and id = ${id})
      or (entity = 'oe_fitment' and (id in (select id from oe_fitment where list_id = ${id}) or (before ->> 'list_id')::int = ${id})))`.execute(
    tx,
  )
  await sql`
    with gone as (delete from oe_fitment where list_id = ${id} returning vehicle_id)
    delete from vehicle where id in (select vehicle_id from gone)
      and not exists (select from oe_fitment where vehicle_id = vehicle.id and list_id <> ${id})`.execute(tx)
  await sql`delete from size_list where id = ${id}`.execute(tx)
}
