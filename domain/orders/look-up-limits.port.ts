import type { Taken } from '#platform/attempts.ts'

/** Counts the look-ups of orders that were wrong. */
export interface LookUpLimits {
  /** Counts one try for the order and for the address it comes from; refuses when either has had too many. */
  take(attempt: { orderId: number; from: string }): Promise<Taken>
  /** The try was right, so it does not count. */
  giveBack(attempt: { orderId: number; from: string }): Promise<void>
}

/** Wrong tries within the window: enough for slips, far too few for a ZIP of 41,000. */
export const lookUpAttempts = { perOrder: 5, perAddress: 30, windowMinutes: 15 } as const
