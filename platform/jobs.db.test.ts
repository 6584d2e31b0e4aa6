/** Jobs that have failed, and those that only look like it. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { enqueue, listFailedJobs, readJobState } from '#platform/jobs.ts'

const now = Temporal.Instant.from('2026-11-20T15:00:00Z')

test.for([
  ['that worker crashed', sql`select graphile_worker.force_unlock_workers(array['gone'])`],
  [
    'that failed there',
    sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null, last_error = 'no answer' where key is null`,
  ],
  ['that worker still has it', sql`select`],
] as const)('a job that was queued again while a worker had it has not failed: %s', async ([, end]) => {
  await using database = await createTestDatabase()
  const { db } = database
  const queue = () => enqueue(db, 'settle-financed', { orderId: 1 }, { key: 'settle:1', runAt: now })
  await queue()
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'gone', attempts = 1`.execute(db)
  await queue()
  await end.execute(db)
  const { rows } = await sql`select key, attempts from graphile_worker.jobs order by id`.execute(db)
  expect(rows).toEqual([
    { key: null, attempts: 25 },
    { key: 'settle:1', attempts: 0 },
  ])
  expect(await readJobState(database, now)).toMatchObject({ failed: 0 })
  expect(await listFailedJobs(database, 9)).toEqual([])
})

test('a job that failed as often as it may, or crashed its process each time, has failed', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  for (const key of ['settle:1', 'settle:2']) await enqueue(db, 'settle-financed', { orderId: 1 }, { key, runAt: now })
  await enqueue(db, 'sweep-files', {}, { runAt: now })
  await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(db)
  await sql`update graphile_worker._private_jobs set last_error = 'no answer' where key is null or key = 'settle:2'`.execute(
    db,
  )
  expect(await readJobState(database, now)).toMatchObject({ failed: 3 })
  expect((await listFailedJobs(database, 9)).map(({ error }) => error)).toEqual(['', 'no answer', 'no answer'])
})
