import type { ChargedMethod } from '#domain/payments/payment-methods/payment-methods.ts'
import type { Transitions } from '#platform/transitions.ts'

export type { FinancingOffer } from './financing.port.ts'
export {
  isOfCard,
  isPaidOnDelivery,
  isWallet,
  methodsFor,
  pageTypeOf,
  paymentMethodRules,
  paymentMethodTypes,
  ruleOf,
  walletMethods,
  ruleOfPage,
  whyNotFinanced,
  type ChargedMethod,
  type InBrowserMethod,
  type NotFinanced,
  type OrderToFinance,
  type PaymentMethodRule,
  type PaymentMethodType,
  type PaymentProviderName,
  type WalletMethod,
} from '#domain/payments/payment-methods/payment-methods.ts'
export { planFor } from './payment-plans.ts'
export type { OrderToPay } from './payment-provider.port.ts'

/** The states of a charge in the store, driven by the provider. */
export type PaymentState = 'pending' | 'authorized' | 'captured' | 'voided' | 'failed'

export const paymentLife: Transitions<PaymentState> = {
  pending: ['authorized', 'voided', 'failed'],
  // A declined card may be followed by a good one on the same charge.
  failed: ['authorized', 'voided'],
  authorized: ['captured', 'voided'],
  captured: [],
  voided: [],
}

/** An authorized charge without an order is voided after this long without activity by the shopper. */
export const abandonAfterMinutes = 30

/**
 * An unanswered submission counts as interrupted after this many seconds, well above a slow one's duration, and within
 * a minute including the worker's interval. A submission slower than this finds its charge voided, and the shopper pays
 * again.
 */
export const cutOffAfterSeconds = 30

/** The shopper pays in the provider's fields on our page, on the provider's page, or with a saved card. */
export type PaymentFlow = 'fields' | 'hosted' | 'saved'

/** A charge pays for a cart (later an order), a membership term, or the price difference of an order edit. */
export type Payer = { cartId: string } | { termId: string } | { changeId: string }

export type Payment = {
  id: string
  orderId: number | null
  method: ChargedMethod
  flow: PaymentFlow
  providerRef: string | null
  hostedRef: string | null
  amountCents: number
  refundedCents: number
  state: PaymentState
  /** The card that was charged; null before one is used, and for other methods. */
  card: { brand: string; last4: string } | null
  /** Whether the payer wants its card to be saved. */
  savesCard: boolean
  /** Since when the bank has not answered; null if it has. */
  processingSince: Temporal.Instant | null
}
