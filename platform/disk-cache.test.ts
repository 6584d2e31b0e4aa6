import { readdir, rm } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fixedClock } from '#platform/clock.testing.ts'
import { createDiskCache, type KeptText } from '#platform/disk-cache.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'

const start = Temporal.Instant.from('2026-11-20T15:00:00Z')

async function* pieces(...all: string[]) {
  yield* all
}

async function plainOf(kept: KeptText): Promise<string | undefined> {
  const stream = await kept.open('plain')
  return stream && text(stream)
}

async function packedOf(kept: KeptText): Promise<Buffer> {
  const stream = await kept.open('gzip')
  return stream ? Buffer.concat(await Array.fromAsync(stream)) : Buffer.alloc(0)
}

test('a text is generated once for concurrent readers, and read gzipped or plain', async () => {
  await using folder = await createTemporaryFolder()
  const files = createDiskCache({ directory: folder.path, clock: fixedClock(start), freshSeconds: 60 })
  let writings = 0
  const write = () => (writings++, pieces('<a>', 'é', '</a>'))
  const [first, second] = await Promise.all([files.read('list', write), files.read('list', write)])
  expect(writings).toBe(1)
  expect(first).toBe(second)
  expect(await plainOf(first)).toBe('<a>é</a>')
  const packed = await packedOf(first)
  expect(packed).toHaveLength(first.bytes)
  expect(gunzipSync(packed).toString()).toBe('<a>é</a>')
})

test('a stale text is served while the next is written, a very old one is not', async () => {
  await using folder = await createTemporaryFolder()
  const clock = fixedClock(start)
  const files = createDiskCache({ directory: folder.path, clock, freshSeconds: 60 })
  let version = 1
  const write = () => pieces(`version ${version}`)
  const first = await files.read('list', write)
  version = 2
  clock.set(start.add({ seconds: 61 }))
  expect(await files.read('list', write)).toBe(first)
  // The rewrite this started is the one that later readers wait for.
  clock.set(start.add({ seconds: 121 }))
  const second = await files.read('list', write)
  expect(second.etag).not.toBe(first.etag)
  expect(await plainOf(second)).toBe('version 2')
  expect(await readdir(folder.path)).toHaveLength(1)
})

test('a text with a failed generation is never visible, and the next read starts over', async () => {
  await using folder = await createTemporaryFolder()
  const files = createDiskCache({ directory: folder.path, clock: fixedClock(start), freshSeconds: 60 })
  async function* broken() {
    yield 'half of '
    throw new Error('the database is away')
  }
  await expect(files.read('list', broken)).rejects.toThrow('the database is away')
  expect(await readdir(folder.path)).toEqual([])
  expect(await plainOf(await files.read('list', () => pieces('whole')))).toBe('whole')
})

test('a deleted file is written again once it is forgotten', async () => {
  await using folder = await createTemporaryFolder()
  const files = createDiskCache({ directory: folder.path, clock: fixedClock(start), freshSeconds: 60 })
  const first = await files.read('list', () => pieces('text'))
  await rm(folder.path, { recursive: true })
  expect(await first.open('gzip')).toBeUndefined()
  files.forget('list')
  expect(await plainOf(await files.read('list', () => pieces('text')))).toBe('text')
})

test('no two texts are written at the same time', async () => {
  await using folder = await createTemporaryFolder()
  const files = createDiskCache({ directory: folder.path, clock: fixedClock(start), freshSeconds: 60 })
  let [now, most] = [0, 0]
  async function* counted() {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setTimeout(resolve, 5))
    yield 'text'
    now--
  }
  await Promise.all(['one', 'two', 'three'].map((name) => files.read(name, counted)))
  expect(most).toBe(1)
})
