/** Pictures of returned tires, for staff. */
import type { NamedFile } from '#domain/kernel/files/files.server.ts'
import type { Database } from '#platform/db.ts'
import { selectReturnPhotoKey } from './office-returns.sql.server.ts'

/** Finds a photo by number; undefined if it doesn't exist. */
export async function findReturnPhoto(
  { db }: { db: Database },
  photo: { returnId: number; no: number },
): Promise<NamedFile | undefined> {
  const key = await selectReturnPhotoKey(db, photo)
  return key === undefined ? undefined : { name: `return-${photo.returnId}-${photo.no}.webp`, key }
}
