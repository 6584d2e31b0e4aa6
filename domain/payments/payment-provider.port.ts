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
  refundCharge(input: { ref: string; amountCents: number; key: string }): Promise<ProviderAnswer<{ refundRef: string }>>
  /** Opens the provider's own payment page, for browsers without JavaScript. */
  openHostedPage(input: {
    amountCents: number
    reference: string
    email: string | null
    description: string
    returnUrl: string
    cancelUrl: string
    key: string
  }): Promise<ProviderAnswer<{ hostedRef: string; url: string }>>
  /** The result of a visit to that page; `charge` is set once it was completed. */
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
  readEvent(rawBody: string, signature: string): Promise<{ ok: true; event: ProviderEvent } | UnreadEvent>
}

export type ChargeState = 'open' | 'processing' | 'authorized' | 'captured' | 'voided' | 'failed'

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
  failure: string | null
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
  body: unknown
}

/**
 * `declined` has the provider's message for the shopper; `unavailable` can be retried; `refused-input` is a bug of
 * ours.
 */
export type ProviderAnswer<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: 'declined' | 'unavailable' | 'refused-input'; message: string; cause?: unknown }
