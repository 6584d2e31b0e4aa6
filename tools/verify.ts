/**
 * `npm run verify`: checks every invariant over the whole database at DATABASE_URL, or else that of the store run by
 * `npm start`, and reports each. Exit code 1 if one is broken.
 */
import { createDatabase } from '#platform/db.ts'
import { runCommand } from './command.ts'
import { inspect, type Inspection } from './invariants.ts'
import { findStoreDatabase } from './store-database.ts'

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-verify' })
  const inspections = await inspect(db, Temporal.Now.instant())
  for (const inspection of inspections) console.log(lineOf(inspection))
  const broken = inspections.filter((inspection) => inspection.severity === 'error' && inspection.broken > 0)
  console.log(
    broken.length === 0
      ? 'Sound.'
      : `${broken.length} of ${inspections.length} invariants are broken. See docs/runbooks/verify.md.`,
  )
  process.exitCode = broken.length === 0 ? 0 : 1
})

function lineOf({ name, severity, of, checked, broken, examples }: Inspection): string {
  const mark = broken === 0 ? 'ok  ' : severity === 'error' ? 'NO  ' : 'late'
  const rest = broken > examples.length ? `, and ${broken - examples.length} more` : ''
  return `${mark} ${name.padEnd(32)} ${checked} ${of}${broken === 0 ? '' : `, ${broken} broken: ${examples.join(', ')}${rest}`}`
}
