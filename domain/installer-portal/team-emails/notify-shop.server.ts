/** Emails and text messages to the people of a shop who chose an event, once for each of them. */
import { listShopRecipients } from '#domain/scheduling/installers/installers.server.ts'
import type { ShopEvent } from '#domain/scheduling/installers/installers.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { ShopEmailKind } from '#domain/messaging/messages/messages.ts'
import { promiseTextTo } from '#domain/messaging/texts/texts.server.ts'
import type { Tx } from '#platform/db.ts'

/**
 * Queues what the people of a shop get about an event of an order's appointment, in the transaction. `key` names the
 * event. With the recipient it makes each message unique, so repeating has no effect. `except` is the member who caused
 * the event.
 */
export async function notifyShop(
  tx: Tx,
  {
    shopId,
    event,
    kind,
    key,
    orderId,
    except = null,
    at,
  }: {
    shopId: number
    event: ShopEvent
    kind: ShopEmailKind
    key: string
    orderId: number
    except?: string | null
    at: Temporal.Instant
  },
): Promise<void> {
  for (const { memberId, email: to, isEmailed, phone } of await listShopRecipients(tx, shopId, event)) {
    if (memberId === except) continue
    if (isEmailed) await queueMessage(tx, { kind, key: `${kind}:${key}:${memberId}`, to, orderId, at })
    // Without the order, because staff resend text messages with an order to its customer.
    if (phone !== null) await promiseTextTo(tx, { kind: 'shop-news', key: `shop-news:${key}:${memberId}`, phone, at })
  }
}
