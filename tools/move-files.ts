/**
 * `npm run move-files -- --from folder --to s3` moves every uploaded file to another file store, even while the store
 * is running, because pages serve each file from its current location. Each file is compared with the original's hash
 * before and after. It can be stopped and resumed. Prints the result. The exit code is 1 if a file couldn't be moved.
 * The settings name both places (FILES_FOLDER, FILES_S3_BUCKET, and so on). `rows` is where files are before the worker
 * moves them.
 */
import { parseArgs } from 'node:util'
import { openFiles } from '#adapters/files/files.ts'
import { listFilePlaces, moveFiles, sweepFiles } from '#domain/kernel/files/files.server.ts'
import { loadFileConfig } from '#platform/config.ts'
import { startDatabaseClock } from '#platform/database-clock.ts'
import { createDatabase } from '#platform/db.ts'
import { PlainError } from '#platform/plain-error.ts'
import { countOf } from '#platform/count-text.ts'
import { print, runCommand } from './command.ts'
import { findStoreDatabase } from './store-database.ts'

const usage = 'Say from where to where: --from folder --to s3. Places are folder, s3, and rows to move from.'
const [sources, targets] = [['rows', 'folder', 's3'] as const, ['folder', 's3'] as const]

await runCommand(async () => {
  const config = loadFileConfig()
  const options = { from: { type: 'string' }, to: { type: 'string' } } as const
  const { values } = parseArgs({ options, strict: false })
  const from = sources.find((place) => place === values.from)
  const to = targets.find((place) => place === values.to)
  if (!from || !to || from === to) throw new PlainError(usage)
  if ((from === 's3' || to === 's3') && !config.s3)
    throw new PlainError('The bucket is not named: set FILES_S3_BUCKET and what belongs to it.')
  await using db = createDatabase(await findStoreDatabase(), { size: 2, application: 'sidewall-move-files' })
  const clock = await startDatabaseClock(db)
  try {
    const deps = { db, clock, files: openFiles(config) }
    const report = await moveFiles(deps, { from, to }, ({ moved }) => print(`${moved.length} moved`))
    await sweepFiles(deps)
    for (const key of report.missing) print(`${key}: its bytes are not in ${from}.`)
    for (const key of report.changed) print(`${key}: its bytes in ${from} are not those that were sent.`)
    print(`Moved ${countOf(report.moved.length, 'file')} of ${report.bytes} bytes from ${from} to ${to}.`)
    for (const { place, files, bytes } of await listFilePlaces(deps))
      print(`${place}: ${countOf(files, 'file')}, ${bytes} bytes`)
    if (config.kind !== to) print(`New files go to ${config.kind}: set FILES_KIND=${to} for every process.`)
    if (report.missing.length + report.changed.length > 0) process.exitCode = 1
  } finally {
    clock.stop()
  }
})
