/** What the worker does with supplier feeds. Each step may be repeated after a crash. */
import {
  askImport,
  discardUpload,
  findImport,
  findUploadDigest,
  startImportIn,
  storeUpload,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { maxUploadBytes, type ImportRun } from '#domain/catalog/catalog-import/catalog-import.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { findStaff, listStaffEmails, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { refused } from '#platform/outcome.ts'
import { unseal } from '#platform/sealing.ts'
import type { Secrets } from '#platform/secrets.ts'
import { storeZone } from '#platform/store-zone.ts'
import { ownerPermission } from './feed-notice.server.ts'
import { feedSecretPurpose, queueFetch } from './feeds.server.ts'
import { selectFeed, selectFeeds, selectSubscribers, updateFileVersion, type Feed } from './feeds.sql.server.ts'
import {
  insertFetch,
  lockFetch,
  selectFetch,
  selectFetchOfRun,
  updateFetch,
  updateHeld,
  type FeedFetch,
} from './fetches.sql.server.ts'
import {
  changesTooManyPrices,
  isPassing,
  lastTime,
  maxAttempts,
  retryMinutes,
  type FeedFault,
  type FeedHold,
} from './supplier-feeds.ts'
import type { FetchedFile, SupplierFiles } from './supplier-files.port.ts'

type Deps = {
  db: Database
  clock: Clock
  config: { session: { secret: Secrets } }
  supplierFiles: SupplierFiles
}

/** A time that was missed for so long is not caught up. */
const maxLateHours = 12

/** Queues the fetches that are due, one for each scheduled time. Returns how many it queued. */
export async function planFetches({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  let queued = 0
  for (const feed of await selectFeeds(db)) {
    const dueAt = feed.pausedAt === null ? lastTime(feed, now, storeZone) : undefined
    if (!dueAt || now.since(dueAt).total('hours') > maxLateHours) continue
    if (Temporal.Instant.compare(dueAt, feed.scheduledSince) <= 0) continue
    queued += await db.transaction().execute(async (tx) => {
      const fetchId = await insertFetch(tx, { feedId: feed.id, dueAt, requestedBy: null })
      if (fetchId === undefined) return 0
      await queueFetch(tx, fetchId)
      return 1
    })
  }
  return queued
}

/** The actor of a feed's imports in the audit log. Feeds have the permissions of commands. */
function actorOf({ name }: Pick<Feed, 'name'>): Actor {
  return { via: 'command line', name: `Supplier feed ${name}` }
}

type Fetched =
  | { kind: 'file'; uploadId: string; version: Pick<FetchedFile, 'etag' | 'lastModified'> }
  | { kind: 'unchanged' }
  | { kind: 'failed'; fault: FeedFault; detail: string | null }

/** Fetches a file that is due and starts its import. Failures that may pass are tried again a few minutes later. */
export async function fetchFeed(deps: Deps, fetchId: number): Promise<void> {
  const due = await selectFetch(deps.db, fetchId)
  const feed = due && (await selectFeed(deps.db, due.feedId))
  if (!feed || due.state !== 'due') return
  const fetched = await fetchFile(deps, feed, { isForced: due.requestedBy !== null })
  await deps.db.transaction().execute(async (tx) => {
    const fetch = await lockFetch(tx, fetchId)
    if (fetch?.state === 'due') await settleFetch(tx, deps, { fetch, feed, fetched })
  })
  if (fetched.kind === 'file') await discardUpload(deps, fetched.uploadId)
}

async function fetchFile(
  deps: Deps,
  { name, url, username, hostKey, secret: sealed, etag, lastModified }: Feed,
  { isForced }: { isForced: boolean },
): Promise<Fetched> {
  const secret = sealed && unseal(deps.config.session.secret, feedSecretPurpose, sealed)
  if (secret === undefined) return { kind: 'failed', fault: 'sealed', detail: null }
  const known = isForced || (etag === null && lastModified === null) ? null : { etag, lastModified }
  const uploadId = newId()
  const answer = await deps.supplierFiles.fetch({ url, username, hostKey, secret, known }, async (file) => {
    const { name: fileName, size, bytes, ...version } = file
    if (size !== null && size > maxUploadBytes) return { stored: refused('too-large'), version }
    return { stored: await storeUpload(deps, actorOf({ name }), { id: uploadId, fileName, bytes }), version }
  })
  if (answer.kind !== 'file') return answer
  const { stored, version } = answer.value
  return stored.ok ? { kind: 'file', uploadId, version } : { kind: 'failed', fault: stored.reason, detail: null }
}

async function settleFetch(
  tx: Tx,
  deps: Deps,
  { fetch, feed, fetched }: { fetch: FeedFetch; feed: Feed; fetched: Fetched },
): Promise<void> {
  const at = deps.clock.now()
  if (fetched.kind === 'unchanged') return updateFetch(tx, fetch, { state: 'unchanged', at })
  if (fetched.kind === 'failed') return fail(tx, { fetch, feed, at, ...fetched }, deps)
  const { uploadId, version } = fetched
  const sha256 = (await findUploadDigest({ db: tx }, uploadId)) ?? ''
  if (fetch.requestedBy === null && sha256 === feed.fileSha256) {
    await updateFileVersion(tx, feed.id, { ...version, sha256 })
    return updateFetch(tx, fetch, { state: 'unchanged', at })
  }
  const { kind, mode } = feed
  const started = await startImportIn(tx, actorOf(feed), { uploadId, kind, mode, sources: 'last', at })
  const runId = started.ok ? started.value.runId : null
  if (runId === null) return fail(tx, { fetch, feed, at, fault: 'columns', detail: null }, deps)
  await updateFileVersion(tx, feed.id, { ...version, sha256 })
  return updateFetch(tx, fetch, { state: 'imported', runId, at })
}

async function fail(
  tx: Tx,
  {
    fetch,
    feed,
    fault,
    detail,
    at,
  }: { fetch: FeedFetch; feed: Feed; fault: FeedFault; detail: string | null; at: Temporal.Instant },
  deps: Deps,
): Promise<void> {
  if (isPassing(fault) && fetch.attempts + 1 < maxAttempts) {
    await updateFetch(tx, fetch, { state: 'due', at })
    return queueFetch(tx, fetch.id, at.add({ minutes: retryMinutes }))
  }
  await updateFetch(tx, fetch, { state: 'failed', fault, detail, at })
  return notify(tx, deps, { feedId: feed.id, fetchId: fetch.id, at })
}

/**
 * Publishes the previewed import of a feed, or holds it for review if it has warnings, or changes more prices than the
 * feed may. Skips other imports, and imports that were held for review before.
 */
export async function settleFeedImport(deps: Pick<Deps, 'db' | 'clock'>, runId: number): Promise<void> {
  const fetch = await selectFetchOfRun(deps.db, runId)
  const feed = fetch && (await selectFeed(deps.db, fetch.feedId))
  const run = feed && (await findImport(deps, runId))
  if (!run || fetch.held !== null) return
  const held = holdOf(run, feed)
  if (held === undefined) return
  if (held === null) {
    const seen = run.summary.previewedAt ?? ''
    await askImport(deps, actorOf(feed), { runId, act: 'publish', seen, reason: null })
    return
  }
  await deps.db.transaction().execute(async (tx) => {
    const at = deps.clock.now()
    if (await updateHeld(tx, fetch.id, held)) await notify(tx, deps, { feedId: feed.id, fetchId: fetch.id, at })
  })
}

/** Returns why an import is held for review. Null if it may be published, undefined if no decision is needed. */
function holdOf(run: ImportRun, { maxPricePercent }: Feed): FeedHold | null | undefined {
  if (run.state === 'refused') return 'refused'
  if (run.state !== 'waiting-for-yes' || run.asked !== null) return undefined
  if (run.answer?.reason === 'not-allowed') return 'not-allowed'
  if ((run.summary.warnings ?? []).length > 0) return 'warnings'
  const changed = (run.summary.difference ?? [])
    .filter(({ kind }) => kind === 'price-up' || kind === 'price-down')
    .reduce((sum, { count }) => sum + count, 0)
  return changesTooManyPrices({ changed, rows: run.rowCount - run.refusedCount, maxPricePercent }) ? 'prices' : null
}

/** Queues an email per fetch to each current subscriber, or to the store's owners if a feed has no subscribers. */
async function notify(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  { feedId, fetchId, at }: { feedId: number; fetchId: number; at: Temporal.Instant },
): Promise<void> {
  const mail = (to: string, reader: string) =>
    queueMessage(tx, { kind: 'supplier-feed', key: `supplier-feed:${fetchId}:${reader}`, to, orderId: null, at })
  let readers = 0
  for (const subscriber of await selectSubscribers(tx, feedId)) {
    const staff = await findStaff({ db: tx, clock }, subscriber)
    if (!staff) continue
    readers += 1
    await mail(staff.email, subscriber.id)
  }
  if (readers > 0) return
  for (const email of await listStaffEmails(tx, ownerPermission, clock.now())) await mail(email, `owner:${email}`)
}
