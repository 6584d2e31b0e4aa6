import { userInfo } from 'node:os'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { visibleText } from '#platform/plain-text.ts'
import { PlainError } from '#platform/plain-error.ts'
import { countOf } from '#platform/count-text.ts'

/**
 * Runs a command. A `PlainError` ends the process with its one-line message and exit code 1; any other error prints its
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

/** Prints for staff, with control characters in user text made visible so that they cannot affect the terminal. */
export function print(text: string): void {
  console.log(visibleText(text))
}

/** Prints open entries, one per line, and their number. */
export function printOpen(lines: readonly string[]): void {
  for (const line of lines) print(line)
  print(lines.length === 0 ? 'No open requests.' : `${countOf(lines.length, 'is open', 'are open')}.`)
}

/** Indents multi-line user text by two spaces, so that no line passes for our own output. */
export function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}

/** Returns the actor for the audit log. It is the user running the command. */
export function commandActor(): Actor {
  return { via: 'command line', name: userInfo().username }
}
