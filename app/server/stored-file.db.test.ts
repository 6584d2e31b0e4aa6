/** What is sent of a file, by the store itself and by a storage that signs addresses. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createS3Store } from '#adapters/files/s3.ts'
import type { Files } from '#domain/kernel/files/file-store.port.ts'
import { storeFile } from '#domain/kernel/files/files.server.ts'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { storedFile } from './stored-file.ts'

const bytes = Buffer.from('%PDF-1.7\n%%EOF\n')

const keep = (db: Database) =>
  db
    .transaction()
    .execute((tx) =>
      storeFile(tx, { contentType: 'application/pdf', bytes }, Temporal.Instant.fromEpochMilliseconds(0)),
    )

test.each([
  ['label.pdf', 'label.pdf'],
  ['Étiquette "n° 1".pdf', '%C3%89tiquette%20%22n%C2%B0%201%22.pdf'],
  ["it's (1)*.pdf", 'it%27s%20%281%29%2a.pdf'],
  ['a\r\nset-cookie: b', 'a%0D%0Aset-cookie%3A%20b'],
  [`\ud800.pdf`, '%EF%BF%BD.pdf'],
  ['a'.repeat(300), 'a'.repeat(100)],
])('a file called %j is saved under its name, which adds no header', async (name, told) => {
  await using database = await createTestDatabase()
  const { db } = database
  const answer = await storedFile({ db, files: filesInRows }, { name, key: await keep(db) })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
  expect(Object.fromEntries(answer.headers)).toEqual({
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename*=UTF-8''${told}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'content-type': 'application/pdf',
    'x-content-type-options': 'nosniff',
  })
})

test('what a storage signs is redirected to, and kept by no cache', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }
  const settings = { bucket: 'b', region: 'us-east-1', endpoint: 'http://storage.invalid', credentials }
  const s3 = createS3Store({ ...settings, publicEndpoint: 'https://files.example' })
  const files: Files = { kind: 's3', stores: { s3 } }
  const key = await keep(db)
  await db.updateTable('stored_file').set({ place: 's3' }).where('key', '=', key).execute()
  const answer = await storedFile({ db, files }, { name: 'a.pdf', key }, 'inline')
  expect(answer.status).toBe(302)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  const { origin, pathname, searchParams } = new URL(answer.headers.get('location') ?? '')
  expect(origin).toBe('https://files.example')
  expect(pathname).toBe(`/b/files/${key}`)
  // A PDF is unmodified user content, so it is never shown inline.
  expect(searchParams.get('response-content-disposition')).toBe("attachment; filename*=UTF-8''a.pdf")
  expect(searchParams.get('X-Amz-Expires')).toBe('60')
})

test.each([
  ['image/webp', 'inline'],
  ['application/pdf', 'attachment'],
] as const)('a page can show %s as %s only', async (contentType, shown) => {
  await using database = await createTestDatabase()
  const { db } = database
  const key = await db
    .transaction()
    .execute((tx) => storeFile(tx, { contentType, bytes }, Temporal.Instant.fromEpochMilliseconds(0)))
  const answer = await storedFile({ db, files: filesInRows }, { name: 'a', key }, 'inline')
  expect(answer.headers.get('content-disposition')).toBe(`${shown}; filename*=UTF-8''a`)
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
})

test('a file that is gone is not found', async () => {
  await using database = await createTestDatabase()
  const shop = { db: database.db, files: filesInRows }
  expect((await storedFile(shop, undefined)).status).toBe(404)
  expect((await storedFile(shop, { name: 'a.pdf', key: randomUUID() })).status).toBe(404)
})
