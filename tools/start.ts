/** `npm start`: the whole store as it runs in production, with demo data. */
import { runStore } from './run-store.ts'

await runStore({
  web: 'build/programs/web.js',
  worker: 'build/programs/worker.js',
  isBuilt: true,
  defaults: { NODE_ENV: 'production', SEED_SCALE: 'default', DATA_DIR: '.data', SALES_TAX: 'stripe' },
})
// Whatever is still open (a probe, a timer) no longer matters.
process.exit()
