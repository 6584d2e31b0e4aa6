/**
 * `npm run dev`: the whole store with a small market, its pages loaded by Vite so that changes show at once. The other
 * processes are the same as in `npm start`.
 */
import { runStore } from './run-store.ts'

await runStore({
  web: 'tools/dev-server.ts',
  worker: 'worker.ts',
  isBuilt: false,
  defaults: { NODE_ENV: 'development', SEED_SCALE: 'small', DATA_DIR: '.data/dev', SALES_TAX: 'stripe' },
})
process.exit()
