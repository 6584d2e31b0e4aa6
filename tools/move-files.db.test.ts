/** The command that moves files, as an operator runs it; to a real bucket where MINIO names the program. */
import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openFiles } from '#adapters/files/files.ts'
import { readFile } from '#domain/kernel/files/files.server.ts'
import { receiveLead, receiveMessage } from '#domain/messaging/support/support.server.ts'
import { systemClock } from '#platform/clock.ts'
import { loadFileConfig, readConfig } from '#platform/config.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startMinio } from '#tests/support/minio.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'

const pdf = Buffer.from('%PDF-1.7\nmoved\n%%EOF\n')

/** Sends messages, three of them with a file, and returns the keys of those. */
async function sendFiles({ db, url }: TestDatabase): Promise<string[]> {
  const config = readConfig({ DATABASE_URL: url })
  if (!config.ok) throw new Error('no configuration')
  const deps = { db, clock: systemClock, config: config.value, rateLimits: noRateLimits }
  const said = {
    firstName: 'Kim',
    lastName: 'Diaz',
    phone: '3125550142',
    orderNumber: null,
    subject: 'Something else' as const,
    message: 'Hello',
  }
  for (const no of [1, 2, 3]) {
    const email = `kim${no}@example.com`
    const file = { name: 'label.pdf', bytes: pdf }
    expect(await receiveMessage(deps, { ...said, email, file, networkKey: email })).toMatchObject({ ok: true })
  }
  const lead = { quantity: 4, vehicle: null, size: '225/65R17', brand: null }
  await receiveLead(deps, { ...lead, name: 'Lee', email: 'lee@example.com', networkKey: 'lee' })
  return (await db.selectFrom('stored_file').select('key').execute()).map(({ key }) => key)
}

function runOver(env: Record<string, string>) {
  return (...args: string[]) =>
    promisify(execFile)(process.execPath, ['tools/move-files.ts', ...args], {
      env: { ...process.env, ...env },
    }).catch((failure: unknown) => failure as { code: number; stdout: string; stderr: string })
}

test('moves files from the database to the folder and reports their locations', async () => {
  await using database = await createTestDatabase()
  await using folder = await createTemporaryFolder()
  const keys = await sendFiles(database)
  const env = { DATABASE_URL: database.url, FILES_FOLDER: join(folder.path, 'files') }
  const run = runOver(env)
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('Say from where to where') as string })
  expect(await run('--from', 'folder', '--to', 's3')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The bucket is not named') as string,
  })
  const { stdout } = await run('--from', 'rows', '--to', 'folder')
  expect(stdout).toContain(`Moved 3 files of ${3 * pdf.length} bytes from rows to folder.`)
  expect(stdout).toContain(`folder: 3 files, ${3 * pdf.length} bytes`)
  const deps = { db: database.db, files: openFiles(loadFileConfig(env)) }
  for (const key of keys) expect((await readFile(deps, key))?.bytes).toEqual(pdf)
})

test.runIf(process.env['MINIO'])('moves files from the folder to a bucket and back', async () => {
  await using minio = await startMinio(process.env['MINIO'] ?? '')
  await using database = await createTestDatabase()
  await using folder = await createTemporaryFolder()
  const keys = await sendFiles(database)
  const { bucket, endpoint, credentials } = minio.settings
  const env = {
    DATABASE_URL: database.url,
    FILES_FOLDER: join(folder.path, 'files'),
    FILES_S3_BUCKET: bucket,
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_ACCESS_KEY_ID: credentials.accessKeyId,
    FILES_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
  const run = runOver(env)
  await run('--from', 'rows', '--to', 'folder')
  const files = openFiles(loadFileConfig(env))
  const [lost = ''] = keys
  await files.stores.folder?.remove(lost)
  expect(await run('--from', 'folder', '--to', 's3')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`${lost}: its bytes are not in folder.`) as string,
  })
  await files.stores.folder?.put(lost, pdf, 'application/pdf')
  const second = await run('--from', 'folder', '--to', 's3')
  expect(second.stdout).toContain(`Moved 1 files of ${pdf.length} bytes from folder to s3.`)
  expect(second.stdout).toContain('New files go to folder: set FILES_KIND=s3 for every process.')
  for (const key of keys) {
    expect((await readFile({ db: database.db, files }, key))?.bytes).toEqual(pdf)
    expect(await files.stores.folder?.read(key, pdf.length)).toBeUndefined()
  }
  await run('--from', 's3', '--to', 'folder')
  for (const key of keys) {
    expect((await readFile({ db: database.db, files }, key))?.bytes).toEqual(pdf)
    expect(await files.stores.s3?.read(key, pdf.length)).toBeUndefined()
  }
})
