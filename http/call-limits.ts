/** Limits how many requests one caller may make in a minute, over all processes (docs/decisions/027-api-and-agents.md). */
import type { CallCounts } from '#platform/attempts.ts'

type Taken = { isOver: boolean; resetSeconds: number; headers: Record<string, string> }

const windowSeconds = 60

/** `of` is the namespace of the limit's keys. */
export function createLimits(counts: CallCounts, of: string, callsPerMinute: number): { take(key: string): Taken } {
  return {
    take(key) {
      const { calls, msLeft } = counts.count(`${of}:${key}`, callsPerMinute)
      const resetSeconds = Math.max(1, Math.ceil(msLeft / 1_000))
      return {
        isOver: calls > callsPerMinute,
        resetSeconds,
        headers: {
          'ratelimit-policy': `"calls";q=${callsPerMinute};w=${windowSeconds}`,
          ratelimit: `"calls";r=${Math.max(0, callsPerMinute - calls)};t=${resetSeconds}`,
        },
      }
    },
  }
}
