import { env } from 'node:process'

/** The number of random cases per law: 1,000, or LAW_RUNS (`npm run test:long`: 10,000). */
export const lawRuns = { numRuns: Number(env.LAW_RUNS ?? 1_000) }
