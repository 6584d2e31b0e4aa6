import type { OrderToPay, ProviderAnswer, ProviderMessage, UnreadEvent } from './payment-provider.port.ts'
import type { Movement } from './provider-records.port.ts'

/** A lender's product is lease-to-own, a loan, or the store's card. */
export type FinancingProduct = 'lease' | 'loan' | 'store-card'

/**
 * `signed` is bound to our total, `approved` is no money yet. A lender pays once the goods are delivered; `declined`,
 * `canceled`, `expired` and `terminated` are ends.
 */
export type FinancingState =
  | 'opened'
  | 'applying'
  | 'in-review'
  | 'approved'
  | 'signed'
  | 'confirmed'
  | 'delivered'
  | 'funded'
  | 'declined'
  | 'canceled'
  | 'expired'
  | 'terminated'

/** A line's units, by the SKU used when the application was opened. */
export type FinancedUnits = { sku: string; quantity: number }

/** An application as reported by the lender's server. `unknown` is any unrecognized state. */
export type FinancingView = {
  ref: string
  state: FinancingState | 'unknown'
  /** What the application was opened for. */
  amountCents: number
  signedCents: number | null
  deliveredCents: number
  canceledCents: number
  givenBackCents: number
  lines: (FinancedUnits & { delivered: number; canceled: number })[]
}

/** A product's cost for an amount, in the lender's wording and with the lender's amounts. */
export type FinancingOffer = {
  product: FinancingProduct
  headline: string
  rows: { label: string; cents: number }[]
  disclosure: string
}

/** A balance transaction with a lender, such as a delivery, refund or payout. */
export type FinancingMovement = Pick<Movement, 'ref' | 'kind' | 'at' | 'amountCents' | 'feeCents' | 'refundRef'> & {
  applicationRef: string | null
}

/**
 * A lender with a hosted application page. Only the lender's server is authoritative, never the browser. Every call
 * that changes something takes an idempotency key.
 */
export interface Financing {
  /** What each product costs for this amount. */
  offers(amountCents: number): Promise<ProviderAnswer<FinancingOffer[]>>
  /** Opens an application, which the shopper continues at `url`. */
  open(input: {
    key: string
    reference: string
    product: FinancingProduct
    amountCents: number
    order: OrderToPay
    email: string | null
    returnUrl: string
    cancelUrl: string
  }): Promise<ProviderAnswer<{ ref: string; url: string }>>
  read(ref: string): Promise<ProviderAnswer<FinancingView>>
  /** Binds a signed application to an order. Harmless if already bound to it. */
  confirm(input: { ref: string; orderId: number; key: string }): Promise<ProviderAnswer<FinancingView>>
  /** Reports units as delivered or installed, which makes the lender's payment due. */
  deliver(input: {
    ref: string
    lines: FinancedUnits[]
    at: Temporal.Instant
    key: string
  }): Promise<ProviderAnswer<FinancingView>>
  /** Takes units and `cents` off the contract before they are delivered. */
  cancelLines(input: {
    ref: string
    lines: FinancedUnits[]
    cents: number
    key: string
  }): Promise<ProviderAnswer<FinancingView>>
  /** Cancels an application without deliveries. Harmless if it is over. */
  cancel(input: { ref: string; key: string }): Promise<ProviderAnswer<FinancingView>>
  /** Refunds money for delivered goods. */
  giveBack(input: { ref: string; cents: number; key: string }): Promise<ProviderAnswer<{ refundRef: string }>>
  /** A page of what moved from `from` on and before `until`; `after` is the `next` of the page before. */
  listMovements(input: {
    from: Temporal.Instant
    until: Temporal.Instant
    after: string | null
  }): Promise<ProviderAnswer<{ movements: FinancingMovement[]; next: string | null }>>
  /** Reads a message of the lender; refuses one that is not signed by it, or too old. */
  readEvent(
    message: ProviderMessage,
  ): Promise<{ ok: true; event: { id: string; kind: string; view: FinancingView; body: unknown } } | UnreadEvent>
}
