/**
 * Limits how many requests one address may make to this process; docs/decisions/024-http-api.md explains why the limit
 * is per process.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

type Taken = { isOver: boolean; resetSeconds: number; headers: Record<string, string> }

const windowSeconds = 60

export function createLimits(callsPerMinute: number): { take(key: string): Promise<Taken> } {
  const limiter = new RateLimiterMemory({ points: callsPerMinute, duration: windowSeconds })
  return {
    async take(key) {
      try {
        return takenOf(await limiter.consume(key), false)
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return takenOf(refusal, true)
        throw refusal
      }
    },
  }

  function takenOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isOver: boolean): Taken {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000))
    return {
      isOver,
      resetSeconds,
      headers: {
        'ratelimit-policy': `"calls";q=${callsPerMinute};w=${windowSeconds}`,
        ratelimit: `"calls";r=${remainingPoints};t=${resetSeconds}`,
      },
    }
  }
}
