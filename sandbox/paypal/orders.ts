/** Orders: created by the store, approved by the shopper, authorized by the store. */
import type { z } from 'zod'
import { recordPayPalEvent } from './events.ts'
import {
  authorizationsOf,
  newPayPalId,
  paypalTime,
  type Authorization,
  type Funding,
  type PayPalLedger,
  type PayPalOrder,
} from './ledger.ts'
import { notFound, unprocessable } from './refusal.ts'
import { checkedAmount, type orderRequest } from './requests.ts'
import { authorizationView, orderView } from './views.ts'

/** How long an approval can be used, and an order be approved. */
const approvalHours = 3
const authorizationDays = 29
const reviewSeconds = 5

export function createOrder(ledger: PayPalLedger, request: z.infer<typeof orderRequest>): PayPalOrder {
  const [unit] = request.purchase_units
  if (request.intent !== 'AUTHORIZE' || !unit || request.purchase_units.length > 1)
    throw unprocessable(
      'UNSUPPORTED_INTENT',
      'This sandbox takes `intent=AUTHORIZE` with one purchase unit.',
      '/intent',
    )
  checkedAmount(unit)
  const { paypal, venmo } = request.payment_source ?? {}
  const context = { ...request.application_context, ...paypal?.experience_context, ...venmo?.experience_context }
  if (context.shipping_preference === 'SET_PROVIDED_ADDRESS' && !unit.shipping?.address)
    throw unprocessable(
      'SHIPPING_ADDRESS_INVALID',
      'Provided shipping address is invalid.',
      '/purchase_units/0/shipping',
    )
  const now = paypalTime(ledger.now())
  const order: PayPalOrder = {
    id: newPayPalId(),
    status: 'PAYER_ACTION_REQUIRED',
    wallet: venmo ? 'venmo' : 'paypal',
    unit,
    returnUrl: context.return_url ?? null,
    cancelUrl: context.cancel_url ?? null,
    funding: null,
    createdAt: now,
    updatedAt: now,
  }
  ledger.orders.put(order.id, order, ledger.now().add({ hours: approvalHours }))
  return order
}

export function getOrder(ledger: PayPalLedger, id: string): PayPalOrder {
  const order = ledger.orders.get(id)
  if (!order) throw notFound()
  return order
}

/** Approves an order as the shopper. Doesn't authorize it. */
export function approveOrder(ledger: PayPalLedger, id: string, funding: Funding): PayPalOrder {
  const order = getOrder(ledger, id)
  if (order.status !== 'PAYER_ACTION_REQUIRED') return order
  const approved: PayPalOrder = { ...order, status: 'APPROVED', funding, updatedAt: paypalTime(ledger.now()) }
  ledger.orders.put(id, approved, ledger.now().add({ hours: approvalHours }))
  recordPayPalEvent(ledger, approved, 'CHECKOUT.ORDER.APPROVED', orderView(ledger, approved))
  return approved
}

/** Authorizes an approved order. Refuses if the approval's funding source requires it. */
export function authorizeOrder(ledger: PayPalLedger, id: string): PayPalOrder {
  const order = getOrder(ledger, id)
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_AUTHORIZED', 'Order already authorized.')
  if (order.status === 'VOIDED')
    throw unprocessable('ORDER_COMPLETED_OR_VOIDED', 'Order is voided or completed and hence cannot be authorized.')
  if (order.status !== 'APPROVED')
    throw unprocessable('ORDER_NOT_APPROVED', 'Payer has not yet approved the Order for payment.')
  if (order.funding === 'declined')
    throw unprocessable(
      'INSTRUMENT_DECLINED',
      "The instrument presented was either declined by the processor or bank, or it can't be used for this payment.",
    )
  if (order.funding === 'restricted') throw unprocessable('PAYER_CANNOT_PAY', 'Payer cannot pay for this transaction.')
  refuseDuplicate(ledger, order)
  const now = ledger.now()
  const isPending = order.funding === 'pending'
  const authorization: Authorization = {
    id: newPayPalId(),
    orderId: id,
    cents: checkedAmount(order.unit),
    status: isPending ? 'PENDING' : 'CREATED',
    createdAt: paypalTime(now),
    updatedAt: paypalTime(now),
    expiresAt: paypalTime(now.add({ hours: 24 * authorizationDays })),
    parentId: null,
  }
  const due = isPending ? now.add({ seconds: reviewSeconds }) : Temporal.Instant.from(authorization.expiresAt)
  ledger.authorizations.put(authorization.id, authorization, due)
  const completed: PayPalOrder = { ...order, status: 'COMPLETED', updatedAt: paypalTime(now) }
  ledger.orders.put(id, completed, null)
  if (!isPending)
    recordPayPalEvent(ledger, completed, 'PAYMENT.AUTHORIZATION.CREATED', authorizationView(ledger, authorization))
  return completed
}

/** Refuses a second authorization with the same invoice ID. */
function refuseDuplicate(ledger: PayPalLedger, order: PayPalOrder): void {
  const { invoice_id: invoice } = order.unit
  if (invoice === undefined) return
  const isTaken = ledger.orders
    .listWhere('invoiceId', invoice)
    .some((other) => other.id !== order.id && other.status === 'COMPLETED')
  if (isTaken) throw unprocessable('DUPLICATE_INVOICE_ID', 'Duplicate Invoice ID detected.')
}

/** Voids an unapproved order or an unused approval. */
export function orderAlarm(ledger: PayPalLedger, order: PayPalOrder): void {
  const voided: PayPalOrder = { ...order, status: 'VOIDED', updatedAt: paypalTime(ledger.now()) }
  ledger.orders.put(order.id, voided, null)
  if (order.status === 'APPROVED')
    recordPayPalEvent(ledger, voided, 'CHECKOUT.PAYMENT-APPROVAL.REVERSED', {
      order_id: order.id,
      purchase_units: [order.unit],
      payment_source: { [order.wallet]: {} },
    })
}

/** A review ends well, and an authorization ends after 29 days. */
export function authorizationAlarm(ledger: PayPalLedger, authorization: Authorization): void {
  const order = getOrder(ledger, authorization.orderId)
  const isReviewed = authorization.status === 'PENDING'
  const isOver = !isReviewed && authorization.status === 'CREATED'
  const changed: Authorization = {
    ...authorization,
    status: isReviewed ? 'CREATED' : isOver ? 'VOIDED' : authorization.status,
    updatedAt: paypalTime(ledger.now()),
  }
  ledger.authorizations.put(
    authorization.id,
    changed,
    isReviewed ? Temporal.Instant.from(authorization.expiresAt) : null,
  )
  if (isReviewed) recordPayPalEvent(ledger, order, 'PAYMENT.AUTHORIZATION.CREATED', authorizationView(ledger, changed))
  if (isOver) recordPayPalEvent(ledger, order, 'PAYMENT.AUTHORIZATION.VOIDED', authorizationView(ledger, changed))
}

/** Returns the original authorization of an order or of its renewal. */
export function rootOf(ledger: PayPalLedger, authorization: Authorization): Authorization {
  const { parentId, orderId } = authorization
  if (parentId === null) return authorization
  return authorizationsOf(ledger, orderId).find(({ id }) => id === parentId) ?? authorization
}
