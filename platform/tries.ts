import type { Outcome, Refused } from '#platform/outcome.ts'

/** What a counter of tries answers: the try counts, or there were too many and the next may come after so many seconds. */
export type Taken = Outcome<void, Refused<'too-many', { retryAfterSeconds: number }>>
