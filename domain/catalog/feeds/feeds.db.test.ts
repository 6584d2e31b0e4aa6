/** Feeds that are written once and kept. */
import { gunzipSync } from 'node:zlib'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { eventually } from '#tests/support/eventually.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { askForFeed, goneAfterMinutes, listAskedFeeds, readFeed, writeFeed } from './feeds.server.ts'

async function* texts(...parts: string[]): AsyncGenerator<string> {
  yield* parts
}

/** A feed that blocks midway until released. */
function halted(first: string) {
  const { promise, resolve } = Promise.withResolvers<string>()
  async function* write(): AsyncGenerator<string> {
    yield first
    yield await promise
  }
  return { write, goOn: resolve }
}

/** Returns the id of the version in progress as soon as it exists. */
function begunIn(db: Database): Promise<number> {
  return eventually('a writer', async () => {
    const row = await db.selectFrom('feed_version').select('id').executeTakeFirst()
    return row?.id
  })
}

test('a feed is written by one at a time, sent when it is whole, and read in pieces', async () => {
  await using database = await createTestDatabase()
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt) }
  expect(await askForFeed(deps, 'products')).toBeUndefined()
  // Hardly compressible, so that it has several pieces.
  const [start, rest] = [randomBytes(400_000).toString('hex'), randomBytes(400_000).toString('hex')]
  const { write, goOn } = halted(start)
  const writing = writeFeed(deps, 'products', write)
  const begun = await begunIn(database.db)
  expect(await writeFeed(deps, 'products', () => texts('other'))).toMatchObject({ reason: 'being-written' })
  expect(must(await writeFeed(deps, 'regions', () => texts('regions')))).toMatchObject({
    bytes: expect.any(Number) as number,
  })
  expect(await askForFeed(deps, 'products')).toBeUndefined()
  goOn(rest)
  const kept = must(await writing)
  expect(kept.id).toBe(begun)
  expect(await askForFeed(deps, 'products')).toEqual(kept)
  const pieces = await Array.fromAsync(readFeed(deps, kept.id))
  expect(pieces.length).toBeGreaterThan(1)
  expect(Buffer.concat(pieces)).toHaveLength(kept.bytes)
  expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe(start + rest)
  expect(await listAskedFeeds(deps)).toEqual(['products'])
  const later = { ...deps, clock: fixedClock(smallDataMadeAt.add({ hours: 24 * 9 })) }
  expect(await listAskedFeeds(later)).toEqual([])
})

test('equal feeds have the same tag, the previous version is retained, and older ones are deleted', async () => {
  await using database = await createTestDatabase()
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt) }
  const write = async (text: string) => must(await writeFeed(deps, 'products', () => texts(text)))
  const first = await write('a')
  const same = await write('a')
  expect(same.etag).toBe(first.etag)
  const last = await write('b')
  expect(last.etag).not.toBe(first.etag)
  const left = await database.db.selectFrom('feed_version').select('id').orderBy('id').execute()
  expect(left.map(({ id }) => id)).toEqual([same.id, last.id])
  expect(await Array.fromAsync(readFeed(deps, first.id))).toEqual([])
})

test('a failing writer leaves no feed, and an exited one is abandoned', async () => {
  await using database = await createTestDatabase()
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt) }
  const failing = writeFeed(deps, 'products', async function* () {
    yield 'half'
    throw new Error('no catalog')
  })
  await expect(failing).rejects.toThrow('no catalog')
  expect(await database.db.selectFrom('feed_version').select('id').execute()).toEqual([])
  const { write, goOn } = halted('half')
  const gone = writeFeed(deps, 'products', write)
  await begunIn(database.db)
  const later = { ...deps, clock: fixedClock(smallDataMadeAt.add({ minutes: goneAfterMinutes + 1 })) }
  const kept = must(await writeFeed(later, 'products', () => texts('whole')))
  goOn('late')
  expect(await gone).toMatchObject({ reason: 'being-written' })
  expect(await askForFeed(later, 'products')).toEqual(kept)
})
