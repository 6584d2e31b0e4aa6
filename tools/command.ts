import { visibleText } from '#platform/plain-text.ts'
import { PlainError } from '#platform/plain-error.ts'

/**
 * Runs a command's work. A `PlainError` ends the process with its one line and exit code 1; anything else keeps its
 * stack.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof PlainError)) throw error
    console.error(visibleText(error.message))
    process.exitCode = 1
  }
}

/** Prints for staff. What a stranger wrote may be in it, and steers no terminal. */
export function print(text: string): void {
  console.log(visibleText(text))
}

/** What somebody wrote in several lines, two spaces in: none of them passes for a line of ours. */
export function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
