/** Databases for tests: each test has one of its own, copied in milliseconds from a template that is made once. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase, type Database } from '#platform/db.ts'
import { migrate } from '#platform/migrate.ts'

export type TestDatabase = AsyncDisposable & {
  url: string
  db: Database
}

/**
 * The instant at which the small demo data was made: tests that look at it set their clock by this. A started store has
 * the real clock, and data of today.
 */
export const smallDataMadeAt = Temporal.Instant.from('2026-11-20T15:00:00Z')

/** The number of the first order that is placed over the demo data: the orders of the demo come before. */
export const firstPlacedOrder = 104_001

/**
 * A database for one test; hold it with `await using` and it is dropped at the end. `empty` has all tables and no rows,
 * `small` has the small demo data as of `smallDataMadeAt`, `small-today` the same as of today: deals run and times are
 * free, in whatever month the test does.
 */
export async function createTestDatabase({
  from = 'empty',
}: { from?: 'empty' | 'small' | 'small-today' } = {}): Promise<TestDatabase> {
  const template = await templates[from]()
  const name = `sidewall_test_${randomBytes(6).toString('hex')}`
  // Copying files beats writing every page to the log, where nothing waits for the disk.
  await asMaintenance((client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  const url = addressOf(name)
  const db = createDatabase(url, { size: 5 })
  return {
    url,
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await asMaintenance((client) => client.query(`drop database ${name} with (force)`))
    },
  }
}

const templates = {
  empty: () => ensureTemplate('sidewall_template', async (url) => void (await migrate(url))),
  small: () => ensureSmall('sidewall_small', smallDataMadeAt),
  'small-today': () =>
    ensureSmall(`sidewall_${Temporal.Now.plainDateISO('UTC').toString().replaceAll('-', '')}`, Temporal.Now.instant()),
}

async function ensureSmall(kind: string, now: Temporal.Instant): Promise<string> {
  const empty = await templates.empty()
  return ensureTemplate(
    kind,
    async (url) => {
      // Loaded only here: the seed reads large files that tests on an empty database have no need of.
      const { seed } = await import('#db/seed/seed.ts')
      await seed(url, { scale: 'small', now, log: () => {} })
    },
    empty,
  )
}

const ready = new Map<string, Promise<string>>()

/**
 * Makes the template once for all test processes. Its name carries a hash of db/, so that a server that outlives the
 * run never serves an old one.
 */
function ensureTemplate(kind: string, fill: (url: string) => Promise<void>, base = 'template0'): Promise<string> {
  const known = ready.get(kind)
  if (known !== undefined) return known
  const made = makeTemplate(kind, fill, base)
  ready.set(kind, made)
  return made
}

async function makeTemplate(kind: string, fill: (url: string) => Promise<void>, base: string): Promise<string> {
  const name = `${kind}_${await hashOfDb()}`
  await asMaintenance(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    const draft = `${name}_draft`
    await client.query(`drop database if exists ${draft} with (force)`)
    await client.query(`create database ${draft} template ${base}`)
    await fill(addressOf(draft))
    await client.query(`alter database ${draft} rename to ${name}`)
  })
  return name
}

async function hashOfDb(): Promise<string> {
  const folder = fileURLToPath(new URL('../../db/', import.meta.url))
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  const hash = createHash('sha256')
  for (const path of paths) hash.update(path).update(await readFile(path))
  return hash.digest('hex').slice(0, 12)
}

function addressOf(database: string): string {
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${database}`
  return url.href
}

async function asMaintenance<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
