import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'

test('every table says what it is for', async () => {
  await using database = await createTestDatabase()
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and obj_description(oid, 'pg_class') is null order by relname`.execute(
    database.db,
  )
  expect(rows.map(({ name }) => name).filter((name) => name !== 'schema_migration')).toEqual([])
})
