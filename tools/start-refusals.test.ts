/** Tests the messages of `npm start` when it can't start, and its cleanup when it is stopped early. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createPlace, databaseUrlOf, launchWholeStore } from '#tests/support/whole-store.ts'
import { runNode } from './package-program.ts'
import { findFreePort } from './ports.ts'

test('a store stopped during startup leaves no processes running', async () => {
  await using place = await createPlace()
  const store = launchWholeStore(place.env)
  while (!store.output().includes('Database')) await sleep(20)

  store.stop()

  expect(await store.exited).toEqual([0, null])
  await expect(connect(place.env.DATA_DIR)).rejects.toThrow('ECONNREFUSED')
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

async function connect(dataDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrlOf(dataDir) })
  await client.connect()
  await client.end()
}
