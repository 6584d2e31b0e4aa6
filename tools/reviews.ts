/**
 * `npm run reviews -- list`, `npm run reviews -- publish ID`, and `npm run reviews -- refuse ID REASON` moderate
 * reviews with the same use cases as the other interfaces. Uses the database at DATABASE_URL, or the one of the store
 * started by `npm start`.
 */
import { contentRules, isRefusalReason, refusalReasons } from '#domain/aftercare/reviews/reviews.ts'
import { listWaitingReviews, publishReview, refuseReview } from '#domain/aftercare/reviews/reviews.server.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase } from '#platform/db.ts'
import { visibleLine } from '#platform/plain-text.ts'
import { PlainError } from '#platform/plain-error.ts'
import { commandActor, indented, print, runCommand } from './command.ts'
import { findStoreDatabase } from './store-database.ts'

const usage = `Say what to do:
  npm run reviews -- list               reviews that wait, the oldest first
  npm run reviews -- publish ID         publish one
  npm run reviews -- refuse ID REASON   refuse one, or take a published one down
Reasons:
${refusalReasons.map((reason) => `  ${reason.padEnd(22)} ${contentRules[reason].told}`).join('\n')}`

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-reviews' })
  const deps = { db, clock: systemClock }
  const [command, id, reason = ''] = process.argv.slice(2)
  const reviewId = /^[1-9]\d{0,8}$/.test(id ?? '') ? Number(id) : undefined
  if (command === 'list') {
    const waiting = await listWaitingReviews(deps, 100)
    for (const { id: number, brandName, lineName, author, summary, comments, heldFor, writtenAt } of waiting)
      print(
        `${visibleLine(`${number}  ${brandName} ${lineName}  ${author}, ${writtenAt.toString().slice(0, 10)}  [${heldFor.join(', ')}]`)}\n${indented(`${summary}\n${comments}`)}\n`,
      )
    print(waiting.length === 0 ? 'Nothing waits.' : `${waiting.length} shown.`)
  } else if (command === 'publish' && reviewId !== undefined) {
    const done = await publishReview(deps, { reviewId, by: commandActor() })
    if (!done.ok) throw new PlainError(`Review ${reviewId} does not wait.`)
    print(`Published ${reviewId}.`)
  } else if (command === 'refuse' && reviewId !== undefined && isRefusalReason(reason)) {
    const done = await refuseReview(deps, { reviewId, reason, by: commandActor() })
    if (!done.ok) throw new PlainError(`Review ${reviewId} is not there, or is refused already.`)
    print(`Refused ${reviewId}: ${reason}.`)
  } else {
    throw new PlainError(usage)
  }
})
