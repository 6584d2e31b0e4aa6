import type { Taken } from '#platform/attempts.ts'

/**
 * Counts the files that are sent to the store, whatever becomes of them: to look into one costs more than to keep it.
 */
export interface AttachmentLimits {
  /** Counts one; refuses when there were too many. `from` is the key of a network, or of a company. */
  take(from: string): Promise<Taken>
}

/** Enough for who tries one file after the other until one is taken. */
export const attachmentAttempts = { count: 20, minutes: 60 } as const
