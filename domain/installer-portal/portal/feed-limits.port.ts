import type { Taken } from '#platform/attempts.ts'

/** How often one network may read calendar feeds. Ten devices of a shop stay far below it. */
export const feedReads = { perNetwork: 300, minutes: 15 } as const

/** Counts reads of calendar feeds by network, over all processes. */
export interface FeedLimits {
  take(from: string): Promise<Taken>
}
