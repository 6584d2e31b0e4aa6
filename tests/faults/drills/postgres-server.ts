/** PostgreSQL servers without other parts, which run npm's programs on the folders of a drill or a month. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { createDatabase } from '#platform/db.ts'
import { eventually } from '#tests/support/eventually.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { chooseAccount, makeReachable, type Programs } from '../../../tools/postgres-account.ts'
import { findPrograms } from '../../../tools/postgres.ts'

/** Runs a program under the account that PostgreSQL runs under, and returns what it printed. */
export async function runAsPostgres(program: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, { ...(await chooseAccount()), cwd: '/' })
  return stdout + stderr
}

/** Makes a folder that PostgreSQL's account owns. */
export async function makeFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const account = await chooseAccount()
  if (account) await chown(path, account.uid, account.gid)
  return path
}

/** Finds PostgreSQL's programs, or copies of them in `folder` where its account cannot reach them. */
export async function reachPrograms(folder: string): Promise<Programs> {
  return (await makeReachable(await chooseAccount(), folder, await findPrograms())).programs
}

/** Creates a cluster owned by `sidewall`, with local access without a password. */
export async function createCluster({ initdb }: Programs, data: string): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  await runAsPostgres(initdb, ['-D', data, ...locale, '--username=sidewall', '--auth=trust'])
}

export type Server = AsyncDisposable & {
  /** The address of the database `sidewall`. */
  url: string
  /** Kills it, like a power failure. */
  kill(): Promise<void>
}

/** Starts a server over `data`; settles once it takes statements, which after a restore is when recovery has ended. */
export async function startServer(
  { postgres }: Programs,
  {
    data,
    port,
    socket,
    settings = {},
    env = {},
  }: {
    data: string
    port: number
    socket: string
    settings?: Record<string, string>
    env?: Record<string, string>
  },
): Promise<Server> {
  const all = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: socket, ...settings }
  const flags = Object.entries({ ...all, max_connections: '100' }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const server = spawn(postgres, ['-D', data, ...flags], {
    ...(await chooseAccount()),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-8_000)))
  const url = `postgres://sidewall@127.0.0.1:${port}/`
  await eventually('PostgreSQL', async () => {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended:\n${said}`)
    return isWritable(`${url}postgres`)
  })
  return {
    url: `${url}sidewall`,
    kill: () => end(server, 'SIGKILL'),
    [Symbol.asyncDispose]: () => end(server, 'SIGINT'),
  }
}

/** Whether the server takes statements that write. */
export async function isWritable(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  // A server that stops while idle also emits its error here.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers')
    return rows[0]?.recovers === false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Its other processes end after the first. */
async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.kill(signal)
  await exited
}

/** The database of a server as tests take one. */
export function openDatabase(url: string): TestDatabase {
  const db = createDatabase(url, { size: 3 })
  return { url, db, [Symbol.asyncDispose]: () => db.destroy() }
}
