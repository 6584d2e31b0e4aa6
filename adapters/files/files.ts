/** The file stores named in the configuration. */
import type { Files } from '#domain/kernel/files/file-store.port.ts'
import type { FileConfig } from '#platform/file-variables.ts'
import { createFolderStore } from './folder.ts'
import { createS3Store } from './s3.ts'

/** New files go to `kind`; those in the other place are given out too, as long as it is configured. */
export function openFiles({ kind, folder, s3 }: FileConfig): Files {
  return { kind, stores: { folder: createFolderStore(folder), ...(s3 && { s3: createS3Store(s3) }) } }
}
