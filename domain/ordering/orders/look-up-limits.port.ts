import type { Taken } from '#platform/attempts.ts'

/** Limits wrong order lookups. */
export interface LookUpLimits {
  /** Counts one attempt for the order and the network address; refuses when either has made too many. */
  take(attempt: { orderId: number; from: string }): Promise<Taken>
  /** Takes back the count of an attempt that was right. */
  giveBack(attempt: { orderId: number; from: string }): Promise<void>
}

/** Failed attempts allowed within the window, enough for typos but too few to guess one of 41,000 ZIP codes. */
export const lookUpAttempts = { perOrder: 5, perAddress: 30, windowMinutes: 15 } as const
