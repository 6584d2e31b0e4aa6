/** The health of the store as staff read it. */
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { readHealth, type ObjectiveState } from '#domain/operations/health/health.server.ts'
import { objectives, percentText, MAIL_WITHIN_MINUTES } from '#domain/operations/health/health.ts'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { ReplicaState } from '#platform/replica.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import { readCoverage, uncoveredText } from './coverage.server.ts'
import { ageText } from './times.ts'

/** What the synthetic buyer did not get, by the step that failed. */
const steps: Readonly<Record<string, string>> = {
  find: 'No tire',
  cart: 'No cart',
  time: 'No time',
  details: 'No details',
  pay: 'Not paid',
  place: 'Not ordered',
  cancel: 'Not canceled',
}

export type HealthView = Awaited<ReturnType<typeof readHealthView>>

/**
 * Returns the current status, objectives with error budgets, and processes; purchases are null without a synthetic
 * buyer.
 */
export async function readHealthView(app: Pick<Application, 'db' | 'clock' | 'syntheticBuyer' | 'replica' | 'config'>) {
  const [health, replica, warehouses] = await Promise.all([readHealth(app), app.replica?.look(), listWarehouses(app)])
  const uncovered = uncoveredText(await readCoverage(app, warehouses))
  const { now, jobs, oldestUnsentMailAt, payoutsLate, webhooksDead, archiveAgeSeconds, purchases } = health
  const running = (kind: 'web' | 'worker') =>
    health.processes.filter((process) => process.kind === kind && process.isSeen).length
  const hasBuyer = app.syntheticBuyer !== null || purchases.length > 0
  return {
    asOf: timeText(now, storeZone),
    facts: [
      {
        label: 'Oldest unsent mail',
        value: oldestUnsentMailAt === null ? 'None' : ageText(oldestUnsentMailAt, now),
        meta: `late after ${countOf(MAIL_WITHIN_MINUTES, 'minute')}`,
      },
      {
        label: 'Overdue jobs',
        value: String(jobs.overdue),
        meta:
          jobs.overdueSince === null ? `${jobs.failed} failed for good` : `oldest ${ageText(jobs.overdueSince, now)}`,
      },
      { label: 'Undelivered webhooks', value: String(webhooksDead), meta: 'in the last day' },
      { label: 'Shops paid late', value: String(payoutsLate), meta: 'jobs waiting for pay' },
      { label: 'Web and worker', value: `${running('web')} and ${running('worker')}`, meta: 'processes running' },
      ...(uncovered === null ? [] : [{ label: 'Not shipped to', value: uncovered, meta: 'no warehouse with tires' }]),
      ...(archiveAgeSeconds === null ? [] : [archiveFact(archiveAgeSeconds, now)]),
      ...(replica ? [replicaFact(replica, app.config.database.replica?.lagSeconds ?? 0)] : []),
    ],
    objectives: health.objectives.filter(({ name }) => hasBuyer || name !== 'purchases').map(rowOf),
    processes: health.processes.map(({ id, kind, isSeen, startedAt, seenAt }) => ({
      id,
      kind: kind === 'web' ? 'Web' : 'Worker',
      isSeen,
      started: ageText(startedAt, now),
      seen: timeText(seenAt, storeZone),
    })),
    purchases: hasBuyer
      ? purchases.map(({ at, failedStep, ms, orderId }) => ({
          id: at.toString(),
          at: timeText(at, storeZone),
          failed: failedStep === null ? null : (steps[failedStep] ?? 'Failed'),
          took: `${(ms / 1_000).toFixed(1)} s`,
          order: orderId === null ? null : { number: orderNumber(orderId), path: officePaths.officeOrder(orderId) },
        }))
      : null,
  }
}

/** How long ago the archive of the database's log got its last segment. */
function archiveFact(seconds: number, now: Temporal.Instant) {
  return {
    label: 'Log last archived',
    value: `${ageText(now.subtract({ seconds }), now)} ago`,
    meta: 'orders since are lost with the database',
  }
}

/** The replica as this web process sees it. */
function replicaFact({ lagSeconds, isUsed }: ReplicaState, mostSeconds: number) {
  return {
    label: 'Replica for the catalog',
    value: lagSeconds === null ? 'Away' : lagSeconds < 1 ? 'Up to date' : `${Math.round(lagSeconds)} s behind`,
    meta: isUsed ? `may be ${mostSeconds} s behind` : 'the database answers in its place',
  }
}

function rowOf({ name, month, day, keptPpm, budgetLeftPercent: left }: ObjectiveState) {
  const { title, promise, targetPpm } = objectives[name]
  const tone: Tone = left === null ? 'plain' : left <= 0 ? 'stop' : left < 25 ? 'signal' : 'go'
  return {
    name,
    title,
    promise,
    tone,
    target: percentText(targetPpm),
    kept: keptPpm === null ? 'Nothing yet' : percentText(keptPpm),
    missed: `${month.bad} of ${month.good + month.bad}`,
    day: `${day.bad} of ${day.good + day.bad}`,
    left: left === null ? 'Whole' : left <= 0 ? 'Used up' : `${left}%`,
  }
}
