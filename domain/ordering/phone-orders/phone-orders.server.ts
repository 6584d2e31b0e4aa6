/** Orders that staff place by phone from a quote, on the net terms of the customer's company. */
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import {
  addressFingerprint,
  agreementKey,
  payOnTerms,
  placeOrder,
  quoteCart,
  readAgreedTime,
  readCreditLine,
  readDetails,
  saveBilling,
  saveContact,
  type AddressDeps,
  type PlaceOrderDeps,
  type PlaceOrderRefusal,
} from '#domain/ordering/checkout/checkout.server.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import type { Contact } from '#domain/supply/contact-forms/contact-forms.ts'
import { creditLeft, type TermsRefusal } from '#domain/payments/invoices/invoices.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { createBuyer, type PriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { recordSeller } from '#domain/ordering/orders/orders.server.ts'
import { isSameTires, type Quote, type StaffOpenRefusal } from '#domain/ordering/quotes/quotes.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { openPhoneCart } from './book-installation.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export { bookInstallation, openPhoneCart, readPhoneCart, type PhoneCart } from './book-installation.server.ts'

type Deps = Omit<PlaceOrderDeps, 'buyer'> & AddressDeps & { priceLists: PriceLists }
type Buying = { db: Database; clock: Clock; priceLists: PriceLists }

/** The credit in cents that the company of a quote's account has left on net terms; null if it has no terms. */
export async function readTermsOf(
  deps: Buying,
  quote: Pick<Quote, 'accountId'>,
): Promise<{ leftCents: number } | null> {
  const { accountId } = quote
  if (accountId === null) return null
  const line = await readCreditLine({ ...deps, buyer: createBuyer(deps, async () => accountId) })
  return line && { leftCents: creditLeft(line) }
}

export type PlaceOnTermsRefusal =
  | Refused<'not-allowed'>
  | StaffOpenRefusal
  | Refused<'no-account'>
  /** The account opened its cart and changed the tires. */
  | Refused<'changed'>
  | Refused<'bad-contact'>
  /** The order is installed, and its vehicle isn't known. */
  | Refused<'no-vehicle'>
  /** The order is installed, and no time is held for it. */
  | Refused<'no-time'>
  | Refused<'total-changed', { totalCents: number }>
  | TermsRefusal
  | Refused<'not-placed', { reason: PlaceOrderRefusal['reason'] }>

/** Carries a refusal out of the order's transaction. */
class Stop extends Error {}

/**
 * Places a sent quote's order on net terms, as its account, and records `by` as its seller. `contact` is the recipient,
 * and `totalCents` is the total quoted to the customer. Staff state that the customer accepts the terms of sale and the
 * fitment conditions. Refuses a quote that is not for an account, an installation without a held time
 * (`bookInstallation`), another total, terms that the company does not have, and all checkout refusals. Repeated after
 * success, it refuses `ordered`.
 */
export async function placeOnTerms(
  deps: Deps,
  by: Actor,
  asked: { quoteId: number; contact: Contact; poNumber: string | null; totalCents: number },
): Promise<Outcome<{ orderId: number }, PlaceOnTermsRefusal>> {
  const opened = await openPhoneCart(deps, by, asked.quoteId)
  if (!opened.ok) return opened
  const { cartId, accountId, lines } = opened.value
  if (accountId === null) return refused('no-account')
  const store = { ...deps, buyer: createBuyer(deps, async () => accountId) }
  const prepared = await prepare(store, cartId, { ...asked, lines })
  if (!prepared.ok) return prepared
  try {
    const placed = await placeOrder(
      {
        ...store,
        alongside: async (tx, orderId) => {
          if (!(await requirePermission(tx, by, 'quotes.write', deps.clock.now())).ok) throw new Stop()
          // Replaces the author of the quote.
          if (by.via === 'office') await recordSeller(tx, orderId, by.name)
          const after = { quote: `Q-${asked.quoteId}`, totalCents: asked.totalCents }
          await recordAct(tx, { by, act: 'order.placed', subject: orderNumber(orderId), after, at: deps.clock.now() })
        },
      },
      { cartId, agreedPrice: prepared.value, termsAccepted: true, conditionsAccepted: true },
    )
    if (!placed.ok) return refused('not-placed', { reason: placed.reason })
    return ok({ orderId: placed.value.orderId })
  } catch (error) {
    if (error instanceof Stop) return refused('not-allowed')
    throw error
  }
}

/** Enters recipient and payer, and returns the order's key. */
async function prepare(
  store: Deps & Pick<PlaceOrderDeps, 'buyer'>,
  cartId: string,
  {
    contact: typed,
    poNumber,
    totalCents,
    lines,
  }: { contact: Contact; poNumber: string | null; totalCents: number; lines: Quote['lines'] },
): Promise<Outcome<string, PlaceOnTermsRefusal>> {
  const cart = await readCart(store, cartId)
  if (!cart) return refused('not-found')
  if (!isSameTires(lines, cart.lines)) return refused('changed')
  if (isInstallation(cart.fulfillment) && (await findChosenTime(store, cartId))?.status !== 'held')
    return refused('no-time')
  const key = addressFingerprint(typed)
  const saved = await saveContact(store, cart, typed, { address: key, shop: key })
  if (!saved.ok && saved.reason === 'field' && saved.detail.name === 'vehicleNote') return refused('no-vehicle')
  if (!saved.ok || !saved.value.contact) return refused('bad-contact')
  await saveBilling(store, cartId, { sameAsShipping: '1', poNumber }, saved.value.contact)
  const { breakdown } = await quoteCart(store, cart, saved.value.contact, { method: 'net-terms' })
  if (!breakdown) return refused('not-placed', { reason: 'problem' })
  if (breakdown.totals.totalCents !== totalCents)
    return refused('total-changed', { totalCents: breakdown.totals.totalCents })
  const granted = await payOnTerms(store, cart, totalCents)
  if (!granted.ok) return granted
  const [ready, { contact }] = [await readCart(store, cartId), await readDetails(store, cartId)]
  if (!ready) return refused('not-found')
  const { breakdown: agreed } = await quoteCart(store, ready, contact, { method: 'net-terms' })
  const time = await readAgreedTime(store, ready)
  return ok(agreementKey({ cart: ready, contact, breakdown: agreed, time }))
}
