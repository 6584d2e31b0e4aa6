/**
 * `npm run migrate`: brings the database at DATABASE_URL, past the pooler if there is one, to what db/migrations says.
 */
import { loadDatabaseConfig } from '#platform/config.ts'
import { runCommand } from './command.ts'
import { migrateStore } from './migrate-store.ts'

await runCommand(async () => {
  const { applied } = await migrateStore(loadDatabaseConfig())
  console.log(applied.length === 0 ? 'Nothing to do: every migration is applied.' : `Applied: ${applied.join(', ')}`)
})
