/** The email about a supplier feed that failed or has an import pending review. */
import { officePaths } from '#content/office-paths.ts'
import type { MessageContent } from '#domain/messaging/messages/messages.server.ts'
import { readFeedNotice } from '#domain/catalog/supplier-feeds/supplier-feeds.server.ts'
import type { Application } from '#application'
import { faultText, holdText } from './supplier-feed-words.ts'

/** Returns the content of the email; null if its reader turned it off. */
export async function supplierFeedMessage(app: Application, { key }: { key: string }): Promise<MessageContent | null> {
  const notice = await readFeedNotice(app, key)
  if (!notice) return null
  const { feed, fetch, reader } = notice
  const { origin } = app.config.web
  const feedUrl = origin + officePaths.officeSupplierFeed(String(feed.id))
  const isWaiting = fetch.held !== null && fetch.held !== 'refused'
  return {
    values: {
      headline: isWaiting ? `Review the import of ${feed.name}` : `Supplier feed failed: ${feed.name}`,
      problem: fetch.held
        ? holdText(fetch.held, feed.maxPricePercent)
        : faultText(fetch.fault ?? 'unreachable', fetch.detail),
      action: fetch.runId === null ? 'Open the feed' : 'Open the import',
      actionUrl: fetch.runId === null ? feedUrl : origin + officePaths.officeImport(fetch.runId),
      reason:
        reader === 'owner'
          ? 'You get this email because you own the store, and no team member gets emails about this feed.'
          : 'You get this email because you turned on emails about this feed in the back office.',
      feedUrl,
    },
    attachments: [],
  }
}
