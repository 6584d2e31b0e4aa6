/**
 * Access to an order without an account. The order number and ZIP code, which a neighbor may know, show only its
 * progress. Name, address, receipt and canceling require the browser that placed the order, or a link or code from the
 * shopper's mailbox. Each is verified with a signed, expiring key.
 */
import { codeAccessMinutes } from './order-code.ts'
import { sign, verify } from '#platform/signing.ts'
import type { Secrets } from '#platform/secrets.ts'

/** How long a mailed link opens its order. */
export const linkDays = 60
/** How long a lookup by number and ZIP shows an order's progress. */
export const lookMinutes = 30
/** How long the address of a receipt opens it. */
export const receiptMinutes = 15

const orderLink = 'order-link'
const orderLook = 'order-look'
const orderReceipt = 'order-receipt'
const appointment = 'appointment'

/** Returns a key that opens order `orderId` until `linkDays` from `now`. */
export function orderKey(secret: Secrets, orderId: number, now: Temporal.Instant): string {
  return signUntil(secret, orderLink, orderId, now.add({ hours: 24 * linkDays }))
}

/** Returns a key that opens order `orderId` in the browser that had the right code, until `codeAccessMinutes` from `now`. */
export function codeKey(secret: Secrets, orderId: number, now: Temporal.Instant): string {
  return signUntil(secret, orderLink, orderId, now.add({ minutes: codeAccessMinutes }))
}

/** Whether `key` opens order `orderId` at `now`. */
export function opensOrder(
  secret: Secrets,
  key: string | null | undefined,
  orderId: number,
  now: Temporal.Instant,
): boolean {
  return isSignedFor(secret, orderLink, key, orderId, now)
}

/**
 * Returns a key for the page of a successful lookup. It shows the progress of order `orderId` until `lookMinutes` from
 * `now`.
 */
export function trackingToken(secret: Secrets, orderId: number, now: Temporal.Instant): string {
  return signUntil(secret, orderLook, orderId, now.add({ minutes: lookMinutes }))
}

/** Whether `key` shows the progress of order `orderId` at `now`. */
export function showsOrder(
  secret: Secrets,
  key: string | null | undefined,
  orderId: number,
  now: Temporal.Instant,
): boolean {
  return isSignedFor(secret, orderLook, key, orderId, now)
}

/** Returns a key that grants access only to the appointment of order `orderId`, until `linkDays` after `now`. */
export function appointmentToken(secret: Secrets, orderId: number, now: Temporal.Instant): string {
  return signUntil(secret, appointment, orderId, now.add({ hours: 24 * linkDays }))
}

/** Returns the order and expiration of an appointment token at `now`, or undefined if it is invalid. */
export function readAppointmentToken(
  secret: Secrets,
  token: string,
  now: Temporal.Instant,
): { orderId: number; until: Temporal.Instant } | undefined {
  const value = token.length > 150 ? undefined : verify(secret, appointment, token)
  const [orderId = 0, seconds = 0] = value?.split('-').map(Number) ?? []
  const until = Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
  return value !== undefined && Temporal.Instant.compare(now, until) < 0 ? { orderId, until } : undefined
}

/** Returns a key that grants access only to the receipt of order `orderId`, until `receiptMinutes` after `now`. */
export function receiptKey(secret: Secrets, orderId: number, now: Temporal.Instant): string {
  return signUntil(secret, orderReceipt, orderId, now.add({ minutes: receiptMinutes }))
}

/**
 * Returns the access `key` grants at a receipt URL. `receipt` opens the receipt, `order` opens the page that links to
 * it, and `expired` means that it was valid. Undefined if the key is invalid.
 */
export function readReceiptKey(
  secret: Secrets,
  key: string | null | undefined,
  orderId: number,
  now: Temporal.Instant,
): 'receipt' | 'order' | 'expired' | undefined {
  if (isSignedFor(secret, orderReceipt, key, orderId, now)) return 'receipt'
  if (isSignedFor(secret, orderLink, key, orderId, now)) return 'order'
  const isOurs = [orderReceipt, orderLink].some((purpose) => endOf(secret, purpose, key, orderId) !== undefined)
  return isOurs ? 'expired' : undefined
}

function signUntil(secret: Secrets, purpose: string, orderId: number, until: Temporal.Instant): string {
  return sign(secret, purpose, `${orderId}-${Math.floor(until.epochMilliseconds / 1000)}`)
}

function isSignedFor(
  secret: Secrets,
  purpose: string,
  key: string | null | undefined,
  orderId: number,
  now: Temporal.Instant,
): boolean {
  const until = endOf(secret, purpose, key, orderId)
  return until !== undefined && now.epochMilliseconds < until * 1000
}

/** Returns the expiration of a key for this order and purpose, in Unix seconds; undefined if the key is invalid. */
function endOf(secret: Secrets, purpose: string, key: string | null | undefined, orderId: number): number | undefined {
  const value = key ? verify(secret, purpose, key) : undefined
  const [id, until] = value?.split('-').map(Number) ?? []
  return id === orderId ? until : undefined
}
