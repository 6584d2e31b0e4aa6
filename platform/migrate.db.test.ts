import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { migrate } from './migrate.ts'

test('twenty processes migrating an empty database at once apply every migration exactly once', async () => {
  await using database = await createTestDatabase()
  await sql`drop schema public cascade; drop schema graphile_worker cascade; create schema public`.execute(database.db)

  const results = await Promise.all(Array.from({ length: 20 }, () => migrate(database.url)))

  const { rows } = await sql<{ name: string }>`select name from schema_migration order by name`.execute(database.db)
  expect(results.filter((result) => result.applied.length > 0)).toEqual([{ applied: rows.map((row) => row.name) }])
})

test('only a new migration is applied', async () => {
  await using database = await createTestDatabase()
  const folder = await migrations({ '1-tire.sql': 'create table spare (size text)' })
  await migrate(database.url, { folder })
  await writeFile(new URL('2-row.sql', folder), "insert into spare values ('T135/90D17')")

  expect(await migrate(database.url, { folder })).toEqual({ applied: ['2-row.sql'] })
  expect((await sql`select size from spare`.execute(database.db)).rows).toEqual([{ size: 'T135/90D17' }])
})

test('a migration changed after it was applied is refused by name', async () => {
  await using database = await createTestDatabase()
  const folder = await migrations({ '1-tire.sql': 'create table spare (size text)' })
  await migrate(database.url, { folder })
  await writeFile(new URL('1-tire.sql', folder), 'create table spare (size text not null)')

  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'The migration 1-tire.sql was changed after it had been applied',
  )
})

test('a failing migration leaves nothing behind, keeps those before it, and says what failed', async () => {
  await using database = await createTestDatabase()
  const folder = await migrations({
    '1-tire.sql': 'create table spare (size text)',
    '2-wrong.sql': 'create table wheel (); select 1 / 0',
  })

  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'The migration 2-wrong.sql failed and nothing of it was kept: division by zero.',
  )
  const { rows } = await sql`select to_regclass('spare')::text as spare, to_regclass('wheel')::text as wheel`.execute(
    database.db,
  )
  expect(rows).toEqual([{ spare: 'spare', wheel: null }])
})

test('an unreachable database is reported in one plain line', async () => {
  await expect(migrate('postgresql://localhost:1/nowhere')).rejects.toThrow(
    /^The database in DATABASE_URL cannot be used: connect ECONNREFUSED [^\n]*$/,
  )
})

test('a database that is not UTF8 is refused in one line, before anything is written', async () => {
  await using database = await createTestDatabase()
  const name = `${new URL(database.url).pathname.slice(1)}_latin1`
  await sql`create database ${sql.id(name)} encoding 'LATIN1' locale_provider libc locale 'C' template template0`.execute(
    database.db,
  )
  try {
    const url = Object.assign(new URL(database.url), { pathname: `/${name}` }).href
    await expect(migrate(url)).rejects.toThrow(
      `The database ${name} is encoded in LATIN1; UTF8 is needed. Make another: create database ${name}_utf8 encoding 'UTF8' template template0.`,
    )
  } finally {
    await sql`drop database ${sql.id(name)} with (force)`.execute(database.db)
  }
})

async function migrations(files: Record<string, string>): Promise<URL> {
  const folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'migrations-'))}/`)
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text)
  return folder
}
