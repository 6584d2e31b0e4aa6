/**
 * The one source of "now". Everything that depends on the time takes a clock, or an instant read from it, as an
 * argument.
 */
export type Clock = { now(): Temporal.Instant }

export const systemClock: Clock = { now: () => Temporal.Now.instant() }
