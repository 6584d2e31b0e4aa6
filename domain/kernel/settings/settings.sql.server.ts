/** Settings queries; the newest row per name applies. */
import { sql } from 'kysely'
import type { SettingName } from './settings.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A value as it is kept; null returns to the default. */
export type SettingValue = string | number | null

export type SettingChange = {
  id: number
  name: SettingName
  value: SettingValue
  at: Temporal.Instant
  by: string
  /** When a scheduled change starts; null for immediately. */
  validFrom: Temporal.Instant | null
}

/**
 * Returns the settings at `at`, the number of the latest change, 0 without one, and `started`, which identifies these
 * values. With `at` null, ignores scheduled changes.
 */
export async function selectSettings(
  db: Database,
  at: Temporal.Instant | null = null,
): Promise<{ version: number; started: string; values: Partial<Record<SettingName, SettingValue>> }> {
  const { rows } = await sql<{ id: number; name: SettingName; value: SettingValue; latest: number }>`
    select distinct on (name) id, name, value, (select max(id) from store_setting) as latest from store_setting
    where valid_from is null or valid_from <= ${at}::timestamptz
    order by name, coalesce(valid_from, changed_at) desc, id desc`.execute(db)
  return {
    version: rows[0]?.latest ?? 0,
    started: rows.map(({ id }) => id).join(' '),
    values: Object.fromEntries(rows.map(({ name, value }) => [name, value])),
  }
}

/** Up to 100 scheduled values after `at`, by start time. */
export async function selectScheduledSettings(
  db: Database,
  at: Temporal.Instant,
): Promise<{ name: SettingName; value: SettingValue; validFrom: Temporal.Instant; by: string }[]> {
  const { rows } = await sql<{ name: SettingName; value: SettingValue; validFrom: Temporal.Instant; by: string }>`
    select name, value, valid_from as "validFrom", changed_by as by from (
      select distinct on (valid_from, name) name, value, valid_from, changed_by from store_setting
      where valid_from > ${at} order by valid_from, name, id desc) as newest
    order by valid_from, name limit 100`.execute(db)
  return rows
}

/** Blocks until concurrent settings changes end. */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('store_setting'))`.execute(tx)
}

/** Blocks changes to settings until the end of the transaction, after those in progress. */
export async function lockSettingsShared(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('store_setting'))`.execute(tx)
}

/** Locks the rule for prices below a minimum against changes until the end of the transaction. */
export async function lockRuleShared(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('store_setting below-map'))`.execute(tx)
}

/** Locks the rule for a change. Returns false, without waiting, while a transaction applies it. */
export async function tryLockRule(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('store_setting below-map')) as locked`.execute(tx)
  return rows[0]?.locked === true
}

/** Adds changes, each as the newest of its name, from `validFrom` on; null for immediately. */
export async function insertSettings(
  tx: Tx,
  changes: readonly Pick<SettingChange, 'name' | 'value'>[],
  { by, at, validFrom = null }: { by: string; at: Temporal.Instant; validFrom?: Temporal.Instant | null },
): Promise<void> {
  await tx
    .insertInto('store_setting')
    .values(
      changes.map(({ name, value }) => ({
        name,
        value: value === null ? null : JSON.stringify(value),
        changed_at: at,
        valid_from: validFrom,
        changed_by: by,
      })),
    )
    .execute()
}

/** Up to `count` changes, the newest first, each with the value before it; `before` pages. */
export async function selectChanges(
  db: Database,
  { before, count }: { before: number | null; count: number },
): Promise<(SettingChange & { was: SettingValue })[]> {
  const { rows } = await sql<SettingChange & { was: SettingValue }>`
    select id, name, value, changed_at as at, changed_by as by, valid_from as "validFrom",
      (select value from store_setting as earlier where earlier.name = changed.name and earlier.id < changed.id order by earlier.id desc limit 1) as was
    from store_setting as changed where ${before}::bigint is null or id < ${before} order by id desc limit ${count}`.execute(
    db,
  )
  return rows
}

export async function insertLogo(
  tx: Tx,
  logo: { key: string; bytes: Uint8Array; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('store_logo')
    .values({ key: logo.key, bytes: Buffer.from(logo.bytes), added_at: logo.at })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/** The bytes of a logo; undefined if there never was one of this key. */
export async function selectLogo(db: Database, key: string): Promise<Buffer | undefined> {
  const logo = await db.selectFrom('store_logo').select('bytes').where('key', '=', key).executeTakeFirst()
  return logo?.bytes
}
