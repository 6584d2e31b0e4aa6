/**
 * Sends changed product rows to Google Merchant Center. A run compares rows that may have changed with the rows that
 * Google has, and sends the differences, the last changed first. Google's answer is saved after the call, so a crash
 * only repeats calls.
 */
import { createHash } from 'node:crypto'
import { readCatalogChanges } from '#domain/catalog/catalog/catalog.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import type { Log } from '#platform/log.ts'
import {
  claimRun,
  deleteListings,
  extendRun,
  markGone,
  markOthersGone,
  renewListings,
  replaceIssues,
  reserveCalls,
  selectUnsent,
  updateCompared,
  updatePause,
  updateRefused,
  updateSent,
  upsertWanted,
  type ListingRun,
} from './google-listings.sql.server.ts'
import type { Listing, ListingIssue, MerchantAnswer, MerchantCenter } from './merchant-center.port.ts'

/** The current product rows, not cached. */
export type ListingSource = {
  /** Everything outside a tire that its row depends on, as text. */
  basis(): Promise<string>
  /** Yields the rows of all tires for sale, in batches. */
  all(): AsyncIterable<readonly Listing[]>
  /** The rows of those that are for sale. */
  of(itemIds: readonly number[]): Promise<readonly Listing[]>
}

type Deps = {
  db: Database
  clock: Clock
  log: Log
  merchantCenter: MerchantCenter | null
  config: { merchant: Pick<NonNullable<Config['merchant']>, 'dailyCalls'> | null }
}
type Run = Deps & { merchantCenter: MerchantCenter; source: ListingSource }

/** Another process takes over this long after the last sign of a run. */
const lease = { minutes: 3 }
/** Changes of stock are known for longer than this. */
const comparedWithin = { minutes: 10 }
const allComparedWithin = { hours: 24 }
/** Google removes a product that wasn't sent for 30 days. */
const sentWithin = { hours: 24 * 25 }
const issuesReadWithin = { hours: 1 }
const mostPerRun = 500
const together = 10
const longestProblem = 500
const mostIssuePages = 1_000

/** Google counts calls by day. */
export function callDayOf(at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO('UTC').toPlainDate()
}

/** Compares, sends up to 500 rows, and reads Google's problems. Returns immediately while another process does. */
export async function sendListings(deps: Deps, source: ListingSource): Promise<void> {
  const { db, clock, merchantCenter, config } = deps
  if (!merchantCenter || !config.merchant?.dailyCalls) return
  const at = clock.now()
  const run = await claimRun(db, { at, until: at.add(lease) })
  if (!run) return
  try {
    const going = { ...deps, merchantCenter, source }
    await compare(going, run)
    if (isPaused(run, at)) return
    if (await send(going)) await readIssues(going, run)
  } finally {
    await extendRun(db, null)
  }
}

function isPaused({ resumeAt }: ListingRun, at: Temporal.Instant): boolean {
  return resumeAt !== null && Temporal.Instant.compare(at, resumeAt) < 0
}

function isOver(since: Temporal.Instant | null, within: Temporal.DurationLike, now: Temporal.Instant): boolean {
  return since === null || Temporal.Instant.compare(since.add(within), now) <= 0
}

async function compare({ db, clock, source }: Run, run: ListingRun): Promise<void> {
  const at = clock.now()
  // Read first, so that later changes are compared by the next run.
  const { number, snapshot, isWhole, changes } = await readCatalogChanges(db, run.snapshot ?? undefined)
  const basis = hashOf([String(number), await source.basis()])
  const isDaily = isOver(run.allComparedAt, allComparedWithin, at)
  const isAll = isDaily || isWhole || basis !== run.basis || isOver(run.comparedAt, comparedWithin, at)
  if (isAll) await compareAll({ db, clock, source })
  else if (changes.length > 0) {
    const ids = changes.map(({ itemId }) => itemId)
    const listings = await source.of(ids)
    const sold = new Set(listings.map(({ itemId }) => itemId))
    await upsertWanted(db, listings.map(wanted), at)
    await markGone(
      db,
      ids.filter((id) => !sold.has(id)),
      at,
    )
  }
  if (isDaily) await renewListings(db, at.subtract(sentWithin))
  await updateCompared(db, { snapshot, basis, at, isAll })
}

async function compareAll({ db, clock, source }: Pick<Run, 'db' | 'clock' | 'source'>): Promise<void> {
  const sold: number[] = []
  for await (const listings of source.all()) {
    await upsertWanted(db, listings.map(wanted), clock.now())
    for (const { itemId } of listings) sold.push(itemId)
    await extendRun(db, clock.now().add(lease))
  }
  await markOthersGone(db, sold, clock.now())
}

function wanted(listing: Listing) {
  const title = listing.fields.find(([name]) => name === 'title')?.[1] ?? String(listing.itemId)
  return { itemId: listing.itemId, title, hash: listingHash(listing) }
}

function listingHash({ fields, shipping }: Listing): string {
  return hashOf([fields, shipping])
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

/** Returns whether Google can be called again. */
async function send(run: Run): Promise<boolean> {
  const { db, clock } = run
  for (let sent = 0; sent < mostPerRun; sent += together) {
    const due = await selectUnsent(db, together)
    if (due.length === 0) return true
    const granted = await reserve(run, due.length)
    if (granted > 0 && !(await sendBatch(run, due.slice(0, granted)))) return false
    if (granted < due.length) return false
    await extendRun(db, clock.now().add(lease))
  }
  return true
}

function reserve({ db, clock, config }: Deps, calls: number): Promise<number> {
  return reserveCalls(db, { day: callDayOf(clock.now()), wanted: calls, limit: config.merchant?.dailyCalls ?? 0 })
}

/** Sends and removes these listings at the same time. Returns whether Google can be called again. */
async function sendBatch(run: Run, due: readonly { itemId: number; isGone: boolean }[]): Promise<boolean> {
  const { db, clock, merchantCenter, source } = run
  const ids = due.filter(({ isGone }) => !isGone).map(({ itemId }) => itemId)
  const listings = new Map((await source.of(ids)).map((listing) => [listing.itemId, listing]))
  const results = await Promise.all(
    due.map(async ({ itemId }) => {
      const listing = listings.get(itemId)
      const answer = await (listing ? merchantCenter.put(listing) : merchantCenter.remove(itemId))
      return { itemId, hash: listing ? listingHash(listing) : null, answer }
    }),
  )
  const done = results.filter(({ answer }) => answer.ok)
  const sent = done.flatMap(({ itemId, hash }) => (hash === null ? [] : [{ itemId, hash }]))
  const removed = done.flatMap(({ itemId, hash }) => (hash === null ? [itemId] : []))
  const refused = results.flatMap(({ itemId, hash, answer }) =>
    !answer.ok && answer.reason === 'refused' ? [{ itemId, hash, problem: problemText(answer.message) }] : [],
  )
  await updateSent(db, sent, clock.now())
  // Ones that were sold out just now are removed before their next comparison.
  await markGone(db, removed, clock.now())
  await deleteListings(db, removed)
  await updateRefused(db, refused)
  return pauseAfter(
    run,
    results.map(({ answer }) => answer),
  )
}

function problemText(message: string): string {
  return message.trim().slice(0, longestProblem) || 'Google gave no reason.'
}

/** Pauses if one of these calls found Google unavailable, or else ends the pause. */
async function pauseAfter({ db, clock, log }: Run, answers: readonly MerchantAnswer<unknown>[]): Promise<boolean> {
  const away = answers.flatMap((answer) => (!answer.ok && answer.reason === 'unavailable' ? [answer] : []))
  const [first] = away
  if (!first) {
    await updatePause(db, null)
    return true
  }
  const seconds = Math.max(...away.map(({ retrySeconds }) => retrySeconds))
  log.warn({ seconds, problem: first.message }, 'Google Merchant Center is unavailable')
  await updatePause(db, { resumeAt: clock.now().add({ seconds }), problem: problemText(first.message) })
  return false
}

/** Reads the problems of all listings from time to time. They change on Google's side, hours after a listing is sent. */
async function readIssues(run: Run, { issuesReadAt }: ListingRun): Promise<void> {
  const { db, clock, merchantCenter } = run
  if (!isOver(issuesReadAt, issuesReadWithin, clock.now())) return
  const found: { itemId: number; issues: readonly ListingIssue[] }[] = []
  let page: string | null = null
  for (let pages = 0; pages < mostIssuePages; pages += 1) {
    if ((await reserve(run, 1)) === 0) return
    const answer: Awaited<ReturnType<MerchantCenter['readIssues']>> = await merchantCenter.readIssues(page)
    if (!answer.ok) return void (await pauseAfter(run, [answer]))
    found.push(...answer.value.listings)
    await extendRun(db, clock.now().add(lease))
    page = answer.value.next
    if (page === null) break
  }
  await replaceIssues(db, found, clock.now())
}
