/**
 * `npm run dev` runs the whole store with a small catalog and loads pages with Vite, so that changes show immediately.
 * The other processes are the same as in `npm start`.
 */
import { runStore } from './run-store.ts'

await runStore({
  web: 'tools/dev-server.ts',
  worker: 'worker.ts',
  isBuilt: false,
  defaults: { NODE_ENV: 'development', SEED_SCALE: 'small', DATA_DIR: '.data/dev', SALES_TAX: 'stripe' },
})
process.exit()
