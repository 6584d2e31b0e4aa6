/**
 * Files that people send. One is stored with the row that names it, in that row's transaction, so that neither is there
 * without the other. A job then takes its bytes to the folder or bucket. Deleting the row, in whatever way, deletes the
 * file; a sweep deletes the bytes outside.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { enqueueAll } from '#platform/jobs.ts'
import type { FilePlace, Files } from './file-store.port.ts'
import {
  countPlaces,
  deleteRemoval,
  insertFiles,
  insertRemoval,
  lockRemoval,
  selectDueRemovals,
  selectFile,
  selectKeysIn,
  updateGoingTo,
  updatePlace,
  type StoredFile,
} from './files.sql.server.ts'

export { readAttachment, readPicture, type Attachment, type FileRefusal } from './attachment.server.ts'

type Deps = { db: Database; files: Files }
/** With its bytes if they are in rows. */
type FoundFile = StoredFile & { bytes: Buffer | null }
type Content = { contentType: string; bytes: Uint8Array }

/** Stores a file of at most 1 MB and returns the key that its row names it by. */
export async function storeFile(tx: Tx, file: Content, at: Temporal.Instant): Promise<string> {
  const [key] = await storeFiles(tx, [file], at)
  if (key === undefined) throw new Error('A file was stored without a key.')
  return key
}

/** Stores several, and returns their keys in the same order. */
export async function storeFiles(tx: Tx, files: readonly Content[], at: Temporal.Instant): Promise<string[]> {
  if (files.length === 0) return []
  const made = files.map(({ contentType, bytes }) => ({
    key: newId(),
    contentType,
    size: bytes.length,
    sha256: hashOf(bytes),
    bytes: Buffer.from(bytes),
  }))
  await insertFiles(tx, made, at)
  await enqueueAll(
    tx,
    made.map(({ key }) => ({ name: 'place-file', payload: { key }, key: `place-file:${key}` })),
  )
  return made.map(({ key }) => key)
}

/**
 * The bytes of a file, checked against the hash of what was sent; undefined if it is gone. Whoever calls has read the key
 * from a row that the reader may see. Throws when the bytes are not there or are not those that were sent.
 */
export async function readFile(deps: Deps, key: string): Promise<{ contentType: string; bytes: Buffer } | undefined> {
  const file = await selectFile(deps.db, key)
  return file && readFound(deps, file)
}

async function readFound(deps: Deps, file: FoundFile): Promise<{ contentType: string; bytes: Buffer } | undefined> {
  const { key, contentType } = file
  const bytes = await bytesOf(deps, file)
  if (bytes) return { contentType, bytes }
  // It was taken elsewhere between the two reads, and that does not happen twice in a row.
  const again = await selectFile(deps.db, key)
  if (!again) return undefined
  const found = await bytesOf(deps, again)
  if (!found) throw new Error(`File ${key} is not in its place (${again.place}).`)
  return { contentType, bytes: found }
}

/** A file as the row that names it does. */
export type NamedFile = { name: string; key: string }

/** For how long an address of a file is good: a page that shows it has loaded by then, and a copy of it is worth little. */
export const signedForSeconds = 60

/**
 * How a file is given to someone who may see it: by an address of its place that is good for a minute, where places give
 * such, or by its bytes, read and checked as `readFile` does. `disposition` returns, by its type, what the answer says of it (RFC 6266).
 * Undefined if it is gone.
 */
export async function handOutFile(
  deps: Deps,
  key: string,
  disposition: (contentType: string) => string,
): Promise<{ address: URL } | { contentType: string; bytes: Buffer } | undefined> {
  const file = await selectFile(deps.db, key)
  if (!file) return undefined
  const { contentType, place } = file
  const address =
    place === 'rows'
      ? undefined
      : await storeIn(deps.files, place).sign?.(key, {
          seconds: signedForSeconds,
          contentType,
          disposition: disposition(contentType),
        })
  return address ? { address } : readFound(deps, file)
}

async function bytesOf(
  { files }: Pick<Deps, 'files'>,
  { key, place, size, sha256, bytes }: FoundFile,
): Promise<Buffer | undefined> {
  const found = place === 'rows' ? bytes : await storeIn(files, place).read(key, size)
  if (!found) return undefined
  if (!hashOf(found).equals(sha256)) throw new Error(`File ${key} in ${place} doesn’t match the uploaded file.`)
  return Buffer.from(found)
}

/** Takes a file to where new ones are kept; again, or after it is deleted, it does nothing. */
export async function placeFile(deps: Deps & { clock: Clock }, key: string): Promise<void> {
  await moveFile(deps, key, deps.files.kind)
}

/** What became of a file that was to move: `missing` has no bytes where it should, `changed` has others. */
export type Moved = 'moved' | 'there-already' | 'gone' | 'missing' | 'changed'

async function moveFile(
  { db, files, clock }: Deps & { clock: Clock },
  key: string,
  to: FilePlace,
): Promise<{ what: Moved; size: number }> {
  const file = await selectFile(db, key)
  if (!file) return { what: 'gone', size: 0 }
  const { place: from, size, sha256 } = file
  if (from === to) return { what: 'there-already', size }
  const bytes = from === 'rows' ? file.bytes : await storeIn(files, from).read(key, size)
  if (!bytes) return { what: 'missing', size }
  if (!hashOf(bytes).equals(sha256)) return { what: 'changed', size }
  await updateGoingTo(db, key, to)
  await storeIn(files, to).put(key, bytes, file.contentType)
  const written = await storeIn(files, to).read(key, size)
  if (!written || !hashOf(written).equals(sha256)) throw new Error(`File ${key} wasn’t stored by ${to} unchanged.`)
  const isMoved = await db.transaction().execute(async (tx) => {
    if (!(await updatePlace(tx, { key, from, to }))) return false
    if (from !== 'rows') await insertRemoval(tx, { key, place: from, due: clock.now() })
    return true
  })
  // Deleted or moved by another meanwhile: the sweep looks whether these bytes are still named.
  if (!isMoved) await insertRemoval(db, { key, place: to, due: clock.now() })
  return { what: isMoved ? 'moved' : 'gone', size }
}

/** What a run of `moveFiles` did. */
export type MoveReport = Record<Moved, string[]> & { bytes: number }

/**
 * Moves every file from one place to another: each is written, read back, compared with the hash of what was sent, and
 * only then looked for in its new place. Stopped and run again, it goes on with those that are left.
 */
export async function moveFiles(
  deps: Deps & { clock: Clock },
  { from, to }: { from: 'rows' | FilePlace; to: FilePlace },
  told: (report: MoveReport) => void = () => {},
): Promise<MoveReport> {
  const report: MoveReport = { moved: [], 'there-already': [], gone: [], missing: [], changed: [], bytes: 0 }
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const keys = await selectKeysIn(deps.db, { place: from, after, limit: 100 })
    for (const key of keys) {
      const { what, size } = await moveFile(deps, key, to)
      report[what].push(key)
      if (what === 'moved') report.bytes += size
    }
    told(report)
    const last = keys.at(-1)
    if (last === undefined) return report
    after = last
  }
}

/** How many files are in each place, and how many bytes they have. */
export function listFilePlaces({ db }: Pick<Deps, 'db'>): Promise<{ place: string; files: number; bytes: number }[]> {
  return countPlaces(db)
}

/** A write that is older than this was cut off. */
const longestWrite = { hours: 1 }

/** Deletes the bytes outside that nothing names any more and are due, and what cut-off writes left; returns how many. */
export async function sweepFiles({ db, files, clock }: Deps & { clock: Clock }): Promise<number> {
  const now = clock.now()
  const places = Object.keys(files.stores) as FilePlace[]
  let swept = 0
  for (;;) {
    const due = await selectDueRemovals(db, { now, places, limit: 500 })
    if (due.length === 0) break
    for (const removal of due) if (await removeOne({ db, files }, removal)) swept += 1
  }
  for (const store of Object.values(files.stores)) swept += await store.clear(now.subtract(longestWrite))
  return swept
}

/** Deletes under the lock of the removal: a file that moves there at the same time waits, and is written after. */
function removeOne({ db, files }: Deps, removal: { key: string; place: FilePlace }): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockRemoval(tx, removal)
    if (!locked) return false
    if (!locked.isNamed) await storeIn(files, removal.place).remove(removal.key)
    await deleteRemoval(tx, removal)
    return !locked.isNamed
  })
}

function storeIn({ stores }: Files, place: FilePlace) {
  const store = stores[place]
  if (!store) throw new Error(`Files are in ${place}, which the settings do not name.`)
  return store
}

function hashOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
