import type { Taken } from '#platform/attempts.ts'

/**
 * Counts cards that were declined. Who has a list of stolen numbers tries one after the other to see which are good;
 * who mistyped one, or has a card at its limit, is done after two or three.
 */
export interface CardLimits {
  /** Counts a decline; refuses once there were so many that no other card may follow. */
  countDecline(try_: CardAttempt): Promise<Taken>
  /** Whether another card may follow. Counts nothing. */
  mayFollow(try_: CardAttempt): Promise<Taken>
}

/**
 * `payer`: the cart or the term of a membership that is paid for; `from`: a key of the network, null where it is not
 * known.
 */
export type CardAttempt = { payer: string; from: string | null }

/** Declines within the hour after which no other card is taken. A network may be an office, so it has more. */
export const cardAttempts = { perPayer: 5, perNetwork: 15, minutes: 60 } as const
