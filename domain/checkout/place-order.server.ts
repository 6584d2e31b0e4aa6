/**
 * Placing an order: once, however often it is asked for. Everything is checked against what the shopper agreed to, then
 * order, stock, bay, charge or invoice, and ledger are committed together; only afterwards does anything leave the
 * house (jobs, asked for in the same transaction).
 *
 * A retry, a second tab, a reload or a second web process finds the cart ordered and gets the same order. A crash
 * before the commit leaves an authorized charge without an order; the next press places it, and otherwise
 * `releaseCutOffCharges` lets it go within the minute.
 */
import { isInstallation } from '#domain/delivery/delivery.ts'
import type { Catalog } from '#domain/catalog/catalog.server.ts'
import {
  appointmentRequirements,
  confirmHold,
  type AppointmentRequirements,
  type NotKept,
} from '#domain/booking/booking.server.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { poProblem } from '#domain/companies/companies.ts'
import { findPoRule } from '#domain/companies/companies.server.ts'
import { keepCart, readCart } from '#domain/cart/cart.server.ts'
import { judgeCart, type CartVerdict } from '#domain/checkout/cart-verdict.server.ts'
import { readCreditLine } from '#domain/checkout/net-terms.server.ts'
import { lockPriceBasis, readPriceBasis } from '#domain/checkout/price-basis.sql.server.ts'
import { selectDetails, type SavedBilling, type SavedContact } from '#domain/checkout/checkout.sql.server.ts'
import { offeredTires } from '#domain/checkout/charged-prices.ts'
import { quoteCart, type CartQuote, type QuoteDeps, type QuoteProblem } from '#domain/checkout/quote.server.ts'
import { grantInvoice, type TermsRefusal } from '#domain/invoices/invoices.ts'
import { parseArticleId, tireSpecs } from '#domain/offers/offers.ts'
import {
  commitOrder,
  type DraftLine,
  type DraftShipment,
  type OrderDraft,
  type OrderMoney,
} from '#domain/orders/orders.server.ts'
import type { PaymentProvider } from '#domain/payments/payment-provider.port.ts'
import { beginSubmission, endSubmission, readPaymentStatus } from '#domain/payments/payments.server.ts'
import type { Payment } from '#domain/payments/payments.ts'
import { breakdownFingerprint, lineName, type PriceBreakdown } from '#domain/pricing/pricing.ts'
import { claimReferral } from '#domain/programs/programs.server.ts'
import type { Buyer } from '#domain/price-tiers/price-tiers.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Ok, type Outcome, type Refused } from '#platform/outcome.ts'
import { isInstallationRefused } from '#domain/fitment/fitment.ts'

export type PlaceOrderDeps = QuoteDeps & {
  payments: PaymentProvider
  catalog: Catalog
  buyer: Buyer
  /** Counts what is placed. */
  metrics?: { orderPlaced(): void }
}

/** The step of the checkout at which something is missing. */
export type MissingStep = 'cart' | 'shipping' | 'time' | 'contact' | 'payment' | 'po-number'

export type PlaceOrderRefusal =
  | Refused<'incomplete', { step: MissingStep }>
  | Refused<'terms-not-accepted'>
  | Refused<'conditions-not-accepted'>
  | Refused<'does-not-fit', { verdict: CartVerdict }>
  | Refused<'problem', { problems: QuoteProblem[] }>
  | Refused<'price-changed'>
  | Refused<'slot-lost', { why: NotKept['reason'] }>
  | Refused<'payment-not-authorized', { failure: string | null; isProcessing: boolean }>
  | Refused<'payment-unavailable'>
  | TermsRefusal

export type PlaceOrderInput = {
  cartId: string
  /** `breakdownFingerprint` of the price the shopper saw when pressing the button. */
  agreedPrice: string
  termsAccepted: boolean
  /** The shopper ticked that they read what the fit depends on; needed only where there are such conditions. */
  conditionsAccepted: boolean
}

/**
 * How often placing begins again when something moved between reading and locking it. A shopper does not change a cart
 * this often while pressing the button. Stock moves when somebody else's order has it, so that there is an end to it:
 * the last tires are sold. In a rush on tires that lie in many warehouses that takes a while. Locks are taken in one
 * order; only an appointment that moves at the very moment can still stand crosswise.
 */
const attempts = { 'cart-moved': 4, 'price-moved': 4, 'credit-moved': 4, 'stock-moved': 100, interrupted: 4 }

/** Places the order of a cart. `isNew` is false when it had been placed before. */
export async function placeOrder(
  deps: PlaceOrderDeps,
  input: PlaceOrderInput,
): Promise<Outcome<{ orderId: number; isNew: boolean }, PlaceOrderRefusal>> {
  const submission = await beginSubmission(deps, { cartId: input.cartId })
  const outcome = await placeOnce(deps, input, submission?.payment)
  // Not when it throws: what became of it is not known then.
  if (submission && !outcome.ok) await endSubmission(deps, submission)
  if (outcome.ok && outcome.value.isNew) deps.metrics?.orderPlaced()
  return outcome
}

async function placeOnce(
  deps: PlaceOrderDeps,
  input: PlaceOrderInput,
  payment: Payment | undefined,
): Promise<Outcome<{ orderId: number; isNew: boolean }, PlaceOrderRefusal>> {
  const left = { ...attempts }
  for (;;) {
    const outcome = await tryToPlace(deps, input, payment)
    // Read again, and say what moved if it concerns the shopper.
    if (typeof outcome !== 'string') return outcome
    left[outcome] -= 1
    if (left[outcome] === 0)
      throw new Error(`Placing the order of cart ${input.cartId} was given up: ${outcome} ${attempts[outcome]} times.`)
  }
}

async function tryToPlace(
  shopper: PlaceOrderDeps,
  input: PlaceOrderInput,
  payment: Payment | undefined,
): Promise<Outcome<{ orderId: number; isNew: boolean }, PlaceOrderRefusal> | keyof typeof attempts> {
  const buyer = shopper.buyer.afresh()
  const accountId = await buyer.accountId()
  // The order is whose the cart is, from the moment it is placed.
  if (accountId !== null) await keepCart(shopper.db, input.cartId, accountId)
  const priced = { cartId: input.cartId, accountId }
  // Before anything is read that the price is made of.
  const basis = await readPriceBasis(shopper.db, priced)
  const deps = { ...shopper, buyer, catalog: shopper.catalog.narrowed((await buyer.priceTier()).brandIds) }
  const cart = await readCart(deps, input.cartId)
  if (!cart) return refused('incomplete', { step: 'cart' })
  if (cart.orderId !== null) return ok({ orderId: cart.orderId, isNew: false })

  const ready = await readyToOrder(deps, cart, { input, charge: payment })
  if (!ready.ok) return (await orderPlacedMeanwhile(deps, cart.id)) ?? ready
  const { requirements, money, ...parts } = ready.value
  const { breakdown } = parts

  const committed = await commitOrder(deps, {
    draft: draftOrder(deps, cart, { ...parts, buyerId: accountId }),
    cart,
    money,
    standsPrice: async (tx) => (await lockPriceBasis(tx, priced)) === basis,
    claimProgram:
      referralOf(breakdown, cart) && ((tx, orderId) => claimReferral({ db: tx, clock: deps.clock }, { cart, orderId })),
    confirmBooking:
      requirements &&
      ((tx, orderId) => confirmHold({ db: tx, clock: deps.clock }, { cartId: cart.id, orderId, requirements })),
  })
  if (committed.ok) return committed
  switch (committed.reason) {
    case 'cart-moved':
    case 'price-moved':
    case 'credit-moved':
    case 'stock-moved':
    case 'interrupted':
      return committed.reason
    case 'payment-moved':
      return refused('payment-not-authorized', { failure: null, isProcessing: false })
    case 'program-moved':
      // The same friend ordered elsewhere meanwhile: read again, the price is without it.
      return refused('price-changed')
    case 'slot-lost':
      return committed
  }
}

function referralOf(breakdown: PriceBreakdown, cart: Cart): Cart['referral'] {
  return breakdown.program.kind === 'referral' ? cart.referral : null
}

/**
 * What stands in the way of one press can be the order that another one of the same cart placed: it has the last tires,
 * and the charge.
 */
async function orderPlacedMeanwhile(
  deps: PlaceOrderDeps,
  cartId: string,
): Promise<Ok<{ orderId: number; isNew: boolean }> | undefined> {
  const orderId = (await readCart(deps, cartId))?.orderId ?? null
  return orderId === null ? undefined : ok({ orderId, isNew: false })
}

type Ready = {
  quote: CartQuote
  breakdown: PriceBreakdown
  contact: SavedContact
  billing: SavedBilling
  verdict: CartVerdict | null
  /** What the appointment must give; null where nothing is installed. */
  requirements: AppointmentRequirements | null
  money: OrderMoney
  /** For whom it is bought. */
  companyId: string | null
}

async function readyToOrder(
  deps: PlaceOrderDeps,
  cart: Cart,
  { input, charge }: { input: PlaceOrderInput; charge: Payment | undefined },
): Promise<Outcome<Ready, PlaceOrderRefusal>> {
  if (cart.lines.length === 0) return refused('incomplete', { step: 'cart' })
  if (!input.termsAccepted) return refused('terms-not-accepted')
  const details = await selectDetails(deps.db, cart.id)
  if (cart.fulfillment === null) return refused('incomplete', { step: 'shipping' })
  if (!details.contact) return refused('incomplete', { step: 'contact' })

  const [quote, verdict] = await Promise.all([quoteCart(deps, cart, details.contact), judgeCart(deps, cart)])
  const isInstalled = isInstallation(cart.fulfillment)
  if (isInstalled && verdict && isInstallationRefused(verdict)) return refused('does-not-fit', { verdict })
  if (verdict?.verdict === 'fits_with_conditions' && !input.conditionsAccepted)
    return refused('conditions-not-accepted')
  if (quote.problems.length > 0) return refused('problem', { problems: quote.problems })
  if (quote.basis !== 'chosen' || !quote.breakdown || !quote.delivery)
    return refused('incomplete', { step: 'shipping' })
  if (!details.billing) return refused('incomplete', { step: 'payment' })
  const { companyId } = await deps.buyer.priceTier()
  const po = companyId === null ? undefined : await findPoRule(deps, companyId)
  if (po && poProblem(details.billing.poNumber, po) !== null) return refused('incomplete', { step: 'po-number' })

  const agreed = breakdownFingerprint(quote.breakdown) === input.agreedPrice
  if (!agreed) return refused('price-changed')

  // Stock or cart may have moved since the time was picked.
  const { arrivesOn } = quote.delivery
  const requirements = isInstalled
    ? await appointmentRequirements(deps, {
        shopId: cart.shopId ?? 0,
        tires: tireSpecs(offeredTires(cart.lines)),
        arrivesOn,
      })
    : null
  if (requirements && !requirements.ok)
    return refused('slot-lost', { why: requirements.reason === 'too-soon' ? 'too-soon' : 'no-hold' })

  const money =
    cart.paymentMethod === 'net-terms'
      ? await invoiceFor(deps, quote.dueCents)
      : await authorizedCharge(deps, charge, quote.dueCents)
  if (!money.ok) return money
  return ok({
    quote,
    breakdown: quote.breakdown,
    contact: details.contact,
    billing: details.billing,
    companyId,
    verdict,
    requirements: requirements?.value ?? null,
    money: money.value,
  })
}

async function invoiceFor(deps: PlaceOrderDeps, dueCents: number): Promise<Outcome<OrderMoney, TermsRefusal>> {
  const granted = grantInvoice(await readCreditLine(deps), dueCents)
  return granted.ok ? ok({ by: 'invoice', netDays: granted.value.netDays }) : granted
}

async function authorizedCharge(
  deps: PlaceOrderDeps,
  charge: Payment | undefined,
  dueCents: number,
): Promise<Outcome<OrderMoney, PlaceOrderRefusal>> {
  if (!charge) return refused('incomplete', { step: 'payment' })
  const payment = await readPaymentStatus(deps, charge)
  if (!payment.ok) return refused('payment-unavailable')
  if (!payment.value) return refused('incomplete', { step: 'payment' })
  if (payment.value.payment.state !== 'authorized')
    return refused('payment-not-authorized', {
      failure: payment.value.failure,
      isProcessing: payment.value.isProcessing,
    })
  // The card was authorized for another amount, before something changed: the shopper goes through payment again.
  if (payment.value.payment.amountCents !== dueCents) return refused('incomplete', { step: 'payment' })
  return ok({ by: 'charge', paymentId: payment.value.payment.id })
}

function draftOrder(
  deps: PlaceOrderDeps,
  cart: Cart,
  parts: Omit<Ready, 'money' | 'requirements'> & { buyerId: string | null },
): OrderDraft {
  const { quote, breakdown, contact, billing, verdict, companyId, buyerId } = parts
  const now = deps.clock.now()
  const lines = draftLines(cart, breakdown)
  const shop = quote.shop
  const counter = quote.carrierLocation
  return {
    cartId: cart.id,
    customerId: newId(),
    buyerId,
    companyId,
    email: contact.email,
    placedAt: now,
    cancelUntil: now.add({ seconds: deps.releaseAfterSeconds }),
    termsAcceptedAt: now,
    fulfillment: cart.fulfillment ?? 'home',
    shopId: shop?.id ?? null,
    carrierLocationId: counter?.id ?? null,
    contact: { ...contact, phone: contact.phone.digits, phoneExtension: contact.phone.extension },
    shipTo: shop
      ? { name: shop.name, street: shop.street, city: shop.city, state: shop.state, zip: shop.zip }
      : counter
        ? { name: counter.name, street: counter.street, city: counter.city, state: counter.state, zip: counter.zip }
        : {
            name: `${contact.firstName} ${contact.lastName}`,
            street: [contact.address1, contact.address2].filter(Boolean).join(', '),
            city: contact.city,
            state: contact.state,
            zip: contact.zip,
          },
    vehicle: cart.vehicle,
    verdict,
    billing,
    breakdown,
    creditCents: quote.creditCents,
    lines,
    shipments: draftShipments(quote, lines),
  }
}

/**
 * The lines of the order are the lines of the calculation; a tire line on two axles stays one line, as it was priced.
 */
function draftLines(cart: Cart, breakdown: PriceBreakdown): DraftLine[] {
  const axles = Map.groupBy(cart.lines, (line) => line.itemId)
  return breakdown.lines.map((line, index) => {
    const itemId = line.kind === 'tire' && line.articleId !== null ? parseArticleId(line.articleId) : null
    const first = itemId === null ? undefined : axles.get(itemId)
    return {
      lineNo: index + 1,
      kind: line.kind,
      itemId,
      axle: first ? (first.length === 1 ? (first[0]?.axle ?? 'all') : 'all') : null,
      description: lineName(line),
      quantity: line.quantity,
      unitCents: line.unitCents,
      grossCents: line.grossCents,
      discountCents: line.grossCents - line.netCents,
      netCents: line.netCents,
      taxCents: line.taxCents,
      fetCents: line.fetCents,
      tireFeeCents: line.tireFeeCents,
    }
  })
}

function missingArticle(itemId: number): never {
  throw new Error(`The price has article ${itemId}, the cart does not.`)
}

function draftShipments(quote: CartQuote, lines: readonly DraftLine[]): DraftShipment[] {
  const lineOf = new Map(lines.filter((line) => line.itemId !== null).map((line) => [line.itemId, line.lineNo]))
  return (quote.delivery?.shipments ?? []).map((shipment) => ({
    id: newId(),
    warehouseId: shipment.warehouseId,
    promisedOn: shipment.arrivesOn.toString(),
    items: shipment.items.map((item) => ({ ...item, lineNo: lineOf.get(item.itemId) ?? missingArticle(item.itemId) })),
  }))
}
