/** The sender brand of order emails. */
import { brandPaths } from '#content/brand-paths.ts'
import type { MailBrand } from '#domain/messaging/messages/messages.server.ts'
import type { MessageKind } from '#domain/messaging/messages/messages.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { textOn } from './store-colors.ts'

/** Mails about an order that do not go to its shopper. */
const toOthers: ReadonlySet<MessageKind> = new Set([
  'claim-filed',
  'guarantee-filed',
  'return-filed',
  'support-request',
  'shop-appointment-news',
  'shop-booking-news',
  'shop-problem',
  'shop-pay-waits',
])

/**
 * Returns the brand of an email to the shopper of a branded store order, even if the store is disabled now; null for
 * every other email. Replies still go to us, so that a shop does not learn its customers' addresses.
 */
export async function mailBrandOf(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  { kind, orderId }: { kind: MessageKind; orderId: number | null },
): Promise<MailBrand | null> {
  if (orderId === null || toOthers.has(kind)) return null
  const dealer = (await readOrder(db, orderId))?.dealer
  if (!dealer) return null
  return {
    name: dealer.name,
    logoUrl: dealer.logo === null ? null : config.web.origin + brandPaths.logo(`${dealer.logo}.webp`),
    color: dealer.brandColor,
    textColor: textOn(dealer.brandColor),
    poweredBy: config.store.name,
  }
}
