import { fork } from 'node:child_process'
import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Starts PostgreSQL for tests in a new temporary folder. A separate process stops it and removes the folder when this
 * process ends for any reason, so interrupted test runs leave no files.
 */
export async function startTestPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(await roomiest(), 'sidewall-test-'))
  await chmod(dataDir, 0o755) // for the account that runs PostgreSQL when we are root
  const keeper = fork(fileURLToPath(new URL('./test-postgres-keeper.ts', import.meta.url)), [dataDir], {
    detached: true,
  })
  const ended = new Promise<void>((done) => void keeper.once('exit', () => done()))
  const url = await new Promise<string>((ready, fail) => {
    keeper.once('message', (message) => ready(message as string))
    keeper.once('exit', () => fail(new Error('The PostgreSQL for tests did not start.')))
  })
  return {
    url,
    async stop() {
      keeper.disconnect()
      await ended
    },
  }
}

const memory = '/dev/shm'
const needed = 4 * 1024 ** 3

/** In memory if there's room, because copying and dropping databases is mostly file system work. */
async function roomiest(): Promise<string> {
  const room = await statfs(memory).catch(() => undefined)
  return room && room.bavail * room.bsize >= needed ? memory : tmpdir()
}
