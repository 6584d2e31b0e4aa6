/** Under whose name the mails about an order are. */
import { brandPaths } from '#content/brand-paths.ts'
import type { MailBrand } from '#domain/messages/messages.server.ts'
import type { MessageKind } from '#domain/messages/messages.ts'
import { readOrder } from '#domain/orders/orders.server.ts'
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
  'job-refused',
])

/**
 * The brand of a mail to the shopper of an order that was placed in a branded store, on or off by now; null for every
 * other mail. Answers go where they always go: a shop does not learn its customers' addresses.
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
