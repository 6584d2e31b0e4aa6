/**
 * A run's environment, with a separate PostgreSQL with demo data, and processes on separate ports. Removed at the end
 * of the run.
 */
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { ScaleName } from '#db/seed/scales.ts'
import { migrate } from '#platform/migrate.ts'
import { project, runNode } from '../tools/package-program.ts'
import { startPostgres } from '../tools/postgres.ts'
import { createPostgresClock, type PostgresClock } from './postgres-clock.ts'
import { startMeasured, type Measured } from './processes.ts'

export type Store = { measured: Measured; origin: string; port: number }

export type Environment = {
  clock: PostgresClock
  /** Creates a database with demo data at this scale, called `name`. */
  addDatabase(scale: ScaleName, name?: string): Promise<string>
  /** Starts the web process as in production. */
  startStore(databaseUrl: string): Promise<Store>
  /** Starts the limits process, with the documents of `store` and the database at `databaseUrl`. */
  startLimits(databaseUrl: string, store: Store): Promise<Store>
  startOrders(databaseUrl: string): Promise<Measured>
  /** Starts the providers' sandbox, for the store that is started next. */
  startSandbox(): Promise<Measured>
  sandboxOrigin: string
  /** Starts the worker of `store`. */
  startWorker(databaseUrl: string, store: Store): Promise<Measured>
}

const dataDir = join(project, '.data', 'bench')

/** Durability as in production. `started` stops the processes. Ports count up from `firstPort`. */
export async function createEnvironment(
  firstPort: number,
  started: AsyncDisposableStack,
  say: (line: string) => void,
): Promise<Environment> {
  // A killed run may have left its server running. Starting a server on its folder stops it.
  if (existsSync(join(dataDir, 'postgres'))) await (await startPostgres({ dataDir })).stop()
  await rm(dataDir, { recursive: true, force: true })
  await mkdir(dataDir, { recursive: true })
  started.defer(() => rm(dataDir, { recursive: true, force: true }))
  const postgres = await startPostgres({ dataDir })
  started.defer(() => postgres.stop())
  let port = firstPort

  async function start(script: string, databaseUrl: string, env: NodeJS.ProcessEnv = {}): Promise<Store> {
    const own = port++
    const origin = `http://localhost:${own}`
    const base = {
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PORT: String(own),
      SANDBOX_PORT: String(firstPort + 40),
      PUBLIC_ORIGIN: origin,
      // Simulated shoppers set their own network address; those that do not share one.
      PROXY_HOPS: '1',
      NETWORK_ATTEMPTS_FACTOR: '1000',
      // A platform of agents is counted as one caller.
      API_CALLS_PER_MINUTE: '1000000',
      // Products that are sent to Google would change the measurements.
      GOOGLE_MERCHANT_DAILY_CALLS: '0',
      // A process that is given all it can do is measured, not what it refuses then.
      BUSY_AFTER_SECONDS: '60',
    }
    const measured = started.use(await startMeasured(script, { ...process.env, ...base, ...env }))
    return { measured, origin, port: own }
  }

  return {
    clock: await ask(postgres.url, async (client) =>
      createPostgresClock((await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0),
    ),
    async addDatabase(scale, name = scale) {
      const url = new URL(postgres.url)
      url.pathname = `/bench_${name}`
      await ask(postgres.url, (client) => client.query(`create database bench_${name}`))
      say(`demo data: ${name}`)
      await migrate(url.href)
      const { code, output } = await runNode(['db/seed/main.ts'], {
        env: { ...process.env, DATABASE_URL: url.href, SEED_SCALE: scale },
      })
      if (code !== 0) throw new Error(output)
      await ask(url.href, (client) => client.query(`${tables}; checkpoint`))
      return url.href
    },
    startStore: (databaseUrl) => start('build/programs/web.js', databaseUrl),
    startLimits: (databaseUrl, store) => start('bench/limits.ts', databaseUrl, { BENCH_STORE_ORIGIN: store.origin }),
    sandboxOrigin: `http://localhost:${firstPort + 40}`,
    startSandbox: async () =>
      (
        await start('sandbox/main.ts', '', {
          PORT: String(firstPort + 40),
          STORE_ORIGIN: `http://localhost:${port + 1}`,
        })
      ).measured,
    startWorker: async (databaseUrl, { origin }) =>
      (await start('build/programs/worker.js', databaseUrl, { PUBLIC_ORIGIN: origin })).measured,
    startOrders: async (databaseUrl) => (await start('bench/orders.ts', databaseUrl)).measured,
  }
}

/** Creates a write-only table and pgbench's tables at scale 10 for the limits. */
const tables = `
  create table bench_row (id uuid primary key, item_id integer not null, quantity integer not null, at timestamptz not null);
  create table bench_branch (id integer primary key, balance integer not null) with (fillfactor = 50);
  create table bench_teller (id integer primary key, balance integer not null) with (fillfactor = 50);
  create table bench_account (id integer primary key, balance integer not null, filler char(84) not null default '');
  create table bench_history (teller integer, branch integer, account integer, delta integer, at timestamptz);
  insert into bench_branch select id, 0 from generate_series(1, 10) id;
  insert into bench_teller select id, 0 from generate_series(1, 100) id;
  insert into bench_account select id, 0 from generate_series(1, 1000000) id`

async function ask<Answer>(databaseUrl: string, question: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await question(client)
  } finally {
    await client.end()
  }
}
