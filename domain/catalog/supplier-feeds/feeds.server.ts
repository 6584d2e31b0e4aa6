/** Manages supplier feeds in the back office. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { seal } from '#platform/sealing.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { PersonKey } from '#platform/work-sessions.ts'
import {
  deleteSubscriber,
  insertFeed,
  insertSubscriber,
  lockFeed,
  selectFeed,
  selectFeeds,
  selectSubscribers,
  updateFeed,
  updatePaused,
  type Feed,
  type FeedRow,
} from './feeds.sql.server.ts'
import { insertFetch, selectFetches, selectLastFetches, type FeedFetch } from './fetches.sql.server.ts'
import type { FeedDraft } from './supplier-feeds.ts'
import type { SupplierFiles } from './supplier-files.port.ts'

type Deps = {
  db: Database
  clock: Clock
  config: { session: { secret: Secrets } }
  supplierFiles: Pick<SupplierFiles, 'refuse'>
}

/** What the password or private key of a feed is sealed for. */
export const feedSecretPurpose = 'supplier-feed'

/** A feed as the back office shows it; its secret stays in the database. */
export type OfficeFeed = Omit<Feed, 'secret' | 'etag' | 'lastModified' | 'fileSha256'> & { hasSecret: boolean }

function shown({ secret, etag: _etag, lastModified: _lastModified, fileSha256: _sha256, ...feed }: Feed): OfficeFeed {
  return { ...feed, hasSecret: secret !== null }
}

/** Lists every feed by name, each with its last fetch. */
export async function listFeeds({ db }: Pick<Deps, 'db'>): Promise<(OfficeFeed & { last: FeedFetch | undefined })[]> {
  const last = new Map((await selectLastFetches(db)).map((each) => [each.feedId, each]))
  return (await selectFeeds(db)).map((feed) => ({ ...shown(feed), last: last.get(feed.id) }))
}

/** Fetches shown on a feed's page. */
const shownFetches = 50

/**
 * Returns a feed with its last fetches, and whether `person`, if not null, is emailed; undefined if the feed doesn't
 * exist.
 */
export async function findFeed(
  { db }: Pick<Deps, 'db'>,
  id: number,
  person: PersonKey | null,
): Promise<(OfficeFeed & { fetches: FeedFetch[]; isSubscribed: boolean }) | undefined> {
  const feed = await selectFeed(db, id)
  if (!feed) return undefined
  const subscribers = await selectSubscribers(db, id)
  const isSubscribed = subscribers.some(
    ({ issuer, subject }) => issuer === person?.issuer && subject === person.subject,
  )
  return { ...shown(feed), fetches: await selectFetches(db, id, shownFetches), isSubscribed }
}

type AddressRefusal = Refused<'bad-address'> | Refused<'not-https'> | Refused<'private-address'>
type SaveRefusal = Refused<'not-allowed'> | Refused<'name-taken'> | Refused<'secret-missing'> | AddressRefusal

/**
 * Adds a feed and returns its id. Its first fetch is at its first scheduled time from now on. Refuses addresses that
 * can't be used, SFTP without a password or key, and a name that another feed has.
 */
export async function addFeed(deps: Deps, by: Actor, draft: FeedDraft): Promise<Outcome<{ id: number }, SaveRefusal>> {
  const at = deps.clock.now()
  return refusingTaken(() =>
    deps.db.transaction().execute(async (tx): Promise<Outcome<{ id: number }, SaveRefusal>> => {
      const row = await rowOf(tx, deps, { by, draft, before: null, at })
      if (!row.ok) return row
      const id = await insertFeed(tx, row.value)
      await recordAct(tx, { by, act: 'supplier-feed.added', subject: draft.name, after: recorded(draft), at })
      return ok({ id })
    }),
  )
}

/**
 * Changes a feed. Preserves its secret if the form has none, unless the server or the user name changes. Refuses as
 * `addFeed` does, and `changed-meanwhile` if the feed's version differs from the form's.
 */
export async function changeFeed(
  deps: Deps,
  by: Actor,
  id: number,
  draft: FeedDraft,
): Promise<Outcome<null, SaveRefusal | Refused<'gone'> | Refused<'changed-meanwhile'>>> {
  const at = deps.clock.now()
  return refusingTaken(() =>
    deps.db
      .transaction()
      .execute(async (tx): Promise<Outcome<null, SaveRefusal | Refused<'gone'> | Refused<'changed-meanwhile'>>> => {
        const before = await lockFeed(tx, id)
        const row = await rowOf(tx, deps, { by, draft, before: before ?? null, at })
        if (!row.ok && row.reason === 'not-allowed') return row
        if (!before) return refused('gone')
        if (!row.ok) return row
        if (before.version !== draft.version) return refused('changed-meanwhile')
        const isOther = before.url !== draft.url || before.kind !== draft.kind || before.mode !== draft.mode
        await updateFeed(tx, { id, isOther }, row.value)
        await recordAct(tx, {
          by,
          act: 'supplier-feed.changed',
          subject: before.name,
          before: recorded(before),
          after: { ...recorded(draft), ...(draft.secret !== null && { secret: 'replaced' }) },
          at,
        })
        return ok(null)
      }),
  )
}

async function refusingTaken<Value, Reason extends Refused<string>>(
  save: () => Promise<Outcome<Value, Reason>>,
): Promise<Outcome<Value, Reason | Refused<'name-taken'>>> {
  try {
    return await save()
  } catch (error) {
    if (violatedConstraint(error) === 'supplier_feed_name_key') return refused('name-taken')
    throw error
  }
}

async function rowOf(
  tx: Tx,
  { config, supplierFiles }: Deps,
  { by, draft, before, at }: { by: Actor; draft: FeedDraft; before: Feed | null; at: Temporal.Instant },
): Promise<Outcome<FeedRow, Refused<'not-allowed'> | Refused<'secret-missing'> | AddressRefusal>> {
  const permitted = await requirePermission(tx, by, 'catalog.publish', at)
  if (!permitted.ok) return permitted
  const fault = supplierFiles.refuse(draft.url)
  if (fault) return refused(fault)
  const { secret: typed, version: _version, ...terms } = draft
  const isSameLogin =
    before !== null && serverOf(before.url) === serverOf(draft.url) && before.username === draft.username
  const kept = isSameLogin ? before.secret : null
  const secret = typed === null ? kept : seal(config.session.secret, feedSecretPurpose, typed)
  if (secret === null && draft.username !== null) return refused('secret-missing')
  const isSameSchedule =
    before !== null && String(before.days) === String(draft.days) && String(before.times) === String(draft.times)
  return ok({
    ...terms,
    secret: draft.username === null ? null : secret,
    scheduledSince: isSameSchedule ? before.scheduledSince : at,
    by: by.name,
    at,
  })
}

function serverOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

function recorded(of: Omit<FeedDraft, 'secret' | 'version'>) {
  const { kind, mode, url, username, hostKey, days, times, maxPricePercent } = of
  return { kind, mode, url, username, hostKey, days: days.join(' '), times: times.join(' '), maxPricePercent }
}

type ActRefusal = Refused<'not-allowed'> | Refused<'gone'>

/** Pauses a feed, or resumes it from its next scheduled time on. */
export async function pauseFeed(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  { id, version, pauses }: { id: number; version: number; pauses: boolean },
): Promise<Outcome<null, ActRefusal | Refused<'changed-meanwhile'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'catalog.publish', at)
    if (!permitted.ok) return permitted
    const feed = await lockFeed(tx, id)
    if (!feed) return refused('gone')
    if (feed.version !== version || (feed.pausedAt !== null) === pauses) return refused('changed-meanwhile')
    await updatePaused(tx, id, { pausedAt: pauses ? at : null, by: by.name, at })
    await recordAct(tx, { by, act: pauses ? 'supplier-feed.paused' : 'supplier-feed.resumed', subject: feed.name, at })
    return ok(null)
  })
}

/** Queues a fetch now, also of a paused feed. The file is read even if it did not change. */
export async function runFeed(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  id: number,
): Promise<Outcome<null, ActRefusal | Refused<'running'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'catalog.import', at)
    if (!permitted.ok) return permitted
    const feed = await lockFeed(tx, id)
    if (!feed) return refused('gone')
    const fetchId = await insertFetch(tx, { feedId: id, dueAt: at, requestedBy: by.name })
    if (fetchId === undefined) return refused('running')
    await queueFetch(tx, fetchId)
    await recordAct(tx, { by, act: 'supplier-feed.run', subject: feed.name, at })
    return ok(null)
  })
}

/** Queues the worker's next attempt; queued twice, it is done once. */
export function queueFetch(db: Database | Tx, fetchId: number, runAt?: Temporal.Instant): Promise<void> {
  return enqueue(db, 'fetch-supplier-feed', { fetchId }, { key: `supplier-feed-${fetchId}`, ...(runAt && { runAt }) })
}

/** Starts or ends the acting person's emails about a feed. */
export async function subscribeToFeed(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  { id, issuer, subject, isOn }: PersonKey & { id: number; isOn: boolean },
): Promise<Outcome<null, ActRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'catalog.import', at)
    if (!permitted.ok) return permitted
    const feed = await lockFeed(tx, id)
    if (!feed) return refused('gone')
    if (isOn) await insertSubscriber(tx, { id: newTimedId(), feedId: id, issuer, subject })
    else await deleteSubscriber(tx, { feedId: id, issuer, subject })
    await recordAct(tx, {
      by,
      act: isOn ? 'supplier-feed.subscribed' : 'supplier-feed.unsubscribed',
      subject: feed.name,
      at,
    })
    return ok(null)
  })
}
