/** What the emails about pay say. */
import { portalPaths } from '#content/portal-paths.ts'
import { findPaidShop } from '#domain/scheduling/installers/installers.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'

/** Returns the values of a payout email. */
export async function payMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'store' | 'web'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const shop = await findPaidShop(db, { shopId: Number(id) })
  if (!shop) throw new Error(`Shop ${id} of a promised email is not there.`)
  return {
    shop: shop.name,
    payUrl: `${config.web.origin}${portalPaths.pay(shop.code)}`,
    phone: config.store.phone,
    supportHours: phoneHoursText(config.store.phoneHours),
    store: config.store.name,
  }
}
