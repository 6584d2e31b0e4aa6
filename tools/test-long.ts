/**
 * `npm run test:long`: the races, crashes and hostile requests of tests/faults with many more seeds than CI has time for, and the import of a million
 * rows. SEEDS sets how many seeds, TOTAL_CRASHES how often the whole store is killed. */
import { argv, env } from 'node:process'

env.SEEDS ??= '20'
env.TOTAL_CRASHES ??= '50'
env.OUTAGE_SECONDS ??= '20'
argv.push('tests/faults', 'tools/import', 'catalog-import')
await import('./test.ts')
