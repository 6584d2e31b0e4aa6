/** Queries for files, their locations, and pending external deletions. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { FilePlace } from './file-store.port.ts'

export type StoredFile = {
  key: string
  contentType: string
  size: number
  sha256: Buffer
  place: 'rows' | FilePlace
}

/** Stores files with their bytes in rows. */
export async function insertFiles(
  tx: Tx,
  files: readonly (Omit<StoredFile, 'place'> & { bytes: Buffer })[],
  at: Temporal.Instant,
): Promise<void> {
  await tx
    .insertInto('stored_file')
    .values(
      files.map(({ key, contentType, size, sha256 }) => ({
        key,
        content_type: contentType,
        size,
        sha256,
        place: 'rows',
        added_at: at,
      })),
    )
    .execute()
  await tx
    .insertInto('stored_file_bytes')
    .values(files.map(({ key, bytes }) => ({ key, bytes })))
    .execute()
}

/** A file, with its bytes if they are in rows; undefined if it is gone. */
export async function selectFile(
  db: Database,
  key: string,
): Promise<(StoredFile & { bytes: Buffer | null }) | undefined> {
  const row = await db
    .selectFrom('stored_file as file')
    .leftJoin('stored_file_bytes as held', 'held.key', 'file.key')
    .select(['file.key', 'file.content_type as contentType', 'file.size', 'file.sha256', 'file.place', 'held.bytes'])
    .where('file.key', '=', key)
    .executeTakeFirst()
  return row && { ...row, place: row.place as StoredFile['place'] }
}

/**
 * Records the destination of an upcoming write, so that its bytes are deleted if the move doesn't complete. Cancels an
 * earlier pending deletion there, after waiting for a sweep in progress.
 */
export async function updateGoingTo(db: Database, key: string, to: FilePlace): Promise<void> {
  await db
    .with('kept', (query) => query.deleteFrom('file_removal').where('key', '=', key).where('place', '=', to))
    .updateTable('stored_file')
    .set({ going_to: to })
    .where('key', '=', key)
    .execute()
}

/** Moves a file to where its bytes now are; false if it has left `from` or is gone. */
export async function updatePlace(
  tx: Tx,
  { key, from, to }: { key: string; from: StoredFile['place']; to: FilePlace },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('stored_file')
    .set({ place: to, going_to: null })
    .where('key', '=', key)
    .where('place', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await tx.deleteFrom('stored_file_bytes').where('key', '=', key).execute()
  return true
}

/** Has bytes in a place deleted by the next sweep after `due`. */
export async function insertRemoval(
  db: Database,
  { key, place, due }: { key: string; place: FilePlace; due: Temporal.Instant },
): Promise<void> {
  await db
    .insertInto('file_removal')
    .values({ key, place, due_at: due })
    .onConflict((conflict) => conflict.columns(['key', 'place']).doNothing())
    .execute()
}

/** Bytes to delete in these places, due first. */
export async function selectDueRemovals(
  db: Database,
  { now, places, limit }: { now: Temporal.Instant; places: readonly FilePlace[]; limit: number },
): Promise<{ key: string; place: FilePlace }[]> {
  if (places.length === 0) return []
  const rows = await db
    .selectFrom('file_removal')
    .select(['key', 'place'])
    .where('due_at', '<=', now)
    .where('place', 'in', places)
    .orderBy('due_at')
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, place: row.place as FilePlace }))
}

/**
 * Locks a removal until the transaction ends, which blocks files from moving there. Returns whether a file references
 * these bytes again; undefined if the removal doesn't exist.
 */
export async function lockRemoval(
  tx: Tx,
  { key, place }: { key: string; place: FilePlace },
): Promise<{ isNamed: boolean } | undefined> {
  const { rows } = await sql`
    select from file_removal where key = ${key}::uuid and place = ${place} for update`.execute(tx)
  if (rows.length === 0) return undefined
  // A separate query, so that it sees commits made while waiting for the lock.
  const named = await sql`
    select from stored_file where key = ${key}::uuid and ${place} in (place, going_to)`.execute(tx)
  return { isNamed: named.rows.length > 0 }
}

/** Deletes a removal after its bytes are deleted or referenced again. */
export async function deleteRemoval(db: Database, { key, place }: { key: string; place: FilePlace }): Promise<void> {
  await db.deleteFrom('file_removal').where('key', '=', key).where('place', '=', place).execute()
}

/** Up to `limit` keys of files in a place, after `after`. */
export async function selectKeysIn(
  db: Database,
  { place, after, limit }: { place: StoredFile['place']; after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_file')
    .select('key')
    .where('place', '=', place)
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}

/** How many files are in each place, and how many bytes they have. */
export async function countPlaces(db: Database): Promise<{ place: string; files: number; bytes: number }[]> {
  const { rows } = await sql<{ place: string; files: number; bytes: number }>`
    select place, count(*)::int as files, sum(size)::float8 as bytes from stored_file group by place order by place`.execute(
    db,
  )
  return rows
}
