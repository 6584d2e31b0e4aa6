/** The process started by startTestPostgres. Runs PostgreSQL in the given folder while its parent lives. */
import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '../../tools/postgres.ts'
import { runCommand } from '../../tools/command.ts'

const [dataDir = ''] = process.argv.slice(2)
const parentGone = new Promise<void>((done) => void process.once('disconnect', done))
await runCommand(async () => {
  try {
    const postgres = await startPostgres({ dataDir, forTests: true })
    if (process.connected) process.send?.(postgres.url)
    await parentGone
    await postgres.stop()
  } finally {
    // The cluster is in another folder if PostgreSQL's account cannot access this one.
    const home = await realpath(join(dataDir, 'postgres-home')).catch(() => undefined)
    for (const folder of [dataDir, ...(home === undefined ? [] : [home])])
      await rm(folder, { recursive: true, force: true })
  }
})
process.exit()
