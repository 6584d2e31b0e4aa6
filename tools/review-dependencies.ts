/**
 * `npm run review-dependencies`: says what is to be said against the packages that are shipped, with what the registry
 * knows of them today. `-- --offline` leaves the registry out, as `npm run check` does. Exit code 1 if there is anything,
 * or if the registry does not answer.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { print, runCommand } from './command.ts'
import {
  acceptedAdvisories,
  reviewAccepted,
  reviewAdvisories,
  reviewLock,
  type ReviewedLock,
} from './dependency-review.ts'
import { project, runNpm } from './package-program.ts'

await runCommand(async () => {
  const { values } = parseArgs({ options: { offline: { type: 'boolean' } } })
  const complaints = await reviewOffline()
  if (!values.offline) {
    const { output } = await runNpm(['audit', '--omit=dev', '--json', '--loglevel=silent'])
    complaints.push(
      ...(reviewAdvisories(output) ?? [
        'The registry does not say what is known of the packages: ask again, or elsewhere.',
      ]),
    )
  }
  for (const complaint of complaints) print(complaint)
  for (const { id, why, until } of acceptedAdvisories) print(`Accepted until ${until}: ${id}. ${why}`)
  if (complaints.length === 0)
    print(values.offline ? 'Nothing against the lock file.' : 'Nothing is known against the packages.')
  process.exitCode = complaints.length === 0 ? 0 : 1
})

async function reviewOffline(): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as ReviewedLock
  return [...reviewLock(lock), ...reviewAccepted(Temporal.Now.plainDateISO('UTC'))]
}
