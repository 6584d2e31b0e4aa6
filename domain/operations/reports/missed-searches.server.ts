/** Searches without results, counted by day. */
import { sql } from 'kysely'
import { missedQueryOf } from './missed-searches.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { storeDay } from '#platform/store-zone.ts'

/** The number of different texts that a day stores; further ones are counted without their text. */
const maxQueriesPerDay = 300

/** Days until search counts are deleted, which exceeds the one-year comparison in reports. */
const storedDays = 800

/** Deletes old counts of searches. */
export async function deleteOldMissedSearches(db: Database, today: Temporal.PlainDate): Promise<void> {
  const since = today.subtract({ days: storedDays }).toString()
  await sql`delete from missed_search_day where day < ${since}::date`.execute(db)
}

/** Counts a search without results, without any data about the visitor. */
export async function countMissedSearch({ db, clock }: { db: Database; clock: Clock }, typed: string): Promise<void> {
  const day = storeDay(clock.now()).toString()
  const query = missedQueryOf(typed)
  await sql`
    insert into missed_search_day (day, query, searches)
    select ${day}::date, case when ${query} = any(names) or queries < ${maxQueriesPerDay} then ${query} else '' end, 1
    from (select count(*) as queries, coalesce(array_agg(query), '{}') as names from missed_search_day where day = ${day}::date) as known
    on conflict (day, query) do update set searches = missed_search_day.searches + 1`.execute(db)
}
