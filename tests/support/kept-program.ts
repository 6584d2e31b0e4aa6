/**
 * Runs one of the store's programs in this process repeatedly. Each time, the parent sends an environment and later
 * stops it. Only loaded modules and compiled code remain between runs, which saves seconds of CPU time per process.
 */
import type { Program, StartProgram } from '#platform/program.ts'

const [path = ''] = process.argv.slice(2)
let program: Program | undefined

// Supervised processes unref their channel, but this one stays alive for its parent's messages.
process.channel?.ref()
process.on('message', (message) => {
  void obey(message as { start: Record<string, string> } | 'stop').catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  })
})
// The parent is gone.
process.once('disconnect', () => process.exit())
process.once('SIGTERM', () => {
  void program?.stop()
  // Only handles left open by the program keep the process alive.
  process.channel?.unref()
})

async function obey(message: { start: Record<string, string> } | 'stop'): Promise<void> {
  if (message === 'stop') {
    await program?.stop()
    program = undefined
    process.send?.({ type: 'stopped' })
    return
  }
  const { startProgram } = (await import(path)) as { startProgram: StartProgram }
  program = await startProgram(message.start)
  process.send?.({ type: 'ready' })
}
