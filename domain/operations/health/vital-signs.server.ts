/**
 * Heartbeats. Twice a minute, every process reports that it is running, and how often it met and missed its objectives.
 * Counts are in memory until then, so a killed process loses up to half a minute of them.
 */
import { addToHour, deleteSign, upsertSign, type Process } from './health.sql.server.ts'
import { BUDGET_DAYS, type CountedObjective, type Kept } from './health.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import type { Metrics } from '#platform/metrics.ts'

const everyMs = 30_000
/** Longer than a budget, so that its first hour is whole. */
const keptHours = 24 * (BUDGET_DAYS + 1)

export type HealthCounts = ReturnType<typeof createHealthCounts>

/** Counts how often objectives are kept, for metrics and for the table that all processes share. */
export function createHealthCounts(metrics: Pick<Metrics, 'objective'>) {
  let counts = new Map<CountedObjective, Kept>()
  const add = (objective: CountedObjective, { good, bad }: Kept) => {
    const { good: g, bad: b } = counts.get(objective) ?? { good: 0, bad: 0 }
    counts.set(objective, { good: g + good, bad: b + bad })
  }
  return {
    count(objective: CountedObjective, isKept: boolean): void {
      metrics.objective(objective, isKept)
      add(objective, isKept ? { good: 1, bad: 0 } : { good: 0, bad: 1 })
    },
    /** Returns the counts since the last call. */
    take(): ({ objective: CountedObjective } & Kept)[] {
      const taken = [...counts].map(([objective, kept]) => ({ objective, ...kept }))
      counts = new Map()
      return taken
    },
    giveBack(taken: readonly ({ objective: CountedObjective } & Kept)[]): void {
      for (const { objective, ...kept } of taken) add(objective, kept)
    },
  }
}

type Deps = { db: Database; clock: Clock; log: Pick<Log, 'warn'>; health: HealthCounts }

/**
 * Starts reporting for this process and calls `after` each time. The returned function sends a final report and stops.
 */
export function beginSigns(
  { db, clock, log, health }: Deps,
  kind: Process['kind'],
  after: () => Promise<void>,
): () => Promise<void> {
  const process = { id: newTimedId(), kind, startedAt: clock.now() }
  const tell = async () => {
    const now = clock.now()
    const taken = health.take()
    try {
      if (taken.length > 0) await addToHour(db, now, taken, now.subtract({ hours: keptHours }))
    } catch (error) {
      health.giveBack(taken)
      throw error
    }
    await upsertSign(db, process, now)
    await after()
  }
  const tellOrWarn = () =>
    tell().catch((error: unknown) => log.warn({ err: error }, 'this process could not tell that it runs'))
  let telling = tellOrWarn()
  const timer = setInterval(() => void (telling = telling.then(tellOrWarn)), everyMs)
  return async () => {
    clearInterval(timer)
    await telling.then(tellOrWarn)
    await deleteSign(db, process.id).catch(() => {})
  }
}
