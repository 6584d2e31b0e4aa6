import { env } from 'node:process'
import { rotationOf } from '../../tools/rotation.ts'

/** The number of random cases per law: 200 in `npm test`, 1,000 in a full run, or LAW_RUNS (`npm run test:long`: 10,000). */
export const lawRuns = { numRuns: Number(env.LAW_RUNS ?? (rotationOf(env) === 'all' ? 1_000 : 200)) }
