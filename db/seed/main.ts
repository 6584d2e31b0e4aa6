/**
 * Run as `node db/seed/main.ts` to fill the database at DATABASE_URL with demo data. SEED_SCALE is empty, small,
 * default, large, or 1m.
 */
import { loadDatabaseConfig } from '#platform/config.ts'
import { scales, type ScaleName } from './scales.ts'
import { seed } from './seed.ts'

const { SEED_SCALE: scale = 'default' } = process.env
if (!isScale(scale)) throw new Error(`SEED_SCALE is one of ${Object.keys(scales).join(', ')}.`)
const began = performance.now()
await seed(loadDatabaseConfig().directUrl, {
  scale,
  now: Temporal.Now.instant(),
  log: (line) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`),
})

function isScale(text: string): text is ScaleName {
  return Object.hasOwn(scales, text)
}
