/**
 * What of an order can be seen without an account. Number and ZIP, which a neighbor may know, show its progress. Name,
 * address, receipt and canceling need the browser that placed it or a link from the shopper's mailbox, which has a
 * signed, expiring key.
 */
import { sign, verify } from '#platform/signing.ts'

/** How long a mailed link opens its order. */
export const linkDays = 60
/** How long a lookup by number and ZIP shows an order's progress. */
export const lookMinutes = 30

const orderLink = 'order-link'
const orderLook = 'order-look'

/** Returns a key that opens order `orderId` until `linkDays` from `now`. */
export function orderKey(secret: string, orderId: number, now: Temporal.Instant): string {
  return signUntil(secret, orderLink, orderId, now.add({ hours: 24 * linkDays }))
}

/** Whether `key` opens order `orderId` at `now`. */
export function opensOrder(
  secret: string,
  key: string | null | undefined,
  orderId: number,
  now: Temporal.Instant,
): boolean {
  return isSignedFor(secret, orderLink, key, orderId, now)
}

/**
 * Returns a key for the page of a successful lookup: it shows the progress of order `orderId` until `lookMinutes` from
 * `now`.
 */
export function trackingToken(secret: string, orderId: number, now: Temporal.Instant): string {
  return signUntil(secret, orderLook, orderId, now.add({ minutes: lookMinutes }))
}

/** Whether `key` shows the progress of order `orderId` at `now`. */
export function showsOrder(
  secret: string,
  key: string | null | undefined,
  orderId: number,
  now: Temporal.Instant,
): boolean {
  return isSignedFor(secret, orderLook, key, orderId, now)
}

function signUntil(secret: string, purpose: string, orderId: number, until: Temporal.Instant): string {
  return sign(secret, purpose, `${orderId}-${Math.floor(until.epochMilliseconds / 1000)}`)
}

function isSignedFor(
  secret: string,
  purpose: string,
  key: string | null | undefined,
  orderId: number,
  now: Temporal.Instant,
): boolean {
  const value = key ? verify(secret, purpose, key) : undefined
  const [id, until] = value?.split('-').map(Number) ?? []
  return id === orderId && until !== undefined && now.epochMilliseconds < until * 1000
}
