/**
 * `npm run review-dependencies` reports problems with the shipped packages, including known vulnerabilities. `--
 * --database folder` (or OSV_DATABASE) reads known vulnerabilities from that folder (./advisory-database.ts) in
 * addition to the registry. Records older than a week are refused without `--any-age`. `--offline` skips the registry,
 * as `npm run check` does. `--dev` includes development packages. The exit code is 1 if there are problems, or if
 * neither the registry nor the database responds.
 */
import { readFile } from 'node:fs/promises'
import { countOf } from '#platform/count-text.ts'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { print, runCommand } from './command.ts'
import {
  acceptedAdvisories,
  matchAdvisories,
  readAudit,
  reviewAccepted,
  reviewAdvisories,
  reviewLock,
  type ReviewedLock,
} from './dependency-review.ts'
import { ageInDays, readAdvisoryDatabase } from './advisory-database.ts'
import { project, runNpm } from './package-program.ts'

/** Records of npm packages change every day; a week is how soon a grave vulnerability has to be gone (SECURITY.md). */
const freshDays = 7

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      offline: { type: 'boolean', default: false },
      database: { type: 'string' },
      'any-age': { type: 'boolean', default: false },
      dev: { type: 'boolean', default: false },
    },
  })
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as ReviewedLock
  const folder = values.database ?? process.env.OSV_DATABASE ?? ''
  const known =
    values.offline && folder === '' ? [] : await reviewKnown(lock, { ...values, folder, anyAge: values['any-age'] })
  const complaints = [...reviewLock(lock), ...reviewAccepted(Temporal.Now.plainDateISO('UTC')), ...known]
  for (const complaint of complaints) print(complaint)
  for (const { id, why, until } of acceptedAdvisories) print(`Accepted until ${until}: ${id}. ${why}`)
  if (complaints.length === 0)
    print(
      values.offline && folder === ''
        ? 'The lock file has no known problems.'
        : 'The packages have no known advisories.',
    )
  process.exitCode = complaints.length === 0 ? 0 : 1
})

type Asking = { folder: string; anyAge: boolean; dev: boolean; offline: boolean }

/** Returns the known vulnerabilities. If both sources are unavailable, that is a problem. */
async function reviewKnown(lock: ReviewedLock, { folder, anyAge, dev, offline }: Asking): Promise<string[]> {
  const recorded = folder === '' ? undefined : await readDatabase(folder, anyAge ? undefined : freshDays, lock, dev)
  const audited = offline ? undefined : await askRegistry(dev)
  if (recorded === undefined && audited === undefined)
    return ['The registry does not say what is known of the packages: ask again, or name a folder with --database.']
  if (audited === undefined && !offline) print('The registry does not answer: what is known is from the records alone.')
  return reviewAdvisories([recorded ?? [], audited ?? []])
}

async function readDatabase(name: string, days: number | undefined, lock: ReviewedLock, dev: boolean) {
  const now = Temporal.Now.instant()
  const folder = resolve(process.env.INIT_CWD ?? '', name)
  const { advisories, records, newest } = await readAdvisoryDatabase(folder, { days, now })
  const day = newest.toString().slice(0, 10)
  print(
    `${countOf(records, 'record')} of npm packages, the newest of ${day}, ${countOf(ageInDays(newest, now), 'day')} ago.`,
  )
  return matchAdvisories(lock, advisories, { dev })
}

async function askRegistry(dev: boolean) {
  const { output } = await runNpm(['audit', ...(dev ? [] : ['--omit=dev']), '--json', '--loglevel=silent'])
  return readAudit(output)
}
