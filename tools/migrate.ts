/** `npm run migrate`: applies db/migrations to the database at DATABASE_URL, bypassing the pooler if there is one. */
import { loadDatabaseConfig } from '#platform/config.ts'
import { runCommand } from './command.ts'
import { migrateStore } from './migrate-store.ts'

await runCommand(async () => {
  const { applied } = await migrateStore(loadDatabaseConfig())
  console.log(applied.length === 0 ? 'Nothing to do: every migration is applied.' : `Applied: ${applied.join(', ')}`)
})
