/**
 * Places a purchasing system's order with the same cart, price, stock, appointment and invoice as the pages, agreed to
 * by a document. A difference from our price is refused with details, and orders are never placed in part.
 */
import { doesNotFitText } from '#content/messages/placing.ts'
import { addToCart, readCart } from '#domain/payments/cart/cart.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { holdSlot, offerTimes, releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import { findCatalogIds, type Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import {
  agreementKey,
  readAgreedTime,
  addressFingerprint,
  chooseFulfillment,
  chooseServices,
  installationFor,
  payOnTerms,
  placeOrder,
  quoteCart,
  readDetails,
  saveBilling,
  saveContact,
  type AddressDeps,
  type PlaceOrderDeps,
  type PlaceOrderRefusal,
} from '#domain/ordering/checkout/checkout.server.ts'
import { billingForm, contactForm, type Contact } from '#domain/supply/contact-forms/contact-forms.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import type { PriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { violatedConstraint } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { purchaseItems, serviceParts, type PurchaseItem } from './purchase-items.ts'
import { differenceFrom, type PurchaseRequest } from './purchase-request.ts'
import { findOrigin } from './exchange-carts.server.ts'
import { insertPurchase, selectPurchase } from './purchases.sql.server.ts'
import { problemWords } from './problem-words.ts'
import { contactFields } from './ship-to.ts'
import { buyerOf } from './systems.server.ts'
import type { PurchasingSystem } from './systems.sql.server.ts'

export type PurchaseDeps = Omit<PlaceOrderDeps, 'buyer'> & AddressDeps & { catalog: Catalog; priceLists: PriceLists }
type CompanyDeps = PurchaseDeps & PlaceOrderDeps

/** `invalid` means that it can't be placed as submitted; `known` means that its number belongs to another order. */
export type PurchaseRefusal = Refused<'invalid', { words: string }> | Refused<'known', { words: string }>

const invalid = (words: string): PurchaseRefusal => refused('invalid', { words })

/** Places an order on the company's net terms, or returns the refusal text. */
export async function placePurchase(
  shop: PurchaseDeps,
  system: PurchasingSystem,
  request: PurchaseRequest,
): Promise<Outcome<{ orderId: number }, PurchaseRefusal>> {
  if (await selectPurchase(shop.db, system.companyId, request.orderId)) return known(request)
  const wrongPayer = payerProblem(system, request)
  if (wrongPayer !== undefined) return invalid(wrongPayer)
  const origin = await findOrigin(shop, system.companyId, request.origin)
  if (origin?.customerId && request.customerId !== origin.customerId)
    return invalid(`The CustomerId doesn’t match the cart: ${origin.customerId}.`)
  const deps = await asCompany(shop, system)
  const filled = await fillCart(deps, request)
  if (!filled.ok) return filled
  // The reservation of the document's cart is used for its order.
  if (origin?.cartId && request.installAt !== null)
    await releaseHold(deps, { cartId: origin.cartId, actor: 'customer' })
  const chosen = await chooseWhere(deps, filled.value, request)
  const placed = chosen.ok ? await agree(deps, filled.value.id, { system, request }) : chosen
  // Releases the reservation; the cart expires like any abandoned cart.
  if (!placed.ok) await releaseHold(deps, { cartId: filled.value.id, actor: 'customer' })
  return placed
}

function known({ orderId }: PurchaseRequest): PurchaseRefusal {
  return refused('known', { words: `Order ${orderId} was placed before, by another document.` })
}

/** Returns the store as seen by the company, with only its prices and brands. */
export async function asCompany<Shop extends PurchaseDeps>(
  shop: Shop,
  system: PurchasingSystem,
): Promise<Shop & PlaceOrderDeps> {
  const buyer = buyerOf(shop, system)
  const { brandIds } = await buyer.priceTier()
  return { ...shop, buyer, catalog: shop.catalog.narrowed(brandIds) }
}

/** An exchange bills its customers itself, so no other may be billed for its orders. */
function payerProblem(system: PurchasingSystem, { billToName }: PurchaseRequest): string | undefined {
  const isExchange = system.channel === 'military-exchange'
  return isExchange && billToName.toLowerCase() !== system.bill.name.toLowerCase()
    ? `The BillTo of an exchange is the exchange itself: ${system.bill.name}.`
    : undefined
}

async function fillCart(deps: CompanyDeps, request: PurchaseRequest): Promise<Outcome<Cart, PurchaseRefusal>> {
  const services = new Set<string>(Object.values(serviceParts))
  const tires = request.lines.filter(({ partId }) => !services.has(partId))
  if (tires.length === 0) return invalid('The order has no tires.')
  const ids = await findCatalogIds(deps.db, { brand: [], line: [], size: [], item: tires.map(({ partId }) => partId) })
  const lines = tires.map(({ partId, quantity }) => ({ itemId: ids.item.get(partId.toLowerCase()), partId, quantity }))
  const unknown = lines.filter(({ itemId }) => itemId === undefined).map(({ partId }) => partId)
  if (unknown.length > 0) return invalid(`We sell no part ${unknown.join(', ')}.`)
  const added = await addToCart(deps, {
    cartId: undefined,
    lines: lines.map(({ itemId = 0, quantity }) => ({ itemId, quantity, axle: 'all' })),
    zip: request.shipTo?.zip ?? null,
    vehicle: null,
  })
  if (!added.ok) return invalid('A part is not sold, or not among the brands agreed on.')
  const cart = await readCart(deps, added.value.cartId)
  if (!cart) throw new Error('A cart that was just filled is gone.')
  return ok(cart)
}

/** Sets the tires' destination to a shop at a time, or to the order's address. */
async function chooseWhere(
  deps: CompanyDeps,
  cart: Cart,
  request: PurchaseRequest,
): Promise<Outcome<null, PurchaseRefusal>> {
  if (request.installAt === null) {
    if (request.shipTo === null) return invalid('The order has no shipping or installation address.')
    const chosen = await chooseFulfillment(deps, cart, { fulfillment: 'home' })
    return chosen.ok ? chooseCovered(deps, cart, request) : invalid('The cart of the order is gone.')
  }
  const shop = await findShop(deps, { code: request.installAt })
  if (!shop || shop.kind !== 'shop') return invalid(`There is no shop ${request.installAt}.`)
  if (request.appointmentAt === null)
    return invalid('An order to install names its time in the Extrinsic AppointmentAt.')
  const target = await installationFor(deps, cart, shop.id)
  if (!target.ok)
    return invalid(target.reason === 'does-not-fit' ? doesNotFitText(target) : 'The tires are not in stock together.')
  const choice = { start: request.appointmentAt }
  const held = await holdSlot(deps, { cartId: cart.id, shopId: shop.id, choice, ...target.value })
  if (!held.ok) return invalid(await timeWords(deps, held, { shopId: shop.id, ...target.value }))
  const chosen = await chooseFulfillment(deps, cart, { fulfillment: 'shop', shopId: shop.id })
  return chosen.ok ? chooseCovered(deps, cart, request) : invalid('The cart of the order is gone.')
}

/** Why a time cannot be had, with the next ones that can. */
async function timeWords(
  deps: CompanyDeps,
  refusal: { reason: string },
  asked: Parameters<typeof offerTimes>[1],
): Promise<string> {
  if (refusal.reason === 'shop-not-capable') return 'The shop does not install these tires.'
  const offered = await offerTimes(deps, asked)
  if (!offered.ok) return 'The shop has no free time at AppointmentAt.'
  const { days, timeZone } = offered.value
  const times = days
    .flatMap((day) => (day.state === 'free' ? day.times : []))
    .filter(({ free }) => free)
    .slice(0, 3)
    .map(({ start }) => start.toZonedDateTimeISO(timeZone).toString({ timeZoneName: 'never', smallestUnit: 'minute' }))
  const instead = times.length > 0 ? ` Next free: ${times.join(', ')}.` : ''
  return `The shop has no free time at AppointmentAt.${instead}`
}

/** Coverage and roadside are bought by sending their parts. */
async function chooseCovered(
  deps: CompanyDeps,
  cart: Cart,
  { lines }: PurchaseRequest,
): Promise<Outcome<null, PurchaseRefusal>> {
  const has = (part: string) => lines.some(({ partId }) => partId === part)
  const now = await readCart(deps, cart.id)
  if (now)
    await chooseServices(deps, now, { coverage: has(serviceParts.coverage), roadside: has(serviceParts.roadside) })
  return ok(null)
}

/** Holds the order against our price, and places it at that. */
async function agree(
  deps: CompanyDeps,
  cartId: string,
  { system, request }: { system: PurchasingSystem; request: PurchaseRequest },
): Promise<Outcome<{ orderId: number }, PurchaseRefusal>> {
  const cart = await readCart(deps, cartId)
  if (!cart) throw new Error('A cart that was just filled is gone.')
  const entered = await enterDetails(deps, cart, { system, request })
  if (!entered.ok) return entered
  const { contact } = await readDetails(deps, cartId)
  const quote = await quoteCart(deps, cart, contact)
  const { breakdown } = quote
  if (quote.problems.length > 0 || !breakdown)
    return invalid(quote.problems.map(problemWords).join(' ') || 'There is no price.')
  const skus = new Map(cart.lines.map(({ itemId, article }) => [itemId, article.sku]))
  const items = purchaseItems(breakdown, (itemId) => skus.get(itemId) ?? '')
  const difference = differenceFrom(request, { items, taxCents: breakdown.totals.taxCents })
  if (difference !== undefined) return invalid(difference)
  const granted = await payOnTerms(deps, cart, quote.dueCents)
  if (!granted.ok) return invalid(termsWords(granted.detail))
  const agreedPrice = agreementKey({ cart, contact, breakdown, time: await readAgreedTime(deps, cart) })
  return place(deps, { cartId, agreedPrice }, { system, request, items })
}

async function place(
  deps: CompanyDeps,
  agreed: { cartId: string; agreedPrice: string },
  purchase: { system: PurchasingSystem; request: PurchaseRequest; items: readonly PurchaseItem[] },
): Promise<Outcome<{ orderId: number }, PurchaseRefusal>> {
  const alongside = (tx: Parameters<typeof insertPurchase>[0], orderId: number) => insertPurchase(tx, orderId, purchase)
  try {
    // A company agrees to the terms of sale when it is given terms of payment; the document is its signature.
    const placed = await placeOrder(
      { ...deps, alongside },
      { ...agreed, termsAccepted: true, conditionsAccepted: true },
    )
    return placed.ok ? ok({ orderId: placed.value.orderId }) : invalid(placingWords(placed))
  } catch (error) {
    if (violatedConstraint(error) === 'purchasing_order_once') return known(purchase.request)
    throw error
  }
}

async function enterDetails(
  deps: CompanyDeps,
  cart: Cart,
  { system, request }: { system: PurchasingSystem; request: PurchaseRequest },
): Promise<Outcome<null, PurchaseRefusal>> {
  const { bill, phone, email } = system
  const contact = contactForm.safeParse(contactFields(system, request))
  if (!contact.success) return invalid(`ShipTo: ${contact.error.issues.map(({ message }) => message).join(' ')}`)
  const saved = await saveContact(deps, cart, contact.data, keptAddress(contact.data))
  if (!saved.ok)
    return invalid(
      saved.reason === 'field' ? `ShipTo: ${saved.detail.message}` : 'ShipTo: We cannot find this address.',
    )
  const billing = billingForm.safeParse({
    sameAsShipping: '0',
    billingName: bill.name,
    billingAddress1: bill.street,
    billingCity: bill.city,
    billingState: bill.state,
    billingZip: bill.zip,
    billingPhone: phone,
    billingPhoneType: 'work',
    poNumber: request.orderId,
  })
  if (!billing.success) return invalid('The billing address that we have of you is not complete.')
  await saveBilling(deps, cart.id, billing.data, { ...contact.data, email, phone: contact.data.phone })
  return ok(null)
}

/** Confirms unusual addresses automatically for a purchasing system. */
function keptAddress(contact: Contact): { address: string; shop: string } {
  const key = addressFingerprint(contact)
  return { address: key, shop: key }
}

function termsWords(detail: { why: string; leftCents?: number }): string {
  switch (detail.why) {
    case 'over-limit':
      return `The credit limit leaves ${formatCents(detail.leftCents ?? 0)}.`
    case 'overdue':
      return 'An invoice is overdue. Orders are taken again once it is paid.'
    default:
      return 'No net terms are agreed on.'
  }
}

function placingWords(refusal: PlaceOrderRefusal): string {
  switch (refusal.reason) {
    case 'problem':
      return refusal.detail.problems.map(problemWords).join(' ')
    case 'net-terms-refused':
      return termsWords(refusal.detail)
    case 'slot-lost':
      return 'The appointment time was just booked by someone else.'
    case 'price-changed':
      return 'The price changed.'
    case 'incomplete':
      return refusal.detail.step === 'po-number'
        ? 'The orderID is not a purchase order number of the form agreed on.'
        : `The order is not complete: ${refusal.detail.step}.`
    default:
      return 'The order cannot be placed. Call us about it.'
  }
}
