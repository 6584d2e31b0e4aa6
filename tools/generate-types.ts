/**
 * `npm run generate-types`: regenerates db/types.ts and db/schema.sql from db/migrations, api/client/operations.ts from
 * the API's document, docs/settings.md from the configuration, and THIRD-PARTY.md from the lock file. `npm run check`
 * fails if one of them is out of date.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientTypesFile, generateClientTypes } from './client-types.ts'
import { runCommand } from './command.ts'
import { generateDatabaseFiles, schemaFile, typesFile } from './database-types.ts'
import { project } from './package-program.ts'
import { generateSettings, settingsFile } from './settings.ts'
import { generateThirdParties, thirdPartyFile } from './third-party.ts'

await runCommand(async () => {
  await writeFile(join(project, thirdPartyFile), await generateThirdParties(project))
  await writeFile(settingsFile, generateSettings())
  await writeFile(clientTypesFile, await generateClientTypes())
  const { types, schema } = await generateDatabaseFiles(process.env.DATABASE_TEST_URL)
  await writeFile(typesFile, types)
  await writeFile(schemaFile, schema)
})
