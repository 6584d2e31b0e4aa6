import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { runNode } from './package-program.ts'
import { findFreePort } from './ports.ts'
import { findStoreDatabase } from './store-database.ts'

/** Creates a folder as written by `npm start`, with its database's port and password. */
async function createDataDir(port: string) {
  const folder = await createTemporaryFolder()
  await writeFile(join(folder.path, 'postgres-port'), port)
  await writeFile(join(folder.path, 'postgres-password'), new URL(inject('postgresUrl')).password)
  return folder
}

test('staff commands find the local store’s database', async () => {
  await using data = await createDataDir(new URL(inject('postgresUrl')).port)
  expect(await findStoreDatabase({ DATA_DIR: data.path })).toBe(inject('postgresUrl'))
  const { output } = await runNode(['tools/programs.ts'], {
    env: { ...process.env, DATA_DIR: data.path, DATABASE_URL: '' },
  })
  expect(output).toMatch(/^Say what to do:/)
})

test('a configured address comes first, and a direct one before a pooler’s', async () => {
  const url = inject('postgresUrl')
  expect(await findStoreDatabase({ DATABASE_URL: url })).toBe(url)
  expect(await findStoreDatabase({ DATABASE_URL: 'postgresql://localhost:1/pooled', DATABASE_DIRECT_URL: url })).toBe(
    url,
  )
})

test('a store that is stopped or was never started is reported in one line', async () => {
  await using data = await createDataDir(String(await findFreePort()))
  await using empty = await createTemporaryFolder()
  await expect(findStoreDatabase({ DATA_DIR: data.path })).rejects.toThrow(
    /^The store does not run: start it with `npm start` \(connect ECONNREFUSED .+\)\.$/,
  )
  await expect(findStoreDatabase({ DATA_DIR: empty.path })).rejects.toThrow(
    /^There is no database here: start the store with `npm start`, or set DATABASE_URL/,
  )
})
