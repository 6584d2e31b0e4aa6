/** Counting in the database, so that all web processes share one allowance. */
import { CompiledQuery } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '#platform/db.ts'
import { ok, refused } from '#platform/outcome.ts'
import type { Taken } from '#platform/attempts.ts'

/**
 * `most` tries of one key within `minutes` from the first. `of` keeps the keys of one limiter apart from those of
 * others.
 */
export type Allowance = { of: string; most: number; minutes: number }

export type SharedLimiter = {
  /** Counts one try, in one statement; refuses, and says how long to wait, when the key has had too many. */
  take(key: string | number): Promise<Taken>
  /** What a try would be answered, without counting one. */
  look(key: string | number): Promise<Taken>
  giveBack(key: string | number): Promise<void>
}

/** `networkFactor`: how many times the usual number of tries one network has, where many shoppers come from one. */
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
    // Who hammers on is refused from memory and costs the database nothing.
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

/**
 * Forgets the windows that are over; the worker does it now and then, so that the table stays as small as the last
 * quarter of an hour.
 */
export async function forgetOldAttempts(db: Database, now: Temporal.Instant): Promise<void> {
  await db.deleteFrom('attempt_count').where('expire', '<', now.epochMilliseconds).execute()
}

type Statement = { text: string; values: unknown[] }
