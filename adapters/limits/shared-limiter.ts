/** Rate limits counted in the database, so that all web processes share them. */
import { CompiledQuery } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '#platform/db.ts'
import { ok, refused } from '#platform/outcome.ts'
import type { Taken } from '#platform/attempts.ts'

/** `most` attempts per key within `minutes` of the first. `of` separates one limiter's keys from others'. */
export type Allowance = { of: string; most: number; minutes: number }

export type SharedLimiter = {
  /** Counts one attempt, in one statement; refuses with the time to wait if the key has had too many. */
  take(key: string | number): Promise<Taken>
  /** What `take` would return, without counting an attempt. */
  look(key: string | number): Promise<Taken>
  giveBack(key: string | number): Promise<void>
}

/** `networkFactor` multiplies a network's limits, for where many shoppers share one network. */
export type LimitSettings = { db: Database; networkFactor: number }

export function createSharedLimiter(db: Database, { of, most, minutes }: Allowance): SharedLimiter {
  const limiter = new RateLimiterPostgres({
    storeClient: {
      query: async ({ text, values }: Statement) => {
        const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
        return { rows, rowCount: rows.length }
      },
    },
    storeType: 'client',
    tableName: 'attempt_count',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: of,
    points: most,
    duration: minutes * 60,
    // Refuses repeated attempts from memory, without a query.
    inMemoryBlockOnConsumed: 2 * most,
  })
  return {
    async take(key) {
      try {
        await limiter.consume(key)
        return ok(undefined)
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return tooMany(refusal)
        throw refusal
      }
    },
    async look(key) {
      const counted = await limiter.get(key)
      return counted && counted.consumedPoints >= most ? tooMany(counted) : ok(undefined)
    },
    async giveBack(key) {
      await limiter.reward(key)
    },
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes): Taken {
  return refused('too-many', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)) })
}

/** Deletes expired windows; the worker runs it now and then, so that the table holds only the last quarter hour. */
export async function forgetOldAttempts(db: Database, now: Temporal.Instant): Promise<void> {
  await db.deleteFrom('attempt_count').where('expire', '<', now.epochMilliseconds).execute()
}

type Statement = { text: string; values: unknown[] }
