import type { Clock } from './clock.ts'

/** Returns a clock fixed at `instant` until it is moved. */
export function fixedClock(instant: string | Temporal.Instant): Clock & { set(to: string | Temporal.Instant): void } {
  let now = Temporal.Instant.from(instant)
  return {
    now: () => now,
    set(to) {
      now = Temporal.Instant.from(to)
    },
  }
}
