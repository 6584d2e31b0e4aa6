/** Statements about state tax changes. Recorded changes are never edited. */
import { sql, type RawBuilder } from 'kysely'
import type { StateTaxEdit, TaxableKind, TireFeeBand } from '#domain/pricing/pricing/pricing.ts'
import type { Database, Tx } from '#platform/db.ts'

/** The built-in rate, fee and taxability. */
export type BuiltInTax = Pick<StateTaxEdit, 'ratePpm' | 'tireFee' | 'taxed'>

/** A change of a state. */
export type StateTaxRow = StateTaxEdit & {
  id: number
  state: string
  checkedOn: string | null
  isVerified: boolean
  /** The built-in values when this was set; null if they weren't stored. */
  builtIn: BuiltInTax | null
  /** Whether the state has its built-in values from then on. */
  isBuiltIn: boolean
  setAt: Temporal.Instant
  setBy: string
  canceledAt: Temporal.Instant | null
  canceledBy: string | null
}

const columns = sql`id, state, starts_on::text as "startsOn", rate_ppm as "ratePpm", tire_fee as "tireFee",
  tire_fee_name as "tireFeeName", taxed, source, checked_on::text as "checkedOn", is_verified as "isVerified",
  built_in as "builtIn", is_built_in as "isBuiltIn", set_at as "setAt", set_by as "setBy", canceled_at as "canceledAt", canceled_by as "canceledBy"`

/**
 * The row of each of these states that applies on a day, as a statement; `states` null for all. Leaves out states
 * with built-in values. With `asOf`, rows that were set later are left out, because an order's rates don't
 * change after it is placed.
 */
export function stateTaxesOn(
  states: readonly string[] | null,
  { day, asOf = null }: { day: string; asOf?: string | null },
): RawBuilder<StateTaxRow> {
  return sql<StateTaxRow>`
    select * from (
      select distinct on (state) ${columns} from state_tax
      where (${states}::text[] is null or state = any(${states}::text[])) and canceled_at is null and starts_on <= ${day}::date
        and (${asOf}::timestamptz is null or set_at <= ${asOf}::timestamptz)
      order by state, starts_on desc, id desc) as latest
    where not "isBuiltIn"`
}

/** The row of every state that staff set, on a day. */
export async function selectStateTaxes(db: Database, day: string): Promise<StateTaxRow[]> {
  return (await stateTaxesOn(null, { day }).execute(db)).rows
}

/** How many states have a verified row at `at`, for the statement of the setup. */
export function verifiedStates(at: string): RawBuilder<number> {
  return sql<number>`(select count(*)::int from (${stateTaxesOn(null, { day: at.slice(0, 10) })}) as current where "isVerified")`
}

/** Returns up to `limit` changes to a state, newest first. */
export async function selectStateTaxChanges(db: Database, state: string, limit: number): Promise<StateTaxRow[]> {
  const { rows } = await sql<StateTaxRow>`
    select ${columns} from state_tax where state = ${state} order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Locks the rates, after orders in progress, and returns the number of the newest change of a state; 0 without one. */
export async function lockStateTaxes(tx: Tx, state: string): Promise<number> {
  await sql`select from sales_tax_table for update`.execute(tx)
  const { rows } = await sql<{ seen: number }>`
    select coalesce(max(id), 0) as seen from state_tax where state = ${state}`.execute(tx)
  return rows[0]?.seen ?? 0
}

/** The number of the newest change of each state that has one. */
export async function selectNewestChanges(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ state: string; seen: number }>`
    select state, max(id) as seen from state_tax group by state`.execute(db)
  return new Map(rows.map(({ state, seen }) => [state, seen]))
}

/** The latest day until `until` on which a change of this state starts; null without one. */
export async function selectLatestStart(tx: Tx, state: string, until: string): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select max(starts_on)::text as day from state_tax
    where state = ${state} and canceled_at is null and starts_on <= ${until}::date`.execute(tx)
  return rows[0]?.day ?? null
}

/** How many changes a state has. */
export async function countStateTaxes(tx: Tx, state: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from state_tax where state = ${state}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Adds a change. */
export async function insertStateTax(
  tx: Tx,
  state: string,
  row: {
    startsOn: string
    ratePpm: number
    tireFee: readonly TireFeeBand[]
    tireFeeName: string | null
    taxed: readonly TaxableKind[]
    source: string
    checkedOn: string | null
    isVerified: boolean
    builtIn: BuiltInTax | null
    isBuiltIn: boolean
    by: string
    at: Temporal.Instant
  },
): Promise<void> {
  await tx
    .insertInto('state_tax')
    .values({
      state,
      starts_on: row.startsOn,
      rate_ppm: row.ratePpm,
      tire_fee: sql`${JSON.stringify(row.tireFee)}::jsonb`,
      tire_fee_name: row.tireFeeName,
      taxed: [...row.taxed],
      source: row.source,
      checked_on: row.checkedOn,
      is_verified: row.isVerified,
      built_in: row.builtIn && sql`${JSON.stringify(row.builtIn)}::jsonb`,
      is_built_in: row.isBuiltIn,
      set_at: row.at,
      set_by: row.by,
    })
    .execute()
}

/** A change by its number, unless it was canceled. */
export async function selectStateTax(db: Database, id: number): Promise<StateTaxRow | undefined> {
  const { rows } = await sql<StateTaxRow>`
    select ${columns} from state_tax where id = ${id} and canceled_at is null`.execute(db)
  return rows[0]
}

/** Cancels a change that has not started. */
export async function cancelStateTaxRow(
  tx: Tx,
  id: number,
  { by, at }: { by: string; at: Temporal.Instant },
): Promise<void> {
  await tx.updateTable('state_tax').set({ canceled_at: at, canceled_by: by }).where('id', '=', id).execute()
}
