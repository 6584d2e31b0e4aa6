/** For tests without external storage, where all files are in database rows. */
import type { Files } from './file-store.port.ts'

export const filesInRows: Files = { kind: 'folder', stores: {} }
