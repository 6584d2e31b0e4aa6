/** Runs the same tests on a folder and on S3 with MinIO. */
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { FileStore } from '#domain/kernel/files/file-store.port.ts'
import { startMinio } from '#tests/support/minio.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { createFolderStore } from './folder.ts'
import { createS3Store } from './s3.ts'

const folder = await createTemporaryFolder()
const minio = process.env['MINIO'] ? await startMinio(process.env['MINIO']) : undefined
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await minio?.[Symbol.asyncDispose]()
})

const kinds: [string, FileStore][] = [['folder', createFolderStore(join(folder.path, 'files'))]]
if (minio) kinds.push(['s3', createS3Store(minio.settings)])
const most = 1024 * 1024

describe.each(kinds)('%s', (_, store) => {
  test('gives back the bytes it was given, up to a megabyte', async () => {
    for (const size of [1, 70_000, most]) {
      const [key, bytes] = [randomUUID(), randomBytes(size)]
      await store.put(key, bytes, 'image/webp')
      expect(bytes.equals((await store.read(key, most)) ?? new Uint8Array())).toBe(true)
    }
  })

  test('reports missing and removed keys as absent, and removes them idempotently', async () => {
    const key = randomUUID()
    expect(await store.read(key, most)).toBeUndefined()
    await store.put(key, Buffer.from('a'), 'application/pdf')
    await store.remove(key)
    await store.remove(key)
    expect(await store.read(key, most)).toBeUndefined()
  })

  test('overwrites a key atomically for concurrent readers', async () => {
    const key = randomUUID()
    const versions = [Buffer.alloc(300_000, 'a'), Buffer.alloc(500_000, 'b')]
    await store.put(key, Buffer.alloc(300_000, 'a'), 'image/webp')
    const reads = Array.from({ length: 10 }, async () => {
      const found = await store.read(key, most)
      return versions.some((version) => version.equals(found ?? new Uint8Array()))
    })
    await store.put(key, Buffer.alloc(500_000, 'b'), 'image/webp')
    expect(await Promise.all(reads)).toEqual(Array.from({ length: 10 }, () => true))
    expect((await store.read(key, most))?.length).toBe(500_000)
  })

  test('reads only the requested number of bytes', async () => {
    const key = randomUUID()
    await store.put(key, Buffer.alloc(100), 'image/webp')
    await expect(store.read(key, 99)).rejects.toThrow('more than 99')
  })

  test.each(['../secret', '..%2fsecret', '/etc/passwd', 'a\0b', '', '.', 'con', `${randomUUID()}/../x`])(
    'refuses %j as a key',
    async (key) => {
      await expect(store.put(key, Buffer.from('a'), 'image/webp')).rejects.toThrow('is a UUID')
      await expect(store.read(key, most)).rejects.toThrow('is a UUID')
      await expect(store.remove(key)).rejects.toThrow('is a UUID')
    },
  )

  test('doesn’t remove complete files', async () => {
    const key = randomUUID()
    await store.put(key, Buffer.from('a'), 'image/webp')
    expect(await store.clear(Temporal.Now.instant().add({ hours: 1 }))).toBe(0)
    expect(await store.read(key, most)).toBeDefined()
  })
})

test('what a cut-off write left in a folder is cleared once it is old', async () => {
  const [, store] = kinds[0] ?? expect.fail()
  const incoming = join(folder.path, 'files', 'incoming')
  const now = Temporal.Now.instant()
  await store.put(randomUUID(), Buffer.from('a'), 'image/webp')
  await writeFile(join(incoming, 'old'), 'half')
  await writeFile(join(incoming, 'new'), 'half')
  const [old, young] = [now.subtract({ hours: 2 }), now].map((at) => at.epochMilliseconds / 1_000)
  await utimes(join(incoming, 'old'), old ?? 0, old ?? 0)
  await utimes(join(incoming, 'new'), young ?? 0, young ?? 0)
  expect(await store.clear(now.subtract({ hours: 1 }))).toBe(1)
  expect(await readdir(incoming)).toEqual(['new'])
})

const wanted = { seconds: 60, contentType: 'application/pdf', disposition: "attachment; filename*=UTF-8''a%20b.pdf" }

test('an address is signed without asking the storage, for the host that browsers reach, and holds no secret', async () => {
  const settings = { bucket: 'files', region: 'us-east-1', endpoint: 'http://storage.invalid:9000' }
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'not-to-be-told' }
  const store = createS3Store({ ...settings, credentials, publicEndpoint: 'https://files.example' })
  const key = randomUUID()
  const address = (await store.sign?.(key, wanted)) ?? expect.fail()
  expect(address.origin + address.pathname).toBe(`https://files.example/files/files/${key}`)
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    'X-Amz-Expires': '60',
    'response-content-type': 'application/pdf',
    'response-content-disposition': wanted.disposition,
    'response-cache-control': 'private, no-store',
  })
  expect(address.href).not.toContain(credentials.secretAccessKey)
  await expect(Promise.try(() => store.sign?.('../secret', wanted))).rejects.toThrow('is a UUID')
  expect(createS3Store({ ...settings, credentials, publicEndpoint: null }).sign).toBeUndefined()
  expect(kinds[0]?.[1].sign).toBeUndefined()
})

test.runIf(minio)(
  'a signed address gives out one file as it is to be saved, to anyone, for as long as it says',
  async () => {
    const { settings } = minio ?? expect.fail()
    const store = createS3Store({ ...settings, publicEndpoint: settings.endpoint })
    const [key, other] = [randomUUID(), randomUUID()]
    await store.put(key, Buffer.from('%PDF-1.7'), 'application/pdf')
    await store.put(other, Buffer.from('of somebody else'), 'application/pdf')
    const address = (await store.sign?.(key, wanted)) ?? expect.fail()
    const answer = await fetch(address)
    expect(await answer.text()).toBe('%PDF-1.7')
    expect(['content-type', 'content-disposition', 'cache-control'].map((name) => answer.headers.get(name))).toEqual([
      'application/pdf',
      wanted.disposition,
      'private, no-store',
    ])
    expect((await fetch(address.href.replace(key, other))).status).toBe(403)
    expect((await fetch(address.href.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'))).status).toBe(403)
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(403)
    const brief = (await store.sign?.(key, { ...wanted, seconds: 1 })) ?? expect.fail()
    await expect.poll(async () => (await fetch(brief)).status).toBe(403)
    await store.remove(key)
    expect((await fetch(address)).status).toBe(404)
  },
)

test.runIf(minio)('a bucket rejects requests without a key', async () => {
  const { endpoint, bucket } = minio?.settings ?? expect.fail()
  const key = randomUUID()
  await kinds[1]?.[1].put(key, Buffer.from('private'), 'image/webp')
  expect((await fetch(`${endpoint}/${bucket}/files/${key}`)).status).toBe(403)
})
