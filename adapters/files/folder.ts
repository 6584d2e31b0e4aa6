/** Files in a folder, which every process of the store sees. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore } from '#domain/kernel/files/file-store.port.ts'
import { isId } from '#platform/ids.ts'

/**
 * A store in `folder`, made where it is missing. Bytes are written to `incoming`, synced to the disk and renamed, so
 * that a file is whole or not there. Throws for a key that is no UUID.
 */
export function createFolderStore(folder: string): FileStore {
  const incoming = join(folder, 'incoming')
  return {
    async put(key, bytes) {
      const path = pathOf(folder, key)
      const draft = join(incoming, randomUUID())
      await Promise.all([mkdir(incoming, { recursive: true, mode: 0o700 }), makeFolder(dirname(path))])
      try {
        const file = await open(draft, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      await syncFolder(dirname(path))
    },
    async read(key, most) {
      try {
        await using file = await open(pathOf(folder, key))
        const { size } = await file.stat()
        if (size > most) throw new Error(`File ${key} has ${size} bytes, more than ${most}.`)
        return await file.readFile()
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async remove(key) {
      await rm(pathOf(folder, key), { force: true })
    },
    async clear(before) {
      const drafts = await readdir(incoming).catch((error: unknown) => {
        if (isMissing(error)) return []
        throw error
      })
      let cleared = 0
      for (const draft of drafts) {
        const path = join(incoming, draft)
        const about = await stat(path).catch(() => undefined)
        if (!about || about.mtimeMs >= before.epochMilliseconds) continue
        await rm(path, { force: true })
        cleared += 1
      }
      return cleared
    },
  }
}

/** Uses two digits of the key as a folder so that no folder has too many entries. */
function pathOf(folder: string, key: string): string {
  if (!isId(key)) throw new Error('A key of a file is a UUID.')
  const name = key.toLowerCase()
  return join(folder, name.slice(0, 2), name)
}

/** A new folder is there after a crash only if its parent is synced too. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncFolder(dirname(made))
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
