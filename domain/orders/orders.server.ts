/**
 * Orders: committed in one transaction, cancelable within the window, then released for capture and shipping, and
 * updated by the carrier.
 */
import type { NotKept } from '#domain/booking/booking.server.ts'
import { isBlockedBuyer } from '#domain/customers/customers.server.ts'
import { takeStock } from '#domain/delivery/delivery.server.ts'
import { issueInvoice } from '#domain/invoices/invoices.server.ts'
import { entriesOfSale, enterTransfer, spendCredit } from '#domain/ledger/ledger.server.ts'
import { promiseMessage } from '#domain/messages/messages.server.ts'
import { askedByFraudRule } from '#domain/orders/confirmation-rules.ts'
import { releaseJob } from '#domain/orders/fulfill.server.ts'
import {
  findOrderOfCart,
  insertOrder,
  lockCart,
  takeOrderId,
  type OrderDraft,
} from '#domain/orders/place.sql.server.ts'
import { claimPaymentForOrder, settleFinancedSoon } from '#domain/payments/payments.server.ts'
import { isPaidOnDelivery, type ChargedMethod } from '#domain/payments/payments.ts'
import { raisePurchaseOrders } from '#domain/stock/stock.server.ts'
import { startTextsOfOrder } from '#domain/texts/texts.server.ts'
import { isDeadlock, violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { atOnce } from '#platform/at-once.ts'
import { enqueueWithCommit, type Job } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { DraftLine, DraftShipment, OrderDraft } from '#domain/orders/place.sql.server.ts'
export { listAccountOrders, listCompanyOrders, orderAccessOf } from '#domain/orders/account-orders.server.ts'
export { settleFinancedOrder } from '#domain/orders/financed-order.server.ts'
export {
  claimGuestOrders,
  countGuestOrders,
  exportOrders,
  orderIdsOfAccount,
  ownsOrder,
  readOrderFates,
  type OrderInList,
} from '#domain/orders/account-orders.sql.server.ts'
export { selectDealerOrders, type DealerOrder } from '#domain/orders/dealer-orders.sql.server.ts'
export { countReplies, insertReply, selectReply } from '#domain/orders/appointment-replies.sql.server.ts'
export { cancelOrder, cancelWithin, type CancelRefusal } from '#domain/orders/cancel.server.ts'
export { endCanceledOrder, lockWithParcels, takeOutOfParcels } from '#domain/orders/cancel-units.server.ts'
export { countAllocated, selectUnshipped } from '#domain/orders/cancel-units.sql.server.ts'
export {
  cancelUnansweredOrders,
  confirmOrder,
  endHold,
  remindOfUnconfirmedOrders,
  type ConfirmRefusal,
} from '#domain/orders/confirm.server.ts'
export { changeAddressAsStaff } from '#domain/orders/change-address.server.ts'
export { selectBookedWork, selectGreetings, type BookedWork } from '#domain/orders/booked-work.server.ts'
export { listFeedJobs, listShopJobs, type FeedJob, type ShopJob } from '#domain/orders/shop-day.server.ts'
export {
  appointmentWork,
  isAtThatTime,
  moveAppointmentAsStaff,
  offerOtherTimes,
  type AppointmentWork,
} from '#domain/orders/change-appointment.server.ts'
export { listVanJobs, type VanJob } from '#domain/orders/van-stops.server.ts'
export { moveAppointmentAsShop, readShopAppointment, type ShopMoveRefusal } from '#domain/orders/move-as-shop.server.ts'
export {
  cancelAsStaff,
  confirmAsStaff,
  listResendable,
  questionAsStaff,
  record,
  resendAsStaff,
  type StaffActOutcome,
} from '#domain/orders/staff-acts.server.ts'
export {
  hasCodes,
  resendTextAsStaff,
  sendCodesAgain,
  showCodes,
  type OrderCodes,
} from '#domain/orders/staff-messages.server.ts'
export { selectBuyers } from '#domain/orders/office-list.sql.server.ts'
export { eraseOrderPeople, exportOrdersById } from '#domain/orders/erase-orders.sql.server.ts'
export {
  selectCustomerOrders,
  summarizeOrders,
  type CustomerOrder,
  type OrderingCustomer,
  type OrderSummary,
} from '#domain/orders/customer-orders.sql.server.ts'
export { workOrderOf } from '#domain/orders/work-order.server.ts'
export {
  answerDelay,
  findDelay,
  listDelaysForStaff,
  settleSilentDelays,
  notifyOfDelay,
  tellOfDelays,
  type DelayView,
} from '#domain/orders/delays.server.ts'
export { readOrder, type OrderView } from '#domain/orders/order-view.sql.server.ts'
export { lastDeliveryOn, proveOrder, type ProofRefusal } from '#domain/orders/prove-order.server.ts'
export { listSources, reSource, type ReSourceRefusal, type SourceOption } from '#domain/orders/re-source.server.ts'
export {
  receiveSupplierMessage,
  sendPurchaseOrder,
  withdrawPurchaseOrder,
  type SupplierAnswer,
} from '#domain/orders/supplier-orders.server.ts'
export {
  buyParcelLabel,
  cancelParcel,
  keepLabelFiles,
  labelContentTypes,
  refundLabel,
  shipOrder,
  type LabelRefusal,
} from '#domain/orders/announce-parcel.server.ts'
export { selectParcelRef } from '#domain/orders/order-life.sql.server.ts'
export {
  selectOrderOfParcel,
  selectOrderParcels,
  selectPackedParcel,
  selectParcelsToPack,
  type Parcel,
  type ParcelPlace,
} from '#domain/orders/parcels-to-pack.sql.server.ts'
export { selectLabelFile, selectLabels, type ParcelLabel } from '#domain/orders/parcel-labels.sql.server.ts'
export { notifyOfParcel, releaseJob, releaseOrder, receiveCarrierEvent } from '#domain/orders/fulfill.server.ts'
export {
  appointmentToken,
  opensOrder,
  orderKey,
  readAppointmentToken,
  readReceiptKey,
  receiptKey,
  receiptMinutes,
  showsOrder,
  trackingToken,
} from '#domain/orders/order-access.server.ts'
export { askForCode, readCodeAddress, verifyCode, type CodeRefusal } from '#domain/orders/order-code.server.ts'
export { forgetOldOrderCodes } from '#domain/orders/order-code.sql.server.ts'
export { returnOrder } from '#domain/orders/return-order.server.ts'
export {
  countOfficeOrders,
  findNeighbors,
  listOfficeOrders,
  type OfficeOrder,
  type OfficeOrderQuery,
  type PagePlace,
} from '#domain/orders/office-list.server.ts'
export {
  listOfficeAppointments,
  type AppointmentView,
  type OfficeAppointment,
} from '#domain/orders/office-appointments.server.ts'
export {
  selectAppointmentDays,
  selectNextAppointments,
  selectSalesDays,
  selectSoldTires,
  type AppointmentDay,
  type NextAppointment,
  type SalesDay,
} from '#domain/orders/home-figures.sql.server.ts'
export { listOrdersToConfirm, listUncapturedOrders } from '#domain/orders/office-queues.sql.server.ts'
export { searchOrders } from '#domain/orders/office-search.server.ts'
export { calendarAttachments, orderAppointment, orderTrackUrl } from '#domain/orders/order-messages.server.ts'
export { changeFleetPacket, mayChangePacket } from '#domain/orders/fleet-packet.server.ts'
export {
  keepPacket,
  selectFleetOrders,
  selectPacket,
  withPackets,
  type FleetOrder,
} from '#domain/orders/fleet-packet.sql.server.ts'
export { readVinEnd, recordVin } from '#domain/orders/order-vin.server.ts'
export { addOrderNote, longestNote, noteRemovableMinutes, removeOrderNote } from '#domain/orders/order-notes.server.ts'
export {
  selectHappenings,
  selectOrderNotes,
  type OrderHappening,
  type OrderNote,
} from '#domain/orders/order-story.sql.server.ts'
export { forEachDelivered, isReminderOver, remindOfAppointments } from '#domain/orders/order-reminders.server.ts'
export { orderTextContent } from '#domain/orders/order-texts.server.ts'
export { lookUpOrder } from '#domain/orders/look-up.server.ts'
export {
  hasLineRefunds,
  insertOrderNote,
  lockOrder,
  lockShipments,
  updateCancelUntil,
  updatePromise,
} from '#domain/orders/order-life.sql.server.ts'
export { selectOrderTires } from '#domain/orders/change-order.sql.server.ts'
export { replaceParcels, updatePlace, type OrderPlace } from '#domain/orders/change-place.sql.server.ts'
export { findToActOn, record as recordOrderAct } from '#domain/orders/staff-acts.server.ts'
export { selectPaidLines, type PaidLine } from '#domain/orders/paid-lines.sql.server.ts'
export {
  isPickupCode,
  listPickups,
  lockPickup,
  readyCodeOf,
  remindOfPickups,
  selectPickup,
  updateHandedOver,
  updateReady,
  updateWrongCode,
  type Pickup,
} from '#domain/orders/warehouse-counter.server.ts'
export { moveShipment } from '#domain/orders/order-life.sql.server.ts'
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
  | Refused<'refused-online'>
  | Refused<'store-closed'>

/** What the rules say of an order; `keep` writes it down with the order, `by` is when the wait ends. */
export type Screened =
  | { outcome: 'refuse' }
  | { outcome: 'allow'; keep: (tx: Tx, orderId: number) => Promise<void> }
  | { outcome: 'confirm' | 'review'; by: Temporal.Instant; keep: (tx: Tx, orderId: number) => Promise<void> }

/** How an order is paid: an authorized card charge, or an invoice its company pays later. */
export type OrderMoney = { by: 'charge'; paymentId: string; method: ChargedMethod } | { by: 'invoice'; netDays: number }

/** An order to commit, with what other capabilities do in the same transaction. */
export type OrderToCommit = {
  draft: OrderDraft
  /** The cart the draft was made from. */
  cart: { version: number; accountId: string | null }
  money: OrderMoney
  /**
   * What comes first in the transaction of a cart that waits for an approval: locks that, or throws. Null for an open
   * cart.
   */
  begin: ((tx: Tx) => Promise<void>) | null
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
  /** Keeps where the sales tax of the order is from, within the transaction. Null without a tax provider. */
  keepTax: ((tx: Tx, orderId: number) => Promise<void>) | null
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
  const { cartId } = input.draft
  try {
    return await db.transaction().execute(async (tx) => {
      await input.begin?.(tx)
      // The rules count what is there once everything is locked.
      const [cart, orderId, stands, screen] = await atOnce(tx, [
        (own) => lockCart(own, cartId),
        (own) => takeOrderId(own, cartId),
        (own) => input.standsPrice(own),
        (own) => input.screening(own),
      ])
      if (cart && cart.orderId !== null) return ok({ orderId: cart.orderId, isNew: false })
      if (!isUnmoved(cart, input) || orderId === undefined) return refused('cart-moved')
      if (cart && !cart.isStoreOpen && !(await input.isByStaff?.(tx))) return refused('store-closed')
      if (!stands) return refused('price-moved')
      const screened = await screen(tx)
      if (screened.outcome === 'refuse') return refused('refused-online')
      await write(tx, { ...input, draft: afterScreening(input.draft, screened), screened, orderId })
      return ok({ orderId, isNew: true })
    })
  } catch (error) {
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
 * Takes what was promised and what pays for it, in lock order: stock, bay, charge or invoice, program, credit; writes the
 * order, its mail, the texts and, with the commit, the jobs. Throws an `Undo` of the first that is not available.
 */
async function write(tx: Tx, order: OrderToWrite): Promise<void> {
  const { draft, orderId, screened, money, keepTax, confirmBooking, claimOffer, cart } = order
  const { cartId, contact, creditCents: cents, placedAt: at, breakdown } = draft
  const sale = { orderId, reason: 'order placed', at, entries: entriesOfSale(breakdown.totals) }
  const [, , , jobs] = await atOnce(tx, [
    async (own) => {
      if (!(await takeStock(own, draft.shipments, { cartId, at }))) throw new Undo(refused('stock-moved'))
    },
    (own) => insertOrder(own, orderId, draft),
    // The order holds its customer's row and phone by now: a block was committed before, or waits until this is.
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

/** The mail that the order is there, or is to be confirmed; and its release, which waits for that, and for staff, too. */
async function jobsAfter(tx: Tx, orderId: number, draft: OrderDraft, { isHeld }: { isHeld: boolean }): Promise<Job[]> {
  const { email: to, placedAt: at, cancelUntil, confirmation } = draft
  const kind = confirmation ? 'order-unconfirmed' : 'order-received'
  const mail = await promiseMessage(tx, { kind, key: `${kind}:${orderId}`, to, orderId, at })
  return confirmation || isHeld ? mail : [...mail, releaseJob(orderId, cancelUntil)]
}

/** What waits for its shopper, or for staff, can be canceled as long as it waits. */
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
