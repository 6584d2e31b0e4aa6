import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Folders that are installed, generated or local to a machine. */
const foreign = new Set(['node_modules', 'build', 'coverage', 'test-results', '.git', '.data', '.react-router'])

/** The project's own files under `root`, as relative paths with forward slashes, sorted by name. */
export async function listProjectFiles(root: string): Promise<string[]> {
  const paths: string[] = []
  await walk(root)
  return paths.sort()

  async function walk(folder: string): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (foreign.has(entry.name)) continue
      if (entry.isDirectory()) await walk(path)
      else if (entry.isFile()) paths.push(relative(root, path).replaceAll('\\', '/'))
    }
  }
}
