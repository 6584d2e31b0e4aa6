/**
 * `npm run reseal` re-encrypts the database's sealed values with the first secret of SESSION_SECRET, even while the
 * store is running, so that the other secrets can be removed. Prints the number of re-encrypted values. The exit code
 * is 1 if a value can't be opened with any secret.
 */
import { loadSessionSecrets } from '#platform/config.ts'
import { createDatabase } from '#platform/db.ts'
import { PlainError } from '#platform/plain-error.ts'
import { countOf } from '#platform/count-text.ts'
import { print, runCommand } from './command.ts'
import { reseal } from '#db/sealed-values.ts'
import { findStoreDatabase } from './store-database.ts'

await runCommand(async () => {
  const secrets = loadSessionSecrets()
  if (secrets === undefined)
    throw new PlainError('Set SESSION_SECRET as the store has it: the new secret, a comma, and the one before.')
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-reseal' })
  const { resealed, shut } = await reseal(db, secrets)
  print(`Sealed ${countOf(resealed, 'value')} again with the first secret.`)
  if (shut === 0) return
  print(`${countOf(shut, 'value')} open with none of the secrets: see docs/runbooks/secrets.md.`)
  process.exitCode = 1
})
