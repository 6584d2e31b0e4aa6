import { PlainError } from '#platform/plain-error.ts'

/** Runs a command's work. A `PlainError` ends the process with its one line and exit code 1; anything else keeps its stack. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof PlainError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
