/**
 * `npm run test:long`: the races, crashes and hostile requests of tests/faults with many more seeds than CI has time for, the import of a million
 * rows, and the walk through every page of the store. SEEDS sets how many seeds, TOTAL_CRASHES how often the whole store is killed.
 */
import { argv, env } from 'node:process'

env.SEEDS ??= '20'
env.TOTAL_CRASHES ??= '50'
env.OUTAGE_SECONDS ??= '20'
env.WHOLE_CRAWL ??= '1'
env.CALLS ??= '20000'
argv.push('tests/faults', 'tools/import', 'catalog-import', 'tests/http/crawl')
await import('./test.ts')
