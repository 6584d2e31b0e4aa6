/**
 * Runs the whole store on one machine until Ctrl-C: PostgreSQL (unless DATABASE_URL is set), migrations, demo data, the
 * build, then the web, worker, and sandbox processes. They are stopped in reverse order.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rename, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { scales } from '#db/seed/scales.ts'
import { officePaths } from '#content/office-paths.ts'
import { createOwnerLink, ownerLinkMinutes } from '#domain/kernel/staff/staff.server.ts'
import { demoPassword, demoPeople } from '#sandbox/identity/people.ts'
import { systemClock } from '#platform/clock.ts'
import { countOf } from '#platform/count-text.ts'
import { createDatabase } from '#platform/db.ts'
import { readConfig, type Config } from '#platform/config.ts'
import { PlainError } from '#platform/plain-error.ts'
import { buildIfStale } from './build.ts'
import { runCommand } from './command.ts'
import { lockFolder } from './folder-lock.ts'
import { requirePorts } from './ports.ts'
import { keepPostgres } from './kept-postgres.ts'
import { migrateStore } from './migrate-store.ts'
import { createProgress, type Progress } from './progress.ts'
import { requireWritableFolder } from './writable-folder.ts'
import { findReason, supervise } from './supervisor.ts'
import { makingSecret } from '#platform/secrets.ts'

type Settings = {
  config: Config
  dataDir: string
  /** If false, the embedded server is used. */
  hasDatabase: boolean
  seedScale: string
}

/** The lock's text while a store shuts down. The next store starts after that. */
const isStopping = 'stopping'
/** Long enough for a store to notice that its npm was killed. */
const lockPatience = 1_000
const largestLog = 20 * 1024 * 1024

/** The differences between `npm start` and `npm run dev`. */
export type Kind = {
  /** The script of the web process. */
  web: string
  /** The script of the job process. */
  worker: string
  /** Whether it serves build/. */
  isBuilt: boolean
  /** For variables that are not set. */
  defaults: { NODE_ENV: string; SEED_SCALE: string; DATA_DIR: string; SALES_TAX: string }
}

/** Runs the store until it receives a stop signal. */
export async function runStore(kind: Kind): Promise<void> {
  const began = performance.now()
  const stopping = listenForStop()
  await runCommand(async () => {
    try {
      await start(kind, readSettings(withDefaults(kind.defaults, process.env)), stopping, began)
    } catch (error) {
      // Ctrl-C during startup caused the current step to fail.
      if (!stopping.aborted) throw error
    }
  })
}

/** An empty variable counts as unset. */
function withDefaults(defaults: Record<string, string>, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, env[name] || value])) }
}

async function start(kind: Kind, settings: Settings, stopping: AbortSignal, began: number): Promise<void> {
  const { config, dataDir } = settings
  const progress = createProgress(console.log)
  await using started = new AsyncDisposableStack()

  await claimDataDir(dataDir, config.web.origin, stopping, started)
  await requirePorts({
    PORT: config.web.port,
    SANDBOX_PORT: config.sandbox.port,
    'SANDBOX_PORT + 1 (mail)': config.sandbox.port + 1,
    'SANDBOX_PORT + 2 (SFTP)': config.sandbox.port + 2,
    ...metricsPorts(config),
  })
  const building = kind.isBuilt ? startBuild(progress, stopping, started) : undefined
  const database = settings.hasDatabase ? config.database : await startDatabase(progress, config, started)
  const hasDemo = config.demo && settings.seedScale !== 'empty'
  const env = {
    ...withDefaults(kind.defaults, process.env),
    ...sandboxEnvironment(config),
    SANDBOX_DEMO_PEOPLE: hasDemo ? '1' : '0',
    SANDBOX_DEMO_STOCK: hasDemo ? '1' : '0',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
  }
  await progress.step(
    'Migrations',
    () => migrateStore(database),
    ({ applied }) => (applied.length > 0 ? `${applied.length} applied` : 'up to date'),
  )
  if (hasDemo)
    await progress.step(
      'Demo data',
      (say) => loadDemoData({ ...env, SEED_SCALE: settings.seedScale }, stopping, say),
      () => settings.seedScale,
    )
  await building
  const logs = join(dataDir, 'logs')
  await startProcesses(progress, { web: kind.web, worker: kind.worker, config, env, logs }, started)
  if (hasDemo) {
    await progress.step('Demo shops', () => runScript('tools/demo-shops.ts', env, stopping))
    await progress.step('Demo wholesalers', () => runScript('tools/demo-wholesalers.ts', env, stopping))
  }

  const owner = hasDemo ? null : await ownerLinkOf(config, database.url)
  console.log(welcome(config, { logs, owner, hasDemo, milliseconds: performance.now() - began }))
  if (!stopping.aborted) await once(stopping, 'abort')
  console.log('Stopping')
}

function metricsPorts({ metrics }: Config): Record<string, number> {
  return metrics === null ? {} : { METRICS_PORT: metrics.webPort, 'METRICS_PORT + 1 (worker)': metrics.workerPort }
}

/** Everything is checked before anything is started. */
function readSettings(env: NodeJS.ProcessEnv): Settings {
  const hasDatabase = Boolean(env.DATABASE_URL || env.DATABASE_DIRECT_URL)
  const read = readConfig(hasDatabase ? env : { ...env, DATABASE_URL: 'postgresql://to-be-started' })
  if (!read.ok)
    throw new PlainError(
      `The settings cannot be used: ${read.faults.map(({ name, problem }) => `${name} (${problem})`).join(', ')}.`,
    )
  const { SEED_SCALE: seedScale = '' } = env
  if (!Object.hasOwn(scales, seedScale))
    throw new PlainError(`SEED_SCALE is "${seedScale}". It can be ${Object.keys(scales).join(', ')}.`)
  return { config: read.value, dataDir: resolve(read.value.dataDir), hasDatabase, seedScale }
}

/** Aborts on the first stop signal, and when the launching process is gone. Further signals have no effect. */
function listenForStop(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort())
  process.once('disconnect', () => controller.abort())
  return controller.signal
}

async function claimDataDir(
  dataDir: string,
  origin: string,
  stopping: AbortSignal,
  started: AsyncDisposableStack,
): Promise<void> {
  await requireWritableFolder(dataDir)
  const deadline = performance.now() + lockPatience
  for (;;) {
    const lock = await lockFolder(dataDir, () => (stopping.aborted ? isStopping : origin))
    if (lock.held) return started.defer(lock.release)
    if (lock.holder !== isStopping && performance.now() > deadline) {
      throw new PlainError(
        `Sidewall is already running over ${dataDir}, at ${lock.holder}. Stop it first, or set DATA_DIR, PORT and SANDBOX_PORT to others.`,
      )
    }
    await sleep(100, undefined, { signal: stopping })
  }
}

/** Runs in parallel with the other steps; abandoned if they fail. */
function startBuild(progress: Progress, stopping: AbortSignal, started: AsyncDisposableStack): Promise<boolean> {
  const givenUp = new AbortController()
  started.defer(() => givenUp.abort())
  const building = progress.step(
    'Build',
    () => buildIfStale(AbortSignal.any([stopping, givenUp.signal])),
    (isNew) => (isNew ? 'new' : 'up to date'),
  )
  building.catch(() => {}) // the caller gets the error later, unless another step fails first
  return building
}

async function startDatabase(
  progress: Progress,
  { dataDir, database }: Config,
  started: AsyncDisposableStack,
): Promise<Config['database']> {
  const server = await progress.step(
    'Database',
    () => keepPostgres(resolve(dataDir), console.log),
    ({ url, folder }) =>
      `PostgreSQL on port ${new URL(url).port}${folder.startsWith(resolve(dataDir)) ? '' : `, its data in ${folder}`}`,
  )
  started.defer(() => progress.step('Database', server.stop, () => 'stopped'))
  return { ...database, url: server.url, directUrl: server.url }
}

async function startProcesses(
  progress: Progress,
  {
    web,
    worker,
    config,
    env,
    logs,
  }: { web: string; worker: string; config: Config; env: NodeJS.ProcessEnv; logs: string },
  started: AsyncDisposableStack,
): Promise<void> {
  const processes = [
    { name: 'Sandbox', script: 'sandbox/main.ts', port: config.sandbox.port, stopWithin: 3_000 },
    { name: 'Worker', script: worker, stopWithin: 10_000 },
    { name: 'Web', script: web, port: config.web.port, stopWithin: 10_000 },
  ]
  await mkdir(logs, { recursive: true })
  for (const { name } of processes) await beginLog(logFile(logs, name))
  const steps = processes.map((what) => {
    const process = supervise({ ...what, env, log: logFile(logs, what.name) }, console.log)
    started.defer(() => progress.step(what.name, process.stop, () => 'stopped'))
    return progress.step(what.name, () => process.ready)
  })
  await Promise.all(steps)
}

function logFile(logs: string, name: string): string {
  return join(logs, `${name.toLowerCase()}.log`)
}

/** Rotates a log that has grown large, replacing the previous backup. */
async function beginLog(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > largestLog) await rename(path, `${path}.old`)
}

/**
 * The demo's payment provider, carrier and sign-in service need the secrets that the store would share with real ones.
 */
function sandboxEnvironment(config: Config): Record<string, string> {
  return {
    PORT: String(config.web.port),
    SANDBOX_PORT: String(config.sandbox.port),
    SANDBOX_SFTP_PORT: String(config.sandbox.port + 2),
    SANDBOX_ORIGIN: config.sandbox.origin,
    SANDBOX_STRIPE_KEY: config.payments.secretKey,
    SANDBOX_WEBHOOK_SECRET: makingSecret(config.payments.webhookSecret),
    ...(config.paypal && {
      SANDBOX_PAYPAL_CLIENT_ID: config.paypal.clientId,
      SANDBOX_PAYPAL_CLIENT_SECRET: config.paypal.clientSecret,
      SANDBOX_PAYPAL_WEBHOOK_ID: config.paypal.webhookId,
    }),
    ...(config.resolve && {
      SANDBOX_RESOLVE_MERCHANT_ID: config.resolve.merchantId,
      SANDBOX_RESOLVE_SECRET_KEY: config.resolve.secretKey,
      SANDBOX_RESOLVE_WEBHOOK_SECRET: makingSecret(config.resolve.webhookSecret),
    }),
    SANDBOX_EASYPOST_KEY: config.carrier.apiKey,
    SANDBOX_CARRIER_SECRET: makingSecret(config.carrier.callbackSecret),
    ...(config.places && {
      SANDBOX_FEDEX_PROJECTS: `${config.places.apiKey}:${config.places.secretKey}`,
    }),
    ...(config.identity && {
      SANDBOX_IDENTITY_CLIENT_ID: config.identity.clientId,
      SANDBOX_IDENTITY_CLIENT_SECRET: config.identity.clientSecret,
    }),
    ...(config.eligibility && {
      SANDBOX_ID_ME_CLIENT_ID: config.eligibility.clientId,
      SANDBOX_ID_ME_CLIENT_SECRET: config.eligibility.clientSecret,
    }),
    STORE_ORIGIN: config.web.origin,
  }
}

function loadDemoData(env: NodeJS.ProcessEnv, signal: AbortSignal, say: (line: string) => void): Promise<void> {
  return runScript('db/seed/main.ts', env, signal, say)
}

/** In a separate process, so that its memory is freed at the end. */
async function runScript(
  script: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  say: (line: string) => void = () => {},
): Promise<void> {
  const child = spawn(process.execPath, [script], { env, signal, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.on('data', (chunk: Buffer) =>
    chunk
      .toString()
      .split('\n')
      .filter(Boolean)
      .forEach((line) => say(line.trim())),
  )
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const code = await new Promise<number | null>(
    (done, fail) => void child.once('error', fail).once('close', (status) => done(status)),
  )
  if (code !== 0) throw new PlainError(`The demo data could not be loaded: ${findReason(complaint)}`)
}

/** Returns the link for a store's first owner if it has no staff. Returns null for any other store. */
async function ownerLinkOf({ web }: Config, databaseUrl: string): Promise<string | null> {
  await using db = createDatabase(databaseUrl, { size: 1, application: 'sidewall-owner-link' })
  const secret = await createOwnerLink({ db, clock: systemClock })
  return secret && web.origin + officePaths.officeFirstOwner(secret)
}

function welcome(
  config: Config,
  {
    logs,
    owner,
    hasDemo,
    milliseconds,
  }: { logs: string; owner: string | null; hasDemo: boolean; milliseconds: number },
): string {
  const card =
    config.payments.kind === 'sandbox'
      ? '\n  Card      4242 4242 4242 4242, any later date, any code; no login is needed'
      : ''
  const login = hasDemo && config.identity?.issuer.startsWith(config.sandbox.origin) ? demoLogins() : ''
  const first =
    owner === null
      ? ''
      : `\n  Owner     ${owner}\n            Open it within ${countOf(ownerLinkMinutes, 'minute')} to become the owner of this store.`
  return `
Sidewall is ready (${(milliseconds / 1000).toFixed(1)} s)

  Store     ${config.web.origin}
  Sandbox   ${config.sandbox.origin}   the demo's mailbox, payments, deliveries and accounts${card}${login}${first}

  Ctrl-C stops everything. What the processes have to say is in ${logs}
`
}

/** The demo logins, with what each shows. */
function demoLogins(): string {
  const rows = demoPeople.map(({ email, words }) => `\n            ${email.padEnd(18)}  ${words}`)
  return `\n  Sign in   password ${demoPassword}, as${rows.join('')}`
}
