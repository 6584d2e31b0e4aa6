/**
 * `npm run verify` checks every invariant in the database at DATABASE_URL, or the one of the store started by `npm
 * start`, and reports each. The exit code is 1 if one is broken.
 */
import { loadSessionSecrets } from '#platform/config.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { countOf } from '#platform/count-text.ts'
import { runCommand } from './command.ts'
import { inspect, type Inspection } from '#db/invariants/invariants.ts'
import { inspectSealed } from '#db/sealed-values.ts'
import { findStoreDatabase } from './store-database.ts'

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-verify' })
  const inspections = await inspect(db, Temporal.Now.instant())
  for (const inspection of inspections) console.log(lineOf(inspection))
  const opens = await saySealed(db)
  const broken = inspections.filter((inspection) => inspection.severity === 'error' && inspection.broken > 0)
  console.log(
    broken.length === 0
      ? opens
        ? 'Sound.'
        : 'SESSION_SECRET is not the one that sealed some of it. See docs/runbooks/secrets.md.'
      : `${broken.length} of ${countOf(inspections.length, 'invariant')} are broken. See docs/runbooks/verify.md.`,
  )
  process.exitCode = broken.length === 0 && opens ? 0 : 1
})

/** Reports whether SESSION_SECRET opens the sealed values, if it is set. Returns false if it doesn't. */
async function saySealed(db: Database): Promise<boolean> {
  const secrets = loadSessionSecrets()
  if (secrets === undefined) {
    console.log(`--   ${'sealed-values-open'.padEnd(32)} not checked: SESSION_SECRET is not given`)
    return true
  }
  const counts = await inspectSealed(db, secrets)
  for (const { name, checked, shut, behind } of counts) {
    const rest = [
      ...(shut > 0 ? [`${shut} open with none of the secrets`] : []),
      ...(behind > 0 ? [`${behind} not sealed with the first yet: npm run reseal`] : []),
    ]
    const mark = shut > 0 ? 'NO  ' : 'ok  '
    console.log(`${mark} ${'sealed-values-open'.padEnd(32)} ${[`${checked} of ${name}`, ...rest].join(', ')}`)
  }
  return counts.every(({ shut }) => shut === 0)
}

function lineOf({ name, severity, of, checked, broken, examples }: Inspection): string {
  const mark = broken === 0 ? 'ok  ' : severity === 'error' ? 'NO  ' : 'late'
  const rest = broken > examples.length ? `, and ${broken - examples.length} more` : ''
  return `${mark} ${name.padEnd(32)} ${checked} ${of}${broken === 0 ? '' : `, ${broken} broken: ${examples.join(', ')}${rest}`}`
}
