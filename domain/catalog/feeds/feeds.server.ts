/**
 * Prebuilt feeds, written completely, stored by version, and streamed in pieces, so that a feed is never fully in
 * memory.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import {
  deleteVersion,
  finishVersion,
  insertPiece,
  insertVersion,
  selectAsked,
  selectFeed,
  selectPiece,
  upsertAsk,
  type KeptFeed,
} from './feeds.sql.server.ts'

export type { KeptFeed } from './feeds.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** How long a writer may be inactive before another one starts over. */
export const goneAfterMinutes = 15
/** A feed without requests in this many days is no longer built at night. */
const askedWithinDays = 7
const pieceBytes = 256 * 1024

/** Returns a feed's current version, or undefined before the first one, and records the request date. */
export async function askForFeed({ db, clock }: Deps, name: string): Promise<KeptFeed | undefined> {
  const [kept] = await Promise.all([selectFeed(db, name), upsertAsk(db, name, storeDay(clock.now()))])
  return kept
}

/** Lists recently requested feeds. */
export function listAskedFeeds({ db, clock }: Deps): Promise<string[]> {
  return selectAsked(db, storeDay(clock.now()).subtract({ days: askedWithinDays }))
}

/**
 * Writes a feed version and serves it once it is complete. Refuses `being-written` while another process does. Rethrows
 * errors from `write` and then discards the version.
 */
export async function writeFeed(
  { db, clock }: Deps,
  name: string,
  write: () => AsyncIterable<string>,
): Promise<Outcome<KeptFeed, Refused<'being-written'>>> {
  const began = clock.now()
  const id = await insertVersion(db, { name, at: began, goneBefore: began.subtract({ minutes: goneAfterMinutes }) })
  if (id === undefined) return refused('being-written')
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const text of write()) {
      hash.update(text)
      yield text
    }
  }
  try {
    let [no, bytes] = [0, 0]
    const source = Readable.from(hashed())
    const packed = createGzip({ level: 6 })
    source.on('error', (error) => packed.destroy(error))
    for await (const gzip of piecesOf(source.pipe(packed))) {
      if (!(await insertPiece(db, { id, no, gzip, at: clock.now() }))) return refused('being-written')
      no += 1
      bytes += gzip.length
    }
    const etag = hash.digest('base64url').slice(0, 22)
    const kept = await finishVersion(db, { id, name, etag, bytes, at: clock.now() })
    return kept ? ok(kept) : refused('being-written')
  } catch (error) {
    await deleteVersion(db, id)
    throw error
  }
}

async function* piecesOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for await (const part of stream) {
    if (!Buffer.isBuffer(part)) continue
    parts.push(part)
    length += part.length
    if (length < pieceBytes) continue
    yield Buffer.concat(parts)
    parts = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(parts)
}

/** Yields the compressed text of a version. */
export async function* readFeed({ db }: Pick<Deps, 'db'>, id: number): AsyncGenerator<Buffer> {
  for (let no = 0; ; no += 1) {
    const gzip = await selectPiece(db, id, no)
    if (!gzip) return
    yield gzip
  }
}
