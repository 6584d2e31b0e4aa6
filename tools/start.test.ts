import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import {
  childrenOf,
  createPlace,
  databaseUrlOf,
  launchWholeStore,
  startWholeStore,
} from '#tests/support/whole-store.ts'
import { runNode } from './package-program.ts'
import { findFreePort } from './ports.ts'

test(
  'the store starts, allows only one instance, survives kill -9 of everything, and stops cleanly',
  { timeout: 240_000 },
  async () => {
    await using place = await createPlace()
    const first = await startWholeStore(place.env)
    expect(first.output()).toContain(`Store     http://localhost:${place.env.PORT}`)
    expect((await fetch(`http://localhost:${place.env.PORT}/`)).status).toBe(200)
    expect((await fetch(`http://localhost:${place.env.SANDBOX_PORT}/`)).status).toBe(200)
    await query(place.env.DATA_DIR, 'create table kept as select count(*) from item')

    const twin = await runNode(['tools/start.ts'], { env: { ...place.env, PORT: '2', SANDBOX_PORT: '3' } })
    expect(twin).toEqual({
      code: 1,
      output: `Sidewall is already running over ${place.env.DATA_DIR}, at http://localhost:${place.env.PORT}. Stop it first, or set DATA_DIR, PORT and SANDBOX_PORT to others.\n`,
    })

    const children = await childrenOf(first.pid)
    expect(children).toHaveLength(4) // the database, the sandbox, the worker and the web
    const commands = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')))
    for (const program of ['build/programs/web.js', 'build/programs/worker.js'])
      expect(commands.filter((command) => command.includes(program))).toHaveLength(1)
    for (const pid of [first.pid, ...children]) process.kill(pid, 'SIGKILL')
    const second = await startWholeStore(place.env)
    expect(
      await query(place.env.DATA_DIR, 'select kept.count = (select count(*) from item) as same from kept'),
    ).toEqual([{ same: true }])

    process.kill(second.pid, 'SIGKILL') // the rest ends by itself, or is stopped by the next start
    const third = await startWholeStore(place.env)
    third.stop()
    expect(await third.exited).toEqual([0, null])
    const stopped = third.output().split('Stopping\n')[1] ?? ''
    expect([...stopped.matchAll(/^ {2}ok (\w+) +stopped/gm)].map(([, name]) => name)).toEqual([
      'Web',
      'Worker',
      'Sandbox',
      'Database',
    ])
  },
)

test('a store stopped during startup leaves nothing running', async () => {
  await using place = await createPlace()
  const store = launchWholeStore(place.env)
  while (!store.output().includes('Database')) await sleep(20)

  store.stop()

  expect(await store.exited).toEqual([0, null])
  await expect(query(place.env.DATA_DIR, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

const refusals: [setting: Record<string, string>, line: RegExp][] = [
  [{ PORT: 'four thousand' }, /^The settings cannot be used: PORT \(.+\)\.$/],
  [{ SEED_SCALE: 'huge' }, /^SEED_SCALE is "huge"\. It can be empty, small, default, large, 1m\.$/],
  [
    { DATA_DIR: '/dev/null/data' },
    /^The folder \/dev\/null\/data cannot be written to \(ENOTDIR\)\. Set DATA_DIR to one that can\.$/,
  ],
  [{ DATA_DIR: '/proc' }, /^The folder \/proc cannot be written to \(\w+\)\. Set DATA_DIR to one that can\.$/],
  [
    { DATA_DIR: '/proc/self/data' },
    /^The folder \/proc\/self\/data cannot be written to \(\w+\)\. Set DATA_DIR to one that can\.$/,
  ],
  [{ PORT: '6000' }, /^The settings cannot be used: PORT \(browsers block port 6000; choose another port\)\.$/],
  [
    { SANDBOX_PORT: '10080' },
    /^The settings cannot be used: SANDBOX_PORT \(browsers block port 10080; choose another port\)\.$/,
  ],
  [{ DATABASE_URL: 'mysql://localhost/store' }, /^The settings cannot be used: DATABASE_URL \(.+\)\.$/],
  [{ SANDBOX_PORT: '4000', PORT: '4000' }, /^PORT and SANDBOX_PORT are both 4000\. Give them different ports\.$/],
]

test.each(refusals)('with %j it prints one line and exits with code 1', async (setting, line) => {
  await using place = await createPlace()

  const { code, output } = await runNode(['tools/start.ts'], { env: { ...place.env, ...setting } })

  expect(output.trimEnd()).toMatch(line)
  expect(code).toBe(1)
})

test('an unreachable database is reported in one line', async () => {
  await using place = await createPlace()
  const url = `postgresql://ann:secret@localhost:${await findFreePort()}/store`

  const { code, output } = await runNode(['tools/start.ts'], { env: { ...place.env, DATABASE_URL: url } })

  expect(output.split('\n').filter((line) => !line.startsWith('  ok Build'))).toEqual([
    expect.stringMatching(/^The database in DATABASE_URL cannot be used: connect ECONNREFUSED .+\.$/),
    '',
  ])
  expect(code).toBe(1)
})

async function query(dataDir: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: await databaseUrlOf(dataDir) })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
