/**
 * `npm run test:long`: the races, crashes and hostile requests of tests/faults with many more seeds than CI has time for. SEEDS sets how many, TOTAL_CRASHES how often
 * the whole store is killed. */
import { argv, env } from 'node:process'

env.SEEDS ??= '20'
env.TOTAL_CRASHES ??= '50'
env.OUTAGE_SECONDS ??= '20'
argv.push('tests/faults')
await import('./test.ts')
