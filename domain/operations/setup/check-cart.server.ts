/**
 * A cart at the payment step, for the hourly check of the card page. It is filled through the use cases of the shopper
 * pages and shipped to the store's own address, so that it holds no tires and no appointment. Reports leave it out.
 */
import { addToCart, deleteCheckCarts, readCart } from '#domain/payments/cart/cart.server.ts'
import {
  addressFingerprint,
  chooseFulfillment,
  saveBilling,
  saveContact,
  type AddressDeps,
} from '#domain/ordering/checkout/checkout.server.ts'
import type { Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import { retailBuyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { billingForm, contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { selectStockedTires } from './sample-order.sql.server.ts'
import { selectShipFrom } from './warehouse-address.sql.server.ts'

type Deps = { db: Database; clock: Clock; catalog: Catalog } & AddressDeps

/** Older check carts come from checks that ended early. */
const checkMinutes = 30

/** Why no shopper could reach the payment step, in words for the office. */
export type NoCheckCart = Refused<'no-check-cart', { words: string }>

/**
 * Opens a check cart with a tire in stock and the details of the store, ready to pay by card. Refuses `no-check-cart`
 * with the reason, such as an empty catalog. `closeCheckCart` deletes it.
 */
export async function openCheckCart(
  deps: Deps,
  store: { phone: string; email: string },
): Promise<Outcome<{ cartId: string }, NoCheckCart>> {
  const [address, items] = await Promise.all([selectShipFrom(deps.db), selectStockedTires(deps.db)])
  if (!address) return refused('no-check-cart', { words: 'No warehouse has a street address yet.' })
  const { street, city, state, zip } = address
  const typed = contactForm.safeParse({
    firstName: 'Payment',
    lastName: 'Check',
    address1: street,
    city,
    state,
    zip,
    email: store.email,
    phone: store.phone,
    phoneType: 'work',
  })
  if (!typed.success) return refused('no-check-cart', { words: typed.error.issues[0]?.message ?? '' })
  const forRetail = { ...deps, buyer: retailBuyer }
  for (const itemId of items) {
    const lines = [{ itemId, quantity: 1, axle: 'all' as const }]
    const added = await addToCart(forRetail, { cartId: undefined, lines, zip, vehicle: null, isCheck: true })
    if (!added.ok) continue
    const { cartId } = added.value
    const words = await enterDetails(forRetail, cartId, typed.data)
    if (words === null) return ok({ cartId })
    await closeCheckCart(deps, cartId)
    return refused('no-check-cart', { words })
  }
  return refused('no-check-cart', { words: 'No tire with a price is in stock.' })
}

/** Returns why the details were refused; null if they were saved. */
async function enterDetails(
  deps: Deps & { buyer: typeof retailBuyer },
  cartId: string,
  typed: Parameters<typeof saveContact>[2],
): Promise<string | null> {
  const cart = await readCart(deps, cartId)
  if (!cart || !(await chooseFulfillment(deps, cart, { fulfillment: 'home' })).ok)
    return 'Its cart could not choose delivery to the warehouse.'
  const key = addressFingerprint(typed)
  const saved = await saveContact(deps, { ...cart, fulfillment: 'home' }, typed, { address: key, shop: key })
  if (!saved.ok) return saved.reason === 'field' ? saved.detail.message : 'The warehouse address was refused.'
  const { contact } = saved.value
  if (contact) await saveBilling(deps, cartId, billingForm.parse({ sameAsShipping: '1' }), contact)
  return null
}

/** Deletes the cart, if any, and carts from interrupted checks. */
export async function closeCheckCart({ db, clock }: Pick<Deps, 'db' | 'clock'>, cartId: string | null): Promise<void> {
  await deleteCheckCarts(db, { cartId, before: clock.now().subtract({ minutes: checkMinutes }) })
}
