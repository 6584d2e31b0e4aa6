/** Which unit tests look at dates or times, and so must hold in whatever zone the process runs. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

const dated = /\bTemporal\b|\bDate\b|\btoLocale|\bIntl\./
const imported = /from '([#.][^']+)'/g

/** Returns the `files` that use dates or import one of our files that does. Paths are within `root`. */
export async function datedTests(root: string, files: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8')
      const near = [...text.matchAll(imported)].map(([, path = '']) =>
        path.startsWith('#') ? path.slice(1) : normalize(join(dirname(file), path)),
      )
      const texts = await Promise.all(
        near.filter((path) => existsSync(join(root, path))).map((path) => readFile(join(root, path), 'utf8')),
      )
      return [text, ...texts].some((each) => dated.test(each)) ? [file] : []
    }),
  )
  return answers.flat()
}
