/**
 * A sample order before the store opens. It is placed through the use cases of the shopper pages, from the cart to the
 * commit, with price, tax, a held time and ledger entries. Its transaction is rolled back, so that no order, charge or
 * entry stays; its hold is released, and its empty cart expires like other abandoned carts.
 */
import { refusePlacing } from '#content/messages/placing.ts'
import { releaseHold, holdSlot, type Calendars } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { addToCart, readCart, setQuantity } from '#domain/payments/cart/cart.server.ts'
import {
  addressFingerprint,
  agreementKey,
  chooseFulfillment,
  forgetDetailsOfCarts,
  installationFor,
  listShopChoices,
  placeOrder,
  quoteCart,
  readAgreedTime,
  saveBilling,
  saveContact,
  type PlaceOrderDeps,
  type PlaceOrderInput,
  type ShopChoice,
} from '#domain/ordering/checkout/checkout.server.ts'
import { retailBuyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { billingForm, contactForm, type Contact } from '#domain/supply/contact-forms/contact-forms.ts'
import { selectSamples, type Sample } from './sample-order.sql.server.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { formatCents } from '#platform/money.ts'

export type SampleDeps = Omit<PlaceOrderDeps, 'settings'> &
  Parameters<typeof listShopChoices>[0] &
  Parameters<typeof addToCart>[0] & { calendars: Calendars }

/** What the sample came to, or why it was refused, in words. */
type Tried = Outcome<{ words: string }, Refused<'no-sample', { words: string }>>

/** The store's own phone number and email, which the sample order has as its customer's. */
type Store = { phone: string; email: string }

/**
 * Places a sample order and rolls it back. Refuses with `no-sample` and the reason if no tire in stock can be installed
 * at a shop within the bookable days, or if the order itself is refused.
 */
export async function placeSample(deps: SampleDeps, store: Store): Promise<Tried> {
  const samples = await selectSamples(deps.db)
  if (samples.length === 0) return refused('no-sample', { words: 'No shop is open for appointments yet.' })
  for (const sample of samples) {
    const tried = await tryAt({ ...deps, buyer: retailBuyer }, sample, store)
    if (tried) return tried
  }
  const tried = [...new Set(samples.map(({ shop }) => shop))].join(', ')
  return refused('no-sample', {
    words: `No tire in stock has a price, an arrival day and a free time at ${tried}. Check their hours, prices and bays.`,
  })
}

/** Orders a tire at the nearest shop with an available time. Returns undefined without one. */
async function tryAt(deps: SampleDeps, sample: Sample, store: Store): Promise<Tried | undefined> {
  const { itemId, quantity, zip, kind } = sample
  const added = await addToCart(deps, {
    cartId: undefined,
    lines: [{ itemId, quantity, axle: 'all' }],
    zip,
    vehicle: null,
  })
  if (!added.ok) return undefined
  const { cartId } = added.value
  try {
    const cart = await readCart(deps, cartId)
    const choices = cart && (await listShopChoices(deps, cart, { zip, kind }))
    if (!choices?.ok) return undefined
    const choice = choices.value.find(({ arrivesOn, openings }) => arrivesOn !== null && openings.length > 0)
    return choice && (await orderAt(deps, cartId, { choice, sample, store }))
  } finally {
    await releaseHold(deps, { cartId, actor: 'system', note: 'sample order' })
    await setQuantity(deps, cartId, { itemId, axle: 'all', quantity: 0 })
    await deps.db.transaction().execute((tx) => forgetDetailsOfCarts(tx, [cartId]))
  }
}

type Tire = { choice: ShopChoice; sample: Sample; store: Store }

async function orderAt(deps: SampleDeps, cartId: string, tire: Tire): Promise<Tried | undefined> {
  const { shop, arrivesOn } = tire.choice
  const chosen = await chooseTime(deps, cartId, tire)
  if (chosen === undefined) return undefined
  const failed = (words: string) => refused('no-sample', { words: `A sample order at ${shop.name} failed. ${words}` })
  if (!chosen) return failed('Its time could not be held.')
  const agreed = await enterAndAgree(deps, chosen, tire)
  if (!agreed) return failed('Its address was refused, or it has no price.')
  const { totalCents, ...input } = agreed
  const placed = await placeOrder({ ...deps, isTrial: true, isStaffHere: async () => true }, input)
  if (placed.ok) return ok({ words: `${shop.name}: ${formatCents(totalCents)} with tax, arrives ${arrivesOn}` })
  const { title, words } = refusePlacing(placed, tire.store)
  return failed(words ?? title ?? '')
}

/** Holds the first time. Returns the cart; undefined when the tires have sold out since, and null without the time. */
async function chooseTime(
  deps: SampleDeps,
  cartId: string,
  { choice, sample }: Tire,
): Promise<Cart | null | undefined> {
  const { shop, openings } = choice
  const cart = await readCart(deps, cartId)
  const target = cart && (await installationFor(deps, cart, shop.id))
  const [opening] = openings
  if (!cart || !target?.ok || !opening) return undefined
  const time = opening.kind === 'drop-off' ? { date: opening.date, window: opening.window } : { start: opening.start }
  const held = await holdSlot(deps, { cartId, shopId: shop.id, choice: time, zip: sample.zip, ...target.value })
  const fulfillment = sample.kind === 'van' ? 'mobile' : 'shop'
  if (!held.ok || !(await chooseFulfillment(deps, cart, { fulfillment, shopId: shop.id })).ok) return null
  return (await readCart(deps, cartId)) ?? null
}

/** Enters the details, and agrees to the price; undefined when either is refused. */
async function enterAndAgree(
  deps: SampleDeps,
  cart: Cart,
  { sample, store }: Tire,
): Promise<(PlaceOrderInput & { totalCents: number }) | undefined> {
  const cartId = cart.id
  const typed = contactOf(sample, store)
  const saved = await saveContact(deps, cart, typed, { address: addressFingerprint(typed) })
  const contact = saved.ok ? saved.value.contact : null
  if (!contact) return undefined
  await saveBilling(deps, cartId, billingForm.parse({ sameAsShipping: '1' }), contact)
  const ready = await readCart(deps, cartId)
  const { breakdown } = ready ? await quoteCart(deps, ready, contact, { method: 'card' }) : { breakdown: null }
  if (!ready || !breakdown) return undefined
  const agreedPrice = agreementKey({ cart: ready, contact, breakdown, time: await readAgreedTime(deps, ready) })
  const { totalCents } = breakdown.totals
  return { cartId, agreedPrice, termsAccepted: true, conditionsAccepted: true, totalCents }
}

/** The store as the customer of its sample order, at the address of the shop. */
function contactOf({ shop, street, city, state, zip }: Sample, { phone, email }: Store): Contact {
  const address = { address1: street, city, state, zip }
  const reach = { email, phone, phoneType: 'home' }
  return contactForm.parse({
    firstName: 'Sample',
    lastName: 'Order',
    ...address,
    ...reach,
    vehicleNote: shop.slice(0, 50),
  })
}
