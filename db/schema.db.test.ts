import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'

test('every table has a comment', async () => {
  await using database = await createTestDatabase()
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and obj_description(oid, 'pg_class') is null order by relname`.execute(
    database.db,
  )
  expect(rows.map(({ name }) => name).filter((name) => name !== 'schema_migration')).toEqual([])
})

test('everything of an order is found by an index, in whatever state it is', async () => {
  await using database = await createTestDatabase()
  const { rows } = await sql<{ column: string }>`
    select conrelid::regclass || '.' || attname as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'sales_order'::regclass and not exists (
      select from pg_index where indrelid = conrelid and indkey[0] = attnum
        and (indpred is null or pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', attname)))
    order by 1`.execute(database.db)
  // A rejected review is unlinked from its order.
  expect(rows.map(({ column }) => column)).toEqual(['review.verified_order_id'])
})

test('what refers to a cart follows its key, which changes at the sign-in', async () => {
  await using database = await createTestDatabase()
  const { rows } = await sql<{ name: string; action: string }>`
    select conname as name, confupdtype as action from pg_constraint where contype = 'f' and confrelid = 'cart'::regclass`.execute(
    database.db,
  )
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.filter(({ action }) => action !== 'c')).toEqual([])
})

test('a trigger that compares old and new rows never loops over both', async () => {
  await using database = await createTestDatabase()
  const { rows } = await sql<{ name: string; settings: string[] | null }>`
    select distinct proname as name, proconfig as settings
    from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where tgoldtable is not null and tgnewtable is not null
      and prosrc ~ format('\\m%s\\M[^;]*\\mjoin\\M[^;]*\\m%s\\M|\\m%s\\M[^;]*\\mjoin\\M[^;]*\\m%s\\M', tgoldtable, tgnewtable, tgnewtable, tgoldtable)
    order by proname`.execute(database.db)
  expect(rows.map(({ name }) => name)).toContain('note_stock_changes')
  expect(rows.filter(({ settings }) => !settings?.includes('enable_nestloop=off'))).toEqual([])
})
