/** Uploaded supplier files, in parts small enough to be sent and read one by one. */
import type { Database, Tx } from '#platform/db.ts'

type Upload = { id: string; runId: number | null; fileName: string; sha256: string | null; sentBy: string }

/** Returns false if the form has sent its file before. */
export async function insertUpload(
  db: Database,
  upload: { id: string; fileName: string; sentBy: string; sentAt: Temporal.Instant },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('import_upload')
    .values({ id: upload.id, file_name: upload.fileName, sent_by: upload.sentBy, sent_at: upload.sentAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export async function insertPart(db: Database, part: { uploadId: string; no: number; bytes: Buffer }): Promise<void> {
  await db
    .insertInto('import_upload_part')
    .values({ upload_id: part.uploadId, no: part.no, bytes: part.bytes })
    .execute()
}

/** The whole file has arrived. */
export async function completeUpload(db: Database, id: string, sha256: string): Promise<void> {
  await db.updateTable('import_upload').set({ file_sha256: sha256 }).where('id', '=', id).execute()
}

/** Deletes a file that did not arrive whole. */
export async function deleteUpload(db: Database, id: string): Promise<void> {
  await db.deleteFrom('import_upload').where('id', '=', id).where('run_id', 'is', null).execute()
}

/** Deletes files from before `before` that started no run. */
export async function deleteUnusedUploads(db: Database, before: Temporal.Instant): Promise<void> {
  await db.deleteFrom('import_upload').where('run_id', 'is', null).where('sent_at', '<', before).execute()
}

/** Deletes the bytes of files with runs that were refused before `before`. */
export async function deleteRefusedParts(db: Database, before: Temporal.Instant): Promise<void> {
  await db
    .deleteFrom('import_upload_part')
    .where('upload_id', 'in', (from) =>
      from
        .selectFrom('import_upload')
        .innerJoin('import_run', 'import_run.id', 'run_id')
        .select('import_upload.id')
        .where('state', '=', 'refused')
        .where('finished_at', '<', before),
    )
    .execute()
}

/** Returns whether the bytes of a run's file are still stored. */
export async function hasParts(db: Database | Tx, runId: number): Promise<boolean> {
  const part = await db
    .selectFrom('import_upload_part')
    .innerJoin('import_upload', 'import_upload.id', 'upload_id')
    .select('no')
    .where('run_id', '=', runId)
    .limit(1)
    .executeTakeFirst()
  return part !== undefined
}

export function selectUpload(db: Database | Tx, id: string): Promise<Upload | undefined> {
  return uploadOf(db, id).executeTakeFirst()
}

export function lockUpload(tx: Tx, id: string): Promise<Upload | undefined> {
  return uploadOf(tx, id).forUpdate().executeTakeFirst()
}

function uploadOf(db: Database | Tx, id: string) {
  return db
    .selectFrom('import_upload')
    .select(['id', 'run_id as runId', 'file_name as fileName', 'file_sha256 as sha256', 'sent_by as sentBy'])
    .where('id', '=', id)
}

export async function setRunOfUpload(tx: Tx, id: string, runId: number): Promise<void> {
  await tx.updateTable('import_upload').set({ run_id: runId }).where('id', '=', id).execute()
}

/** Reads the bytes of a run's file, or of a file without a run. */
export async function* readParts(
  db: Database | Tx,
  of: { runId: number } | { uploadId: string },
): AsyncGenerator<Buffer> {
  for (let no = 0; ; no++) {
    const part = await db
      .selectFrom('import_upload_part')
      .innerJoin('import_upload', 'import_upload.id', 'upload_id')
      .select('bytes')
      .$call((query) =>
        'runId' in of ? query.where('run_id', '=', of.runId) : query.where('upload_id', '=', of.uploadId),
      )
      .where('no', '=', no)
      .executeTakeFirst()
    if (!part) return
    yield part.bytes
  }
}

/** Deletes the bytes of a run's file; that it was sent stays known. */
export async function deleteParts(tx: Tx, runId: number): Promise<void> {
  await tx
    .deleteFrom('import_upload_part')
    .where('upload_id', 'in', tx.selectFrom('import_upload').select('id').where('run_id', '=', runId))
    .execute()
}
