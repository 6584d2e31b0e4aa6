import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { watchDeadlocks } from './deadlocks.ts'

test('of two sessions that wait for each other one is ended, and both are named', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const [first, second] = [await db.startTransaction().execute(), await db.startTransaction().execute()]
  const lock = (tx: typeof first, name: number) => sql`select pg_advisory_xact_lock(${name}::bigint)`.execute(tx)
  for (const [tx, name] of [
    [first, 1],
    [second, 2],
  ] as const) {
    await sql`set local deadlock_timeout = '10min'`.execute(tx)
    await lock(tx, name)
  }
  const found: string[] = []
  await using _ = watchDeadlocks(db, (words) => void found.push(words))
  const takeAndEnd = async (tx: typeof first, name: number) => {
    try {
      await lock(tx, name)
    } finally {
      await tx.rollback().execute()
    }
  }
  const ends = await Promise.allSettled([takeAndEnd(first, 2), takeAndEnd(second, 1)])
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(found).toEqual([expect.stringMatching(/^deadlock of select pg_advisory.* and select pg_advisory/)])
})
