import type { Taken } from '#platform/attempts.ts'

/** Limits the codes emailed per order and the codes requested per network. */
export interface OrderCodeLimits {
  /** Counts one request for the order and the network address; refuses when either has made too many. */
  take(request: { orderId: number; from: string }): Promise<Taken>
}

/** With five attempts a code, an order takes 25 guesses an hour at one in a million each. */
export const orderCodeRequests = { perOrder: 5, perNetwork: 20, minutes: 60 } as const
