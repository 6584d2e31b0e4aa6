/** The statements that the tables of all cases share. */
import { sql } from 'kysely'
import type { NamedFile } from '#domain/kernel/files/files.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'
import { caseLife } from './cases.ts'

/** Where a kind of case is stored. The kind's folder owns the tables. */
export type CaseTable = {
  name: string
  /** The column with the approved amount in cents. */
  amount: string
  /** The table of uploaded files, and its column with the case's id. */
  file: string
  fileOf: string
}

/**
 * Serializes senders until the transaction ends, so that counts are accurate. There are too few senders for contention.
 */
export async function queueUp(tx: Tx, { name }: CaseTable): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx)
}

/** The open case with the same content, if any. The state is a literal, so that generic plans use the partial index. */
export async function findOpenAlready(db: Database, { name }: CaseTable, said: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(name)} where said = ${said} and state = 'open' limit 1`.execute(db)
  return rows[0]?.id
}

/** Counts cases since an instant from a network or an email address. Returns the larger count. */
export async function countSince(
  db: Database,
  { name }: CaseTable,
  from: { networkKey: string; email: string },
  since: Temporal.Instant,
): Promise<number> {
  const table = sql.table(name)
  const { rows } = await sql<{ count: number }>`
    select greatest(
      (select count(*) from ${table} where network_key = ${from.networkKey} and created_at > ${since}),
      (select count(*) from ${table} where email = ${from.email} and created_at > ${since}))::int as count`.execute(db)
  return rows[0]?.count ?? 0
}

export async function selectCaseFile(
  db: Database,
  { file, fileOf }: CaseTable,
  id: number,
): Promise<NamedFile | undefined> {
  const { rows } = await sql<NamedFile>`
    select name, file_key as key from ${sql.table(file)} where ${sql.ref(fileOf)} = ${id}`.execute(db)
  return rows[0]
}

/** Locks a case until the transaction ends. */
export async function lockCaseRow(tx: Tx, { name }: CaseTable, id: number): Promise<void> {
  await sql`select id from ${sql.table(name)} where id = ${id} for update`.execute(tx)
}

/** A decision with the approved amount in cents, or the reason that the shopper is emailed. */
export type CaseDecision = { by: string; at: Temporal.Instant } & (
  | { state: 'approved'; cents: number }
  | { state: 'refused'; refusal: string }
)

/** Stores a decision and deletes the network key. A decided case stays unchanged. */
export async function updateToDecided(
  tx: Tx,
  { name, amount }: CaseTable,
  id: number,
  decision: CaseDecision,
): Promise<void> {
  const result =
    decision.state === 'approved' ? sql`${sql.ref(amount)} = ${decision.cents}` : sql`refusal = ${decision.refusal}`
  await sql`
    update ${sql.table(name)}
    set state = ${decision.state}, decided_at = ${decision.at}, decided_by = ${decision.by}, network_key = null, ${result}
    where id = ${id} and state = any(${statesBefore(caseLife, decision.state)})`.execute(tx)
}

/** Exports a verified email's cases, as plain data for JSON with file names. Empty for null. */
export async function exportCases(
  db: Database,
  { name, file, fileOf }: CaseTable,
  email: string | null,
): Promise<object[]> {
  const { rows } = await sql<{ cases: object[] }>`
    select coalesce(json_agg(to_jsonb(filed) - array['id', 'said', 'network_key', 'decided_by']
      || jsonb_build_object('file', (select name from ${sql.table(file)} where ${sql.ref(fileOf)} = filed.id))
      order by filed.id), '[]') as cases
    from ${sql.table(name)} filed where lower(filed.email) = ${email}`.execute(db)
  return rows[0]?.cases ?? []
}
