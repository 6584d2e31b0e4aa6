/**
 * Orders: committed in one transaction, cancelable within the window, then released for capture and shipping, and
 * updated by the carrier.
 */
import type { NotKept } from '#domain/booking/booking.server.ts'
import { takeStock } from '#domain/delivery/delivery.server.ts'
import { issueInvoice } from '#domain/invoices/invoices.server.ts'
import { entriesOfSale, enterTransfer, spendCredit } from '#domain/ledger/ledger.server.ts'
import { promiseMessage } from '#domain/messages/messages.server.ts'
import { findOrderOfCart, insertOrder, lockCart, type OrderDraft } from '#domain/orders/place.sql.server.ts'
import { claimPaymentForOrder } from '#domain/payments/payments.server.ts'
import { isDeadlock, violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { enqueueAll, type Job } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { DraftLine, DraftShipment, OrderDraft } from '#domain/orders/place.sql.server.ts'
export { listAccountOrders, listCompanyOrders, orderAccessOf } from '#domain/orders/account-orders.server.ts'
export {
  claimGuestOrders,
  countGuestOrders,
  exportOrders,
  type OrderInList,
} from '#domain/orders/account-orders.sql.server.ts'
export { cancelOrder, type CancelRefusal } from '#domain/orders/cancel.server.ts'
export { readOrder, type OrderView } from '#domain/orders/order-view.sql.server.ts'
export { releaseOrder, receiveCarrierEvent, shipOrder } from '#domain/orders/fulfill.server.ts'
export {
  opensOrder,
  readReceiptKey,
  receiptKey,
  receiptMinutes,
  showsOrder,
  trackingToken,
} from '#domain/orders/order-access.server.ts'
export { askForCode, readCodeAddress, verifyCode, type CodeRefusal } from '#domain/orders/order-code.server.ts'
export { forgetOldOrderCodes } from '#domain/orders/order-code.sql.server.ts'
export { orderAppointment } from '#domain/orders/order-messages.server.ts'
export { lookUpOrder } from '#domain/orders/look-up.server.ts'
export { receiptOf } from '#domain/orders/receipt.server.ts'

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

/** How an order is paid: an authorized card charge, or an invoice its company pays later. */
export type OrderMoney = { by: 'charge'; paymentId: string } | { by: 'invoice'; netDays: number }

/** Clocks of two processes differ slightly: a release that starts too early would be retried much later than this. */
const releaseSlack = { seconds: 1 }

/** An order to commit, with what other capabilities do in the same transaction. */
type OrderToCommit = {
  draft: OrderDraft
  /** The cart the draft was made from. */
  cart: { version: number; accountId: string | null }
  money: OrderMoney
  /** Locks what the price was made of, within the transaction; false when it has changed. */
  standsPrice: (tx: Tx) => Promise<boolean>
  /**
   * Redeems the program that lowered the price, within the transaction; false when it is no longer available. Null
   * without one.
   */
  claimProgram: ((tx: Tx, orderId: number) => Promise<boolean>) | null
  /** Turns the cart's hold into the order's appointment, within the transaction. Null without installation. */
  confirmBooking: ((tx: Tx, orderId: number) => Promise<Outcome<unknown, NotKept>>) | null
}

/**
 * Commits an order with its stock, bay, charge or invoice, ledger entries and follow-up jobs, in one transaction.
 * Returns the existing order if the cart has one. Refuses, writing nothing, when anything `draft` was made from has
 * changed.
 */
export async function commitOrder(
  { db }: { db: Database },
  input: OrderToCommit,
): Promise<Outcome<{ orderId: number; isNew: boolean }, CommitRefusal>> {
  const { draft } = input
  try {
    return await db.transaction().execute(async (tx) => {
      const cart = await lockCart(tx, draft.cartId)
      if (cart && cart.orderId !== null) return ok({ orderId: cart.orderId, isNew: false })
      if (!isUnmoved(cart, input.cart)) return refused('cart-moved')
      if (!(await input.standsPrice(tx))) return refused('price-moved')
      if (!(await takeStock(tx, draft.shipments))) throw new Undo(refused('stock-moved'))
      const orderId = await insertOrder(tx, draft)
      await takePromised(tx, orderId, input)
      await enterTransfer(tx, {
        orderId,
        reason: 'order placed',
        at: draft.placedAt,
        entries: entriesOfSale(draft.breakdown.totals),
      })
      await enqueueAll(tx, [...(await promiseConfirmation(tx, orderId, draft)), releaseJob(orderId, draft)])
      return ok({ orderId, isNew: true })
    })
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    if (isDeadlock(error)) return refused('interrupted')
    if (violatedConstraint(error) === 'invoice_within_credit') return refused('credit-moved')
    // Two processes passed the lock on different versions of the cart: the unique key let one through.
    if (violatedConstraint(error) === 'sales_order_cart_id_key') {
      const placed = await findOrderOfCart(db, draft.cartId)
      if (placed !== undefined) return ok({ orderId: placed, isNew: false })
    }
    throw error
  }
}

/** Whether the locked cart is still the open cart, with the same owner, that the draft was made from. */
function isUnmoved(cart: Awaited<ReturnType<typeof lockCart>>, before: OrderToCommit['cart']): boolean {
  return cart?.state === 'open' && cart.version === before.version && cart.accountId === before.accountId
}

/**
 * Takes what was promised and what pays for it, in lock order: bay, charge or invoice, program, credit. Throws an
 * `Undo` at the first that is not available.
 */
async function takePromised(
  tx: Tx,
  orderId: number,
  { draft, money, claimProgram, confirmBooking }: OrderToCommit,
): Promise<void> {
  const kept = await confirmBooking?.(tx, orderId)
  if (kept && !kept.ok) throw new Undo(refused('slot-lost', { why: kept.reason }))
  if (!(await takeMoney(tx, money, { orderId, draft }))) throw new Undo(refused('payment-moved'))
  if (claimProgram && !(await claimProgram(tx, orderId))) throw new Undo(refused('program-moved'))
  const { cartId, creditCents: cents, placedAt: at } = draft
  if (cents > 0 && !(await spendCredit(tx, { orderId, cartId, cents, at }))) throw new Undo(refused('program-moved'))
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

/** Records the order confirmation mail; returns the job that sends it. */
function promiseConfirmation(tx: Tx, orderId: number, { email, placedAt }: OrderDraft): Promise<Job[]> {
  return promiseMessage(tx, {
    kind: 'order-received',
    key: `order-received:${orderId}`,
    to: email,
    orderId,
    at: placedAt,
  })
}

/** The job that captures and ships the order once it can no longer be canceled. */
function releaseJob(orderId: number, { cancelUntil }: OrderDraft): Job {
  return {
    name: 'release-order',
    payload: { orderId },
    runAt: cancelUntil.add(releaseSlack),
    key: `release-order:${orderId}`,
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
