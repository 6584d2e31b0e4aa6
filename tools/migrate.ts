/**
 * `npm run migrate`: applies db/migrations to the database at DATABASE_URL, bypassing the pooler if there is one, and puts
 * the scripts and styles of this build where the processes of other releases find them (docs/runbooks/upgrades.md).
 */
import { loadDatabaseConfig } from '#platform/config.ts'
import { runCommand } from './command.ts'
import { keepBuild, migrateStore } from './migrate-store.ts'

await runCommand(async () => {
  const database = loadDatabaseConfig()
  const { applied } = await migrateStore(database)
  await keepBuild(database)
  console.log(applied.length === 0 ? 'Nothing to do: every migration is applied.' : `Applied: ${applied.join(', ')}`)
})
