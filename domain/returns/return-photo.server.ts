/** Pictures of returned tires, for staff. */
import type { Files } from '#domain/files/file-store.port.ts'
import { readFile } from '#domain/files/files.server.ts'
import type { Database } from '#platform/db.ts'
import { selectReturnPhotoKey } from './office-returns.sql.server.ts'

/** The bytes of a picture, as WebP; undefined if there is none of this number. */
export async function findReturnPhoto(
  deps: { db: Database; files: Files },
  photo: { returnId: number; no: number },
): Promise<Buffer | undefined> {
  const key = await selectReturnPhotoKey(deps.db, photo)
  return key === undefined ? undefined : (await readFile(deps, key))?.bytes
}
