/**
 * Orders: committed whole, canceled while that is promised, released to payment and warehouse, moved on by the carrier.
 */
import type { NotKept } from '#domain/booking/booking.server.ts'
import { issueInvoice } from '#domain/invoices/invoices.server.ts'
import { entriesOfSale, enterTransfer, spendCredit } from '#domain/ledger/ledger.server.ts'
import { promiseMessage } from '#domain/messages/messages.server.ts'
import { claimPayment, insertOrder, lockCart, takeStock, type OrderDraft } from '#domain/orders/place.sql.server.ts'
import { isDeadlock, violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { enqueueAll } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { DraftLine, DraftShipment, OrderDraft } from '#domain/orders/place.sql.server.ts'
export {
  claimGuestOrders,
  companyRoleFor,
  countGuestOrders,
  listAccountOrders,
  listCompanyOrders,
  orderAccessOf,
  ownsOrder,
  type OrderInList,
} from '#domain/orders/account-orders.server.ts'
export { cancelOrder, type CancelRefusal } from '#domain/orders/cancel.server.ts'
export { readOrder, type OrderView } from '#domain/orders/order-view.sql.server.ts'
export { releaseOrder, receiveCarrierEvent, shipOrder } from '#domain/orders/fulfill.server.ts'
export { trackingToken, opensOrder, showsOrder } from '#domain/orders/order-access.server.ts'
export { orderAppointment } from '#domain/orders/order-messages.server.ts'
export { lookUpOrder } from '#domain/orders/look-up.server.ts'
export { receiptOf } from '#domain/orders/receipt.server.ts'

/** `interrupted`: PostgreSQL ended it for another transaction. */
export type CommitRefusal =
  | Refused<'cart-moved'>
  | Refused<'price-moved'>
  | Refused<'stock-moved'>
  | Refused<'interrupted'>
  | Refused<'payment-moved'>
  | Refused<'credit-moved'>
  | Refused<'program-moved'>
  | Refused<'slot-lost', { why: NotKept['reason'] }>

/**
 * What stands for the money of an order: the authorized charge of a card, or an invoice that its company pays later.
 */
export type OrderMoney = { by: 'charge'; paymentId: string } | { by: 'invoice'; netDays: number }

/**
 * Two processes that read one clock read it a little apart: a release that came too early would be tried again later
 * than this.
 */
const releaseSlack = { seconds: 1 }

/**
 * Commits an order with its stock, bay, charge or invoice, and ledger entries, and asks for what follows, in one
 * transaction. A cart that is an order already gives that order. Refusals mean that the world is no longer what `draft`
 * was made from; nothing is written then.
 */
export async function commitOrder(
  { db }: { db: Database },
  input: {
    draft: OrderDraft
    /** The cart the draft was made from. */
    cart: { version: number; accountId: string | null }
    money: OrderMoney
    /** Locks what the price was made of, within the transaction; false when it is not as it was. */
    standsPrice: (tx: Tx) => Promise<boolean>
    /**
     * Uses the program up that lowered the price, within the transaction; false when it is gone. Null where none did.
     */
    claimProgram: ((tx: Tx, orderId: number) => Promise<boolean>) | null
    /** Turns the cart's hold into the order's appointment, within the transaction. Null where nothing is installed. */
    confirmBooking: ((tx: Tx, orderId: number) => Promise<Outcome<unknown, NotKept>>) | null
  },
): Promise<Outcome<{ orderId: number; isNew: boolean }, CommitRefusal>> {
  const { draft } = input
  try {
    return await db.transaction().execute(async (tx) => {
      const cart = await lockCart(tx, draft.cartId)
      if (cart && cart.orderId !== null) return ok({ orderId: cart.orderId, isNew: false })
      if (cart?.state !== 'open' || cart.version !== input.cart.version || cart.accountId !== input.cart.accountId)
        return refused('cart-moved')
      if (!(await input.standsPrice(tx))) return refused('price-moved')
      if (!(await takeStock(tx, draft.shipments))) throw new Undo(refused('stock-moved'))
      const orderId = await insertOrder(tx, draft)
      const kept = await input.confirmBooking?.(tx, orderId)
      if (kept && !kept.ok) throw new Undo(refused('slot-lost', { why: kept.reason }))
      const { totals } = draft.breakdown
      if (!(await takeMoney(tx, input.money, { orderId, draft }))) throw new Undo(refused('payment-moved'))
      if (input.claimProgram && !(await input.claimProgram(tx, orderId))) throw new Undo(refused('program-moved'))
      if (
        draft.creditCents > 0 &&
        !(await spendCredit(tx, { orderId, cartId: draft.cartId, cents: draft.creditCents, at: draft.placedAt }))
      )
        throw new Undo(refused('program-moved'))
      await enterTransfer(tx, { orderId, reason: 'order placed', at: draft.placedAt, entries: entriesOfSale(totals) })
      await enqueueAll(tx, [
        ...(await promiseMessage(tx, {
          kind: 'order-received',
          key: `order-received:${orderId}`,
          to: draft.email,
          orderId,
          at: draft.placedAt,
        })),
        {
          name: 'release-order',
          payload: { orderId },
          runAt: draft.cancelUntil.add(releaseSlack),
          key: `release-order:${orderId}`,
        },
      ])
      return ok({ orderId, isNew: true })
    })
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    if (isDeadlock(error)) return refused('interrupted')
    if (violatedConstraint(error) === 'invoice_within_credit') return refused('credit-moved')
    // Two processes got past the lock on different copies of the cart: the unique key let one through.
    if (violatedConstraint(error) === 'sales_order_cart_id_key') {
      const placed = await db
        .selectFrom('sales_order')
        .select('id')
        .where('cart_id', '=', draft.cartId)
        .executeTakeFirst()
      if (placed) return ok({ orderId: placed.id, isNew: false })
    }
    throw error
  }
}

/** Ties what stands for the money to the order, and closes the cart. */
function takeMoney(
  tx: Tx,
  money: OrderMoney,
  { orderId, draft }: { orderId: number; draft: OrderDraft },
): Promise<boolean> {
  const { cartId, placedAt: at, breakdown, creditCents } = draft
  const dueCents = breakdown.totals.totalCents - creditCents
  return money.by === 'charge'
    ? claimPayment(tx, { paymentId: money.paymentId, cartId, orderId, chargedCents: dueCents, at })
    : issueInvoice(tx, { orderId, cartId, amountCents: dueCents, netDays: money.netDays, at })
}

/** Carries a refusal out of a transaction that must be rolled back. */
class Undo extends Error {
  readonly refusal: CommitRefusal
  constructor(refusal: CommitRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}
