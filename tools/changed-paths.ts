/** Reads from git which files of the project changed. */
import { execFileSync } from 'node:child_process'
import { project } from './package-program.ts'

/**
 * Returns the paths that changed since CHANGED_SINCE, which is by default the last commit pushed to main, or the one
 * before the current commit. Includes files that aren't committed. Returns null outside a repository or without history.
 */
export function readChangedPaths(
  { CHANGED_SINCE: given }: { CHANGED_SINCE?: string | undefined },
  root = project,
): string[] | null {
  const read = (...args: string[]) => git(args, root)
  const head = read('rev-parse', 'HEAD')?.[0]
  const pushed = read('merge-base', 'HEAD', 'origin/main')?.[0]
  const since = given || (pushed === head ? undefined : pushed) || 'HEAD~1'
  const changed = read('diff', '--name-only', '--no-renames', since)
  const added = read('ls-files', '-o', '--exclude-standard')
  return changed === null || added === null ? null : [...changed, ...added]
}

/** Returns the lines that git prints in a folder, or null if it fails. */
export function git(args: readonly string[], root = project): string[] | null {
  try {
    const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return output.split('\n').filter(Boolean)
  } catch {
    return null
  }
}
