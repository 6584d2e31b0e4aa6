/** Asks a provider for the original sizes of a vehicle. Its terms allow this only when a person looks for the vehicle. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isUnanswered, takeCall, updateFailed, upsertProvided } from './provided-sizes.sql.server.ts'
import type { ModelYearKey, SizeProblem, SizeSource } from './size-source.port.ts'

/** The provider updates its data daily. */
const kept = { hours: 24 }
/** A page waits this long for an answer. A later answer is saved for the next page. */
const patienceMs = 1_500
/** The time without calls after a failure. A corrected key works immediately. */
const pauses = {
  'refused-key': { seconds: 0 },
  'over-quota': { hours: 1 },
  unavailable: { minutes: 1 },
} as const satisfies Record<SizeProblem, Temporal.DurationLike>

type Deps = { db: Database; clock: Clock; rateLimits: RateLimits; sizeSource: SizeSource | null }

/**
 * Gets a provider's sizes for one year of a model that a shopper chose, unless there is an answer of the last 24 hours.
 * Counts one call for the network address `from` and for the store. Waits up to 1.5 seconds.
 */
export async function askForSizes(deps: Deps, { from, ...model }: ModelYearKey & { from: string }): Promise<void> {
  const { db, clock, rateLimits, sizeSource } = deps
  if (sizeSource === null || !(await isUnanswered(db, model, clock.now()))) return
  const taken = await rateLimits.take('vehicle-sizes', { network: from })
  if (!taken.ok || !(await takeCall(db, sizeSource, clock.now()))) return
  await Promise.race([saveAnswer(deps, sizeSource, model), sleep(patienceMs, undefined, { ref: false })])
}

async function saveAnswer({ db, clock }: Deps, source: SizeSource, model: ModelYearKey): Promise<void> {
  const answer = await source.sizesOf(model)
  const at = clock.now()
  if (answer.ok) {
    await upsertProvided(db, model, { provider: source.name, options: answer.value, at, until: at.add(kept) })
    return
  }
  const problem = answer.reason
  await updateFailed(db, source.name, { problem, at, resumeAt: at.add(pauses[problem]) })
}
