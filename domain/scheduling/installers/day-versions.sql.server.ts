/**
 * Versioned rows by date. A new version ends the version in effect on its first day, and removing it restores that
 * version.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/db.ts'

/** The first table has one row for each version, the others parts of it with the same days. */
type Versioned =
  | readonly ['shop_capacity', 'shop_hours']
  | readonly ['shop_price_list', 'shop_rate', 'shop_service_price']
type Version = { shopId: number; from: Temporal.PlainDate }

/** Makes room for a version starting on a day. Returns its end as a day or null, and the range. */
export async function makeRoom(
  tx: Tx,
  tables: Versioned,
  { shopId, from }: Version,
): Promise<{ until: Temporal.PlainDate | null; during: RawBuilder<unknown> }> {
  const day = dateOf(from)
  const { rows } = await sql<{ until: string | null }>`
    select upper(during)::text as until from ${sql.table(tables[0])} where shop_id = ${shopId}::int and during @> ${day}`.execute(
    tx,
  )
  const until = rows[0]?.until ?? null
  for (const table of tables) {
    await sql`delete from ${sql.table(table)} where shop_id = ${shopId}::int and lower(during) = ${day}`.execute(tx)
    await sql`
      update ${sql.table(table)} set during = daterange(lower(during), ${day}) where shop_id = ${shopId}::int and during @> ${day}`.execute(
      tx,
    )
  }
  return {
    until: until === null ? null : Temporal.PlainDate.from(until),
    during: sql`daterange(${day}, ${until}::date)`,
  }
}

/**
 * Removes the version that starts on a day, and extends the previous version over its days. Returns the end of that
 * period (null means no end), or undefined if no version starts then.
 */
export async function takeBack(
  tx: Tx,
  [head, ...parts]: Versioned,
  { shopId, from }: Version,
): Promise<Temporal.PlainDate | null | undefined> {
  const day = dateOf(from)
  const { rows } = await sql<{ until: string | null }>`
    delete from ${sql.table(head)} where shop_id = ${shopId}::int and lower(during) = ${day} returning upper(during)::text as until`.execute(
    tx,
  )
  const [gone] = rows
  if (!gone) return undefined
  for (const table of parts)
    await sql`delete from ${sql.table(table)} where shop_id = ${shopId}::int and lower(during) = ${day}`.execute(tx)
  for (const table of [head, ...parts])
    await sql`
      update ${sql.table(table)} set during = daterange(lower(during), ${gone.until}::date) where shop_id = ${shopId}::int and upper(during) = ${day}`.execute(
      tx,
    )
  return gone.until === null ? null : Temporal.PlainDate.from(gone.until)
}

function dateOf(day: Temporal.PlainDate): RawBuilder<unknown> {
  return sql`${day.toString()}::date`
}
