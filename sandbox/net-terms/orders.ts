/** Authorizes, reviews, captures, cancels, and credits orders on a customer's credit line. */
import { newId } from '../ids.ts'
import {
  availableCents,
  capturedCents,
  remainingCents,
  tell,
  type CaptureEvent,
  type CreditNote,
  type Line,
  type NetTermsLedger,
  type NetTermsOrder,
  type OrderStatus,
} from './ledger.ts'

/** Refused, in Resolve's envelope. */
export class NetTermsRefusal extends Error {
  readonly status: 400 | 404
  readonly type: string
  constructor(status: 400 | 404, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

const authorizationDays = 30
const reviewSeconds = 5

export function createOrder(
  ledger: NetTermsLedger,
  asked: {
    customerId: string
    cents: number
    number: string | null
    poNumber: string | null
    source: string | null
    lines: Line[]
  },
): NetTermsOrder {
  const customer = ledger.customers.get(asked.customerId)
  if (!customer) throw new NetTermsRefusal(400, 'invalid_request', 'customer not found')
  if (customer.status !== 'approved' && customer.status !== 'pending')
    throw new NetTermsRefusal(400, 'invalid_request', `Customer credit status is ${customer.status}`)
  if (availableCents(ledger, customer) < asked.cents)
    throw new NetTermsRefusal(400, 'invalid_request', 'Amount exceeds the available credit of the customer')
  const now = ledger.now()
  const isReviewed = customer.status === 'pending'
  const order: NetTermsOrder = {
    id: newId('ORD', 10),
    customerId: customer.id,
    number: asked.number,
    poNumber: asked.poNumber,
    source: asked.source,
    status: isReviewed ? 'pending' : 'authorized',
    authorizedCents: asked.cents,
    canceledCents: 0,
    lines: asked.lines,
    captures: [],
    createdAt: now.toString(),
    updatedAt: now.toString(),
    expiresAt: now.add({ hours: 24 * authorizationDays }).toString(),
  }
  ledger.orders.put(order.id, order, isReviewed ? now.add({ seconds: reviewSeconds }) : instant(order.expiresAt))
  tell(ledger, order, 'order.created')
  return order
}

function instant(text: string): Temporal.Instant {
  return Temporal.Instant.from(text)
}

export function getOrder(ledger: NetTermsLedger, id: string): NetTermsOrder {
  const order = ledger.orders.get(id)
  if (!order) throw new NetTermsRefusal(404, 'not_found_error', 'order not found')
  return order
}

function change(ledger: NetTermsLedger, order: NetTermsOrder, to: Partial<NetTermsOrder>): NetTermsOrder {
  const changed = { ...order, ...to, updatedAt: ledger.now().toString() }
  ledger.orders.put(order.id, changed, changed.status === 'authorized' ? instant(changed.expiresAt) : null)
  tell(ledger, changed, 'order.updated')
  return changed
}

/** The end of a review, or of an authorization. */
export function orderAlarm(ledger: NetTermsLedger, order: NetTermsOrder): void {
  if (order.status === 'pending') decide(ledger, order, 'authorized')
  else if (order.status === 'authorized') change(ledger, order, { status: 'expired' })
  else ledger.orders.put(order.id, order, null)
}

/** Ends a review. */
export function decide(
  ledger: NetTermsLedger,
  order: NetTermsOrder,
  status: Extract<OrderStatus, 'authorized' | 'declined'>,
): NetTermsOrder {
  return order.status === 'pending' ? change(ledger, order, { status }) : order
}

export function captureOrder(
  ledger: NetTermsLedger,
  order: NetTermsOrder,
  { cents, key }: { cents: number; key: string },
): NetTermsOrder {
  if (order.captures.some((capture) => capture.key === key)) return order
  if (order.status !== 'authorized' && order.status !== 'partially_captured')
    throw new NetTermsRefusal(400, 'invalid_request', `Order is ${order.status}`)
  if (cents <= 0 || cents > remainingCents(order))
    throw new NetTermsRefusal(400, 'invalid_request', 'Amount exceeds the remaining authorized amount')
  const customer = ledger.customers.get(order.customerId)
  if (customer) ledger.customers.put(customer.id, { ...customer, balanceCents: customer.balanceCents + cents })
  const captures = [...order.captures, { cents, key, at: ledger.now().toString(), invoiceId: newId('IN', 10) }]
  const isWhole = remainingCents({ ...order, captures }) === 0
  return change(ledger, order, { captures, status: isWhole ? 'captured' : 'partially_captured' })
}

export function cancelOrder(ledger: NetTermsLedger, order: NetTermsOrder): NetTermsOrder {
  const rest = remainingCents(order)
  if (rest === 0) throw new NetTermsRefusal(400, 'invalid_request', `Order is ${order.status}`)
  return change(ledger, order, {
    canceledCents: order.canceledCents + rest,
    status: capturedCents(order) > 0 ? 'captured' : 'canceled',
  })
}

/** The order and the capture that an invoice is of. */
export function invoiceOf(
  ledger: NetTermsLedger,
  id: string,
): { order: NetTermsOrder; capture: CaptureEvent } | undefined {
  for (const order of ledger.orders.list({ limit: 100_000 })) {
    const capture = order.captures.find(({ invoiceId }) => invoiceId === id)
    if (capture) return { order, capture }
  }
  return undefined
}

export function notesOf(ledger: NetTermsLedger, by: { invoiceId?: string; number?: string }): CreditNote[] {
  return ledger.notes
    .list({ limit: 10_000 })
    .filter(
      (note) =>
        (by.invoiceId === undefined || note.invoiceId === by.invoiceId) &&
        (by.number === undefined || note.number === by.number),
    )
}

export function createNote(
  ledger: NetTermsLedger,
  { invoiceId, cents, number, reason }: { invoiceId: string; cents: number; number: string; reason: string },
): CreditNote {
  const invoice = invoiceOf(ledger, invoiceId)
  if (!invoice) throw new NetTermsRefusal(404, 'not_found_error', 'invoice not found')
  const credited = notesOf(ledger, { invoiceId }).reduce((sum, note) => sum + note.cents, 0)
  if (cents <= 0 || credited + cents > invoice.capture.cents)
    throw new NetTermsRefusal(400, 'invalid_request', 'Amount exceeds the invoice balance')
  const { customerId } = invoice.order
  const customer = ledger.customers.get(customerId)
  if (customer) ledger.customers.put(customerId, { ...customer, balanceCents: customer.balanceCents - cents })
  const note = { id: newId('CN', 10), customerId, invoiceId, number, cents, reason, at: ledger.now().toString() }
  ledger.notes.put(note.id, note)
  return note
}
