/** A drill's backup repository. It is a bucket, or a folder if there is no bucket. */
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runPart, type Parts } from './debian-parts.ts'

export type Repository = AsyncDisposable & {
  /** pgBackRest's environment variables, including its key. */
  env: Readonly<Record<string, string>>
  /** Flips a bit in the middle of the largest file with a matching path. Returns a function that restores it. */
  damage(file: RegExp): Promise<() => Promise<void>>
  /** Makes it unreachable during `work`. */
  whileAway(work: () => Promise<void>): Promise<void>
}

/** Creates an empty repository in the drill's folder, instead of the bucket in pgbackrest.conf. */
export async function createFolder(parts: Parts): Promise<Repository> {
  const folder = join(parts.folder, 'repository')
  await runPart(parts, { program: 'mkdir', args: [`${parts.inside}/repository`] })
  return {
    env: {
      PGBACKREST_REPO1_TYPE: 'posix',
      PGBACKREST_REPO1_PATH: `${parts.inside}/repository`,
      PGBACKREST_REPO1_CIPHER_PASS: 'a key of the drill',
    },
    async damage(file) {
      const path = await largestFile(folder, file)
      const whole = await readFile(path)
      await writeFile(path, withOneBitChanged(whole))
      return () => writeFile(path, whole)
    },
    async whileAway(work) {
      await rename(folder, `${folder}-away`)
      try {
        await work()
      } finally {
        await rename(`${folder}-away`, folder)
      }
    },
    // Deleted with the drill's folder.
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

export function withOneBitChanged(whole: Uint8Array): Uint8Array {
  const damaged = Uint8Array.from(whole)
  const middle = whole.length >> 1
  damaged[middle] = (damaged[middle] ?? 0) ^ 1
  return damaged
}

async function largestFile(folder: string, matching: RegExp): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sized = await Promise.all(
    paths.filter((path) => matching.test(path)).map(async (path) => ({ path, size: (await stat(path)).size })),
  )
  const [largest] = sized.toSorted((a, b) => b.size - a.size)
  if (!largest) throw new Error(`No file of the repository matches ${String(matching)}.`)
  return largest.path
}
