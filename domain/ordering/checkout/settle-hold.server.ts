/**
 * Synchronizes a reservation with its cart. The held tires follow the cart, and an unusable time is released
 * immediately with a reason for the shopper.
 */
import {
  appointmentRequirements,
  findHold,
  findReleaseNote,
  holdTires,
  isLiveHold,
  lackOf,
  releaseHold,
  type NotKept,
} from '#domain/scheduling/booking/booking.server.ts'
import type { Booking } from '#domain/scheduling/booking/booking.ts'
import { isEmptyCart, type Cart } from '#domain/payments/cart/cart.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import type { Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import { installationFor } from './shop-choices.server.ts'
import type { QuoteDeps } from './quote.server.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'

/** Why a held time was released because of a change of its cart, or of what the shop and the warehouses have. */
export const releaseReasons = [
  'no-tires',
  'does-not-fit',
  'shop-not-found',
  'shop-not-capable',
  'too-soon',
  'too-short',
] as const
export type ReleaseReason = (typeof releaseReasons)[number]

/** A time that was released, until its cart chooses another one. */
export type ReleasedTime = {
  reason: ReleaseReason
  start: Temporal.Instant
  timeZone: string
  window: 'AM' | 'PM' | 'EVE' | null
}

type Deps = QuoteDeps & { catalog: Catalog; buyer: Buyer }

/**
 * Updates a cart's reservation after a change of its tires or vehicle. Holds the current tires, or releases the time if
 * it can't be used. Returns the release reason, or `out-of-stock` if the previous time and tires remain held. Returns
 * null if there is no reservation or it covers the whole cart.
 */
export async function settleHold(
  deps: Deps,
  { cartId, heldBy }: { cartId: string; heldBy?: string | undefined },
): Promise<ReleaseReason | 'out-of-stock' | null> {
  const booking = await findHold(deps, cartId)
  if (!booking || !isLiveHold(booking, deps.clock.now())) return null
  const cart = await readCart(deps, cartId)
  if (cart?.state !== 'open' || (!isEmptyCart(cart) && !isInstallation(cart.fulfillment))) return null
  const outcome = await suit(deps, cart, { booking, heldBy })
  if (outcome !== null && outcome !== 'out-of-stock')
    await releaseHold(deps, { cartId, actor: 'system', note: outcome })
  return outcome
}

async function suit(
  deps: Deps,
  cart: Cart,
  { booking, heldBy }: { booking: Booking; heldBy: string | undefined },
): Promise<ReleaseReason | 'out-of-stock' | null> {
  if (isEmptyCart(cart)) return 'no-tires'
  const { shopId } = booking
  const work = await installationFor(deps, cart, shopId)
  if (!work.ok) return work.reason
  const { tires, services, arrivesOn, parcels } = work.value
  const required = (await appointmentRequirements(deps, { shopId, tires, services, heldBy: cart.id }))(arrivesOn)
  if (!required.ok) return required.reason
  const lack = lackOf(booking, required.value)
  if (lack && lack !== 'no-hold') return lack
  return (await holdTires(deps, booking, { parcels, heldBy })) ? null : 'out-of-stock'
}

/**
 * Releases a time that is too early or too short for its order, so that no page shows a countdown next to the refusal.
 * A time lost to another shopper is no longer held, and may be available again.
 */
export async function releaseUnusable(
  deps: Pick<Deps, 'db' | 'clock'>,
  cartId: string,
  why: NotKept['reason'],
): Promise<void> {
  if (why === 'too-soon' || why === 'too-short') await releaseHold(deps, { cartId, actor: 'system', note: why })
}

/** Returns the time that was released and why; undefined once the cart chose another one, or dropped it itself. */
export async function findReleasedTime(
  { db }: Pick<Deps, 'db'>,
  cart: Pick<Cart, 'id' | 'fulfillment'>,
): Promise<ReleasedTime | undefined> {
  const found = isInstallation(cart.fulfillment) ? await findReleaseNote(db, cart.id) : undefined
  const reason = releaseReasons.find((each) => each === found?.note)
  if (!found || !reason) return undefined
  const { start, timeZone, dropOff } = found.booking
  return { reason, start, timeZone, window: dropOff?.window ?? null }
}
