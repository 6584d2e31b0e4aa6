/** `npm run generate-types`: writes db/types.ts anew from what db/migrations come to. `npm run check` fails while the two differ. */
import { writeFile } from 'node:fs/promises'
import { runCommand } from './command.ts'
import { generateDatabaseTypes, typesFile } from './database-types.ts'

await runCommand(async () => {
  await writeFile(typesFile, await generateDatabaseTypes(process.env.DATABASE_TEST_URL))
})
