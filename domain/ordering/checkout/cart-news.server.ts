/** Notes about cart changes the shopper didn't make, shown with each price. */
import { releasedText } from '#content/messages/booking.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { keepDropped, replaceShownPrice, selectShownPrice, type ShownPrice } from './checkout.sql.server.ts'
import { findReleasedTime } from './settle-hold.server.ts'
import {
  breakdownFingerprint,
  compareBreakdowns,
  droppedOffers,
  type PriceBreakdown,
  type PriceMove,
} from '#domain/pricing/pricing/pricing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

export type CartNews = {
  /** The rows of the price that changed since it was shown before. */
  moves: PriceMove[]
  /** What a change of the cart took away, such as a discount or the held time, until the next change. */
  notes: string[]
}

/** Stores the price shown to the shopper and returns what changed since the one shown before. */
export async function readCartNews(
  deps: { db: Database; clock: Clock },
  cart: Pick<Cart, 'id' | 'fulfillment'>,
  breakdown: PriceBreakdown | null,
): Promise<CartNews> {
  const [shown, released] = await Promise.all([
    breakdown ? showPrice(deps, cart.id, breakdown) : { moves: [], dropped: [] },
    readReleaseNotes(deps, cart),
  ])
  return { moves: shown.moves, notes: [...released, ...shown.dropped] }
}

/** Returns the last price shown for a cart, or undefined if no price has been shown. */
export function findShownPrice(db: Database, cartId: string): Promise<ShownPrice | undefined> {
  return selectShownPrice(db, cartId)
}

/** Returns the reason a cart's reserved time was released, unless another time has been selected since. */
export async function readReleaseNotes(
  deps: { db: Database },
  cart: Pick<Cart, 'id' | 'fulfillment'>,
): Promise<string[]> {
  const released = await findReleasedTime(deps, cart)
  return released ? [releasedText(released)] : []
}

/**
 * Returns the notes for items a cart change removed. The next price shown repeats them through `readCartNews`. `shown`
 * is the price before the change; `quote` is the price after it.
 */
export async function readChangeNotes(
  deps: { db: Database },
  cart: Pick<Cart, 'id' | 'fulfillment'>,
  { shown, quote }: { shown: ShownPrice; quote: { breakdown: PriceBreakdown | null; notes: readonly string[] } },
): Promise<string[]> {
  const { breakdown, notes } = quote
  const isSame = breakdown !== null && breakdownFingerprint(breakdown) === shown.fingerprint
  const dropped = isSame ? shown.dropped : breakdown ? droppedOffers(shown.breakdown, breakdown) : []
  return [...(await readReleaseNotes(deps, cart)), ...dropped, ...notes]
}

async function showPrice(
  { db, clock }: { db: Database; clock: Clock },
  cartId: string,
  breakdown: PriceBreakdown,
): Promise<{ moves: PriceMove[]; dropped: string[] }> {
  const fingerprint = breakdownFingerprint(breakdown)
  const before = await replaceShownPrice(db, cartId, { fingerprint, breakdown }, clock.now())
  if (!before) return { moves: [], dropped: [] }
  if (before.fingerprint === fingerprint) return { moves: [], dropped: before.dropped }
  const dropped = droppedOffers(before.breakdown, breakdown)
  if (dropped.length > 0) await keepDropped(db, cartId, { fingerprint, dropped })
  return { moves: compareBreakdowns(before.breakdown, breakdown), dropped }
}
