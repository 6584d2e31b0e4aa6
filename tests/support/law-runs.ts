import { env } from 'node:process'

/** On how many random cases a law is tried: 1,000, or as many as LAW_RUNS says (`npm run test:long`: 10,000). */
export const lawRuns = { numRuns: Number(env.LAW_RUNS ?? 1_000) }
