import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#platform/db.ts'
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

test('a fresh test database is removed with its test', async () => {
  await using watcher = await createTestDatabase()
  const { url } = await use(async () => {}, true)

  const name = new URL(url).pathname.slice(1)
  expect((await sql`select from pg_database where datname = ${name}`.execute(watcher.db)).rows).toEqual([])
})

test('the next test has the same rows, sequences, and sessions', async () => {
  const before = await use(contentOf)
  const changed = await use(async (db) => {
    await sql`delete from review_vote`.execute(db)
    await sql`update stock set on_hand = on_hand + 1 where on_hand > 3`.execute(db)
    await sql`update zip set city = 'Elsewhere' where zip like '606%'`.execute(db)
    await sql`delete from zip where zip like '99%' and not exists (select from cart where cart.zip = zip.zip)`.execute(
      db,
    )
    await sql`insert into zip (zip, city, region, state, zip_type) select '00000', city, region, state, zip_type from zip limit 1`.execute(
      db,
    )
    await sql`select nextval('sales_order_id_seq')`.execute(db)
    const content = await contentOf(db)
    await sql`set search_path to nowhere`.execute(db)
    return content
  })
  const after = await use(contentOf)

  expect(changed.url).toBe(before.url)
  expect(changed.result).not.toEqual(before.result)
  expect(after.url).toBe(before.url)
  expect(after.result).toEqual(before.result)
  expect(after.result.size).toBeGreaterThan(300)
})

test('a test that changes the schema leaves its database to no other', async () => {
  const first = await use((db) => sql`create table note (text text)`.execute(db))
  const second = await use((db) => sql`select to_regclass('note') as note`.execute(db))

  expect(second.url).not.toBe(first.url)
  expect(second.result.rows).toEqual([{ note: null }])
})

async function use<Result>(
  work: (db: Database) => Promise<Result>,
  isFresh = false,
): Promise<{ url: string; result: Result }> {
  await using database = await createTestDatabase({ from: 'small', isFresh })
  return { url: database.url, result: await work(database.db) }
}

/** A digest of the rows of each table, and the state of each sequence. */
async function contentOf(db: Database): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; kind: string }>`
    select oid::regclass::text as name, relkind as kind from pg_class
    where relkind in ('r', 'S') and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`.execute(
    db,
  )
  const content = new Map<string, string>()
  for (const { name, kind } of rows) {
    const value = kind === 'S' ? `last_value || ' ' || is_called` : `md5(string_agg(row::text, ' ' order by row::text))`
    const { rows: digests } = await sql
      .raw<{ digest: string | null }>(`select ${value} as digest from ${name} ${kind === 'S' ? '' : 'row'}`)
      .execute(db)
    content.set(name, digests[0]?.digest ?? '')
  }
  return content
}
