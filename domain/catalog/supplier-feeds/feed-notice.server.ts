/** The content of an email about a supplier feed. */
import { listStaffEmails } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { selectFeed, selectSubscriber } from './feeds.sql.server.ts'
import { selectFetch, type FeedFetch } from './fetches.sql.server.ts'

/** The permission of staff who get emails about feeds without subscribers. */
export const ownerPermission = 'settings.manage'

/**
 * Returns the feed and the fetch for an email's key, and whether the reader is a subscriber or a store owner. Undefined
 * after they unsubscribed or stopped being an owner.
 */
export async function readFeedNotice(
  { db, clock }: { db: Database; clock: Clock },
  key: string,
): Promise<
  | { feed: { id: number; name: string; maxPricePercent: number }; fetch: FeedFetch; reader: 'subscriber' | 'owner' }
  | undefined
> {
  const [, fetchId = '', reader = '', email = ''] = key.split(':')
  if (!/^\d{1,9}$/.test(fetchId)) return undefined
  const fetch = await selectFetch(db, Number(fetchId))
  if (!fetch) return undefined
  const isOwner = reader === 'owner' && (await listStaffEmails(db, ownerPermission, clock.now())).includes(email)
  const subscriber = isId(reader) ? await selectSubscriber(db, reader) : undefined
  if (!isOwner && subscriber?.feedId !== fetch.feedId) return undefined
  const feed = await selectFeed(db, fetch.feedId)
  return feed && { feed, fetch, reader: isOwner ? 'owner' : 'subscriber' }
}
