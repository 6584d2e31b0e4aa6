import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from './postgres.ts'

const pause = 1_000

/**
 * Starts PostgreSQL over the folder, and restarts it at the same address whenever it ends, until stopped. Reports
 * restarts to `say`.
 */
export async function keepPostgres(
  dataDir: string,
  say: (line: string) => void,
): Promise<{ url: string; folder: string; stop(): Promise<void> }> {
  const first = await startPostgres({ dataDir })
  const port = Number(new URL(first.url).port)
  let running: typeof first | undefined = first
  let isStopping = false
  const watching = keepRunning()
  return {
    url: first.url,
    folder: first.folder,
    async stop() {
      isStopping = true
      await running?.stop()
      await watching
    },
  }

  async function keepRunning(): Promise<void> {
    for (;;) {
      await running?.exited
      running = undefined
      if (isStopping) return
      say('The database ended by itself; it is started again.')
      running = await startPostgres({ dataDir, port }).catch(async (error: Error) => {
        say(error.message)
        await sleep(pause)
        return undefined
      })
      if (isStopping) await running?.stop()
    }
  }
}
