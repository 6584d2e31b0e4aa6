/** Metrics of the store as a whole, which one process reads from the database and sets. */
import { Gauge, type OpenMetricsContentType, type Registry } from 'prom-client'

export type HealthFacts = {
  /** How often each objective was kept and missed in the days of its budget. */
  objectives: Readonly<Record<string, { good: number; bad: number }>>
  /** The part of events that each objective may miss. */
  allowed: Readonly<Record<string, number>>
  oldestUnsentMailSeconds: number
  jobsOverdue: number
  jobsFailed: number
  webhooksDead: number
  payoutsLate: number
  /** Time since the last archived WAL segment. Null without archiving. */
  archiveAgeSeconds: number | null
  processes: Readonly<Record<string, number>>
  /** Null without a synthetic buyer, or before its first purchase. */
  secondsSincePurchase: number | null
}

/** Returns the function that sets them all. */
export function createFactGauges(registers: Registry<OpenMetricsContentType>[]): (facts: HealthFacts) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const events = gauge(
    'objective_month_events',
    'How often an objective was kept and missed in the days of its budget',
    ['objective', 'outcome'],
  )
  const allowed = gauge('objective_allowed_ratio', 'Which part of events an objective may miss', ['objective'])
  const mail = gauge('mail_oldest_unsent_seconds', 'How long the oldest mail waits that was not sent; 0 for none')
  const jobs = gauge('jobs_waiting', 'Jobs that should have run, and jobs that failed for good', ['state'])
  const webhooks = gauge('webhooks_dead', 'Webhooks of the last day that were given up')
  const payouts = gauge('payouts_late', 'Shop jobs with late payouts')
  const archive = gauge(
    'database_archive_age_seconds',
    "Seconds since a segment of the database's log was last archived; 0 where none is",
  )
  const processes = gauge('processes_seen', 'Processes that said lately that they run', ['kind'])
  const purchase = gauge('synthetic_purchase_age_seconds', 'Seconds since the synthetic buyer last bought')
  return (facts) => {
    for (const [objective, { good, bad }] of Object.entries(facts.objectives)) {
      events.set({ objective, outcome: 'good' }, good)
      events.set({ objective, outcome: 'bad' }, bad)
    }
    for (const [objective, ratio] of Object.entries(facts.allowed)) allowed.set({ objective }, ratio)
    mail.set(facts.oldestUnsentMailSeconds)
    jobs.set({ state: 'overdue' }, facts.jobsOverdue)
    jobs.set({ state: 'failed' }, facts.jobsFailed)
    webhooks.set(facts.webhooksDead)
    payouts.set(facts.payoutsLate)
    archive.set(facts.archiveAgeSeconds ?? 0)
    for (const [kind, count] of Object.entries(facts.processes)) processes.set({ kind }, count)
    if (facts.secondsSincePurchase !== null) purchase.set(facts.secondsSincePurchase)
  }
}
