/** The content of an email about a supplier feed. */
import type { Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { selectFeed, selectSubscriber } from './feeds.sql.server.ts'
import { selectFetch, type FeedFetch } from './fetches.sql.server.ts'

/** Returns the feed and the fetch of an email by its key; undefined if its reader no longer wants it. */
export async function readFeedNotice(
  { db }: { db: Database },
  key: string,
): Promise<{ feed: { id: number; name: string; maxPricePercent: number }; fetch: FeedFetch } | undefined> {
  const [, fetchId = '', subscriberId = ''] = key.split(':')
  if (!isId(subscriberId) || !/^\d{1,9}$/.test(fetchId)) return undefined
  const fetch = await selectFetch(db, Number(fetchId))
  const subscriber = await selectSubscriber(db, subscriberId)
  const feed = subscriber && fetch?.feedId === subscriber.feedId ? await selectFeed(db, fetch.feedId) : undefined
  return feed && fetch && { feed, fetch }
}
