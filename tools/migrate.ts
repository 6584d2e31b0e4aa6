/** `npm run migrate`: brings the database at DATABASE_URL to what db/migrations says. */
import { migrate } from '#platform/migrate.ts'
import { PlainError } from '#platform/plain-error.ts'
import { runCommand } from './command.ts'

await runCommand(async () => {
  const { DATABASE_URL } = process.env
  if (!DATABASE_URL) throw new PlainError('DATABASE_URL is not set. Set it to the address of the database to migrate.')
  const { applied } = await migrate(DATABASE_URL)
  console.log(applied.length === 0 ? 'Nothing to do: every migration is applied.' : `Applied: ${applied.join(', ')}`)
})
