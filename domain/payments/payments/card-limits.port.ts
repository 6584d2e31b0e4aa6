import type { Taken } from '#platform/attempts.ts'

/**
 * Limits declined cards. Card testers try stolen numbers one after another to see which are good; a shopper who
 * mistyped one, or is at the card's limit, is done after two or three.
 */
export interface CardLimits {
  /** Counts a decline; refuses once no other card may follow. */
  countDecline(try_: CardAttempt): Promise<Taken>
  /** Returns whether another card may be tried, without counting an attempt. */
  mayFollow(try_: CardAttempt): Promise<Taken>
}

/** `payer`: the cart or membership term being paid for; `from`: a key of the network, null if unknown. */
export type CardAttempt = { payer: string; from: string | null }

/** Declines per hour after which no other card is accepted. A network may be an office, so it gets more. */
export const cardAttempts = { perPayer: 5, perNetwork: 15, minutes: 60 } as const
