import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { migrate, oldestVersion } from './migrate.ts'

test('twenty processes migrating an empty database apply every migration exactly once', async () => {
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

test('a failing migration rolls back, retains earlier ones, and reports the failure', async () => {
  await using database = await createTestDatabase()
  const folder = await migrations({
    '1-tire.sql': 'create table spare (size text)',
    '2-wrong.sql': 'create table wheel (); select 1 / 0',
  })

  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'The migration 2-wrong.sql failed and was rolled back: division by zero.',
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

test('an older PostgreSQL is refused in one line, before any other statement', async () => {
  await using server = await fakePostgres(`${oldestVersion - 1}.4`)

  await expect(migrate(server.url)).rejects.toThrow(
    `The database is PostgreSQL ${oldestVersion - 1}.4; version ${oldestVersion} or newer is needed.`,
  )
  expect(server.statements).toEqual([expect.stringContaining('server_version')])
})

test('README.md names the oldest PostgreSQL that migrations accept', async () => {
  expect(await readFile('README.md', 'utf8')).toContain(`PostgreSQL ${oldestVersion} or newer`)
})

test('a migration with CRLF line ends and a byte order mark counts as the one that was applied', async () => {
  await using database = await createTestDatabase()
  const folder = await migrations({ '1-tire.sql': 'create table spare\n(size text)\n' })
  await migrate(database.url, { folder })
  await writeFile(new URL('1-tire.sql', folder), '\uFEFFcreate table spare\r\n(size text)\r\n')

  expect(await migrate(database.url, { folder })).toEqual({ applied: [] })
})

/**
 * Speaks enough of PostgreSQL's protocol (https://www.postgresql.org/docs/18/protocol-flow.html) to answer every
 * statement with one row: its version, UTF8 and a name.
 */
async function fakePostgres(version: string) {
  const statements: string[] = []
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5, type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const short = (value: number) => Buffer.from([value >> 8, value & 255])
  const isReady = message('Z', Buffer.from('I'))
  const columns = ['version', 'encoding', 'name'].map((name) =>
    Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(6), Buffer.from([0, 0, 0, 25, 255, 255]), Buffer.alloc(6)]),
  )
  const values = [version, 'UTF8', 'store'].map((value) =>
    Buffer.concat([Buffer.alloc(2), short(value.length), Buffer.from(value)]),
  )
  const row = [
    message('T', Buffer.concat([short(columns.length), ...columns])),
    message('D', Buffer.concat([short(values.length), ...values])),
    message('C', Buffer.from('SELECT 1\0')),
  ]
  const server = createServer((socket) => {
    let isStarted = false
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => {
      if (!isStarted) {
        isStarted = true
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), isReady]))
      } else if (data[0] === 'Q'.charCodeAt(0)) {
        statements.push(data.subarray(5, -1).toString())
        socket.write(Buffer.concat([...row, isReady]))
      }
    })
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return {
    url: `postgresql://ann:x@127.0.0.1:${(server.address() as AddressInfo).port}/store`,
    statements,
    async [Symbol.asyncDispose]() {
      await new Promise((done) => void server.close(done))
    },
  }
}

async function migrations(files: Record<string, string>): Promise<URL> {
  const folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'migrations-'))}/`)
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text)
  return folder
}
