/** Commits an order in one transaction with its stock, bay, charge or invoice, ledger entries and follow-up jobs. */
import { sql } from 'kysely'
import type { NotKept } from '#domain/scheduling/booking/booking.server.ts'
import { isBlockedBuyer } from '#domain/customers/customers/customers.server.ts'
import { offersPickup, takeStock } from '#domain/supply/delivery/delivery.server.ts'
import { issueInvoice } from '#domain/payments/invoices/invoices.server.ts'
import { entriesOfSale, enterTransfer, spendCredit } from '#domain/payments/ledger/ledger.server.ts'
import { promiseMessage } from '#domain/messaging/messages/messages.server.ts'
import { askedByFraudRule } from './confirmation-rules.ts'
import { releaseJob } from './fulfill.server.ts'
import { findOrderOfCart, insertOrder, lockCart, takeOrderId, type OrderDraft } from './place.sql.server.ts'
import { claimPaymentForOrder, settleFinancedSoon } from '#domain/payments/payments/payments.server.ts'
import { isPaidOnDelivery, type ChargedMethod } from '#domain/payments/payments/payments.ts'
import { takePartUnits } from '#domain/supply/parts/parts.server.ts'
import { raisePurchaseOrders } from '#domain/supply/stock/stock.server.ts'
import { startTextsOfOrder } from '#domain/messaging/texts/texts.server.ts'
import { isDeadlock, violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { atOnce } from '#platform/at-once.ts'
import { enqueueWithCommit, type Job } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** `interrupted`: PostgreSQL rolled it back in favor of another transaction. */
export type CommitRefusal =
  | Refused<'cart-moved'>
  | Refused<'price-moved'>
  | Refused<'stock-moved'>
  | Refused<'interrupted'>
  | Refused<'payment-moved'>
  | Refused<'credit-moved'>
  | Refused<'program-moved'>
  | Refused<'slot-lost', { why: NotKept['reason'] }>
  | Refused<'refused-online'>
  | Refused<'store-closed'>

/** What the rules say of an order; `keep` writes it down with the order, `by` is when the wait ends. */
export type Screened =
  | { outcome: 'refuse' }
  | { outcome: 'allow'; keep: (tx: Tx, orderId: number) => Promise<void> }
  | { outcome: 'confirm' | 'review'; by: Temporal.Instant; keep: (tx: Tx, orderId: number) => Promise<void> }

/** An order's payment, either an authorized card charge or an invoice its company pays later. */
export type OrderMoney = { by: 'charge'; paymentId: string; method: ChargedMethod } | { by: 'invoice'; netDays: number }

/** An order to commit, with the writes of other modules for the same transaction. */
export type OrderToCommit = {
  draft: OrderDraft
  /** The cart the draft was made from. */
  cart: { version: number; accountId: string | null }
  money: OrderMoney
  /**
   * Runs first in the transaction for a cart pending approval. Locks the approval, or throws. Null for an open cart.
   */
  begin: ((tx: Tx) => Promise<void>) | null
  /** The number of the latest change of the business terms when the price was made. */
  termsVersion: number
  /** Whether staff of the store place it, read within the transaction: they order before it opens, too. */
  isByStaff?: ((tx: Tx) => Promise<boolean>) | undefined
  /** Locks what the price was made of, within the transaction; false when it has changed. */
  standsPrice: (tx: Tx) => Promise<boolean>
  /**
   * Reads the rules and what they ask, within the transaction; what it returns holds the order against them, and a refusal
   * is all that it writes.
   */
  screening: (tx: Tx) => Promise<(tx: Tx) => Promise<Screened>>
  /**
   * Redeems the program or the quote that made the price, within the transaction; false when it is no longer available.
   * Null without one.
   */
  claimOffer: ((tx: Tx, orderId: number) => Promise<boolean>) | null
  /** Stores the source of the order's sales tax within the transaction. Null without a tax provider. */
  keepTax: ((tx: Tx, orderId: number) => Promise<void>) | null
  /** Writes a sample order's charge. The order is then rolled back. */
  trial?: { begin: (tx: Tx) => Promise<void> } | undefined
  /** Turns the cart's hold into the order's appointment, within the transaction. Null without installation. */
  confirmBooking: ((tx: Tx, orderId: number) => Promise<Outcome<unknown, NotKept>>) | null
}

/**
 * Commits an order with its stock, bay, charge or invoice, ledger entries and follow-up jobs, in one transaction.
 * Returns the existing order if the cart has one. Refuses without writing if any input to `draft` has changed. A
 * `trial` is rolled back, and returns the number that the order would have had.
 */
export async function commitOrder({ db }: { db: Database }, input: OrderToCommit): Promise<Committed> {
  const { cartId } = input.draft
  try {
    return await db.transaction().execute(async (tx) => {
      const committed = await commitWithin(tx, input)
      return input.trial ? await undoTrial(tx, committed) : committed
    })
  } catch (error) {
    if (error instanceof TrialOver) return error.outcome
    if (error instanceof Undo) return error.refusal
    if (isDeadlock(error)) return refused('interrupted')
    if (violatedConstraint(error) === 'invoice_within_credit') return refused('credit-moved')
    // Two processes passed the lock on different versions of the cart: the unique key let one through.
    if (violatedConstraint(error) === 'sales_order_cart_id_key') {
      const placed = await findOrderOfCart(db, cartId)
      if (placed !== undefined) return ok({ orderId: placed, isNew: false })
    }
    throw error
  }
}

type Committed = Outcome<{ orderId: number; isNew: boolean }, CommitRefusal>

async function commitWithin(tx: Tx, input: OrderToCommit): Promise<Committed> {
  const { cartId } = input.draft
  await input.begin?.(tx)
  await input.trial?.begin(tx)
  // The fraud rules count rows as of the locks.
  const [cart, orderId, stands, screen] = await atOnce(tx, [
    (own) => lockCart(own, cartId),
    (own) => takeOrderId(own, cartId),
    (own) => input.standsPrice(own),
    (own) => input.screening(own),
  ])
  if (cart && cart.orderId !== null) return ok({ orderId: cart.orderId, isNew: false })
  if (!isUnmoved(cart, input) || orderId === undefined) return refused('cart-moved')
  if (cart && !cart.isStoreOpen && !(await input.isByStaff?.(tx))) return refused('store-closed')
  if (!stands || cart?.termsVersion !== input.termsVersion) return refused('price-moved')
  const screened = await screen(tx)
  if (screened.outcome === 'refuse') return refused('refused-online')
  await write(tx, { ...input, draft: afterScreening(input.draft, screened), screened, orderId })
  return ok({ orderId, isNew: true })
}

/** Checks every deferred constraint, then rolls back by throwing. */
async function undoTrial(tx: Tx, committed: Committed): Promise<never> {
  await sql`set constraints all immediate`.execute(tx)
  throw new TrialOver(committed.ok ? ok({ ...committed.value, isNew: false }) : committed)
}

/** Carries the outcome of a sample order out of its transaction. */
class TrialOver extends Error {
  readonly outcome: Committed
  constructor(outcome: Committed) {
    super('the sample order was rolled back')
    this.outcome = outcome
  }
}

/** Whether the locked cart is still the open or waiting cart, with the same owner, that the draft was made from. */
function isUnmoved(
  cart: Awaited<ReturnType<typeof lockCart>>,
  { cart: before, begin }: Pick<OrderToCommit, 'cart' | 'begin'>,
): boolean {
  return (
    cart?.state === (begin ? 'waiting' : 'open') &&
    cart.version === before.version &&
    cart.accountId === before.accountId
  )
}

type OrderToWrite = OrderToCommit & { orderId: number; screened: Exclude<Screened, { outcome: 'refuse' }> }

/**
 * Allocates everything the order promised and its payment in lock order: stock, bay, charge or invoice, program,
 * credit. Then writes the order, its email and text messages, and enqueues the jobs on commit. Throws an `Undo` of the
 * first that is not available.
 */
async function write(tx: Tx, order: OrderToWrite): Promise<void> {
  const { draft, orderId, screened, money, keepTax, confirmBooking, claimOffer, cart } = order
  const { cartId, contact, creditCents: cents, placedAt: at, breakdown } = draft
  const sale = { orderId, reason: 'order placed', at, entries: entriesOfSale(breakdown.totals) }
  const [, , , jobs] = await atOnce(tx, [
    async (own) => {
      if (!(await takeStock(own, draft.shipments, { cartId, at }))) throw new Undo(refused('stock-moved'))
      if (!(await takePartUnits(own, draft.parts))) throw new Undo(refused('stock-moved'))
      const { pickupWarehouseId: counter } = draft
      if (counter !== null && !(await offersPickup(own, counter))) throw new Undo(refused('stock-moved'))
    },
    (own) => insertOrder(own, orderId, draft),
    // By now the order holds its customer's row and phone. A block was either committed earlier, or is blocked until
    // this transaction ends.
    async (own) => {
      if (await isBlockedBuyer(own, { email: draft.email, phone: draft.contact.phone, accountId: draft.buyerId }))
        throw new Undo(refused('refused-online'))
    },
    (own) => jobsAfter(own, orderId, draft, { isHeld: screened.outcome === 'review' }),
    (own) => screened.keep(own, orderId),
    (own) => raisePurchaseOrders(own, orderId, at),
    (own) => keepTax?.(own, orderId),
    async (own) => {
      const kept = await confirmBooking?.(own, orderId)
      if (kept && !kept.ok) throw new Undo(refused('slot-lost', { why: kept.reason }))
    },
    async (own) => {
      if (!(await takeMoney(own, money, { orderId, draft }))) throw new Undo(refused('payment-moved'))
    },
    (own) => enterTransfer(own, sale),
    async (own) => {
      if (claimOffer && !(await claimOffer(own, orderId))) throw new Undo(refused('program-moved'))
      if (cents > 0 && !(await spendCredit(own, { orderId, cartId, cents, at })))
        throw new Undo(refused('program-moved'))
    },
    (own) => startTextsOfOrder(own, { orderId, cartId, accountId: cart.accountId, phone: contact.phone, at }),
  ])
  if (money.by === 'charge' && isPaidOnDelivery(money.method)) await settleFinancedSoon(tx, orderId)
  await enqueueWithCommit(tx, jobs)
}

/** Assigns the charge or invoice to the order and closes the cart. */
function takeMoney(
  tx: Tx,
  money: OrderMoney,
  { orderId, draft }: { orderId: number; draft: OrderDraft },
): Promise<boolean> {
  const { cartId, placedAt: at, breakdown, creditCents } = draft
  const dueCents = breakdown.totals.totalCents - creditCents
  return money.by === 'charge'
    ? claimPaymentForOrder(tx, { paymentId: money.paymentId, cartId, orderId, chargedCents: dueCents, at })
    : issueInvoice(tx, { orderId, cartId, amountCents: dueCents, netDays: money.netDays, at })
}

/**
 * Queues the confirmation or received email, and the release job. The release is delayed while the shopper or staff must
 * respond.
 */
async function jobsAfter(tx: Tx, orderId: number, draft: OrderDraft, { isHeld }: { isHeld: boolean }): Promise<Job[]> {
  const { email: to, placedAt: at, cancelUntil, confirmation } = draft
  const kind = confirmation ? 'order-unconfirmed' : 'order-received'
  const mail = await promiseMessage(tx, { kind, key: `${kind}:${orderId}`, to, orderId, at })
  return confirmation || isHeld ? mail : [...mail, releaseJob(orderId, cancelUntil)]
}

/** An order pending its shopper or staff can be canceled for as long as it is pending. */
function afterScreening(draft: OrderDraft, screened: Exclude<Screened, { outcome: 'refuse' }>): OrderDraft {
  switch (screened.outcome) {
    case 'allow':
      return draft
    case 'review':
      return { ...draft, confirmation: null, cancelUntil: screened.by }
    case 'confirm': {
      const { by } = screened
      return {
        ...draft,
        confirmation: { rules: [...(draft.confirmation?.rules ?? []), askedByFraudRule], by },
        cancelUntil: by,
      }
    }
  }
}

/** Carries a refusal out of a transaction that must be rolled back. */
class Undo extends Error {
  readonly refusal: CommitRefusal
  constructor(refusal: CommitRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}
