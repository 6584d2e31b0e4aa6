import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listProjectFiles } from './project-files.ts'

const limit = 400
/** Written by a program. */
const generated = new Set(['db/types.ts', 'api/client/operations.ts'])
const reason = /over 400 lines: \S/

/**
 * Names every source file of more than 400 lines: it is rarely one thing. One that is says so in its first three lines, in a comment: over 400 lines: why.
 */
export async function checkLength(root: string): Promise<string[]> {
  const complaints: string[] = []
  for (const path of await listProjectFiles(root)) {
    if (!/\.(ts|tsx|mjs|css)$/.test(path) || generated.has(path)) continue
    const lines = (await readFile(join(root, path), 'utf8')).trimEnd().split('\n')
    if (lines.length > limit && !lines.slice(0, 3).some((line) => reason.test(line))) {
      complaints.push(`${path} has ${lines.length} lines. Split it where it is two things, or say in its first lines why it is one: “over 400 lines: …”.`)
    }
  }
  return complaints
}
