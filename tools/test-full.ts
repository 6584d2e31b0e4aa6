/** `npm run test:full`: everything that `npm test` runs, with all tests that rotate. */
import { env } from 'node:process'

env.TEST_ROTATION = 'all'
await import('./test.ts')
