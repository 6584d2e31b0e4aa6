/**
 * Places an order exactly once, no matter how often it is submitted. Checks everything the shopper agreed to, then
 * commits order, stock, bay, charge or invoice, and ledger together. Jobs enqueued in the same transaction do
 * everything external afterwards.
 *
 * A retry, a second tab, a reload or a second web process finds the cart ordered and gets the same order. A crash
 * before the commit leaves an authorized charge without an order; the next submission places it, or
 * `releaseCutOffCharges` voids it within the minute. Over 400 lines: checks of one submission in checkout order.
 */
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import type { Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import {
  confirmHold,
  appointmentRequirements,
  setVanStop,
  type AppointmentRequirements,
  type NotKept,
} from '#domain/scheduling/booking/booking.server.ts'
import { isEmptyCart, type Cart } from '#domain/payments/cart/cart.ts'
import { isWithinLimit, poProblem } from '#domain/customers/companies/companies.ts'
import { findPoRule } from '#domain/customers/companies/companies.server.ts'
import { keepCart, readCart } from '#domain/payments/cart/cart.server.ts'
import { agreementKey, isAgreedTime, readAgreedTime, refuseChange } from './agreement.server.ts'
import type { AgreedPart, AgreedTime } from './agreement.server.ts'
import { judgeCart, refusalOf, type CartVerdict, type InstallationRefusal } from './cart-verdict.server.ts'
import { moneyFor, trialOf } from './order-money.server.ts'
import { lockPriceBasis, readPriceBasis } from './price-basis.sql.server.ts'
import type { SavedBilling, SavedContact } from './checkout.sql.server.ts'
import { offeredTires } from './charged-prices.ts'
import { draftOrder, screeningOf, type OrderParts } from './order-draft.server.ts'
import { releaseUnusable } from './settle-hold.server.ts'
import { checkoutOf, checkoutReaders, type Checkout } from './read-checkout.server.ts'
import { quoteCart, type CartQuote, type QuoteDeps, type QuoteProblem } from './quote.server.ts'
import { listRules, prepareScreening } from '#domain/ordering/fraud/fraud.server.ts'
import type { TermsRefusal } from '#domain/payments/invoices/invoices.ts'
import { tireSpecs } from '#domain/catalog/offers/offers.ts'
import {
  commitOrder,
  type CommitRefusal,
  type OrderMoney,
  type OrderToCommit,
} from '#domain/ordering/orders/orders.server.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import {
  beginSubmission,
  endSubmission,
  voidPayment,
  type Submission,
} from '#domain/payments/payments/payments.server.ts'
import { isPaidOnDelivery, type Payment } from '#domain/payments/payments/payments.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { claimCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { attributeOrder, claimReferral } from '#domain/customers/programs/programs.server.ts'
import { claimStoreCardOffer } from '#domain/catalog/payment-offers/payment-offers.server.ts'
import { claimQuoted } from './claim-quoted.server.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { isClosedTo, type LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import { insertOrderTax } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { atOnce } from '#platform/at-once.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Ok, type Outcome, type Refused } from '#platform/outcome.ts'
import { countOf } from '#platform/count-text.ts'

export type PlaceOrderDeps = QuoteDeps & {
  payments: PaymentProvider
  catalog: Catalog
  buyer: Buyer
  businessTerms: LiveTerms
  /** What the limits on a network, and with them the rules that count by network or card, are multiplied by. */
  limitFactor?: number
  /** What else is written down with the order, in its transaction. */
  alongside?: (tx: Tx, orderId: number) => Promise<void>
  /**
   * Approval by a coworker for orders above the buyer's spending limit. Both functions throw to cancel the placement.
   */
  approval?: {
    /** Takes the request, first of all in the order's transaction. */
    take: (tx: Tx) => Promise<void>
    /** Rechecks the permission after every input to the price is locked. */
    permit: (tx: Tx, totalCents: number) => Promise<void>
  }
  /** For a sample order, which is rolled back once it was written, with a charge that no provider has. */
  isTrial?: boolean
  /** Whether the buyer is staff, who can order before the store opens. */
  isStaffHere?: (db: Database) => Promise<boolean>
  /** The store's state as cached in this process. */
  settings?: { readonly isOpen: boolean }
  /** Counts placed orders. */
  metrics?: { orderPlaced(): void }
}

/** The checkout step at which something is missing. */
export type MissingStep = 'cart' | 'shipping' | 'time' | 'contact' | 'payment' | 'po-number'

export type PlaceOrderRefusal =
  | Refused<'incomplete', { step: MissingStep }>
  | Refused<'terms-not-accepted'>
  | Refused<'conditions-not-accepted'>
  | InstallationRefusal
  | Refused<'problem', { problems: QuoteProblem[] }>
  | Refused<'price-changed'>
  | Refused<'order-changed', { changed: AgreedPart[] }>
  | Refused<'slot-lost', { why: NotKept['reason'] }>
  | Refused<'payment-not-authorized', { failure: string | null; isProcessing: boolean }>
  | Refused<'payment-unavailable'>
  | Refused<'refused-online'>
  | Refused<'store-closed'>
  | AboveLimit
  | Refused<'approval-waits'>
  | TermsRefusal

/** The order is above the buyer's spending limit. `mayAsk` is true if its payment method allows an approval. */
export type AboveLimit = Refused<'needs-approval', { limitCents: number; totalCents: number; mayAsk: boolean }>

export type PlaceOrderInput = {
  cartId: string
  /** `agreementKey` of the order the shopper saw when submitting. */
  agreedPrice: string
  termsAccepted: boolean
  /** The shopper confirmed having read the conditions of the fit; required only if there are any. */
  conditionsAccepted: boolean
}

/**
 * How often placing restarts when something changed between reading and locking it. A shopper does not change a cart
 * this often while submitting. Stock changes when another order takes it, so retries end when the last tires are sold;
 * in a rush on tires in many warehouses that takes a while. Locks are taken in one order; only an appointment moved at
 * that very moment can still deadlock.
 */
const attempts = { 'cart-moved': 4, 'price-moved': 4, 'credit-moved': 4, 'stock-moved': 100, interrupted: 4 }

/** Places the order of a cart. `isNew` is false when it had been placed before, and for a trial. */
export async function placeOrder(
  deps: PlaceOrderDeps,
  input: PlaceOrderInput,
): Promise<Outcome<{ orderId: number; isNew: boolean }, PlaceOrderRefusal>> {
  let begun: Promise<Submission | undefined> | undefined
  const begin = (db: Database) => (begun ??= beginSubmission({ ...deps, db }, { cartId: input.cartId }))
  const outcome = await placeOnce(deps, input, begin)
  const submission = await begun
  // Skipped when placing throws, because the outcome is then unknown.
  if (submission && !outcome.ok) await endSubmission(deps, submission)
  if (!outcome.ok && outcome.reason === 'slot-lost') await releaseUnusable(deps, input.cartId, outcome.detail.why)
  if (outcome.ok && outcome.value.isNew) deps.metrics?.orderPlaced()
  return outcome
}

/** Records the submission, once however often it is called. */
type Begin = (db: Database) => Promise<Submission | undefined>

async function placeOnce(
  deps: PlaceOrderDeps,
  input: PlaceOrderInput,
  begin: Begin,
): Promise<Outcome<{ orderId: number; isNew: boolean }, PlaceOrderRefusal>> {
  const left = { ...attempts }
  for (;;) {
    const outcome = await tryToPlace(deps, input, begin)
    // Read again, and report changes that concern the shopper.
    if (typeof outcome !== 'string') return outcome
    left[outcome] -= 1
    // This process may not have read a change of the terms yet.
    if (outcome === 'price-moved') await deps.businessTerms.read()
    if (left[outcome] === 0)
      throw new Error(
        `Placing the order of cart ${input.cartId} was given up: ${outcome} ${countOf(attempts[outcome], 'time')}.`,
      )
  }
}

async function tryToPlace(
  shopper: PlaceOrderDeps,
  input: PlaceOrderInput,
  begin: Begin,
): Promise<Outcome<{ orderId: number; isNew: boolean }, PlaceOrderRefusal> | keyof typeof attempts> {
  const buyer = shopper.buyer.afresh()
  const { version: termsVersion, current: terms } = shopper.businessTerms
  // A purchasing system's approved order can only be placed through its own document, never on our pages.
  if (buyer.companyId !== undefined && !shopper.alongside) return refused('incomplete', { step: 'cart' })
  const accountId = await buyer.accountId()
  // From the moment it is placed, the cart's owner owns the order.
  if (accountId !== null) await keepCart(shopper.db, input.cartId, accountId)
  const priced = { cartId: input.cartId, accountId, companyId: buyer.companyId }
  // Read before any input to the price. Guests have no custom prices to check.
  const isGuest = accountId === null && buyer.companyId === undefined
  const early = isGuest ? undefined : await readPriceBasis(shopper.db, priced)
  const deps = { ...shopper, buyer, catalog: shopper.catalog.narrowed((await buyer.priceTier()).brandIds) }
  const [submission, isClosed, basis, rules, ...read] = await atOnce(deps.db, [
    begin,
    (db: Database) => isClosedTo(deps, db),
    async (db: Database) => early ?? readPriceBasis(db, priced),
    (db: Database) => listRules({ db }),
    ...(await checkoutReaders(deps, input.cartId)),
  ])
  const checkout = checkoutOf(...read)
  if (!checkout) return refused('incomplete', { step: 'cart' })
  const { cart } = checkout
  if (cart.orderId !== null) return ok({ orderId: cart.orderId, isNew: false })

  // Checked before requesting an approval, and again in the transaction.
  if (isClosed) return refuseClosed(deps, cart.id)

  const ready = await readyToOrder(deps, checkout, { input, charge: submission?.payment })
  if (!ready.ok) return (await orderPlacedMeanwhile(deps, cart.id)) ?? ready
  const { requirements, money, time, ...parts } = ready.value
  const { breakdown } = parts

  const draft = draftOrder(deps, cart, { ...parts, buyerId: accountId })
  const committed = await commitOrder(deps, {
    draft,
    cart,
    money,
    termsVersion,
    isByStaff: deps.isStaffHere,
    trial: trialOf(deps, cart.id, { money, draft }),
    ...approving(
      deps,
      breakdown.totals.totalCents,
      async (tx) =>
        // A scheduled change of the terms may have started since.
        terms === deps.businessTerms.current && (await lockPriceBasis(tx, priced)) === basis,
    ),
    screening: (tx) => prepareScreening(tx, screeningOf(draft, cart, { money, factor: deps.limitFactor ?? 1 }), rules),
    claimOffer: attributed(deps, claimOf(deps, cart, { breakdown, accountId })),
    keepTax: keepTaxOf(deps, parts.quote),
    confirmBooking:
      requirements &&
      (async (tx, orderId) => {
        const kept = await confirmHold({ ...deps, db: tx }, { cartId: cart.id, orderId, requirements })
        // Another time was picked since the agreed one was read.
        return kept.ok && !isAgreedTime(kept.value, time) ? refused('slot-lost') : kept
      }),
  })
  if (isForGood(committed)) await voidPayment(deps, { cartId: cart.id })
  return committed.ok ? committed : whatMoved(committed)
}

/** Whether an order is refused for a reason that the shopper cannot change: then no money is held for it. */
function isForGood(committed: Awaited<ReturnType<typeof commitOrder>>): boolean {
  return !committed.ok && (committed.reason === 'refused-online' || committed.reason === 'store-closed')
}

async function refuseClosed(deps: PlaceOrderDeps, cartId: string): Promise<Refused<'store-closed'>> {
  await voidPayment(deps, { cartId })
  return refused('store-closed')
}

/** Runs the approver's steps in the order's transaction, first when it starts and again once the price is locked. */
function approving(
  { approval }: PlaceOrderDeps,
  totalCents: number,
  standsPrice: OrderToCommit['standsPrice'],
): Pick<OrderToCommit, 'begin' | 'standsPrice'> {
  if (!approval) return { begin: null, standsPrice }
  return {
    begin: approval.take,
    async standsPrice(tx) {
      if (!(await standsPrice(tx))) return false
      await approval.permit(tx, totalCents)
      return true
    },
  }
}

/** Returns what to read again, or the refusal for the shopper. */
function whatMoved(refusal: CommitRefusal): PlaceOrderRefusal | keyof typeof attempts {
  switch (refusal.reason) {
    case 'cart-moved':
    case 'price-moved':
    case 'credit-moved':
    case 'stock-moved':
    case 'interrupted':
      return refusal.reason
    case 'payment-moved':
      return refused('payment-not-authorized', { failure: null, isProcessing: false })
    case 'program-moved':
      // The same friend placed another order, the quote expired or the coupon was used up, so the price no longer
      // includes it.
      return refused('price-changed')
    case 'slot-lost':
    case 'refused-online':
    case 'store-closed':
      return refusal
  }
}

/**
 * Claims the quote, or the program and payment method offer used in the price; a quoted order uses neither of the
 * latter. Returns null if the price didn't use any of these.
 */
function claimOf(
  deps: PlaceOrderDeps,
  cart: Cart,
  { breakdown, accountId }: { breakdown: PriceBreakdown; accountId: string | null },
): OrderToCommit['claimOffer'] {
  const { clock } = deps
  if (cart.lines.some(({ quote }) => quote)) return (tx, orderId) => claimQuoted(tx, { cart, orderId, at: clock.now() })
  const program = claimProgram(deps, cart, breakdown)
  if (breakdown.tender?.kind !== 'store-card') return program
  return async (tx, orderId) =>
    (!program || (await program(tx, orderId))) && claimStoreCardOffer({ db: tx, clock }, { orderId, accountId })
}

function claimProgram(deps: PlaceOrderDeps, cart: Cart, breakdown: PriceBreakdown): OrderToCommit['claimOffer'] {
  const { couponId } = cart
  if (breakdown.program.kind === 'coupon' && couponId !== null)
    return (tx, orderId) => claimCoupon({ ...deps, db: tx }, { couponId, orderId })
  return referralOf(breakdown, cart) && ((tx, orderId) => claimReferral({ ...deps, db: tx }, { cart, orderId }))
}

/** The same, with the partner's widget written down that the order came from. */
function attributed(
  { clock, alongside }: PlaceOrderDeps,
  claim: OrderToCommit['claimOffer'],
): NonNullable<OrderToCommit['claimOffer']> {
  return async (tx, orderId) => {
    if (claim && !(await claim(tx, orderId))) return false
    await attributeOrder({ db: tx, clock }, orderId)
    await alongside?.(tx, orderId)
    return true
  }
}

/** Stores the source of the tax, or null if it came from our rate table. */
function keepTaxOf({ clock }: PlaceOrderDeps, { tax }: CartQuote): OrderToCommit['keepTax'] {
  return tax && ((tx, orderId) => insertOrderTax(tx, { ...tax, orderId, at: clock.now() }))
}

function referralOf(breakdown: PriceBreakdown, cart: Cart): Cart['referral'] {
  return breakdown.program.kind === 'referral' ? cart.referral : null
}

/**
 * Checks whether a parallel submission of the same cart, which took the last tires and the charge, caused the refusal.
 */
async function orderPlacedMeanwhile(
  deps: PlaceOrderDeps,
  cartId: string,
): Promise<Ok<{ orderId: number; isNew: boolean }> | undefined> {
  const orderId = (await readCart(deps, cartId))?.orderId ?? null
  return orderId === null ? undefined : ok({ orderId, isNew: false })
}

type Ready = OrderParts & {
  /** Requirements for the appointment; null without installation. */
  requirements: AppointmentRequirements | null
  money: OrderMoney
  /** The time the shopper agreed to; null without installation. */
  time: AgreedTime
}

/** Returns everything an order needs, or the first missing step, in checkout order. */
async function readyToOrder(
  deps: PlaceOrderDeps,
  checkout: Checkout,
  { input, charge }: { input: PlaceOrderInput; charge: Payment | undefined },
): Promise<Outcome<Ready, PlaceOrderRefusal>> {
  const { cart, shop } = checkout
  if (cart.state === 'waiting' && !deps.approval) return refused('approval-waits')
  const details = orderDetails(checkout, input)
  if (!details.ok) return details
  const { contact } = details.value

  const [quote, verdict, appointment, time] = await Promise.all([
    quoteCart(deps, cart, contact, { isAgreed: true, shop, method: cart.paymentMethod }),
    judgeCart(deps, cart),
    readAppointment(deps, cart),
    readAgreedTime(deps, cart),
  ])
  const unfit = fitRefusal(cart, verdict, input)
  if (unfit) return unfit
  const deliverable = deliverableQuote(quote)
  if (!deliverable.ok) return deliverable
  const { breakdown, arrivesOn } = deliverable.value
  const payer = await orderPayer(deps, details.value.billing)
  if (!payer.ok) return payer
  const isReleased = isInstallation(cart.fulfillment) && !time
  const moved = refuseChange(input.agreedPrice, agreementKey({ cart, contact, breakdown, time }), isReleased)
  if (moved) return moved

  const above = await aboveLimit(deps, cart, breakdown.totals.totalCents)
  if (above && !above.detail.mayAsk) return above
  const requirements = await appointment({ arrivesOn, zip: contact.zip })
  if (!requirements.ok) return requirements
  const money = await moneyFor(deps, charge, { dueCents: quote.dueCents, method: cart.paymentMethod })
  if (!money.ok) return money
  if (!suitsCart(cart, money.value)) return refused('payment-not-authorized', { failure: null, isProcessing: false })
  // Checked last, so that requests sent for approval are otherwise complete.
  if (above) return above
  return ok({
    quote,
    breakdown,
    contact,
    ...payer.value,
    verdict,
    requirements: requirements.value,
    money: money.value,
    time,
  })
}

/** A lender pays for tires once they are there, and not for a service without them. */
function suitsCart({ services }: Cart, money: OrderMoney): boolean {
  return services.length === 0 || money.by !== 'charge' || !isPaidOnDelivery(money.method)
}

/** Whether this buyer's company wants an approval for a total like that. */
async function aboveLimit(deps: PlaceOrderDeps, cart: Cart, totalCents: number): Promise<AboveLimit | undefined> {
  const { orderLimitCents: limitCents } = await deps.buyer.priceTier()
  if (deps.approval || limitCents === null || isWithinLimit(limitCents, totalCents)) return undefined
  return refused('needs-approval', { limitCents, totalCents, mayAsk: cart.paymentMethod === 'net-terms' })
}

/** What the shopper entered, as far as it is needed before pricing. */
function orderDetails(
  { cart, contact, billing }: Checkout,
  { termsAccepted }: PlaceOrderInput,
): Outcome<{ contact: SavedContact; billing: SavedBilling | null }, PlaceOrderRefusal> {
  if (isEmptyCart(cart)) return refused('incomplete', { step: 'cart' })
  if (!termsAccepted) return refused('terms-not-accepted')
  if (cart.fulfillment === null) return refused('incomplete', { step: 'shipping' })
  if (!contact) return refused('incomplete', { step: 'contact' })
  return ok({ contact, billing })
}

/** Refuses to install tires that don't fit, or conditional fits the shopper hasn't accepted. */
function fitRefusal(
  cart: Cart,
  verdict: CartVerdict | null,
  { conditionsAccepted }: PlaceOrderInput,
): PlaceOrderRefusal | undefined {
  const unfit = isInstallation(cart.fulfillment) ? refusalOf(verdict) : undefined
  if (unfit) return unfit
  return verdict?.verdict === 'fits_with_conditions' && !conditionsAccepted
    ? refused('conditions-not-accepted')
    : undefined
}

function deliverableQuote(
  quote: CartQuote,
): Outcome<{ breakdown: PriceBreakdown; arrivesOn: Temporal.PlainDate }, PlaceOrderRefusal> {
  if (quote.problems.length > 0) return refused('problem', { problems: quote.problems })
  if (quote.basis !== 'chosen' || !quote.breakdown || !quote.delivery)
    return refused('incomplete', { step: 'shipping' })
  return ok({ breakdown: quote.breakdown, arrivesOn: quote.delivery.arrivesOn })
}

/** Who pays, with the PO number their company requires. */
async function orderPayer(
  deps: PlaceOrderDeps,
  billing: SavedBilling | null,
): Promise<Outcome<Pick<Ready, 'billing' | 'companyId'>, PlaceOrderRefusal>> {
  if (!billing) return refused('incomplete', { step: 'payment' })
  const { companyId } = await deps.buyer.priceTier()
  const po = companyId === null ? undefined : await findPoRule(deps, companyId)
  if (po && poProblem(billing.poNumber, po) !== null) return refused('incomplete', { step: 'po-number' })
  return ok({ billing, companyId })
}

/**
 * Reads the shop in parallel with the price. The returned function gives the appointment's current requirements, since
 * stock or cart may have changed since the time was picked.
 */
async function readAppointment(deps: PlaceOrderDeps, cart: Cart) {
  const isInstalled = isInstallation(cart.fulfillment)
  const installation = {
    shopId: cart.shopId ?? 0,
    tires: tireSpecs(offeredTires(cart.lines)),
    services: cart.services,
    heldBy: cart.id,
  }
  const requirementsFor = isInstalled ? await appointmentRequirements(deps, installation) : null
  return async (to: {
    arrivesOn: Temporal.PlainDate
    zip: string
  }): Promise<Outcome<Ready['requirements'], PlaceOrderRefusal>> => {
    if (!requirementsFor) return ok(null)
    // The time may have been picked for another address.
    if (cart.fulfillment === 'mobile' && !(await setVanStop(deps, { cartId: cart.id, zip: to.zip })).ok)
      return refused('slot-lost', { why: 'slot-lost' })
    const requirements = requirementsFor(to.arrivesOn)
    return requirements.ok
      ? requirements
      : refused('slot-lost', { why: requirements.reason === 'too-soon' ? 'too-soon' : 'no-hold' })
  }
}
