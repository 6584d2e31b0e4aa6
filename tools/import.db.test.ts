/** Tests `npm run import` as a process, with its output, its exit codes, and being killed at any moment. */
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { project, runNode } from './package-program.ts'

/** 50,000; a million in `npm run test:long`. */
const manyRows = process.env.SEEDS === undefined ? 50_000 : 1_000_000
const mostMegabytes = 300

type Finished = { code: number | null; output: string }

function runImport(database: TestDatabase, args: readonly string[]): Promise<Finished> {
  return runNode(['tools/import.ts', ...args], {
    env: { ...process.env, DATABASE_URL: database.url, NODE_ENV: 'test' },
  })
}

/**
 * Runs until it ends, or is killed with SIGKILL after this long. `megabytes`: its peak memory, where the system reports
 * it.
 */
async function runAndKill(
  database: TestDatabase,
  args: readonly string[],
  afterMs: number,
): Promise<Finished & { megabytes: number }> {
  const child = spawn(process.execPath, ['tools/import.ts', ...args], {
    cwd: project,
    env: { ...process.env, DATABASE_URL: database.url, NODE_ENV: 'test' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<number | null>((done) => void child.once('close', (code) => done(code)))
  const killing = setTimeout(() => child.kill('SIGKILL'), afterMs)
  let megabytes = 0
  const watching = setInterval(
    () => void mostMemory(child.pid).then((now) => (megabytes = Math.max(megabytes, now))),
    100,
  )
  const code = await ended
  clearTimeout(killing)
  clearInterval(watching)
  return { code, output, megabytes }
}

async function mostMemory(pid = 0): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

async function withCategory(database: TestDatabase): Promise<void> {
  await database.db
    .insertInto('tire_type')
    .values({ slug: 'all-season', name: 'All-season', definition: '', position: 1 })
    .execute()
  await database.db
    .insertInto('category')
    .values({ slug: 'touring-all-season', name: 'Touring', type_slug: 'all-season', definition: '', position: 1 })
    .execute()
}

/** Streams a products feed of 20 brands, 400 lines and as many sizes as needed to `path`. */
async function writeProducts(path: string, count: number): Promise<void> {
  const header =
    'sku,brand,brand_tier,line,category,tread,size,load_index,speed,max_psi,rim_width_min_in,rim_width_max_in,tread_depth_32nds,weight_lb,price_cents\n'
  function* lines() {
    yield header
    for (let index = 0; index < count; index++) {
      const line = index % 400
      const place = Math.floor(index / 400)
      const size = `${155 + 10 * (place % 21)}/${30 + 5 * (Math.floor(place / 21) % 11)}R${14 + Math.floor(place / 231)}`
      yield `G-${index},Brand ${line % 20},mid,Line ${line},touring-all-season,all-season,${size},91,H,51,6,8,10,25,${8_000 + (index % 9_000)}\n`
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
}

test(
  'a feed whose import is killed repeatedly is imported completely, each row once, in bounded memory',
  { timeout: 1_800_000 },
  async () => {
    await using database = await createTestDatabase()
    await using folder = await createTemporaryFolder()
    await withCategory(database)
    const feed = join(folder.path, 'products.csv')
    await writeProducts(feed, manyRows)

    let args = ['products', feed]
    let kills = 0
    let megabytes = 0
    for (;;) {
      // Later each time, so that it finishes; at different moments in every run of this test.
      const ended = await runAndKill(database, args, 900 + Math.random() * 600 + kills ** 2 * (manyRows / 250))
      megabytes = Math.max(megabytes, ended.megabytes)
      // PostgreSQL has not noticed yet that the previous process is gone.
      if (ended.output.includes('Another import is at work')) continue
      if (ended.code !== null) {
        // Killed after the commit but before the report, so the run is complete and reports that.
        if (!/is over: published/.test(ended.output)) expect(ended.output).toMatch(/Published\. [\d,]+ rows, 0 refused/)
        break
      }
      kills++
      await sleep(100)
      const run = await database.db.selectFrom('import_run').select('id').executeTakeFirst()
      if (run) args = ['resume', String(run.id)]
    }
    expect(kills).toBeGreaterThan(0)
    expect(megabytes).toBeLessThan(mostMegabytes)
    const { rows } = await sql`
    select (select count(*) from item where active)::int as items, (select count(distinct sku) from item)::int as skus, (select sum(retail_cents) from item)::float as cents,
      (select count(*) from product_line)::int as lines, (select count(*) from brand)::int as brands,
      (select count(*) from import_change where entity = 'item')::int as noted, (select count(*) from import_product)::int as staged`.execute(
      database.db,
    )
    const cents = Array.from({ length: manyRows }, (_, index) => 8_000 + (index % 9_000)).reduce(
      (sum, price) => sum + price,
      0,
    )
    expect(rows).toEqual([
      { items: manyRows, skus: manyRows, cents, lines: 400, brands: 20, noted: manyRows, staged: 0 },
    ])
  },
)

test('the samples in docs/feeds can be imported in order, with the right exit codes', async () => {
  await using database = await createTestDatabase()
  await using folder = await createTemporaryFolder({
    'bad.csv': 'sku,price\nSUN-100,=1+1\nSUN-101,129.99\n',
    'high.csv': 'sku,price\nSUN-100,900\n',
  })
  await withCategory(database)
  await database.db
    .insertInto('warehouse')
    .values({
      id: 1,
      code: 'JOL',
      name: 'J',
      city: 'Joliet',
      state: 'IL',
      zip: '60436',
      latitude: 41,
      longitude: -88,
      time_zone: 'America/Chicago',
      cutoff: '16:00',
    })
    .execute()
  const sample = (kind: string, type = 'csv') => [kind, join(project, 'docs/feeds', `${kind}.${type}`)]

  const dry = await runImport(database, [...sample('products'), '--dry-run'])
  expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('Dry run, not published.') })
  for (const kind of ['products', 'prices', 'stock', 'fitment']) {
    const { code, output } = await runImport(database, sample(kind))
    expect(output).toContain('Published.')
    expect(code).toBe(0)
  }
  expect(await runImport(database, sample('vehicle-codes'))).toMatchObject({ code: 0 })
  expect(await runImport(database, sample('brand-fitment', 'xml'))).toMatchObject({
    code: 0,
    output: expect.stringContaining('vehicles of items created: 2'),
  })
  expect(await runImport(database, sample('item-data', 'xml'))).toMatchObject({
    code: 0,
    output: expect.stringContaining('tires changed: 1'),
  })
  expect((await runImport(database, ['list'])).output.split('\n').filter(Boolean)).toHaveLength(8)

  const report = join(folder.path, 'report.csv')
  expect(await runImport(database, ['prices', join(folder.path, 'bad.csv'), '--report', report])).toMatchObject({
    code: 1,
  })
  expect(await readFile(report, 'utf8')).toBe(
    `row,column,value,what is wrong,what was expected\r\n2,price,'=1+1,is not a price,"dollars with at most two decimals, such as 129.99, up to $10,000.00"\r\n`.replace(
      "'=1+1",
      `"'=1+1"`,
    ),
  )
  expect(await runImport(database, ['prices', join(folder.path, 'bad.csv'), '--per-row'])).toMatchObject({ code: 4 })
  const waiting = await runImport(database, ['prices', join(folder.path, 'high.csv')])
  expect(waiting).toMatchObject({
    code: 3,
    output: expect.stringMatching(/Moves 1 price by more than a quarter: SUN-100 \$[\d.]+ to \$900\.00/),
  })
  const number = /resume (\d+)/.exec(waiting.output)?.[1] ?? ''
  expect(await runImport(database, ['resume', number, '--yes'])).toMatchObject({ code: 0 })
  expect(await runImport(database, ['rollback'])).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Run ${number} is rolled back`),
  })
  expect(await runImport(database, ['prices', join(folder.path, 'none.csv')])).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no file'),
  })
  expect(await runImport(database, ['price', 'x'])).toMatchObject({
    code: 2,
    output: expect.stringContaining(
      'npm run import -- products|prices|stock|fitment|item-data|brand-fitment|vehicle-codes|competitor-prices FILE',
    ),
  })
})
