/**
 * `npm run generate-types`: writes db/types.ts and db/schema.sql anew from what db/migrations come to,
 * api/client/operations.ts from the document of the API, and THIRD-PARTY.md from the lock file. `npm run check` fails
 * while one of them differs.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientTypesFile, generateClientTypes } from './client-types.ts'
import { runCommand } from './command.ts'
import { generateDatabaseFiles, schemaFile, typesFile } from './database-types.ts'
import { project } from './package-program.ts'
import { generateThirdParties, thirdPartyFile } from './third-party.ts'

await runCommand(async () => {
  await writeFile(join(project, thirdPartyFile), await generateThirdParties(project))
  await writeFile(clientTypesFile, await generateClientTypes())
  const { types, schema } = await generateDatabaseFiles(process.env.DATABASE_TEST_URL)
  await writeFile(typesFile, types)
  await writeFile(schemaFile, schema)
})
