/** Test databases. Each test has its own, copied in milliseconds from a template. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inject } from 'vitest'
import { installReferenceData } from '#db/reference/reference-data.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { migrate } from '#platform/migrate.ts'
import { setSamplePastAside } from './sample-past.ts'
import { keepOriginals, openWarmDatabase, type WarmDatabase } from './warm-database.ts'

export type TestDatabase = AsyncDisposable & {
  url: string
  db: Database
}

/**
 * The time of the small demo data. Tests that use it set their clock by this. A started store uses the real clock and
 * today's data.
 */
export const smallDataMadeAt = Temporal.Instant.from('2026-11-20T15:00:00Z')

/** The number of the first order that is placed over the demo data: the orders of the demo come before. */
export const firstPlacedOrder = 104_001

type Kind = 'new' | 'empty' | 'small' | 'small-open' | 'small-today'

/**
 * Creates a database for one test. Use it with `await using`. `new` is a new store after `npm run migrate`, closed, with
 * its reference data; `empty` has all tables without rows, and is open. `small` has the small demo data as of
 * `smallDataMadeAt`, `small-open` has the same without the sample jobs (sample-past.ts), and `small-today` has the demo
 * data of today with running deals and open times. The next test reuses the reset database. With `isFresh`, the test
 * gets a separate copy for other processes.
 */
export async function createTestDatabase({
  from = 'empty',
  isFresh = false,
}: { from?: Kind; isFresh?: boolean } = {}): Promise<TestDatabase> {
  return isFresh ? createFresh(from) : takeWarm(from)
}

async function createFresh(from: Kind): Promise<TestDatabase> {
  const url = await copy(await templates[from]())
  const db = createDatabase(url, { size: 5 })
  return {
    url,
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await drop(url)
    },
  }
}

const idle = new Map<Kind, WarmDatabase[]>()

async function takeWarm(from: Kind): Promise<TestDatabase> {
  const warm = idle.get(from)?.pop() ?? (await openWarmDatabase(await copy(await warmTemplate(from))))
  const db = warm.open()
  return {
    url: warm.url,
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      if (await warm.reset()) idle.set(from, [...(idle.get(from) ?? []), warm])
      else {
        await warm.close()
        await drop(warm.url)
      }
    },
  }
}

async function warmTemplate(from: Kind): Promise<string> {
  return ensureTemplate(`sidewall_warm_${from.replace('-', '_')}`, keepOriginals, await templates[from]())
}

async function copy(template: string): Promise<string> {
  const name = `sidewall_test_${randomBytes(6).toString('hex')}`
  // Copying files is faster than writing every page to the log, because tests don't wait for the disk.
  await asMaintenance((client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return addressOf(name)
}

async function drop(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await asMaintenance((client) => client.query(`drop database ${name} with (force)`))
}

const templates = {
  new: () => ensureTemplate('sidewall_new', migrateNew),
  empty: () => ensureTemplate('sidewall_template', migrateOpen),
  small: () => ensureSmall('sidewall_small', smallDataMadeAt),
  'small-open': async () => ensureTemplate('sidewall_small_open', setAside, await templates.small()),
  'small-today': () =>
    ensureSmall(`sidewall_${Temporal.Now.plainDateISO('UTC').toString().replaceAll('-', '')}`, Temporal.Now.instant()),
}

async function ensureSmall(kind: string, now: Temporal.Instant): Promise<string> {
  const empty = await templates.empty()
  return ensureTemplate(
    kind,
    async (url) => {
      // Loaded only here because the seed reads large files that tests on an empty database don't need.
      const { seed } = await import('#db/seed/seed.ts')
      await seed(url, { scale: 'small', now, log: () => {} })
    },
    empty,
  )
}

async function migrateNew(url: string): Promise<void> {
  await migrate(url)
  await installReferenceData(url)
}

/** Open from the start, as nearly every test needs it. */
async function migrateOpen(url: string): Promise<void> {
  await migrate(url)
  const db = createDatabase(url, { size: 1 })
  await db.updateTable('store_state').set({ is_open: true }).execute()
  await db.destroy()
}

async function setAside(url: string): Promise<void> {
  const db = createDatabase(url, { size: 1 })
  await setSamplePastAside(db)
  await db.destroy()
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
