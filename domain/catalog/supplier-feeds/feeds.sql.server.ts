/** The statements for supplier feeds and their subscribers. */
import { sql } from 'kysely'
import type { SupplierKind, ImportMode } from '#domain/catalog/catalog-import/catalog-import.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { PersonKey } from '#platform/work-sessions.ts'

export type Feed = {
  id: number
  name: string
  kind: SupplierKind
  mode: ImportMode
  url: string
  username: string | null
  secret: Buffer | null
  hostKey: string | null
  days: number[]
  times: number[]
  maxPricePercent: number
  scheduledSince: Temporal.Instant
  pausedAt: Temporal.Instant | null
  etag: string | null
  lastModified: string | null
  fileSha256: string | null
  version: number
}

function feeds(db: Database | Tx) {
  return db
    .selectFrom('supplier_feed')
    .select([
      'id',
      'name',
      'kind',
      'mode',
      'url',
      'username',
      'secret',
      'host_key as hostKey',
      'days',
      'times',
      'max_price_percent as maxPricePercent',
      'scheduled_since as scheduledSince',
      'paused_at as pausedAt',
      'etag',
      'last_modified as lastModified',
      'file_sha256 as fileSha256',
      'version',
    ])
    .$narrowType<{ kind: SupplierKind; mode: ImportMode }>()
}

/** Lists every feed by name. */
export function selectFeeds(db: Database | Tx): Promise<Feed[]> {
  return feeds(db).orderBy('name').limit(1_000).execute()
}

export function selectFeed(db: Database | Tx, id: number): Promise<Feed | undefined> {
  return feeds(db).where('id', '=', id).executeTakeFirst()
}

export function lockFeed(tx: Tx, id: number): Promise<Feed | undefined> {
  return feeds(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** What staff enter. `isOther`: the file is another one, so that it is read again whatever it contains. */
export type FeedRow = Omit<Feed, 'id' | 'pausedAt' | 'etag' | 'lastModified' | 'fileSha256' | 'version'> & {
  by: string
  at: Temporal.Instant
}

function stored(row: FeedRow) {
  return {
    name: row.name,
    kind: row.kind,
    mode: row.mode,
    url: row.url,
    username: row.username,
    secret: row.secret,
    host_key: row.hostKey,
    days: row.days,
    times: row.times,
    max_price_percent: row.maxPricePercent,
    scheduled_since: row.scheduledSince,
    changed_at: row.at,
    changed_by: row.by,
  }
}

/** Adds a feed. Throws the violated `supplier_feed_name_key`. */
export async function insertFeed(tx: Tx, row: FeedRow): Promise<number> {
  const { id } = await tx.insertInto('supplier_feed').values(stored(row)).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Changes a locked feed. Throws the violated `supplier_feed_name_key`. */
export async function updateFeed(
  tx: Tx,
  { id, isOther }: { id: number; isOther: boolean },
  row: FeedRow,
): Promise<void> {
  await tx
    .updateTable('supplier_feed')
    .set({
      ...stored(row),
      ...(isOther && { etag: null, last_modified: null, file_sha256: null }),
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute()
}

/** Pauses a locked feed, or resumes it with null; then only later times count. */
export async function updatePaused(
  tx: Tx,
  id: number,
  { pausedAt, by, at }: { pausedAt: Temporal.Instant | null; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('supplier_feed')
    .set({
      paused_at: pausedAt,
      ...(pausedAt === null && { scheduled_since: at }),
      version: sql`version + 1`,
      changed_at: at,
      changed_by: by,
    })
    .where('id', '=', id)
    .execute()
}

/** Stores which version of the file was read. */
export async function updateFileVersion(
  tx: Tx,
  id: number,
  { etag, lastModified, sha256 }: { etag: string | null; lastModified: string | null; sha256: string },
): Promise<void> {
  await tx
    .updateTable('supplier_feed')
    .set({ etag, last_modified: lastModified, file_sha256: sha256 })
    .where('id', '=', id)
    .execute()
}

export type Subscriber = PersonKey & { id: string; feedId: number }

function subscribers(db: Database | Tx) {
  return db.selectFrom('supplier_feed_subscriber').select(['id', 'feed_id as feedId', 'issuer', 'subject'])
}

export function selectSubscribers(db: Database | Tx, feedId: number): Promise<Subscriber[]> {
  return subscribers(db).where('feed_id', '=', feedId).orderBy('id').limit(1_000).execute()
}

export function selectSubscriber(db: Database | Tx, id: string): Promise<Subscriber | undefined> {
  return subscribers(db).where('id', '=', id).executeTakeFirst()
}

/** Adds a subscriber. Idempotent. */
export async function insertSubscriber(tx: Tx, subscriber: Subscriber): Promise<void> {
  const { id, feedId, issuer, subject } = subscriber
  await tx
    .insertInto('supplier_feed_subscriber')
    .values({ id, feed_id: feedId, issuer, subject })
    .onConflict((on) => on.constraint('supplier_feed_subscriber_once').doNothing())
    .execute()
}

export async function deleteSubscriber(tx: Tx, { feedId, issuer, subject }: Omit<Subscriber, 'id'>): Promise<void> {
  await tx
    .deleteFrom('supplier_feed_subscriber')
    .where('feed_id', '=', feedId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}
