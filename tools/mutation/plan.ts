/** The files through which the command and the test process communicate. */
import { readFileSync } from 'node:fs'

/** The mutated copies by file path, relative to the project. */
export type Plan = { readonly files: Readonly<Record<string, string>> }

/** A line of the results. */
export type Noted =
  | { readonly reached: number }
  | { readonly killed: number; readonly by: string; readonly how: 'failed' | 'hung' }
  | { readonly survived: number; readonly by: string }
  | { readonly spoiledBy: number }

export function readNoted(path: string): Noted[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Noted)
}
