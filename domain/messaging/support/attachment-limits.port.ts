import type { Taken } from '#platform/attempts.ts'

/** Limits uploaded files, stored or not, because examining a file costs more than storing it. */
export interface AttachmentLimits {
  /** Counts one; refuses when there were too many. `from` is the key of a network, or of a company. */
  take(from: string): Promise<Taken>
}

/** Enough for someone who tries file after file until one is accepted. */
export const attachmentAttempts = { count: 20, minutes: 60 } as const
