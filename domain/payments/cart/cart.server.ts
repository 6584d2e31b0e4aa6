/** Use cases of the cart. The cart's key is the shopper's proof that it is theirs. */
import { putPart } from './cart-changes.sql.server.ts'
import { maxQuantityPerLine, type Axle, type Cart, type NewLine, type CartPaymentMethod } from './cart.ts'
import type { SoldItems } from './sold-items.port.ts'
import {
  insertLines,
  selectCart,
  selectTireCount,
  selectUnitCents,
  updateAbout,
  updatePaymentMethod,
  updateQuantity,
  updateSeenPrices,
  updateUsesCredit,
} from './cart.sql.server.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Taken } from '#platform/attempts.ts'

export {
  findPreparedCart,
  handOverAgain,
  handOverCart,
  makeCartLink,
  openCartLink,
  readCartLink,
  type LinkRefusal,
} from './cart-links.server.ts'
export { changeIdleCarts, deleteCheckCarts, forgetAbandonedCarts } from './abandoned-carts.sql.server.ts'
export {
  findAccountCart,
  keepCart,
  keepFoundCarts,
  lockOpenCart,
  lockOpenCarts,
  lockAccount,
  lockOwner,
  mergeCarts,
  rotateCart,
  rotateOrderedCart,
  findCallerCart,
  findQuotedCart,
  openQuotedCart,
  releaseCart,
  takeOverCallerCart,
} from './account-cart.sql.server.ts'
export {
  closeCart,
  keepWaiting,
  partIdsOfCart,
  putService,
  removeService,
  reopenCart,
  setCoupon,
  setDealer,
  setFulfillment,
  setReferral,
  setServices,
  setWidget,
} from './cart-changes.sql.server.ts'
export { startedCartRows } from './started-carts.sql.server.ts'
export { cartContents, type CartContents } from './cart-contents.ts'

/** A cart is priced for the buyer who requests it. */
type Deps = { db: Database; clock: Clock; buyer: Buyer }

/** Returns the open cart with this key; undefined if it was never made or has become an order. */
export async function findCart(deps: Deps, cartId: string | undefined): Promise<Cart | undefined> {
  if (!cartId) return undefined
  const cart = await readCart(deps, cartId)
  return cart?.state === 'open' ? cart : undefined
}

/**
 * Returns the cart with this key in any state; undefined if it was never made, or belongs to an account other than the
 * buyer's: only its owner can price, change and order it, and open the order it became.
 */
export async function readCart({ db, ...deps }: Deps, cartId: string): Promise<Cart | undefined> {
  return (await cartReader(deps))(db, cartId)
}

/** Reads what the buyer buys at, so that their carts are then read with one statement each, as `readCart` does. */
export async function cartReader({
  clock,
  buyer,
}: Omit<Deps, 'db'>): Promise<(db: Database, cartId: string) => Promise<Cart | undefined>> {
  const [pricing, accountId] = [await buyer.pricing(), await buyer.accountId()]
  return async (db, cartId) => {
    const cart = await selectCart(db, cartId, clock.now(), pricing)
    return cart && cart.accountId !== null && cart.accountId !== accountId ? undefined : cart
  }
}

/** Counts the tires in the open cart with this key. Returns 0 if the cart isn't open or isn't the buyer's. */
export async function countTires({ db, buyer }: Pick<Deps, 'db' | 'buyer'>, cartId: string): Promise<number> {
  return selectTireCount(db, cartId, await buyer.accountId())
}

/**
 * Adds tires to the cart, making one if needed, and stores the visit's ZIP and vehicle with it. Refuses with
 * `not-sold`, without adding anything, if an item doesn't exist, is discontinued or is of a brand this visitor can't
 * buy. `admit` runs before a cart is created and can refuse it. A key that no cart has is not reused for the new cart.
 */
export async function addToCart(
  { db, clock, buyer, catalog }: Deps & { catalog: SoldItems },
  input: {
    cartId: string | undefined
    lines: readonly NewLine[]
    zip: string | null
    vehicle: unknown
    /** The visit's branded store, which a new cart belongs to, with its shop chosen. */
    dealerShopId?: number | null
    /** A new cart is opened by the payment page check, and isn't reported. */
    isCheck?: boolean
    admit?: () => Promise<Taken>
  },
): Promise<Outcome<{ cartId: string }, Refused<'not-sold'> | Refused<'too-many', { retryAfterSeconds: number }>>> {
  const lines = mergeLines(input.lines)
  const pricing = await buyer.pricing()
  const ids = lines.map(({ itemId }) => itemId)
  const seen = pricing ? await selectUnitCents(db, ids, pricing) : new Map<number, number>()
  const shopping = {
    accountId: await buyer.accountId(),
    seen,
    catalog,
    limit: maxQuantityPerLine,
    now: clock.now(),
  }
  const { zip, vehicle, dealerShopId = null, isCheck = false } = input
  const about = { zip, vehicle, dealerShopId, isCheck }
  if (
    input.cartId !== undefined &&
    (await insertLines(db, { ...about, id: input.cartId, isNew: false }, lines, shopping))
  )
    return ok({ cartId: input.cartId })
  // The old cart may have become an order, been deleted, or belong to another account: continue in a new one.
  const admitted = (await input.admit?.()) ?? ok(undefined)
  if (!admitted.ok) return admitted
  const id = newId()
  return (await insertLines(db, { ...about, id, isNew: true }, lines, shopping))
    ? ok({ cartId: id })
    : refused('not-sold')
}

/**
 * Sets the quantity of a line; 0 removes it. Refuses `line-not-found` when it is already removed or the cart belongs to
 * another account.
 */
export async function setQuantity(
  { db, clock, buyer }: Deps,
  cartId: string,
  line: { itemId: number; axle: Axle; quantity: number },
): Promise<Outcome<null, Refused<'line-not-found'>>> {
  return (await updateQuantity(db, { id: cartId, accountId: await buyer.accountId() }, line, clock.now()))
    ? ok(null)
    : refused('line-not-found')
}

/**
 * Sets how many of a part the cart has in addition to its tires; 0 removes it. Refuses `not-sold` for a part that isn't
 * for sale, and for a cart without tires.
 */
export async function setPart(
  { db, clock, buyer }: Deps,
  cartId: string,
  part: { sku: string; quantity: number },
): Promise<Outcome<null, Refused<'not-sold'>>> {
  const own = { id: cartId, accountId: await buyer.accountId() }
  return (await putPart(db, own, part, clock.now())) ? ok(null) : refused('not-sold')
}

/**
 * Sets the cart's default destination (a known ZIP code) or vehicle (`null` removes it). Refuses `no-cart` when the
 * cart does not exist or is ordered.
 */
export async function updateCart(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  cartId: string,
  about: { zip: string } | { vehicle: object | null },
): Promise<Outcome<null, Refused<'no-cart'>>> {
  return (await updateAbout(db, cartId, about, clock.now())) ? ok(null) : refused('no-cart')
}

/** Records whether the cart's owner wants to pay with store credit. No effect on a cart the account doesn't own. */
export async function setUsesCredit(
  { db, clock }: Deps,
  cart: { id: string; accountId: string; usesCredit: boolean },
): Promise<void> {
  await updateUsesCredit(db, cart, clock.now())
}

/** Records the payment method of an open cart. An order placed concurrently reads the cart again. */
export async function setPaymentMethod(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  cartId: string,
  paymentMethod: CartPaymentMethod,
): Promise<void> {
  await updatePaymentMethod(db, cartId, paymentMethod, clock.now())
}

/** Records that the shopper has seen today's prices, so that they are no longer reported as changed. */
export async function acceptPrices(deps: Deps, cartId: string): Promise<void> {
  const cart = await findCart(deps, cartId)
  if (cart) await updateSeenPrices(deps.db, cart, deps.clock.now())
}

/** Merges lines into one row per item and axle, because an upsert can't update the same row twice. */
function mergeLines(lines: readonly NewLine[]): NewLine[] {
  const merged = new Map<string, NewLine>()
  for (const line of lines) {
    const key = `${line.itemId} ${line.axle}`
    const known = merged.get(key)
    merged.set(key, known ? { ...known, quantity: Math.min(known.quantity + line.quantity, maxQuantityPerLine) } : line)
  }
  return [...merged.values()]
}
