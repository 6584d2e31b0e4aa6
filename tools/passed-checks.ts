/** Remembers which checks passed on which state of the project, so that an unchanged tree isn't checked twice. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder } from './cache-folder.ts'
import { listProjectFiles } from './project-files.ts'

const maxStates = 20

/**
 * Reads the names of the checks that passed on these files and this Node. `add` records another one. Where the cache
 * can't be written, checks run every time.
 */
export async function readPassedChecks(
  root: string,
  folder = join(cacheFolder(), 'checks'),
): Promise<{ has(name: string): boolean; add(name: string): Promise<void> }> {
  const hash = createHash('sha256').update(process.version)
  for (const path of await listProjectFiles(root)) {
    hash.update(`\0${path}\0`)
    hash.update(
      createHash('sha256')
        .update(await readFile(join(root, path)))
        .digest(),
    )
  }
  const file = join(folder, hash.digest('hex').slice(0, 24))
  const names = new Set((await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean))
  return {
    has: (name) => names.has(name),
    async add(name) {
      names.add(name)
      await write(folder, file, [...names]).catch(() => {})
    },
  }
}

async function write(folder: string, file: string, names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(file, names.join('\n'))
  const states = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  )
  const old = states.toSorted((a, b) => b.at - a.at).slice(maxStates)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}
