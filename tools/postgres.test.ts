import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, test } from 'vitest'
import { chooseAccount } from './postgres-account.ts'
import { startPostgres } from './postgres.ts'

test('a second start has the first one’s rows and address', async () => {
  await using folder = await createFolder()
  const first = await startPostgres({ dataDir: folder.path, forTests: true })
  await query(first.url, 'create table tire (sku text); insert into tire values (1)')
  await first.stop()

  const second = await startPostgres({ dataDir: folder.path, forTests: true })

  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select sku from tire')).toEqual([{ sku: '1' }])
  expect(((await stat(join(folder.path, 'postgres-password'))).mode & 0o077) === 0).toBe(true)
  await second.stop()
})

test('it listens only locally, uses Unicode and UTC, and classifies letters correctly', async () => {
  await using folder = await createFolder()
  const postgres = await startPostgres({ dataDir: folder.path, forTests: true })

  const rows = await query(
    postgres.url,
    `select current_setting('listen_addresses') as listens, current_setting('server_encoding') as encoding, current_setting('timezone') as zone, upper('é') as upper`,
  )

  expect(rows).toEqual([{ listens: '127.0.0.1', encoding: 'UTF8', zone: 'UTC', upper: 'É' }])
  await postgres.stop()
})

test('a server with a dead process and reused PID restarts with all committed data', async () => {
  await using folder = await createFolder()
  const first = await startPostgres({ dataDir: folder.path }) // as in production: commits are on disk
  await query(first.url, 'create table tire (sku text); insert into tire values (1)')
  const lock = join(folder.path, 'postgres', 'postmaster.pid')
  const lines = (await readFile(lock, 'utf8')).split('\n')
  process.kill(Number(lines[0]), 'SIGKILL')
  await first.exited
  using stranger = await startStranger()
  await writeFile(lock, [stranger.pid, ...lines.slice(1)].join('\n'))

  const second = await startPostgres({ dataDir: folder.path, forTests: true })

  expect(await query(second.url, 'select sku from tire')).toEqual([{ sku: '1' }])
  expect(stranger.exitCode).toBe(null)
  await second.stop()
})

test('a server left running by a killed process is stopped and replaced', async () => {
  await using folder = await createFolder()
  const source = `await (await import(${JSON.stringify(fileURLToPath(new URL('./postgres.ts', import.meta.url)))})).startPostgres({ dataDir: ${JSON.stringify(folder.path)}, forTests: true }); process.kill(process.pid, 'SIGKILL')`
  await new Promise((done) =>
    spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'inherit' }).once('exit', done),
  )

  const postgres = await startPostgres({ dataDir: folder.path, forTests: true })

  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await postgres.stop()
})

test('a port in use is refused with the reason', async () => {
  await using folder = await createFolder()
  const first = await startPostgres({ dataDir: folder.path, forTests: true })
  await using other = await createFolder()

  const attempt = startPostgres({ dataDir: other.path, port: Number(new URL(first.url).port), forTests: true })

  await expect(attempt).rejects.toThrow(
    /^PostgreSQL did not start: could not create any TCP\/IP sockets \(see .*postgres\.log\)$/,
  )
  await first.stop()
})

test('a folder accessible only to its owner works', async () => {
  await using folder = await createFolder()
  await chmod(folder.path, 0o700)

  const postgres = await startPostgres({ dataDir: join(folder.path, 'data'), forTests: true })

  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await postgres.stop()
  // For root the cluster is in another folder.
  const home = await realpath(join(folder.path, 'data', 'postgres-home')).catch(() => undefined)
  if (home !== undefined) await rm(home, { recursive: true })
})

async function createFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'postgres-test-'))
  await chmod(path, 0o755)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** A process under PostgreSQL's account; only such a process could be mistaken for a server. */
async function startStranger() {
  const child = spawn('sleep', ['60'], { ...(await chooseAccount()) })
  return Object.assign(child, { [Symbol.dispose]: () => void child.kill('SIGKILL') })
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(text)
  await client.end()
  return rows
}
