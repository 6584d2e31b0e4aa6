/** Data shared by every checkout step, read in one round trip. */
import { cartReader } from '#domain/payments/cart/cart.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { selectDetails, shopOfCart, type SavedDetails } from './checkout.sql.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import type { ShopInFull } from '#domain/scheduling/installers/installers.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { atOnce } from '#platform/at-once.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

type Deps = { db: Database; clock: Clock; buyer: Buyer }

/** A cart with the details entered for it. */
export type Entered = SavedDetails & { cart: Cart }
/** The same, with the cart's shop if it still takes orders, which pricing needs. */
export type Checkout = Entered & { shop: ShopInFull | undefined }

/** Reads an open cart and its details in one round trip. Undefined in the same cases as `readCheckout`. */
export async function readEntered(deps: Deps, cartId: string | undefined): Promise<Entered | undefined> {
  if (cartId === undefined) return undefined
  const readCart = await cartReader(deps)
  const [cart, details] = await atOnce(deps.db, [(db) => readCart(db, cartId), (db) => selectDetails(db, cartId)])
  return cart?.state === 'open' ? { cart, ...details } : undefined
}

/** Reads a cart's open checkout in one round trip. Returns undefined if the cart isn't open or isn't the buyer's. */
export async function readCheckout(deps: Deps, cartId: string | undefined): Promise<Checkout | undefined> {
  if (cartId === undefined) return undefined
  const checkout = checkoutOf(...(await atOnce(deps.db, await checkoutReaders(deps, cartId))))
  return checkout?.cart.state === 'open' ? checkout : undefined
}

/** What reads a checkout in any state, for `atOnce` with something else; `checkoutOf` puts it together. */
export async function checkoutReaders({ clock, buyer }: Omit<Deps, 'db'>, cartId: string) {
  const readCart = await cartReader({ clock, buyer })
  return [
    (own: Database) => readCart(own, cartId),
    (own: Database) => selectDetails(own, cartId),
    (own: Database) => findShop({ db: own, clock }, { id: shopOfCart(cartId), cartId }),
  ] as const
}

/** Assembles the checkout from the results of `checkoutReaders`. Undefined if the cart doesn't belong to the buyer. */
export function checkoutOf(
  cart: Cart | undefined,
  details: SavedDetails,
  shop: ShopInFull | undefined,
): Checkout | undefined {
  return cart && { cart, ...details, shop }
}
