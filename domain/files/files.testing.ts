/** For tests in which no file is taken anywhere: all are in rows. */
import type { Files } from './file-store.port.ts'

export const filesInRows: Files = { kind: 'folder', stores: {} }
