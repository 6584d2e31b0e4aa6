/** Finds a function's callers, for tests that restrict them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { project } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

const folders = ['domain/', 'app/', 'api/', 'ucp/', 'mcp/', 'cxml/', 'worker', 'tools/']

/** Reads the source files that run, without tests. */
export async function sources(): Promise<{ file: string; text: string }[]> {
  const files = (await listProjectFiles(project)).filter(
    (file) =>
      folders.some((folder) => file.startsWith(folder)) && /\.tsx?$/.test(file) && !/\.(test|testing)\./.test(file),
  )
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(join(project, file), 'utf8') })))
}

/** The files that call a function, other than the one that defines it for itself. */
export function callersOf(name: string, all: readonly { file: string; text: string }[]): string[] {
  const call = new RegExp(`(?<!function )\\b${name}\\(`)
  return all.filter(({ text }) => call.test(text)).map(({ file }) => file)
}
