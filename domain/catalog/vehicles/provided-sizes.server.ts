/** Gets original sizes from a provider. Its terms allow this only when a person looks for the vehicle. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { readStated } from './provided-options.server.ts'
import {
  dayOf,
  isUnanswered,
  selectProviderUse,
  takeCall,
  updateFailed,
  upsertProvided,
} from './provided-sizes.sql.server.ts'
import type { ModelYearKey, SizeProblem, SizeSource } from './size-source.port.ts'

/** The provider updates its data daily. */
const kept = { hours: 24 }
/** The longest wait for an answer. A later one is saved for the next page. */
const patienceMs = 1_500
/** The time without calls after a failure. A corrected key works immediately. */
const pauses = {
  'refused-key': { seconds: 0 },
  'over-quota': { hours: 1 },
  unavailable: { minutes: 1 },
} as const satisfies Record<SizeProblem, Temporal.DurationLike>

type Deps = { db: Database; clock: Clock; rateLimits: RateLimits; sizeSource: SizeSource | null }

/**
 * Gets a provider's sizes for one year of a model that a shopper chose, unless it answered in the last 24 hours. Counts
 * one call per network address `from` and per store. Waits up to 1.5 seconds.
 */
export async function askForSizes(deps: Deps, { from, ...model }: ModelYearKey & { from: string }): Promise<void> {
  const { db, clock, rateLimits, sizeSource } = deps
  if (sizeSource === null || !(await isUnanswered(db, model, clock.now()))) return
  const taken = await rateLimits.take('vehicle-sizes', { network: from })
  if (!taken.ok || !(await takeCall(db, sizeSource, clock.now()))) return
  await Promise.race([saveAnswer(deps, sizeSource, model), sleep(patienceMs, undefined, { ref: false })])
}

/** How much a provider of sizes is used. `problem`: why its last call failed. `resumeAt`: it is paused until then. */
export type SizeProviderUse = {
  readonly callsPerDay: number
  readonly calls: number
  /** Vehicles with an answer of the last 24 hours. */
  readonly vehicles: number
  readonly answeredAt: Temporal.Instant | null
  readonly problem: SizeProblem | null
  readonly resumeAt: Temporal.Instant | null
}

/** Returns the use of the provider of sizes; null for a store without one. */
export async function readSizeProvider({
  db,
  clock,
  sizeSource,
}: Omit<Deps, 'rateLimits'>): Promise<SizeProviderUse | null> {
  if (sizeSource === null) return null
  const { callsPerDay, name } = sizeSource
  const use = await selectProviderUse(db, name)
  if (!use) return { callsPerDay, calls: 0, vehicles: 0, answeredAt: null, problem: null, resumeAt: null }
  const { answeredAt, failedAt, resumeAt } = use
  const now = clock.now()
  const isFailing = failedAt !== null && (answeredAt === null || Temporal.Instant.compare(answeredAt, failedAt) < 0)
  return {
    callsPerDay,
    calls: use.callsOn === dayOf(now) ? use.calls : 0,
    vehicles: use.vehicles,
    answeredAt,
    problem: isFailing ? use.problem : null,
    resumeAt: resumeAt && Temporal.Instant.compare(now, resumeAt) < 0 ? resumeAt : null,
  }
}

async function saveAnswer({ db, clock }: Deps, source: SizeSource, model: ModelYearKey): Promise<void> {
  const answer = await source.sizesOf(model)
  const at = clock.now()
  if (answer.ok) {
    await upsertProvided(db, model, {
      provider: source.name,
      options: readStated(answer.value),
      at,
      until: at.add(kept),
    })
    return
  }
  const problem = answer.reason
  await updateFailed(db, source.name, { problem, at, resumeAt: at.add(pauses[problem]) })
}
