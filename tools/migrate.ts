/**
 * `npm run migrate`: applies db/migrations to the database at DATABASE_URL, bypassing the pooler if there is one, installs
 * the reference data, and puts the scripts and styles of this build where the processes of other releases find them
 * (docs/runbooks/upgrades.md).
 */
import { loadDatabaseConfig } from '#platform/config.ts'
import { countOf } from '#platform/count-text.ts'
import { runCommand } from './command.ts'
import { keepBuild, migrateStore } from './migrate-store.ts'

await runCommand(async () => {
  const database = loadDatabaseConfig()
  const { applied, installed } = await migrateStore(database)
  await keepBuild(database)
  for (const { name, rows } of installed) console.log(`Installed ${name}: ${countOf(rows, 'row')}`)
  console.log(applied.length === 0 ? 'All migrations are applied.' : `Applied: ${applied.join(', ')}`)
})
