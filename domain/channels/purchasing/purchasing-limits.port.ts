import type { Taken } from '#platform/attempts.ts'

/** Limits documents to /cxml with wrong credentials, which only stand inside of them. */
export interface PurchasingLimits {
  /** Counts one attempt of a network, before its document is read. */
  take(from: string): Promise<Taken>
  /** Takes back the count of a document with the right secret. */
  giveBack(from: string): Promise<void>
}

/** Wrong attempts within the window; as many documents of one network are read at the same time. */
export const purchasingAttempts = { perNetwork: 60, windowMinutes: 15 } as const
