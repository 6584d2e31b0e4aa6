/** The statements that find orders: each is served by an index of its own. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'
import { hasPart, phoneEnds } from '#platform/search-text.ts'
import { startPattern } from '#platform/start-pattern.ts'

export type SearchKey =
  | { by: 'id'; id: number }
  | { by: 'email' | 'phone' | 'last name' | 'full name' | 'purchase order'; start: string }
  | { by: 'tracking number' | 'end of VIN' | 'ZIP'; is: string }
  | { by: 'end of phone' | 'part of name'; part: string }

/** Matches up to this number are read and sorted. More are so dense that the newest are soon met in the order of time. */
const fewMatches = 1_000

/**
 * The newest orders that match: those whose whole value is asked for, then those that begin with it. A common last name is
 * read from its index in the order of time, however many orders have it.
 */
export async function selectOrderIds(db: Database, key: SearchKey, limit: number): Promise<number[]> {
  if (!('start' in key)) return selectMatchingIds(db, conditionOf(key), limit)
  const { rows } = await sql<{ id: number }>`
    select id from sales_order o where ${valueOf(key.by)} = lower(${key.start}) order by placed_at desc, id desc limit ${limit}`.execute(
    db,
  )
  const whole = rows.map(({ id }) => id)
  if (whole.length === limit) return whole
  const begun = await selectMatchingIds(db, conditionOf(key), limit)
  return [...new Set([...whole, ...begun])].slice(0, limit)
}

async function selectMatchingIds(db: Database, condition: RawBuilder<unknown>, limit: number): Promise<number[]> {
  // Sorted after the match, or the planner reads the orders by time until enough of them match: all of them, if few do.
  const { rows } = await sql<{ id: number; total: number }>`
    with found as materialized (select id, placed_at from sales_order o where ${condition} limit ${fewMatches + 1})
    select id, (select count(*)::int from found) as total
    from found order by placed_at desc, id desc limit ${limit}`.execute(db)
  if ((rows[0]?.total ?? 0) <= fewMatches) return rows.map(({ id }) => id)
  return selectNewestIds(db, condition, limit)
}

/**
 * Walks `sales_order_by_time` from the newest order to the last one needed: sent only where so many match that those are
 * not far.
 */
async function selectNewestIds(db: Database, condition: RawBuilder<unknown>, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from sales_order o where ${condition} order by placed_at desc, id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

type Beginning = Extract<SearchKey, { start: string }>['by']

/** What is compared, in small letters, as its index has it. */
function valueOf(by: Beginning): RawBuilder<unknown> {
  switch (by) {
    case 'email':
      return sql`lower(o.email)`
    case 'phone':
      return sql`o.phone`
    case 'last name':
      return sql`lower(o.last_name)`
    case 'full name':
      return sql`lower(o.first_name || ' ' || o.last_name)`
    case 'purchase order':
      return sql`o.billing ->> 'poNumber' is not null and lower(o.billing ->> 'poNumber')`
  }
}

function conditionOf(key: SearchKey): RawBuilder<unknown> {
  switch (key.by) {
    case 'id':
      return sql`o.id = ${key.id}::bigint`
    case 'tracking number':
      return sql`o.id in (select order_id from shipment where tracking_number = ${key.is})`
    case 'end of VIN':
      return sql`o.id in (select order_id from order_vin where right(vin, 8) = ${key.is})`
    case 'ZIP':
      return sql`o.zip = ${key.is}`
    case 'end of phone':
      return phoneEnds(sql`o.phone`, key.part)
    case 'part of name':
      return hasPart(sql`lower(o.first_name || ' ' || o.last_name || ' ' || split_part(o.email, '@', 1))`, key.part)
    default:
      return sql`${valueOf(key.by)} like ${startPattern(key.start)}`
  }
}
