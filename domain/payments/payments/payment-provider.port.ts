import type { ChargedMethod, PaymentProviderName } from '#domain/payments/payment-methods/payment-methods.ts'
import type { FraudWarning } from './provider-records.port.ts'

/**
 * What the store needs from a payment provider. Amounts are in US cents. Every call that changes something takes an
 * idempotency key. Card numbers never reach the store; the provider's own fields or page take them.
 */
export interface PaymentProvider {
  /**
   * Opens a charge to authorize now and capture later. The provider's browser fields use the client secret to complete
   * it.
   */
  openCharge(input: {
    amountCents: number
    reference: string
    email: string | null
    key: string
  }): Promise<ProviderAnswer<{ ref: string; clientSecret: string }>>
  /** Changes the amount of a charge not authorized yet. */
  changeAmount(input: { ref: string; amountCents: number; key: string }): Promise<ProviderAnswer<ChargeView>>
  /** Reads the current state of a charge. */
  readCharge(ref: string): Promise<ProviderAnswer<ChargeView>>
  /** Captures all or part of the authorized amount. */
  captureCharge(input: { ref: string; amountCents: number; key: string }): Promise<ProviderAnswer<ChargeView>>
  /** Voids the authorization. Harmless if already voided. */
  voidCharge(input: { ref: string; key: string }): Promise<ProviderAnswer<ChargeView>>
  /** Refunds captured money, in parts if asked; never more than was captured. */
  refundCharge(input: {
    ref: string
    amountCents: number
    key: string
  }): Promise<ProviderAnswer<{ refundRef: string; isPending?: boolean }>>
  /** Returns the outcome of a pending refund, for providers with asynchronous refunds. */
  readRefund?(refundRef: string): Promise<ProviderAnswer<RefundView>>
  /**
   * Returns a provisional charge reference for methods where opening a charge may already hold money. The charge can be
   * found by it even if the response was lost. Undefined if money is held only after the shopper acts.
   */
  refBefore?(input: { method: ChargedMethod; reference: string }): string | undefined
  /** Opens the provider's payment page for a method; for cards, this is for browsers without JavaScript. */
  openHostedPage(input: HostedPageInput): Promise<ProviderAnswer<{ hostedRef: string; url: string }>>
  /**
   * The result of a visit to that page; `charge` is set once it was completed. If the shopper only approves on the
   * provider's page, this call requests the authorization, with an idempotency key derived from `hostedRef`.
   */
  readHostedPage(hostedRef: string): Promise<ProviderAnswer<{ completed: boolean; charge: ChargeView | null }>>
  /** Closes that page to further payments. Harmless if already closed or completed. */
  closeHostedPage(input: {
    hostedRef: string
    key: string
  }): Promise<ProviderAnswer<{ completed: boolean; charge: ChargeView | null }>>
  /**
   * Reads a webhook from the provider. Refuses events with an invalid or expired signature, and signed events in an
   * unknown format; `cause` has the reason.
   */
  readEvent(message: ProviderMessage): Promise<{ ok: true; event: ProviderEvent } | UnreadEvent>
}

/** A provider with charges that start on the provider's page instead of in our fields. */
export type PagePaymentProvider = Omit<PaymentProvider, 'openCharge' | 'changeAmount'>

/** A webhook as received. `header` returns a header's value, or an empty string if missing. */
export type ProviderMessage = { provider: PaymentProviderName; body: string; header(name: string): string }

export type HostedPageInput = {
  method: ChargedMethod
  amountCents: number
  reference: string
  email: string | null
  description: string
  returnUrl: string
  cancelUrl: string
  key: string
  /** The provider's customer for whom the card is saved; without one it is not. */
  customerRef?: string
  /** What is paid for, for providers that show or judge it; null for what is no order, such as a membership. */
  order: OrderToPay | null
}

/** An order as a provider sees it. The lines, tax and shipping less the discount add up to the amount. */
export type OrderToPay = {
  lines: { sku: string; name: string; unitCents: number; quantity: number; kind: 'tire' | 'service' | 'fee' }[]
  taxCents: number
  /** The label and the footnote of the sales tax, for providers that show one. */
  taxText: string
  shippingCents: number
  /** Discounts and credit, as a positive sum. */
  discountCents: number
  shipTo: PayerAddress
  billTo: PayerAddress
  phone: string | null
  isBusiness: boolean
  /** For a company on net terms, its provider customer ID and PO number. */
  terms?: { customerId: string; poNumber: string | null }
}

export type PayerAddress = {
  name: string
  address1: string
  address2: string | null
  city: string
  state: string
  zip: string
}

/** `message` is the failure reason. */
export type RefundView = { state: 'pending' | 'done' | 'failed'; message: string }

export type ChargeState = 'open' | 'processing' | 'authorized' | 'captured' | 'voided' | 'failed'

/** The result of a check by the card's bank. Null if the provider doesn't report it. */
export type CardCheck = 'pass' | 'fail' | 'unavailable' | 'unchecked' | null

/** Whether the street, the ZIP code and the security code matched what the bank has. */
export type CardChecks = { street: CardCheck; zip: CardCheck; code: CardCheck }

/** The network of a card by the provider's name, such as `visa`, and its last four digits. */
export type PaidCard = {
  brand: string
  last4: string
  /** The last month in which it is good. */
  expiry?: { month: number; year: number }
  checks?: CardChecks
}

export type ChargeView = {
  ref: string
  state: ChargeState
  amountCents: number
  capturedCents: number
  refundedCents: number
  clientSecret: string | null
  /**
   * The provider's fingerprint of the card, the same whenever the same card pays; null until a card is used, or if not
   * provided.
   */
  cardFingerprint: string | null
  /** The card as receipts name it; missing until a card is used, or where no card pays. */
  card?: PaidCard | null
  failure: string | null
  /** Until when the authorization can be captured; undefined where the provider does not say. */
  captureBefore?: Temporal.Instant
}

/** Why a provider's message was not accepted. */
export type UnreadEvent = { ok: false; reason: 'bad-signature' } | { ok: false; reason: 'unreadable'; cause: unknown }

/**
 * `charge` is null for message types the store does not use. `hostedRef` is set if it concerns a visit to the hosted
 * page.
 */
export type ProviderEvent = {
  id: string
  kind: string
  charge: ChargeView | null
  hostedRef: string | null
  /** Of providers that say which card was declined. */
  decline?: ProviderDecline
  /** The provider's dispute ID. Its current state is read again. */
  disputeRef?: string
  /** That a charge may be fraud. */
  warning?: FraudWarning
  /** The refund it concerns, if it does. */
  refundRef?: string
  body: unknown
}

/** A declined card, with the charge's provider reference, our reference, and the card's fingerprint. */
export type ProviderDecline = { ref: string; reference: string | null; cardFingerprint: string | null }

/**
 * `declined` has the provider's message for the shopper. `unavailable` can be retried. `refused-input` is a bug on our
 * side.
 */
export type ProviderAnswer<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: 'declined' | 'unavailable' | 'refused-input'; message: string; cause?: unknown }
