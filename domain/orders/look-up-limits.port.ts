import type { Taken } from '#platform/attempts.ts'

/** Limits wrong order lookups. */
export interface LookUpLimits {
  /** Counts one attempt for the order and the network address; refuses when either has made too many. */
  take(attempt: { orderId: number; from: string }): Promise<Taken>
  /** Takes back the count of an attempt that was right. */
  giveBack(attempt: { orderId: number; from: string }): Promise<void>
}

/** Wrong attempts within the window: enough for typos, far too few to guess one ZIP of 41,000. */
export const lookUpAttempts = { perOrder: 5, perAddress: 30, windowMinutes: 15 } as const
