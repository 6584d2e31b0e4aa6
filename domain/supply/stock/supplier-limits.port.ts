import type { Taken } from '#platform/attempts.ts'

/** Limits messages to the supplier endpoint with a wrong secret. The secret is inside the message body. */
export interface SupplierLimits {
  /** Counts one attempt of a network, before its message is read. */
  take(from: string): Promise<Taken>
  /** Takes back the count of a message with the right secret. */
  giveBack(from: string): Promise<void>
}

/** Failed attempts within the window, too few to guess a secret. */
export const supplierAttempts = { perNetwork: 20, windowMinutes: 15 } as const
