/** Queries for daily visits. */
import { sql } from 'kysely'
import { countSketch, emptySketch, mergeSketches } from './visitor-sketch.ts'
import type { Database } from '#platform/db.ts'

/** Adds a process's visitors to the day's. */
export async function addVisits(db: Database, day: string, sketch: Uint8Array): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('store_visits')
      .values({ day, sketch: Buffer.from(emptySketch()), visits: 0 })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute()
    const before = await tx
      .selectFrom('store_visits')
      .select('sketch')
      .where(sql<string>`day::text`, '=', day)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const merged = mergeSketches(new Uint8Array(before.sketch), sketch)
    await tx
      .updateTable('store_visits')
      .set({ sketch: Buffer.from(merged), visits: countSketch(merged) })
      .where(sql<string>`day::text`, '=', day)
      .execute()
  })
}

/** Visits by day of the store, from `from` on; days without any are left out. */
export async function selectVisitDays(db: Database, from: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; visits: number }>`
    select day::text, visits from store_visits where day >= ${from}::date and visits > 0`.execute(db)
  return new Map(rows.map(({ day, visits }) => [day, visits]))
}
