/** What every step of the checkout begins with, read at once and handed on. */
import { cartReader } from '#domain/cart/cart.server.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { selectDetails, shopOfCart, type SavedDetails } from '#domain/checkout/checkout.sql.server.ts'
import { findShop } from '#domain/installers/installers.server.ts'
import type { Shop } from '#domain/installers/installers.ts'
import type { Buyer } from '#domain/price-tiers/price-tiers.ts'
import { atOnce } from '#platform/at-once.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

type Deps = { db: Database; clock: Clock; buyer: Buyer }

/** A cart and what was entered for it. */
export type Entered = SavedDetails & { cart: Cart }
/** The same with the shop it is to go to if that still takes orders, which its price asks for. */
export type Checkout = Entered & { shop: Shop | undefined }

/** The same with what `first` reads before it. */
type CheckoutAfter<First> = { first: First; checkout: Checkout | undefined }

/** Reads an open cart and what was entered for it in one round trip; undefined as for `readCheckout`. */
export async function readEntered(deps: Deps, cartId: string | undefined): Promise<Entered | undefined> {
  if (cartId === undefined) return undefined
  const readCart = await cartReader(deps)
  const [cart, details] = await atOnce(deps.db, [(db) => readCart(db, cartId), (db) => selectDetails(db, cartId)])
  return cart?.state === 'open' ? { cart, ...details } : undefined
}

/** Reads the open checkout of a cart in one round trip; undefined if the buyer has no such cart, or has ordered it. */
export async function readCheckout(deps: Deps, cartId: string | undefined): Promise<Checkout | undefined> {
  if (cartId === undefined) return undefined
  const { checkout } = await readCheckoutAfter(deps, cartId, () => Promise.resolve(null))
  return checkout?.cart.state === 'open' ? checkout : undefined
}

/** The same in any state, in one round trip with `first`, which is read before it. */
export async function readCheckoutAfter<First>(
  deps: Deps,
  cartId: string,
  first: (db: Database) => Promise<First>,
): Promise<CheckoutAfter<First>> {
  const { clock } = deps
  const readCart = await cartReader(deps)
  const [before, cart, details, shop] = await atOnce(deps.db, [
    first,
    (db) => readCart(db, cartId),
    (db) => selectDetails(db, cartId),
    (db) => findShop({ db, clock }, { id: shopOfCart(cartId), cartId }),
  ])
  return { first: before, checkout: cart && { cart, ...details, shop } }
}
