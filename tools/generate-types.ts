/**
 * `npm run generate-types`: writes db/types.ts anew from what db/migrations come to, and api/client/operations.ts from the document of the API.
 * `npm run check` fails while either differs.
 */
import { writeFile } from 'node:fs/promises'
import { clientTypesFile, generateClientTypes } from './client-types.ts'
import { runCommand } from './command.ts'
import { generateDatabaseTypes, typesFile } from './database-types.ts'

await runCommand(async () => {
  await writeFile(clientTypesFile, await generateClientTypes())
  await writeFile(typesFile, await generateDatabaseTypes(process.env.DATABASE_TEST_URL))
})
