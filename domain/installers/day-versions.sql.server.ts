/** Rows that count on some days: a new version ends the one of its first day, and one that is taken back gives it its days. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/db.ts'

/** The first table has one row for each version, the others parts of it with the same days. */
type Versioned = readonly ['shop_capacity', 'shop_hours'] | readonly ['shop_price_list', 'shop_rate']
type Version = { shopId: number; from: Temporal.PlainDate }

/** Makes room for a version from a day on: until when it counts, as a day or null, and both as a range. */
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
 * Takes back the version that begins on a day: the one before it counts on its days, too. Returns the day until which
 * that is (null: for ever), or undefined if none begins then.
 */
export async function takeBack(
  tx: Tx,
  [head, parts]: Versioned,
  { shopId, from }: Version,
): Promise<Temporal.PlainDate | null | undefined> {
  const day = dateOf(from)
  const { rows } = await sql<{ until: string | null }>`
    delete from ${sql.table(head)} where shop_id = ${shopId}::int and lower(during) = ${day} returning upper(during)::text as until`.execute(
    tx,
  )
  const [gone] = rows
  if (!gone) return undefined
  await sql`delete from ${sql.table(parts)} where shop_id = ${shopId}::int and lower(during) = ${day}`.execute(tx)
  for (const table of [head, parts])
    await sql`
      update ${sql.table(table)} set during = daterange(lower(during), ${gone.until}::date) where shop_id = ${shopId}::int and upper(during) = ${day}`.execute(
      tx,
    )
  return gone.until === null ? null : Temporal.PlainDate.from(gone.until)
}

function dateOf(day: Temporal.PlainDate): RawBuilder<unknown> {
  return sql`${day.toString()}::date`
}
