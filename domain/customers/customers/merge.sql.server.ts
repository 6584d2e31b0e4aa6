/** The statements for merging customers. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/**
 * Locks customers that are not merged until the transaction ends, in the order of their ids, so that two merges never
 * wait for each other. Returns those that are there.
 */
export async function lockCustomers(tx: Tx, ids: readonly string[]): Promise<{ id: string; email: string }[]> {
  return tx
    .selectFrom('customer')
    .select(['id', 'email'])
    .where('id', 'in', ids)
    .where('merged_into', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Merges a customer, with those merged into it before, into another one. Both are locked. */
export async function insertMerge(
  tx: Tx,
  merge: { id: string; keptId: string; mergedId: string; by: string; at: Temporal.Instant },
): Promise<void> {
  const { id, keptId, mergedId, by, at } = merge
  await sql`
    with moved as (
      update customer set merged_into = ${keptId}::uuid where id = ${mergedId}::uuid or merged_into = ${mergedId}::uuid returning id, active_at),
    kept as (
      update customer set active_at = greatest(active_at, (select max(active_at) from moved)) where id = ${keptId}::uuid)
    insert into customer_merge (id, kept_id, merged_id, moved_ids, merged_at, merged_by)
    select ${id}::uuid, ${keptId}::uuid, ${mergedId}::uuid, array_agg(moved.id), ${at.toString()}::timestamptz, ${by} from moved`.execute(
    tx,
  )
}

export type Merge = {
  id: string
  keptId: string
  mergedId: string
  /** The email of the customer that was merged. */
  email: string
  movedIds: string[]
  mergedAt: Temporal.Instant
  mergedBy: string
}

const columns = sql`
  merge.id, merge.kept_id as "keptId", merge.merged_id as "mergedId", merged.email, merge.moved_ids as "movedIds", merge.merged_at as "mergedAt", merge.merged_by as "mergedBy"`

/** The merges into a customer since an instant that were not undone, newest first. */
export async function selectMerges(
  db: Database,
  keptId: string,
  since: Temporal.Instant,
  limit: number,
): Promise<Merge[]> {
  const { rows } = await sql<Merge>`
    select ${columns} from customer_merge merge join customer merged on merged.id = merge.merged_id
    where merge.kept_id = ${keptId}::uuid and merge.undone_at is null and merge.merged_at > ${since.toString()}::timestamptz
    order by merge.merged_at desc, merge.id limit ${limit}`.execute(db)
  return rows
}

/** Locks an active merge until the transaction ends; undefined if it doesn't exist. */
export async function lockMerge(tx: Tx, id: string): Promise<Merge | undefined> {
  const { rows } = await sql<Merge>`
    select ${columns} from customer_merge merge join customer merged on merged.id = merge.merged_id
    where merge.id = ${id}::uuid and merge.undone_at is null for update of merge`.execute(tx)
  return rows[0]
}

/** Undoes a merge with a locked result that was not merged further. */
export async function undoMerge(
  tx: Tx,
  { id, keptId, mergedId, movedIds }: Merge,
  { by, at }: { by: string; at: Temporal.Instant },
): Promise<void> {
  await sql`
    update customer set merged_into = case when id = ${mergedId}::uuid then null else ${mergedId}::uuid end
    where id in (${sql.join(movedIds.map((moved) => sql`${moved}::uuid`))}) and merged_into = ${keptId}::uuid`.execute(
    tx,
  )
  await tx.updateTable('customer_merge').set({ undone_at: at, undone_by: by }).where('id', '=', id).execute()
}

/** Marks every open pair between two customers, with those merged into them, as different people; how many there were. */
export async function dismissDuplicates(
  tx: Tx,
  { id, otherId, by, at }: { id: string; otherId: string; by: string; at: Temporal.Instant },
): Promise<number> {
  const group = (head: string) => sql`select id from customer where id = ${head}::uuid or merged_into = ${head}::uuid`
  const { rows } = await sql`
    update customer_duplicate set dismissed_at = ${at.toString()}::timestamptz, dismissed_by = ${by}
    where dismissed_at is null and (
      customer_id in (${group(id)}) and other_id in (${group(otherId)})
      or customer_id in (${group(otherId)}) and other_id in (${group(id)}))
    returning customer_id`.execute(tx)
  return rows.length
}
