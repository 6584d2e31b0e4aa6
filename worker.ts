/** The worker process, which runs queued and scheduled jobs. Importing this module has no side effects. */
import { EventEmitter } from 'node:events'
import { Logger, run, runMigrations, type Runner, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import { startVitalSigns } from '#domain/operations/health/health.server.ts'
import { finishPaidAgain } from '#domain/ordering/open-charges/open-charges.server.ts'
import { finishPaidChanges } from '#domain/ordering/order-changes/order-changes.server.ts'
import { releaseCutOffCharges } from '#domain/payments/payments/payments.server.ts'
import { loadConfig } from '#platform/config.ts'
import { createDatabase, createPool, isDatabaseUnavailable } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { serveMetrics } from '#platform/metrics-server.ts'
import { observeJobs } from '#platform/observed-jobs.ts'
import { runAsProcess, type StartProgram } from '#platform/program.ts'
import { beginWorkerLife } from '#platform/worker-life.ts'
import { openApplication, type Application } from '#application'
import { timetable } from './timetable.ts'
import { workerTasks, type Imports } from './worker-tasks.ts'

/** Starts the worker; it takes jobs when this resolves. */
export const startProgram: StartProgram = async (env) => {
  const config = loadConfig(env)
  const app = await openApplication(config, 'jobs')
  const pool = createPool(config.database.directUrl, {
    size: 8,
    application: 'sidewall-worker',
    patience: config.database.jobPatience,
  })
  const imports = {
    db: createDatabase(config.database.directUrl, { size: 2, application: 'sidewall-import' }),
    pool: createPool(config.database.directUrl, { size: 1, application: 'sidewall-import' }),
  }
  const logger = loggerOf(app)
  await runMigrations({ pgPool: pool, logger })
  const stopVitalSigns = startVitalSigns(app, 'worker')
  const life = beginWorkerLife(pool, app.log)
  // Builds the reports immediately for a store that was just seeded or restored.
  await enqueue(app.db, 'count-reports', {}, { key: 'count-reports' })
  const events: WorkerEvents = new EventEmitter()
  events.on('worker:create', ({ worker }) => life.add(worker.workerId))
  const metricsServer =
    config.metrics && (await serveMetrics(app.metrics, { host: config.metrics.host, port: config.metrics.workerPort }))
  const runner = await runTasks(app, { pool, imports, logger, events })
  const stopTolerating = tolerateLostConnections(app)
  const rounds = startRounds(app)
  app.log.info('worker is running')

  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    await rounds.stop()
    await runner.stop()
    await life.stop()
    await stopVitalSigns()
    metricsServer?.close()
    metricsServer?.closeIdleConnections()
    await Promise.all([pool.end(), imports.pool.end(), imports.db.destroy()])
    await app.close()
    stopTolerating()
  }
  return { stop: () => (stopped ??= stop()) }
}

function loggerOf(app: Application): Logger {
  return new Logger((scope) => (level, message) => {
    // Failed jobs are logged separately, with the request that queued them.
    if (level === 'error' && !message.startsWith('Failed task')) app.log.error({ scope, message }, 'worker')
    else if (level === 'warning') app.log.warn({ scope, message }, 'worker')
    else app.log.debug({ scope, message }, 'worker')
  })
}

function runTasks(
  app: Application,
  { pool, imports, logger, events }: { pool: Pool; imports: Imports; logger: Logger; events: WorkerEvents },
): Promise<Runner> {
  return run({
    pgPool: pool,
    logger,
    events,
    concurrency: 4,
    pollInterval: 1000,
    noHandleSignals: true,
    taskList: observeJobs(workerTasks(app, imports), app),
    crontab: timetable({ isBuying: app.syntheticBuyer !== null }),
  })
}

/**
 * After a lost connection, abandoned queries are also rejected. Their jobs are retried. All other unhandled errors end
 * the process as usual. Returns a function that removes the handler.
 */
function tolerateLostConnections(app: Application): () => void {
  const tolerate = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error
    app.log.warn({ err: error }, 'a query was lost with its connection')
  }
  process.on('unhandledRejection', tolerate)
  return () => void process.off('unhandledRejection', tolerate)
}

/** Cron's resolution is a minute, but work cut off by a crash must be recovered within one. */
function startRounds(app: Application): { stop(): Promise<void> } {
  let rounds = Promise.resolve()
  function goRound(): void {
    rounds = rounds
      // Paid changes are completed before interrupted ones are voided.
      .then(async () => void (await finishPaidChanges(app)))
      .catch((error: unknown) => app.log.error({ err: error }, 'a round failed'))
      .then(async () => void (await finishPaidAgain(app)))
      .catch((error: unknown) => app.log.error({ err: error }, 'a round failed'))
      .then(async () => void (await releaseCutOffCharges(app)))
      .catch((error: unknown) => app.log.error({ err: error }, 'a round failed'))
  }
  goRound()
  const round = setInterval(goRound, 15_000)
  return {
    async stop() {
      clearInterval(round)
      await rounds
    },
  }
}

if (import.meta.main) await runAsProcess(startProgram)
