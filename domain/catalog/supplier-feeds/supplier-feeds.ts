/** Supplier files that are fetched at set times. Safe in the browser. */
import type { FetchFault } from './supplier-files.port.ts'

export { feedForm, feedVersionForm, weekdays, type FeedDraft } from './feed-form.ts'
export { lastTime, nextTime, typedTimes, type FeedSchedule } from './schedule.ts'

export type FetchState = 'due' | 'failed' | 'unchanged' | 'imported'

/** Why a file was not imported. */
export type FeedFault = FetchFault | 'too-large' | 'empty' | 'columns' | 'sealed'

/** Why a feed's import is pending review or was refused. */
export type FeedHold = 'refused' | 'warnings' | 'prices' | 'not-allowed'

/** Faults that are often gone a few minutes later. */
const passingFaults: readonly FeedFault[] = ['unresolved', 'unreachable', 'timeout', 'cut-off']
export const maxAttempts = 3
/** Minutes between two attempts of the same fetch. */
export const retryMinutes = 5

export function isPassing(fault: FeedFault): boolean {
  return passingFaults.includes(fault)
}

/**
 * Whether a file changes more prices than a feed may change without a person: `changed` of the `rows` that are published,
 * against whole percent.
 */
export function changesTooManyPrices({
  changed,
  rows,
  maxPricePercent,
}: {
  changed: number
  rows: number
  maxPricePercent: number
}): boolean {
  return changed * 100 > rows * maxPricePercent
}
