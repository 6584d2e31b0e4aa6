/** Versions of a shop's capacity and hours by start date. The shop must be locked before a change. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { makeRoom, takeBack } from './day-versions.sql.server.ts'
import { shopVersions } from './installers.sql.server.ts'
import type { OpeningHours } from './installers.ts'

/** Minutes after midnight. */
type Lunch = { from: number; to: number }
/** A version's terms, excluding bays. `lunch` applies on days with hours around it. */
export type CapacityTerms = {
  hours: readonly OpeningHours[]
  lunch: Lunch | null
  slotMinutes: number
  technicians: number | null
  bufferMinutes: number
  leadMinutes: number
  noticeMinutes: number
  walkInPercent: number
  dropOffWindows: readonly string[]
}
type Version = { shopId: number; from: Temporal.PlainDate }

/** Locks an open shop before a change of its terms. False for a shop in onboarding. */
export async function lockOpenShop(tx: Tx, shopId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('shop')
    .select('in_set_up')
    .where('id', '=', shopId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.in_set_up === false
}

/** The days of a version, null where it has no first or last one (`until` is the day after), and who made it. */
export type VersionDays = { from: string | null; until: string | null; madeBy: string | null }

/** Lists all versions of a shop in the order of their days, each as `shopVersions` has it. */
export async function listVersions<Version>(db: Database, shopId: number): Promise<(Version & VersionDays)[]> {
  const { rows } = await sql<{ days: VersionDays[]; versions: Version[] }>`
    select ${shopVersions(sql`'(,)'::daterange`)} as versions, (
      select json_agg(json_build_object('from', lower(during), 'until', upper(during), 'madeBy', member.name) order by lower(during) nulls first)
      from shop_capacity left join shop_member member on member.id = made_by where shop_capacity.shop_id = shop.id) as days
    from shop where shop.id = ${shopId}::int`.execute(db)
  const [found] = rows
  return (found?.versions ?? []).map((version, index) => ({
    ...version,
    ...(found?.days[index] ?? { from: null, until: null, madeBy: null }),
  }))
}

/** Makes a version count from a day on, until the next one does. Returns the day on which that is, if there is one. */
export async function writeCapacity(
  tx: Tx,
  { shopId, from, terms, by, at }: Version & { terms: CapacityTerms; by: string; at: Temporal.Instant },
): Promise<Temporal.PlainDate | null> {
  const { until, during } = await makeRoom(tx, ['shop_capacity', 'shop_hours'], { shopId, from })
  await sql`
    insert into shop_capacity (shop_id, during, slot_minutes, technicians, buffer_minutes, lead_minutes, notice_minutes, walk_in_percent, drop_off_windows, made_by, made_at)
    values (${shopId}::int, ${during}, ${terms.slotMinutes}::int, ${terms.technicians}::int, ${terms.bufferMinutes}::int, ${terms.leadMinutes}::int,
      ${terms.noticeMinutes}::int, ${terms.walkInPercent}::int, ${terms.dropOffWindows}::text[], ${by}::uuid, ${at.toString()}::timestamptz)`.execute(
    tx,
  )
  for (const { weekday, opens, closes } of terms.hours) {
    const lunch = terms.lunch && opens < terms.lunch.from && terms.lunch.to < closes ? terms.lunch : null
    await sql`
      insert into shop_hours (shop_id, weekday, opens, closes, during, lunch_from, lunch_to)
      values (${shopId}::int, ${weekday}::int, ${time(opens)}, ${time(closes)}, ${during}, ${lunch && time(lunch.from)}, ${lunch && time(lunch.to)})`.execute(
      tx,
    )
  }
  return until
}

/** Takes a version back, as `takeBack` does. */
export function deleteCapacity(tx: Tx, version: Version): Promise<Temporal.PlainDate | null | undefined> {
  return takeBack(tx, ['shop_capacity', 'shop_hours'], version)
}

function time(minutes: number): RawBuilder<unknown> {
  return sql`make_time(${Math.floor(minutes / 60)}::int, ${minutes % 60}::int, 0)`
}
