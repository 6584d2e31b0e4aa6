/**
 * Who may see what of an order without an account. Number and ZIP, which a neighbor can know, show how far it is. Name, address, receipt and
 * cancelling need the browser that placed it or a link from the shopper's own mailbox: the link carries a signed key that runs out.
 */
import { sign, verify } from '#platform/signing.ts'

/** How long a link in a mail opens its order. */
export const linkDays = 60

const purpose = 'order-link'

/** A key that opens order `orderId` until `linkDays` from `now`. */
export function orderKey(secret: string, orderId: number, now: Temporal.Instant): string {
  const until = now.add({ hours: 24 * linkDays })
  return sign(secret, purpose, `${orderId}-${Math.floor(until.epochMilliseconds / 1000)}`)
}

/** Whether `key` opens order `orderId` at `now`. */
export function opensOrder(secret: string, key: string | null | undefined, orderId: number, now: Temporal.Instant): boolean {
  const value = key ? verify(secret, purpose, key) : undefined
  const [id, until] = value?.split('-').map(Number) ?? []
  return id === orderId && until !== undefined && now.epochMilliseconds < until * 1000
}
