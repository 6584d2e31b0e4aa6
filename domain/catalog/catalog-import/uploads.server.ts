/** Receives supplier files from the office, holding one part of a file in memory at a time. */
import { createHash } from 'node:crypto'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { maxUploadBytes } from './catalog-import.ts'
import {
  completeUpload,
  deleteRefusedParts,
  deleteUnusedUploads,
  deleteUpload,
  insertPart,
  insertUpload,
  selectUpload,
} from './uploads.sql.server.ts'

const partBytes = 256 * 1024
/** Hours until a file is deleted if its form wasn't submitted. */
const unusedHours = 24
/** Days until the file of a refused import is deleted. */
const refusedDays = 7

/**
 * Streams a file into storage under `id`, which the form generated. A duplicate upload under the same id is ignored.
 * Refuses empty files and those over `maxUploadBytes`, and discards interrupted uploads.
 */
export async function storeUpload(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  { id, fileName, bytes }: { id: string; fileName: string; bytes: AsyncIterable<Uint8Array> },
): Promise<Outcome<null, Refused<'too-large'> | Refused<'empty'>>> {
  const sentAt = clock.now()
  await deleteUnusedUploads(db, sentAt.subtract({ hours: unusedHours }))
  await deleteRefusedParts(db, sentAt.subtract({ hours: 24 * refusedDays }))
  if (!(await insertUpload(db, { id, fileName: plainFileName(fileName), sentBy: by.name, sentAt }))) return ok(null)
  try {
    const stored = await storeParts(db, id, bytes)
    if (stored.ok) await completeUpload(db, id, stored.value)
    else await deleteUpload(db, id)
    return stored.ok ? ok(null) : stored
  } catch (error) {
    await deleteUpload(db, id)
    throw error
  }
}

/** Returns the SHA-256 of a file that has arrived, as hex; null for any other. */
export async function findUploadDigest({ db }: { db: Database }, id: string): Promise<string | null> {
  return (await selectUpload(db, id))?.sha256 ?? null
}

/** Deletes a file that starts no run. */
export function discardUpload({ db }: { db: Database }, id: string): Promise<void> {
  return deleteUpload(db, id)
}

async function storeParts(
  db: Database,
  uploadId: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Outcome<string, Refused<'too-large'> | Refused<'empty'>>> {
  const hash = createHash('sha256')
  let [no, total] = [0, 0]
  let waiting: Buffer = Buffer.alloc(0)
  for await (const piece of bytes) {
    total += piece.length
    if (total > maxUploadBytes) return refused('too-large')
    hash.update(piece)
    waiting = Buffer.concat([waiting, piece])
    for (; waiting.length >= partBytes; waiting = waiting.subarray(partBytes))
      await insertPart(db, { uploadId, no: no++, bytes: waiting.subarray(0, partBytes) })
  }
  if (total === 0) return refused('empty')
  if (waiting.length > 0) await insertPart(db, { uploadId, no, bytes: waiting })
  return ok(hash.digest('hex'))
}

/** Without folders and odd characters, as it is shown and searched for. */
function plainFileName(name: string): string {
  const plain = (name.split(/[/\\]/).at(-1) ?? '').replaceAll(/[^\p{L}\p{N} _.()-]/gu, '').trim()
  return plain.slice(0, 120) || 'feed.csv'
}
