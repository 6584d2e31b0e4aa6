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
 * Returns a file's bytes, checked against the original hash; undefined if it was deleted. The caller must have read the
 * key from a row visible to the reader. Throws if the bytes are missing or don't match.
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

/** The lifetime of a file's signed URL, enough for a page to load it but short enough to make copies useless. */
export const signedForSeconds = 60

/**
 * Returns an authorized viewer's access to a file, as a short-lived signed URL if the store supports it, or otherwise
 * its bytes, read and checked as in `readFile`. `disposition` returns the content disposition for a type (RFC 6266).
 * Undefined if it was deleted.
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

/** Moves a file to the current store. No effect if already moved or deleted. */
export async function placeFile(deps: Deps & { clock: Clock }, key: string): Promise<void> {
  await moveFile(deps, key, deps.files.kind)
}

/** The result of moving a file. `missing` means that its bytes are gone, `changed` that they differ. */
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
  // Deleted or moved by another process since, so the sweep checks whether these bytes are still referenced.
  if (!isMoved) await insertRemoval(db, { key, place: to, due: clock.now() })
  return { what: isMoved ? 'moved' : 'gone', size }
}

/** What a run of `moveFiles` did. */
export type MoveReport = Record<Moved, string[]> & { bytes: number }

/**
 * Moves every file from one location to another. Each is written, read back, and compared with the original hash before
 * its new location is used. Can be interrupted and resumed.
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

/** Deletes unreferenced external bytes that are due, and leftovers of interrupted writes; returns how many. */
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

/**
 * Deletes while holding the removal's lock. A concurrent move of a file to that name is blocked, and writes the file
 * afterward.
 */
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
