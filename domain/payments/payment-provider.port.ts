import type { ChargedMethod, PaymentProviderName } from '#domain/payments/payment-methods.ts'
import type { FraudWarning } from '#domain/payments/provider-records.port.ts'

/**
 * What the store needs from a payment provider. Amounts are in US cents. Every call that changes something takes an
 * idempotency key. Card numbers never reach the store; the provider's own fields or page take them.
 */
export interface PaymentProvider {
  /**
   * Opens a charge to authorize now and capture later. The secret lets the provider's fields in the browser complete
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
  /** What became of a refund that was pending; only for providers that have such. */
  readRefund?(refundRef: string): Promise<ProviderAnswer<RefundView>>
  /**
   * What a charge is called until the provider has named it, where opening it may hold money already: under this name it
   * is found even if the answer never came. Undefined where nothing is held before someone acts.
   */
  refBefore?(input: { method: ChargedMethod; reference: string }): string | undefined
  /** Opens the provider's own payment page for a method: for cards, in browsers without JavaScript. */
  openHostedPage(input: HostedPageInput): Promise<ProviderAnswer<{ hostedRef: string; url: string }>>
  /**
   * The result of a visit to that page; `charge` is set once it was completed. A provider at which the shopper only
   * approves is asked for the authorization here, under a key made of `hostedRef`.
   */
  readHostedPage(hostedRef: string): Promise<ProviderAnswer<{ completed: boolean; charge: ChargeView | null }>>
  /** Closes that page to further payments. Harmless if already closed or completed. */
  closeHostedPage(input: {
    hostedRef: string
    key: string
  }): Promise<ProviderAnswer<{ completed: boolean; charge: ChargeView | null }>>
  /**
   * Reads a webhook from the provider. Refuses one with an invalid or expired signature, and one whose signature is
   * valid but whose form is unknown; `cause` says what is wrong with it.
   */
  readEvent(message: ProviderMessage): Promise<{ ok: true; event: ProviderEvent } | UnreadEvent>
}

/** A provider whose charges begin on its own page, not in fields of ours. */
export type PagePaymentProvider = Omit<PaymentProvider, 'openCharge' | 'changeAmount'>

/** A webhook as it came in: `header` gives a header's value, empty without it. */
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
  /** For a company that buys on net terms: who it is at the provider, and its PO number. */
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

/** `message` says why it failed. */
export type RefundView = { state: 'pending' | 'done' | 'failed'; message: string }

export type ChargeState = 'open' | 'processing' | 'authorized' | 'captured' | 'voided' | 'failed'

/** How a check at the card's bank ended; null where the provider reports none. */
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
  /** The dispute it is about, by the provider's id: what is true of it is read again. */
  disputeRef?: string
  /** That a charge may be fraud. */
  warning?: FraudWarning
  /** The refund it concerns, if it does. */
  refundRef?: string
  body: unknown
}

/** A card that was declined: the charge it was tried on, by the provider's id and by ours, and which card it was. */
export type ProviderDecline = { ref: string; reference: string | null; cardFingerprint: string | null }

/**
 * `declined` has the provider's message for the shopper; `unavailable` can be retried; `refused-input` is a bug of
 * ours.
 */
export type ProviderAnswer<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: 'declined' | 'unavailable' | 'refused-input'; message: string; cause?: unknown }
