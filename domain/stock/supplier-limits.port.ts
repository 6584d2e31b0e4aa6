import type { Taken } from '#platform/attempts.ts'

/** Limits messages to the suppliers' endpoint with a wrong secret, which only stands inside of them. */
export interface SupplierLimits {
  /** Counts one attempt of a network, before its message is read. */
  take(from: string): Promise<Taken>
  /** Takes back the count of a message with the right secret. */
  giveBack(from: string): Promise<void>
}

/** Wrong attempts within the window: far too few to guess a secret. */
export const supplierAttempts = { perNetwork: 20, windowMinutes: 15 } as const
