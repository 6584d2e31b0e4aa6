/**
 * `npm run grant-roles -- --app ROLE --read ROLE` grants the application's and readers' roles their permissions in the
 * store's database, as the owner in DATABASE_DIRECT_URL or DATABASE_URL. Run it after each migration
 * (docs/runbooks/database-roles.md).
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { loadDatabaseConfig } from '#platform/config.ts'
import { PlainError } from '#platform/plain-error.ts'
import { grantRoles } from '#platform/role-grants.ts'
import { runCommand } from './command.ts'

await runCommand(async () => {
  const { values } = parseArgs({ options: { app: { type: 'string' }, read: { type: 'string' } } })
  if (values.app === undefined && values.read === undefined)
    throw new PlainError('Say which roles: npm run grant-roles -- --app ROLE --read ROLE')
  const client = new pg.Client({ connectionString: loadDatabaseConfig().directUrl })
  await client.connect()
  try {
    await grantRoles(client, values)
    for (const [kind, role] of Object.entries(values))
      console.log(`${role} may now ${kind === 'app' ? 'run the store' : 'read it'}.`)
  } finally {
    await client.end()
  }
})
