/**
 * The agreed order with its price, tires, destination, recipient, and appointment. Each part has a short key, so a
 * submission can be compared with the current cart and a refusal can name the parts that changed. Anyone with a cart's
 * key can change the cart, even after its payment was authorized, so only the version the submitter saw can be ordered.
 */
import { createHash } from 'node:crypto'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import type { SavedContact } from './checkout.sql.server.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { breakdownFingerprint, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { refused, type Refused } from '#platform/outcome.ts'

export const agreedParts = ['price', 'tires', 'delivery', 'contact', 'appointment'] as const
export type AgreedPart = (typeof agreedParts)[number]

/** The shop and time a cart chose; null without an appointment. */
export type AgreedTime = { shopId: number; start: Temporal.Instant } | null

type Agreed = {
  cart: Cart
  contact: SavedContact | null
  breakdown: PriceBreakdown | null
  time: AgreedTime | undefined
}

const separator = '.'
/** 132 bits, enough to make collisions between addresses infeasible. */
const keyLength = 22

/** Reads the time a cart chose, whether it is still held or not; null for a cart without installation. */
export async function readAgreedTime(
  { db, clock }: { db: Database; clock: Clock },
  cart: Pick<Cart, 'id' | 'fulfillment'>,
): Promise<AgreedTime> {
  const chosen = isInstallation(cart.fulfillment) ? await findChosenTime({ db, clock }, cart.id) : undefined
  return chosen ? { shopId: chosen.booking.shopId, start: chosen.booking.start } : null
}

/** Whether an appointment is at the agreed shop and time. */
export function isAgreedTime({ shopId, start }: NonNullable<AgreedTime>, agreed: AgreedTime): boolean {
  return agreed !== null && agreed.shopId === shopId && agreed.start.equals(start)
}

/**
 * Returns the key of the order that would be placed now. It is the API's `agreedPrice` and the order review's `agreed`
 * field. Empty while the cart has no price.
 */
export function agreementKey({ cart, contact, breakdown, time }: Agreed): string {
  if (!breakdown) return ''
  const parts: Record<AgreedPart, unknown> = {
    price: breakdownFingerprint(breakdown),
    tires: [
      cart.lines.map(({ itemId, axle, quantity, coverage }) => `${itemId} ${axle} ${quantity} ${coverage}`).toSorted(),
      cart.roadside,
      cart.vehicle,
      ...cart.services.map(({ service, units }) => `${service} ${units}`).toSorted(),
    ],
    delivery: [
      cart.fulfillment,
      cart.shopId,
      cart.carrierLocationId,
      cart.pickupWarehouseId,
      contact && [contact.company, contact.address1, contact.address2, contact.city, contact.state, contact.zip],
      contact?.instructions,
    ],
    contact: contact && [
      contact.firstName,
      contact.lastName,
      contact.email,
      contact.phone.digits,
      contact.phone.extension,
      contact.phoneType,
      contact.vehicleNote,
    ],
    appointment: time ? [time.shopId, time.start.epochMilliseconds] : null,
  }
  return agreedParts.map((part) => keyOf(parts[part])).join(separator)
}

/** Returns the parts in which two keys differ, in order. Text that isn't a valid key differs in every part. */
export function changedParts(agreed: string, now: string): AgreedPart[] {
  const [then, current] = [agreed, now].map((key) => key.split(separator))
  return agreedParts.filter((_, index) => then?.[index] !== current?.[index])
}

/**
 * Returns the refusal for the parts that differ between two keys, or undefined if the keys match. `isReleased` means
 * that no time is selected.
 */
export function refuseChange(
  agreed: string,
  now: string,
  isReleased: boolean,
):
  | Refused<'price-changed'>
  | Refused<'order-changed', { changed: AgreedPart[] }>
  | Refused<'slot-lost', { why: 'no-hold' }>
  | undefined {
  const changed = changedParts(agreed, now)
  if (changed.length === 0) return undefined
  if (changed.includes('price')) return refused('price-changed')
  if (isReleased && changed.length === 1) return refused('slot-lost', { why: 'no-hold' })
  return refused('order-changed', { changed })
}

function keyOf(part: unknown): string {
  return createHash('sha256').update(JSON.stringify(part)).digest('base64url').slice(0, keyLength)
}
