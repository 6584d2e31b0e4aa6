import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PlainError } from '#platform/plain-error.ts'

/**
 * Creates the folder at this absolute path if it is missing, and writes a file to it and deletes it again. Throws a
 * `PlainError` that names the folder and the system's error code if it cannot be used.
 */
export async function requireWritableFolder(folder: string): Promise<void> {
  const probe = join(folder, `.writable-${process.pid}`)
  try {
    await makeFolder(folder)
    // Permission checks aren't sufficient because root passes all of them, even on read-only and virtual file systems.
    await writeFile(probe, '')
    await rm(probe)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new PlainError(`The folder ${folder} cannot be written to (${code}). Set DATA_DIR to one that can.`)
  }
}

/** Unlike Node's recursive `mkdir`, this ends where an existing parent answers ENOENT, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = []
  for (let path = folder; !(await isFolder(path)); path = dirname(path)) missing.unshift(path)
  for (const path of missing)
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      // Another process may have made it.
      if (error.code !== 'EEXIST') throw error
    })
}

/** Whether a folder is there. Throws ENOTDIR for anything else at this path. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return false
  if (found.isDirectory()) return true
  throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' })
}
