import type { Transitions } from '#platform/transitions.ts'

/** The life of a charge as the store keeps it; the provider's word moves it. */
export type PaymentState = 'pending' | 'authorized' | 'captured' | 'voided' | 'failed'

export const paymentLife: Transitions<PaymentState> = {
  pending: ['authorized', 'voided', 'failed'],
  // A declined card may be followed by a good one on the same charge.
  failed: ['authorized', 'voided'],
  authorized: ['captured', 'voided'],
  captured: [],
  voided: [],
}

/** The ways to pay at once; each has its page. Companies with terms may pay later too (domain/invoices). */
export const paymentMethods = [
  { type: 'card', name: 'Card', detail: 'Visa, Mastercard, American Express or Discover' },
] as const

/** How the shopper gives the card: in the provider's fields inside our page, or on the provider's own page. */
export type PaymentFlow = 'fields' | 'hosted'

/** What a charge is for: a cart, which it turns into an order, or a term of a membership. */
export type Payer = { cartId: string } | { termId: string }

export type Payment = {
  id: string
  orderId: number | null
  flow: PaymentFlow
  providerRef: string | null
  hostedRef: string | null
  amountCents: number
  refundedCents: number
  state: PaymentState
}
