/**
 * Runs one program of the store in this process, again and again: each time its parent sends an environment, until the
 * parent says stop. Nothing of a run is left but loaded modules and compiled code, which take seconds of processor time
 * to get in a new process.
 */
import type { Program, StartProgram } from '#platform/program.ts'

const [path = ''] = process.argv.slice(2)
let program: Program | undefined

// Every supervised process lets go of its channel; this one waits for its parent's words.
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
  // Nothing but what the program left open keeps the process alive.
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
