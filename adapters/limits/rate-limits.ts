/** Rate limits counted in the database, so that all web processes share them. */
import { CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { rateLimits, type RateLimit, type RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { longerOf, type Taken } from '#platform/attempts.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused } from '#platform/outcome.ts'

/** How many keys a process counts in memory. A limit per key can't stop an attacker with more keys. */
const maxRemembered = 20_000

/** `networkFactor` multiplies the counts of these keys. */
const networkKeys: ReadonlySet<string> = new Set(['network', 'sender'])

type Limiter = Record<'take' | 'look', (key: string | number) => Promise<Taken>> & {
  giveBack(key: string | number): Promise<unknown>
}

/** Creates all limits. `networkFactor` multiplies the counts per network, where many shoppers share one. */
export function createRateLimits({ db, networkFactor = 1 }: { db: Database; networkFactor?: number }): RateLimits {
  const limiters = new Map(
    Object.entries<RateLimit>(rateLimits).map(([name, limit]) => [
      name,
      Object.entries(limit.counts).map(([key, count]): [string, Limiter] => {
        const most = count * (networkKeys.has(key) ? networkFactor : 1)
        const { minutes, unshared = 0 } = limit
        const shared = createLimiter(db, { prefix: `${name}-${key}`, most: most - unshared, minutes })
        return [key, unshared > 0 ? withUnshared(shared, unshared, minutes) : shared]
      }),
    ]),
  )

  async function ofEach(act: 'take' | 'look', name: string, keys: Readonly<Record<string, string | number | null>>) {
    const answers = await Promise.all(pairsOf(name, keys).map(([limiter, key]) => limiter[act](key)))
    return answers.reduce(longerOf, ok(undefined))
  }

  function pairsOf(name: string, keys: Readonly<Record<string, string | number | null>>): [Limiter, string | number][] {
    return (limiters.get(name) ?? []).flatMap(([key, limiter]): [Limiter, string | number][] => {
      const value = keys[key] ?? null
      return value === null ? [] : [[limiter, value]]
    })
  }

  return {
    take: (name, keys) => ofEach('take', name, keys),
    look: (name, keys) => ofEach('look', name, keys),
    async giveBack(name, keys) {
      await Promise.all(pairsOf(name, keys).map(([limiter, key]) => limiter.giveBack(key)))
    },
  }
}

function createLimiter(
  db: Database,
  { prefix, most, minutes }: { prefix: string; most: number; minutes: number },
): Limiter {
  const limiter = new RateLimiterPostgres({
    storeClient: {
      query: async ({ text, values }: { text: string; values: unknown[] }) => {
        const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
        return { rows, rowCount: rows.length }
      },
    },
    storeType: 'client',
    tableName: 'attempt_count',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: prefix,
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
    giveBack: (key) => limiter.reward(key),
  }
}

/** Counts the first attempts of a key in memory, and only later ones in the shared limiter. */
function withUnshared(shared: Limiter, unshared: number, minutes: number): Limiter {
  const seen = new LRUCache<string | number, number>({ max: maxRemembered, ttl: minutes * 60_000, noUpdateTTL: true })
  return {
    ...shared,
    take(key) {
      const made = seen.get(key) ?? 0
      if (made >= unshared) return shared.take(key)
      seen.set(key, made + 1)
      return Promise.resolve(ok(undefined))
    },
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes): Taken {
  return refused('too-many', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)) })
}

/** Deletes expired windows. The worker runs it regularly, so that the table has only current ones. */
export async function forgetOldAttempts(db: Database, now: Temporal.Instant): Promise<void> {
  await db.deleteFrom('attempt_count').where('expire', '<', now.epochMilliseconds).execute()
}
