import type { Deliveries } from '../deliveries.ts'
import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'
import type { PurchaseUnit } from './requests.ts'
import type { PayPalTransaction } from './transactions.ts'

/** What the shopper pays with on the approval page, which decides what happens next. */
export const fundings = {
  balance: 'Succeeds',
  twice: 'Every webhook arrives twice and out of order',
  drops: 'Authorized, but the connection breaks before the answer',
  declined: 'The card behind the account is declined (INSTRUMENT_DECLINED)',
  restricted: 'The account cannot pay this store (PAYER_CANNOT_PAY)',
  pending: 'Authorized, then under review for 5 seconds (PENDING)',
} as const

export type Funding = keyof typeof fundings

export type PayPalOrder = {
  id: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'
  wallet: 'paypal' | 'venmo'
  unit: PurchaseUnit
  returnUrl: string | null
  cancelUrl: string | null
  funding: Funding | null
  createdAt: string
  updatedAt: string
}

export type Authorization = {
  id: string
  orderId: string
  cents: number
  status: 'CREATED' | 'CAPTURED' | 'PARTIALLY_CAPTURED' | 'VOIDED' | 'PENDING'
  createdAt: string
  updatedAt: string
  expiresAt: string
  /** The authorization this one renews. */
  parentId: string | null
}

export type Capture = {
  id: string
  authorizationId: string
  orderId: string
  cents: number
  refundedCents: number
  isFinal: boolean
  createdAt: string
  updatedAt: string
}

export type Refund = { id: string; captureId: string; orderId: string; cents: number; createdAt: string }

export type PayPalDispute = {
  id: string
  captureId: string
  orderId: string
  cents: number
  reason: string
  /** `EXTERNAL`: the payer's bank disputes, not the payer at PayPal. */
  channel: 'INTERNAL' | 'EXTERNAL'
  stage: 'INQUIRY' | 'CHARGEBACK'
  status: 'WAITING_FOR_SELLER_RESPONSE' | 'UNDER_REVIEW' | 'RESOLVED'
  outcome: 'RESOLVED_SELLER_FAVOUR' | 'RESOLVED_BUYER_FAVOUR' | 'ACCEPTED' | 'CANCELED_BY_BUYER' | null
  movements: {
    type: 'DEBIT' | 'CREDIT'
    cents: number
    reason: 'DISPUTE_SETTLEMENT' | 'DISPUTE_FEE' | 'CHARGEBACK_FEE'
    at: string
  }[]
  evidences: object[]
  files: { name: string; type: string; size: number }[]
  createdAt: string
  updatedAt: string
  dueAt: string
}

export type PayPalEvent = {
  id: string
  event_version: '1.0'
  create_time: string
  resource_type: string
  resource_version: '2.0'
  event_type: string
  summary: string
  resource: object
  links: object[]
}

/** A PayPal account's data and webhook queue. */
export type PayPalLedger = {
  readonly store: Store
  readonly publicOrigin: string
  readonly orders: Collection<PayPalOrder>
  readonly authorizations: Collection<Authorization>
  readonly captures: Collection<Capture>
  readonly refunds: Collection<Refund>
  readonly disputes: Collection<PayPalDispute>
  /** What moved on the account. */
  readonly transactions: Collection<PayPalTransaction>
  readonly events: Collection<PayPalEvent>
  readonly deliveries: Deliveries
  now(): Temporal.Instant
}

export function openPayPal(parts: {
  store: Store
  publicOrigin: string
  deliveries: Deliveries
  now: () => Temporal.Instant
}): PayPalLedger {
  return {
    ...parts,
    orders: parts.store.collection('paypal-order'),
    authorizations: parts.store.collection('paypal-authorization'),
    captures: parts.store.collection('paypal-capture'),
    refunds: parts.store.collection('paypal-refund'),
    disputes: parts.store.collection('paypal-dispute'),
    transactions: parts.store.collection('paypal-transaction'),
    events: parts.store.collection('paypal-event'),
  }
}

/** The path prefix of PayPal's pages and API. */
export const paypalPath = '/paypal'

/** An id as PayPal makes them: 17 capital letters and digits. */
export function newPayPalId(): string {
  return newId('', 60)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .slice(0, 17)
}

/** The time as PayPal writes it, in whole seconds. */
export function paypalTime(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' })
}

export function authorizationsOf(ledger: PayPalLedger, orderId: string): Authorization[] {
  return ledger.authorizations.listWhere('orderId', orderId)
}

export function capturesOf(ledger: PayPalLedger, orderId: string): Capture[] {
  return ledger.captures.listWhere('orderId', orderId)
}

export function refundsOf(ledger: PayPalLedger, orderId: string): Refund[] {
  return ledger.refunds.listWhere('orderId', orderId)
}
