import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { project, runNode } from './package-program.ts'
import { findFreePort, tryListening } from './ports.ts'

test('the store starts, is one of its kind, outlives kill -9 of everything, and stops in good order', { timeout: 240_000 }, async () => {
  await using place = await createPlace()
  const first = await startStore(place.env)
  expect(first.output()).toContain(`Store     http://localhost:${place.env.PORT}`)
  expect((await fetch(`http://localhost:${place.env.PORT}/`)).status).toBe(200)
  expect((await fetch(`http://localhost:${place.env.SANDBOX_PORT}/`)).status).toBe(200)
  await query(place.env.DATA_DIR, 'create table kept as select count(*) from item')

  const twin = await runNode(['tools/start.ts'], { env: { ...place.env, PORT: '1', SANDBOX_PORT: '3' } })
  expect(twin).toEqual({
    code: 1,
    output: `Sidewall is already running over ${place.env.DATA_DIR}, at http://localhost:${place.env.PORT}. Stop it first, or set DATA_DIR, PORT and SANDBOX_PORT to others.\n`,
  })

  const children = await childrenOf(first.pid)
  expect(children).toHaveLength(4) // the database, the sandbox, the worker and the web
  for (const pid of [first.pid, ...children]) process.kill(pid, 'SIGKILL')
  const second = await startStore(place.env)
  expect(await query(place.env.DATA_DIR, 'select kept.count = (select count(*) from item) as same from kept')).toEqual([{ same: true }])

  process.kill(second.pid, 'SIGKILL') // the rest ends by itself, or is ended by the next start
  const third = await startStore(place.env)
  third.stop()
  expect(await third.exited).toEqual([0, null])
  const stopped = third.output().split('Stopping\n')[1] ?? ''
  expect([...stopped.matchAll(/^ {2}ok (\w+) +stopped/gm)].map(([, name]) => name)).toEqual(['Web', 'Worker', 'Sandbox', 'Database'])
})

test('a store that is told to stop while it starts leaves nothing running', { timeout: 120_000 }, async () => {
  await using place = await createPlace()
  const store = launchStore(place.env)
  while (!store.output().includes('Database')) await sleep(20)

  store.stop()

  expect(await store.exited).toEqual([0, null])
  await expect(query(place.env.DATA_DIR, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

const refusals: [setting: Record<string, string>, line: RegExp][] = [
  [{ PORT: 'four thousand' }, /^The settings cannot be used: PORT \(.+\)\.$/],
  [{ SEED_SCALE: 'huge' }, /^SEED_SCALE is "huge"\. It can be empty, small, default, large, 1m\.$/],
  [{ DATA_DIR: '/dev/null/data' }, /^The folder \/dev\/null\/data cannot be written to \(ENOTDIR\)\. Set DATA_DIR to one that can\.$/],
  [{ DATABASE_URL: 'mysql://localhost/store' }, /^The settings cannot be used: DATABASE_URL \(.+\)\.$/],
  [{ SANDBOX_PORT: '4000', PORT: '4000' }, /^PORT and SANDBOX_PORT are both 4000\. Give them different ports\.$/],
]

test.each(refusals)('with %j it says one line and ends with code 1', { timeout: 60_000 }, async (setting, line) => {
  await using place = await createPlace()

  const { code, output } = await runNode(['tools/start.ts'], { env: { ...place.env, ...setting } })

  expect(output.trimEnd()).toMatch(line)
  expect(code).toBe(1)
})

test('a database that does not answer is one line', { timeout: 120_000 }, async () => {
  await using place = await createPlace()
  const url = `postgresql://ann:secret@localhost:${await findFreePort()}/store`

  const { code, output } = await runNode(['tools/start.ts'], { env: { ...place.env, DATABASE_URL: url } })

  expect(output.split('\n').filter((line) => !line.startsWith('  ok Build'))).toEqual([
    expect.stringMatching(/^The database in DATABASE_URL cannot be used: connect ECONNREFUSED .+\.$/),
    '',
  ])
  expect(code).toBe(1)
})

/** The first of three free ports in a row, below those that the system gives to connections going out. */
async function findThreePorts(): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 32_000)
    const refusals = await Promise.all([first, first + 1, first + 2].map((port) => tryListening({ port })))
    if (refusals.every((refusal) => refusal === undefined)) return first
  }
}

/** A data folder and ports that nobody else uses. */
async function createPlace() {
  const folder = await createTemporaryFolder()
  await chmod(folder.path, 0o755)
  const dataDir = join(folder.path, 'data')
  const port = await findThreePorts()
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    SEED_SCALE: 'small',
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    DATABASE_URL: '',
  }
  return {
    env,
    async [Symbol.asyncDispose]() {
      const home = await realpath(join(dataDir, 'postgres-home')).catch(() => undefined)
      if (home !== undefined) await rm(home, { recursive: true, force: true })
      await folder[Symbol.asyncDispose]()
    },
  }
}

function launchStore(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['tools/start.ts'], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return { pid: child.pid ?? 0, output: () => output, exited: once(child, 'close'), stop: () => child.kill('SIGTERM') }
}

async function startStore(env: NodeJS.ProcessEnv) {
  const store = launchStore(env)
  const ended = store.exited.then(() => true)
  while (!store.output().includes('Ctrl-C stops everything')) {
    if (await Promise.race([ended, sleep(50)])) throw new Error(`The store did not start:\n${store.output()}`)
  }
  return store
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const stats = await Promise.all(pids.map(async (pid) => ({ pid, stat: await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') })))
  return stats.filter(({ stat }) => Number(stat.replace(/.*\)/, '').trim().split(' ')[1]) === parent).map(({ pid }) => pid)
}

async function query(dataDir: string, text: string): Promise<unknown[]> {
  const [port, password] = await Promise.all(['postgres-port', 'postgres-password'].map((name) => readFile(join(dataDir, name), 'utf8')))
  const client = new pg.Client({ host: '127.0.0.1', port: Number(port), user: 'sidewall', password, database: 'sidewall' })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
