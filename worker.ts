/** The job process: work queued in transactions to be done outside them, and scheduled jobs. */
import { EventEmitter } from 'node:events'
import { Logger, run, runMigrations, type Task, type WorkerEvents } from 'graphile-worker'
import { forgetOldAttempts } from '#adapters/limits/shared-limiter.ts'
import { forgetOldSignIns, remindOfRotations, rotationMessageValues } from '#domain/accounts/accounts.server.ts'
import { expireHolds } from '#domain/booking/booking.server.ts'
import { companyMessageValues } from '#domain/companies/companies.server.ts'
import { invoiceMessageValues, remindOfInvoices } from '#domain/invoices/invoices.server.ts'
import { sendMessage } from '#domain/messages/messages.server.ts'
import { orderCodeMessageValues } from '#domain/orders/order-code.server.ts'
import { messageValues } from '#domain/orders/order-messages.server.ts'
import { releaseOrder, shipOrder } from '#domain/orders/orders.server.ts'
import { releaseAbandonedCharges, releaseCutOffCharges, voidCharge } from '#domain/payments/payments.server.ts'
import {
  captureMembership,
  membershipMessageValues,
  partnerMessageValues,
  payBackMembership,
  referralMessageValues,
  remindOfMemberships,
  settleReferrals,
} from '#domain/programs/programs.server.ts'
import { forgetWhatIsOver } from '#domain/retention/retention.server.ts'
import { reviewMessageValues } from '#domain/reviews/reviews.server.ts'
import { supportMessageValues } from '#domain/support/support.server.ts'
import { loadConfig } from '#platform/config.ts'
import { createPool } from '#platform/db.ts'
import { forgetOldAnswers } from '#platform/idempotency.ts'
import { serveMetrics } from '#platform/metrics-server.ts'
import { observeJobs } from '#platform/observed-jobs.ts'
import { beginWorkerLife } from '#platform/worker-life.ts'
import { openShop } from '#shop'
import { z } from 'zod'

const config = loadConfig()
const shop = await openShop(config, 'jobs')
const pool = createPool(config.database.directUrl, {
  size: 8,
  application: 'sidewall-worker',
  patience: config.database.jobPatience,
})

const tasks = {
  'send-message': (payload) => {
    const { messageId } = z.object({ messageId: z.string() }).parse(payload)
    return sendMessage(shop, messageId, async (message) => {
      const values =
        (await reviewMessageValues(shop, message)) ??
        (await supportMessageValues(shop, message)) ??
        (await rotationMessageValues(shop, message)) ??
        (await referralMessageValues(shop, message)) ??
        (await membershipMessageValues(shop, message)) ??
        (await partnerMessageValues(shop, message)) ??
        (await companyMessageValues(shop, message)) ??
        (await invoiceMessageValues(shop, message)) ??
        orderCodeMessageValues(shop, message)
      return values ? { values, attachments: [] } : messageValues(shop, message)
    })
  },
  'release-order': (payload) => releaseOrder(shop, z.object({ orderId: z.number() }).parse(payload).orderId),
  'ship-order': (payload) => shipOrder(shop, z.object({ orderId: z.number(), shipmentId: z.string() }).parse(payload)),
  'void-charge': async (payload) => {
    const gone = await voidCharge(shop, z.object({ paymentId: z.string() }).parse(payload).paymentId, 'store')
    if (!gone.ok) throw new Error('The payment provider is away.')
  },
  'expire-holds': async () => {
    await expireHolds(shop)
  },
  'forget-old-sign-ins': async () => {
    await forgetOldSignIns(shop)
  },
  'remind-of-rotations': async () => {
    await remindOfRotations(shop)
  },
  'capture-membership': (payload) => captureMembership(shop, z.object({ termId: z.string() }).parse(payload).termId),
  'refund-membership': (payload) => payBackMembership(shop, z.object({ termId: z.string() }).parse(payload).termId),
  'remind-of-memberships': async () => {
    await remindOfMemberships(shop)
  },
  'remind-of-invoices': async () => {
    await remindOfInvoices(shop)
  },
  'settle-referrals': async () => {
    await settleReferrals(shop)
  },
  'release-abandoned-charges': async () => {
    await releaseAbandonedCharges(shop)
  },
  'forget-what-is-over': async () => {
    shop.log.info({ forgotten: await forgetWhatIsOver(shop) }, 'what was kept long enough is forgotten')
  },
  'forget-old-answers': () => forgetOldAnswers(shop.db, shop.clock.now()),
  'forget-old-attempts': () => forgetOldAttempts(shop.db, shop.clock.now()),
} satisfies Record<string, Task>

const logger = new Logger((scope) => (level, message) => {
  // Failed jobs are logged separately, with the request that queued them.
  if (level === 'error' && !message.startsWith('Failed task')) shop.log.error({ scope, message }, 'worker')
  else if (level === 'warning') shop.log.warn({ scope, message }, 'worker')
  else shop.log.debug({ scope, message }, 'worker')
})

await runMigrations({ pgPool: pool, logger })
const life = beginWorkerLife(pool, shop.log)
const events: WorkerEvents = new EventEmitter()
events.on('worker:create', ({ worker }) => life.add(worker.workerId))
const metricsServer =
  config.metrics && (await serveMetrics(shop.metrics, { host: config.metrics.host, port: config.metrics.workerPort }))
const runner = await run({
  pgPool: pool,
  logger,
  events,
  concurrency: 4,
  pollInterval: 1000,
  noHandleSignals: true,
  taskList: observeJobs(tasks, shop),
  crontab: [
    '* * * * * expire-holds',
    '* * * * * release-abandoned-charges',
    '*/10 * * * * forget-old-attempts',
    '17 * * * * forget-old-sign-ins',
    '37 * * * * forget-old-answers',
    // At night in every time zone the store serves.
    '20 9 * * * forget-what-is-over',
    '20 14 * * * remind-of-rotations',
    '37 * * * * settle-referrals',
    '40 14 * * * remind-of-memberships',
    '50 14 * * * remind-of-invoices',
  ].join('\n'),
})

// Cron's resolution is a minute, but work cut off by a crash must be recovered within one.
let rounds = Promise.resolve()
function goRound(): void {
  rounds = rounds
    .then(async () => void (await releaseCutOffCharges(shop)))
    .catch((error: unknown) => shop.log.error({ err: error }, 'a round failed'))
}
goRound()
const round = setInterval(goRound, 15_000)
shop.log.info('worker is running')
process.send?.({ type: 'ready' })

let isStopping = false
async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  clearInterval(round)
  await rounds
  await runner.stop()
  await life.stop()
  metricsServer?.close()
  metricsServer?.closeIdleConnections()
  await pool.end()
  await shop.close()
}
process.once('SIGTERM', () => void stop())
process.once('SIGINT', () => void stop())
// The supervisor is gone, so nothing would stop this process later.
process.once('disconnect', () => void stop())
