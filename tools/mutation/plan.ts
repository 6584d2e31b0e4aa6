/** The files through which the command and the test process communicate. */
import { readFileSync } from 'node:fs'

/**
 * The mutated copies by file path, relative to the project. A mutant killed by one of the `rotating` test files is still
 * tried with other files: in most runs of `npm test` that file is left out.
 */
export type Plan = { readonly files: Readonly<Record<string, string>>; readonly rotating: readonly string[] }

/** A line of the results. */
export type Noted =
  | { readonly reached: number }
  | { readonly killed: number; readonly file: string; readonly by: string; readonly how: 'failed' | 'hung' }
  | { readonly survived: number; readonly by: string }
  | { readonly spoiledBy: number }
  /** A test that fails without a mutant. */
  | { readonly failed: string }

export function readPlan(): Plan {
  return JSON.parse(readFileSync(process.env.MUTATION_PLAN ?? '', 'utf8')) as Plan
}

export function readNoted(path: string): Noted[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Noted)
}
