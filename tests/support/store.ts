/** Starts web, worker, and sandbox processes on free ports, with a separate database, for end-to-end tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  endProcess,
  exitOf,
  startInKeptProcess,
  startProcess,
  type StoreProcess,
} from '#tests/support/store-process.ts'

/** `second` is another web process, for those who revive it. */
type ProcessName = 'web' | 'worker' | 'sandbox' | 'second'

export type RunningStore = AsyncDisposable & {
  origin: string
  /** Of the second web process; shoppers know it under the first's. */
  secondOrigin: string
  sandboxOrigin: string
  database: TestDatabase
  /** Kills a process the hard way, as a crash would. */
  kill(name: ProcessName): Promise<void>
  /** Stops the process like a deployment. Resolves with its exit code. */
  stop(name: ProcessName): Promise<number | null>
  /** Starts it again after a kill or a stop. */
  revive(name: ProcessName): Promise<void>
  /** All that it wrote since it was last started, log and complaints. */
  output(name: ProcessName): string
  /** Its number in the operating system. */
  pid(name: ProcessName): number
}

/**
 * The programs to run. They are the bundled ones, as in `npm start`, or the sources, in which a module can be replaced.
 */
const programs = {
  bundled: { web: 'build/programs/web.js', worker: 'build/programs/worker.js' },
  sources: { web: 'server.ts', worker: 'worker.ts' },
}

/**
 * Starts the built store with a copy of today's small demo data. `env` is added to every process and can depend on the
 * URLs of the database and the sandbox. `database` is an existing database to use instead. Bundled programs reuse the previous store's
 * processes; the sources run in new ones.
 */
export async function startStore({
  env = {},
  database: given,
  from = 'bundled',
}: {
  env?: Record<string, string> | ((databaseUrl: string, sandboxOrigin: string) => Promise<Record<string, string>>)
  database?: TestDatabase
  from?: keyof typeof programs
} = {}): Promise<RunningStore> {
  const database = given ?? (await createTestDatabase({ from: 'small-today', isFresh: true }))
  const dataDir = await mkdtemp(join(tmpdir(), 'sidewall-store-'))
  const [port, sandboxPort, smtpPort, secondPort] = await freePorts(4)
  const origin = `http://localhost:${port}`
  const sandboxOrigin = `http://localhost:${sandboxPort}`
  const environment = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_SMTP_PORT: String(smtpPort),
    SMTP_URL: `smtp://localhost:${smtpPort}`,
    STORE_ORIGIN: origin,
    SANDBOX_CARRIER_PACE_SECONDS: '1',
    RELEASE_AFTER_SECONDS: '1800',
    // A small pool because each PostgreSQL session fills its caches first, which costs more than most tests' queries.
    DATABASE_POOL: '4',
    LOG_LEVEL: 'error',
    // Sending all products takes seconds, which only its own test needs.
    GOOGLE_MERCHANT_DAILY_CALLS: '0',
    // A machine that is slow is no fault.
    BUSY_AFTER_SECONDS: '60',
    ...(typeof env === 'function' ? await env(database.url, sandboxOrigin) : env),
  }
  const { web, worker } = programs[from]
  const scripts = { sandbox: 'sandbox/main.ts', worker, web, second: web }
  const running = new Map<ProcessName, StoreProcess>()
  const start = async (name: ProcessName, begin: typeof startProcess) => {
    const env = name === 'second' ? { ...environment, PORT: String(secondPort), PUBLIC_ORIGIN: origin } : environment
    running.set(name, await begin(scripts[name], env))
  }

  const begin = from === 'bundled' ? startInKeptProcess : startProcess
  await Promise.all([start('sandbox', begin), start('worker', begin), start('web', begin)])
  return {
    origin,
    secondOrigin: `http://localhost:${secondPort}`,
    sandboxOrigin,
    database,
    async kill(name) {
      const child = running.get(name)?.child
      child?.kill('SIGKILL')
      await exitOf(child)
    },
    async stop(name) {
      const child = running.get(name)?.child
      child?.kill('SIGTERM')
      await exitOf(child)
      return child?.exitCode ?? null
    },
    revive: (name) => start(name, startProcess),
    output: (name) => (running.get(name)?.output ?? []).join(''),
    pid: (name) => running.get(name)?.child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      for (const name of ['second', 'web', 'worker', 'sandbox'] as const) {
        const process = running.get(name)
        if (process) await endProcess(scripts[name], process)
      }
      await database[Symbol.asyncDispose]()
      // A process that others reuse may still be writing a picture.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}
