/** Resolve's customers with their credit, orders, invoices, and credit notes for this store. */
import type { Deliveries } from '../deliveries.ts'
import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'

export const statuses = {
  approved: 'Approved',
  pending: 'Pending while its orders are in review, for 5 seconds unless you decide earlier',
  hold: 'On hold',
  declined: 'Declined',
  deactivated: 'Deactivated',
} as const
export type Status = keyof typeof statuses

export type Customer = {
  id: string
  name: string
  status: Status
  terms: string | null
  approvedCents: number
  /** Invoiced and not paid. */
  balanceCents: number
  /** Additional webhook behavior. */
  habit?: 'twice' | 'drops'
}

/** Customers for linking to companies. The board changes the outcome of their orders. */
export const firstCustomers: readonly Customer[] = [
  customer('GRNTdelivery', 'Grant Delivery', { approvedCents: 2_500_000 }),
  customer('HLDhauling', 'Hold Hauling', { status: 'hold', approvedCents: 1_000_000 }),
  customer('DCLfreight', 'Declined Freight', { status: 'declined' }),
  customer('PNDcouriers', 'Pending Couriers', { status: 'pending', approvedCents: 1_000_000 }),
  customer('SMLgarage', 'Small Line Garage', { approvedCents: 5_000 }),
  customer('TWCvans', 'Twice Vans', { approvedCents: 2_500_000, habit: 'twice' }),
  customer('DRPlogistics', 'Drop Logistics', { approvedCents: 2_500_000, habit: 'drops' }),
]

function customer(id: string, name: string, of: Partial<Customer>): Customer {
  return { id, name, status: 'approved', terms: 'net30', approvedCents: 0, balanceCents: 0, ...of }
}

export type OrderStatus =
  | 'pending'
  | 'authorized'
  | 'captured'
  | 'partially_captured'
  | 'canceled'
  | 'declined'
  | 'expired'

export type Line = Record<string, unknown>

export type CaptureEvent = { cents: number; key: string; at: string; invoiceId: string }

export type NetTermsOrder = {
  id: string
  customerId: string
  number: string | null
  poNumber: string | null
  source: string | null
  status: OrderStatus
  authorizedCents: number
  canceledCents: number
  lines: Line[]
  captures: CaptureEvent[]
  createdAt: string
  updatedAt: string
  expiresAt: string
}

export type CreditNote = {
  id: string
  customerId: string
  invoiceId: string
  number: string
  cents: number
  reason: string
  at: string
}

export type NetTermsEvent = { id: string; object: string; type: string; occurred_at: string; data: { id: string } }

export type NetTermsLedger = {
  readonly store: Store
  readonly customers: Collection<Customer>
  readonly orders: Collection<NetTermsOrder>
  readonly notes: Collection<CreditNote>
  readonly events: Collection<NetTermsEvent>
  readonly deliveries: Deliveries
  now(): Temporal.Instant
}

/** The path prefix of Resolve's pages and API. */
export const netTermsPath = '/resolve'

export function openNetTerms(parts: {
  store: Store
  deliveries: Deliveries
  now: () => Temporal.Instant
}): NetTermsLedger {
  const customers = parts.store.collection<Customer>('resolve-customer')
  for (const one of firstCustomers) if (!customers.get(one.id)) customers.put(one.id, one)
  return {
    ...parts,
    customers,
    orders: parts.store.collection('resolve-order'),
    notes: parts.store.collection('resolve-credit-note'),
    events: parts.store.collection('resolve-event'),
  }
}

export function capturedCents({ captures }: Pick<NetTermsOrder, 'captures'>): number {
  return captures.reduce((sum, { cents }) => sum + cents, 0)
}

export function remainingCents(order: NetTermsOrder): number {
  return order.status === 'declined' || order.status === 'expired'
    ? 0
    : order.authorizedCents - order.canceledCents - capturedCents(order)
}

/** What a customer's open orders hold of its line. */
export function heldCents(ledger: NetTermsLedger, customerId: string): number {
  return ledger.orders.listWhere('customerId', customerId).reduce((sum, order) => sum + remainingCents(order), 0)
}

export function availableCents(ledger: NetTermsLedger, one: Customer): number {
  return Math.max(0, one.approvedCents - one.balanceCents - heldCents(ledger, one.id))
}

/** Sends a webhook about a changed object, with only its ID. */
export function tell(ledger: NetTermsLedger, order: NetTermsOrder, type: 'order.created' | 'order.updated'): void {
  const now = ledger.now()
  const id = newId('', 24).toLowerCase()
  const event: NetTermsEvent = { id, object: 'order', type, occurred_at: now.toString(), data: { id: order.id } }
  ledger.events.put(id, event)
  const isTwice = ledger.customers.get(order.customerId)?.habit === 'twice'
  for (const seconds of isTwice ? [0, 5] : [0])
    ledger.deliveries.enqueue('resolve', { about: order.id, type, body: event, dueAt: now.add({ seconds }) })
}
