/**
 * The one source of "now". Everything that depends on the time takes a clock, or an instant read from it, as an
 * argument.
 */
export type Clock = { now(): Temporal.Instant }

export const systemClock: Clock = { now: () => Temporal.Now.instant() }

/** A clock that stands still at `instant` until it is moved: for tests and for reproducible demo data. */
export function fixedClock(instant: string | Temporal.Instant): Clock & { set(to: string | Temporal.Instant): void } {
  let now = Temporal.Instant.from(instant)
  return {
    now: () => now,
    set(to) {
      now = Temporal.Instant.from(to)
    },
  }
}
