/** The store's service level objectives, for the office and for metrics, and the processes that report them. */
import { beginSigns, type HealthCounts } from './vital-signs.server.ts'
import { insertPurchase, selectArchiveAge, selectPurchases, selectSigns, sumHours } from './health.sql.server.ts'
import {
  BUDGET_DAYS,
  budgetLeftPercent,
  keptPpm,
  MAIL_WITHIN_MINUTES,
  objectiveNames,
  objectives,
  UNSEEN_SECONDS,
  type Kept,
  type ObjectiveName,
} from './health.ts'
import type { SyntheticBuyer } from './buyer.port.ts'
import { readMailsInTime } from '#domain/messaging/messages/messages.server.ts'
import { readPayInTime } from '#domain/installer-portal/payouts/payouts.server.ts'
import { countDeadDeliveries } from '#domain/channels/webhooks/webhooks.server.ts'
import { INSTALLER_PAID_WITHIN_HOURS } from '#platform/business-constants.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import type { HealthFacts } from '#platform/fact-gauges.ts'
import { readJobState } from '#platform/jobs.ts'
import type { Log } from '#platform/log.ts'
import type { Metrics } from '#platform/metrics.ts'

export { createHealthCounts, type HealthCounts } from './vital-signs.server.ts'

const mostShown = 20

export type ObjectiveState = {
  name: ObjectiveName
  month: Kept
  /** Of the last day. */
  day: Kept
  keptPpm: number | null
  budgetLeftPercent: number | null
}

export type Health = Awaited<ReturnType<typeof readHealth>>

/**
 * Returns the store's current health. The last day of the error budget window includes its whole hour. Without a
 * synthetic buyer, `purchases` is empty and its objective has no events. `archiveAgeSeconds` is null if WAL archiving
 * is off.
 */
export async function readHealth({ db, clock }: { db: Database; clock: Clock }) {
  const now = clock.now()
  const since = now.subtract({ hours: 24 * BUDGET_DAYS })
  const lately = now.subtract({ hours: 24 })
  const period = { since, lately, now }
  const [hours, mails, pay, jobs, webhooksDead, archiveAgeSeconds, processes, purchases] = await Promise.all([
    sumHours(db, since, lately),
    readMailsInTime(db, { ...period, withinMinutes: MAIL_WITHIN_MINUTES }),
    readPayInTime(db, { ...period, withinHours: INSTALLER_PAID_WITHIN_HOURS }),
    readJobState({ db }, now),
    countDeadDeliveries(db, lately),
    selectArchiveAge(db),
    selectSigns(db, mostShown),
    selectPurchases(db, mostShown),
  ])
  const read = new Map<string, Kept & { lastGood: number; lastBad: number }>([
    ...hours.map((sums) => [sums.objective, sums] as const),
    ['mails', mails],
    ['payouts', pay],
  ])
  return {
    now,
    objectives: objectiveNames.map((name) => stateOf(name, read.get(name))),
    oldestUnsentMailAt: mails.oldestUnsentAt,
    payoutsLate: pay.late,
    jobs,
    webhooksDead,
    archiveAgeSeconds,
    processes: processes.map((process) => ({
      ...process,
      isSeen: now.since(process.seenAt).total('seconds') <= UNSEEN_SECONDS,
    })),
    purchases,
  }
}

function stateOf(
  name: ObjectiveName,
  { good, bad, lastGood, lastBad } = { good: 0, bad: 0, lastGood: 0, lastBad: 0 },
): ObjectiveState {
  const month = { good, bad }
  return {
    name,
    month,
    day: { good: lastGood, bad: lastBad },
    keptPpm: keptPpm(month),
    budgetLeftPercent: budgetLeftPercent(month, objectives[name].targetPpm),
  }
}

/** The same as numbers for metrics. */
function healthFacts(health: Health): HealthFacts {
  const { now, jobs, oldestUnsentMailAt, processes, purchases } = health
  const [last] = purchases
  const since = (at: Temporal.Instant) => Math.max(0, Math.round(now.since(at).total('seconds')))
  return {
    objectives: Object.fromEntries(health.objectives.map(({ name, month }) => [name, month])),
    allowed: Object.fromEntries(
      objectiveNames.map((name) => [name, (1_000_000 - objectives[name].targetPpm) / 1_000_000]),
    ),
    oldestUnsentMailSeconds: oldestUnsentMailAt === null ? 0 : since(oldestUnsentMailAt),
    jobsOverdue: jobs.overdue,
    jobsFailed: jobs.failed,
    webhooksDead: health.webhooksDead,
    payoutsLate: health.payoutsLate,
    archiveAgeSeconds: health.archiveAgeSeconds,
    processes: Object.fromEntries(
      (['web', 'worker'] as const).map((kind) => [
        kind,
        processes.filter((process) => process.kind === kind && process.isSeen).length,
      ]),
    ),
    secondsSincePurchase: last === undefined ? null : since(last.at),
  }
}

type Shop = {
  db: Database
  clock: Clock
  log: Pick<Log, 'warn'>
  metrics: Metrics
  health: HealthCounts
  syntheticBuyer: SyntheticBuyer | null
}

/** Runs one synthetic purchase, and stores its result. */
export async function buySynthetically({ db, clock, log, metrics, health, syntheticBuyer }: Shop): Promise<void> {
  if (!syntheticBuyer) return
  const { steps, failedStep, why, orderId } = await syntheticBuyer.buy()
  for (const { step, ms } of steps) metrics.purchaseStep({ step, isDone: step !== failedStep, ms })
  health.count('purchases', failedStep === null)
  if (failedStep !== null) log.warn({ step: failedStep, why, orderId }, 'the synthetic buyer could not buy')
  const at = clock.now()
  const ms = Math.round(steps.reduce((sum, step) => sum + step.ms, 0))
  await insertPurchase(db, { at, failedStep, ms, orderId }, at.subtract({ hours: 24 * BUDGET_DAYS }))
}

/**
 * Sends a mail and counts for metrics whether it was in time, from when its job was queued. One that fails counts once
 * it is late. The queue's instants are read as all others are (platform/db.ts), though its types say otherwise.
 */
export async function countMail(
  { clock, metrics }: Pick<Shop, 'clock' | 'metrics'>,
  job: { created_at: unknown },
  send: () => Promise<void>,
): Promise<void> {
  const until = Temporal.Instant.from(String(job.created_at)).add({ minutes: MAIL_WITHIN_MINUTES })
  const isLate = () => Temporal.Instant.compare(clock.now(), until) > 0
  try {
    await send()
    metrics.objective('mails', !isLate())
  } catch (error) {
    if (isLate()) metrics.objective('mails', false)
    throw error
  }
}

/**
 * Starts reporting for this process; a worker with metrics also reports for the whole store. The returned function
 * stops it.
 */
export function startVitalSigns(
  shop: Shop & { config: Pick<Config, 'metrics'> },
  kind: 'web' | 'worker',
): () => Promise<void> {
  const hasFacts = kind === 'worker' && shop.config.metrics !== null
  return beginSigns(shop, kind, async () => {
    if (hasFacts) shop.metrics.facts(healthFacts(await readHealth(shop)))
  })
}
