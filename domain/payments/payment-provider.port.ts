/**
 * What the store asks of whoever moves the money. Amounts are cents, US dollars. Every call that changes something
 * takes a key: repeating it with the same key has one effect. Card numbers never pass here; the provider's own fields
 * or page take them.
 */
export interface PaymentProvider {
  /**
   * Opens a charge that will be authorized now and captured later. The secret lets the provider's fields in the browser
   * complete it.
   */
  openCharge(input: {
    amountCents: number
    reference: string
    email: string | null
    key: string
  }): Promise<ProviderAnswer<{ ref: string; clientSecret: string }>>
  /** Changes the amount of a charge that is not authorized yet. */
  changeAmount(input: { ref: string; amountCents: number; key: string }): Promise<ProviderAnswer<ChargeView>>
  /** The provider's word on a charge. */
  readCharge(ref: string): Promise<ProviderAnswer<ChargeView>>
  /** Takes the authorized money, or a part of it. */
  captureCharge(input: { ref: string; amountCents: number; key: string }): Promise<ProviderAnswer<ChargeView>>
  /** Lets the authorization go. Harmless when it is gone already. */
  voidCharge(input: { ref: string; key: string }): Promise<ProviderAnswer<ChargeView>>
  /** Gives captured money back, in parts if asked; never more than was captured. */
  refundCharge(input: { ref: string; amountCents: number; key: string }): Promise<ProviderAnswer<{ refundRef: string }>>
  /** Opens the provider's own payment page, for browsers without script. */
  openHostedPage(input: {
    amountCents: number
    reference: string
    email: string | null
    description: string
    returnUrl: string
    cancelUrl: string
    key: string
  }): Promise<ProviderAnswer<{ hostedRef: string; url: string }>>
  /** What became of a visit to that page; `charge` is there once it was completed. */
  readHostedPage(hostedRef: string): Promise<ProviderAnswer<{ completed: boolean; charge: ChargeView | null }>>
  /** Closes that page, so that nobody pays there any more. Harmless when it is closed or completed already. */
  closeHostedPage(input: {
    hostedRef: string
    key: string
  }): Promise<ProviderAnswer<{ completed: boolean; charge: ChargeView | null }>>
  /**
   * Reads a message the provider posted to us. Refuses it when the signature is not the provider's or is too old, and
   * when it is rightly signed and still not a message of the form we know; `cause` says what is wrong with it.
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
   * The provider's name for the card, the same whenever the same card pays; null while none has, or where it is not
   * told.
   */
  cardFingerprint: string | null
  failure: string | null
}

/** Why a message of a provider was not taken. */
export type UnreadEvent = { ok: false; reason: 'bad-signature' } | { ok: false; reason: 'unreadable'; cause: unknown }

/**
 * `charge` is null for kinds of message the store has no use for. `hostedRef` when it speaks of a visit to the hosted
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
 * `declined` carries the provider's words for the shopper; `unavailable` is worth another try; `refused-input` is our
 * mistake.
 */
export type ProviderAnswer<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: 'declined' | 'unavailable' | 'refused-input'; message: string; cause?: unknown }
