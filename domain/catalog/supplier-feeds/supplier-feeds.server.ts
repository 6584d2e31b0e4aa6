/** Supplier files that are fetched at set times, for the worker and the back office. */
export {
  addFeed,
  changeFeed,
  feedSecretPurpose,
  findFeed,
  listFeeds,
  pauseFeed,
  runFeed,
  subscribeToFeed,
  type OfficeFeed,
} from './feeds.server.ts'
export type { FeedFetch } from './fetches.sql.server.ts'
export { fetchFeed, planFetches, settleFeedImport } from './run-feeds.server.ts'
export { readFeedNotice } from './feed-notice.server.ts'
