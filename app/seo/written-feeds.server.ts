/** The feeds by storage name. They're written at night and on the first request. */
import { listAskedFeeds, writeFeed } from '#domain/catalog/feeds/feeds.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import type { Application } from '#application'
import type { FeedName } from './feed-fields.ts'
import { fitmentFeed, localFeed, regionFeed } from './feed-files.server.ts'
import { channelFeed, productFeed } from './product-feed.server.ts'

export type FeedWriter = (of: Application) => AsyncGenerator<string>

const writers: Readonly<Record<Exclude<FeedName, 'local'>, FeedWriter>> = {
  products: productFeed,
  regions: regionFeed,
  fitment: fitmentFeed,
  meta: (app) => channelFeed(app, 'meta'),
  microsoft: (app) => channelFeed(app, 'microsoft'),
}

/** What writes a feed: 'products', or 'local-SW-00001' for what a tire shop installs. Null for one that is not served. */
export async function feedWriter(app: Application, name: string): Promise<FeedWriter | null> {
  const kind = name.startsWith('local-') ? 'local' : name
  const served = app.config.feeds.find((each) => each === kind)
  if (served === undefined) return null
  if (served !== 'local') return writers[served]
  const found = await findShop(app, { code: name.slice('local-'.length) })
  return found?.kind === 'shop' ? (theirs) => localFeed(theirs, found) : null
}

/** Rewrites the requested feeds one after another. */
export async function writeFeeds(app: Application): Promise<void> {
  for (const name of await listAskedFeeds(app)) {
    const write = await feedWriter(app, name)
    // While another process writes it, it is as new as this one would be.
    if (write) await writeFeed(app, name, () => write(app))
  }
}
