import { ok } from '#platform/outcome.ts'
import type { RateLimits } from './rate-limits.port.ts'

/** Rate limits that allow every attempt. */
export const noRateLimits: RateLimits = {
  take: () => Promise.resolve(ok(undefined)),
  look: () => Promise.resolve(ok(undefined)),
  giveBack: () => Promise.resolve(),
}
