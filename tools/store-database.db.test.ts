import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { runNode } from './package-program.ts'
import { findFreePort } from './ports.ts'
import { findStoreDatabase } from './store-database.ts'

/** A folder as `npm start` leaves it: with the port and the password of the database it runs. */
async function createDataDir(port: string) {
  const folder = await createTemporaryFolder()
  await writeFile(join(folder.path, 'postgres-port'), port)
  await writeFile(join(folder.path, 'postgres-password'), new URL(inject('postgresUrl')).password)
  return folder
}

test('the commands of staff find the database of the store that runs here', async () => {
  await using data = await createDataDir(new URL(inject('postgresUrl')).port)
  expect(await findStoreDatabase({ DATA_DIR: data.path })).toBe(inject('postgresUrl'))
  const { output } = await runNode(['tools/programs.ts'], {
    env: { ...process.env, DATA_DIR: data.path, DATABASE_URL: '' },
  })
  expect(output).toMatch(/^Say what to do:/)
})

test('an address that is given comes first, and past a pooler before through it', async () => {
  const url = inject('postgresUrl')
  expect(await findStoreDatabase({ DATABASE_URL: url })).toBe(url)
  expect(await findStoreDatabase({ DATABASE_URL: 'postgresql://localhost:1/pooled', DATABASE_DIRECT_URL: url })).toBe(
    url,
  )
})

test('a store that does not run, or was never started, is one line', async () => {
  await using data = await createDataDir(String(await findFreePort()))
  await using empty = await createTemporaryFolder()
  await expect(findStoreDatabase({ DATA_DIR: data.path })).rejects.toThrow(
    /^The store does not run: start it with `npm start` \(connect ECONNREFUSED .+\)\.$/,
  )
  await expect(findStoreDatabase({ DATA_DIR: empty.path })).rejects.toThrow(
    /^There is no database here: start the store with `npm start`, or set DATABASE_URL/,
  )
})
