import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from './database.ts'

test('two tests write to the same table without seeing each other’s rows', async () => {
  await using one = await createTestDatabase()
  await using other = await createTestDatabase()

  await sql`create table note (text text)`.execute(one.db)

  expect((await sql`select to_regclass('note') as note`.execute(other.db)).rows).toEqual([{ note: null }])
})

test('a test database has every table, and the job queue', async () => {
  await using database = await createTestDatabase()

  const { rows } =
    await sql`select to_regclass('schema_migration') is not null as migrated, to_regproc('graphile_worker.add_job') is not null as queue`.execute(
      database.db,
    )

  expect(rows).toEqual([{ migrated: true, queue: true }])
})

test('a test database is removed with its test', async () => {
  await using watcher = await createTestDatabase()
  const { url } = await createAndDrop()

  const name = new URL(url).pathname.slice(1)
  expect((await sql`select from pg_database where datname = ${name}`.execute(watcher.db)).rows).toEqual([])
})

async function createAndDrop(): Promise<{ url: string }> {
  await using database = await createTestDatabase()
  return { url: database.url }
}
