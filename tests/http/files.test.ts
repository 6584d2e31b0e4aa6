/**
 * Tests that uploaded files are stored in one folder by two web processes and a worker, and available to authorized
 * users.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { startMinio } from '#tests/support/minio.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

const folder = await createTemporaryFolder()
const files = join(folder.path, 'files')
let store: RunningStore
const support = createVisitor()
const warehouse = createVisitor()
beforeAll(async () => {
  store = await startStore({ env: { FILES_FOLDER: files } })
  await store.revive('second')
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  await signInToOffice(store.origin, warehouse, { email: 'warehouse@example.com' })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const sent = Buffer.from('%PDF-1.7\nmy label\n%%EOF\n')

/** Sends a message with a file to the first process, and returns its id. */
async function send(email: string, { origin, database } = store): Promise<number> {
  const form = new FormData()
  const fields = {
    firstName: 'Kim',
    lastName: 'Diaz',
    email,
    phone: '(312) 555-0142',
    orderNumber: '',
    subject: 'Something else',
    message: email,
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('attachment', new Blob([sent]), '../../label.pdf')
  expect((await createVisitor().ask(`${origin}/contact`, { form })).status).toBe(303)
  const { id } = await database.db
    .selectFrom('support_request')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return id
}

const fileAt = (origin: string, id: number | string) => `${origin}/office/messages/${id}/file`

async function keyOf(id: number, place: string, { database } = store): Promise<string> {
  return eventually(`file in ${place}`, async () => {
    const row = await database.db
      .selectFrom('support_attachment')
      .innerJoin('stored_file', 'key', 'file_key')
      .select('key')
      .where('request_id', '=', id)
      .where('place', '=', place)
      .executeTakeFirst()
    return row?.key
  })
}

test('what one process took, another gives out, from the folder that the worker took it to', async () => {
  const id = await send('kim@example.com')
  const key = await keyOf(id, 'folder')
  expect(await readFile(join(files, key.slice(0, 2), key))).toEqual(sent)
  expect(await store.database.db.selectFrom('stored_file_bytes').select('key').execute()).toEqual([])
  const answer = await support.ask(fileAt(store.secondOrigin, id))
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(sent)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
})

test('who may not read messages gets no file, whatever they ask for', async () => {
  const id = await send('foreign@example.com')
  const key = await keyOf(id, 'folder')
  const nobody = await createVisitor().ask(fileAt(store.origin, id))
  expect(nobody.status).not.toBe(200)
  expect(await nobody.text()).not.toContain('my label')
  expect((await warehouse.ask(fileAt(store.origin, id))).status).toBe(403)
  for (const other of ['999999', key, `..%2f..%2f${key}`, '%2e%2e'])
    expect((await support.ask(fileAt(store.origin, other))).status, other).toBe(404)
  for (const path of [`/files/${key}`, `/${key.slice(0, 2)}/${key}`])
    expect((await support.ask(`${store.origin}${path}`)).status, path).toBe(404)
})

test('a worker that was away takes files to their place when it is back, and they are given out until then', async () => {
  await store.kill('worker')
  const before = await readdir(files, { recursive: true })
  const id = await send('late@example.com')
  await keyOf(id, 'rows')
  expect(await readdir(files, { recursive: true })).toEqual(before)
  expect(Buffer.from(await (await support.ask(fileAt(store.origin, id))).arrayBuffer())).toEqual(sent)
  await store.revive('worker')
  await keyOf(id, 'folder')
  expect(Buffer.from(await (await support.ask(fileAt(store.secondOrigin, id))).arrayBuffer())).toEqual(sent)
})

test.runIf(process.env['MINIO'])('a bucket hands files out itself, to whom the store sends there', async () => {
  await using minio = await startMinio(process.env['MINIO'] ?? '')
  const { bucket, endpoint, credentials } = minio.settings
  await using away = await startStore({
    env: {
      FILES_KIND: 's3',
      FILES_S3_BUCKET: bucket,
      FILES_S3_ENDPOINT: endpoint,
      FILES_S3_PUBLIC_ENDPOINT: endpoint,
      FILES_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      FILES_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  })
  const [reader, other] = [createVisitor(), createVisitor()]
  await signInToOffice(away.origin, reader, { email: 'support@example.com' })
  await signInToOffice(away.origin, other, { email: 'warehouse@example.com' })
  const id = await send('kim@example.com', away)
  await keyOf(id, 's3', away)
  const answer = await reader.ask(fileAt(away.origin, id))
  expect(answer.status).toBe(302)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  // The storage is another origin and receives no cookies.
  const handedOut = await fetch(answer.headers.get('location') ?? '')
  expect(Buffer.from(await handedOut.arrayBuffer())).toEqual(sent)
  expect(handedOut.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''label.pdf")
  const refused = await other.ask(fileAt(away.origin, id))
  expect(refused.status).toBe(403)
  expect(refused.headers.get('location')).toBeNull()
})
