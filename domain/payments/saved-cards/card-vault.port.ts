import type { ChargeView, ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'

/**
 * Cards stored by the payment provider for our customers. Only the provider's customer and card identifiers and card
 * fingerprints pass through this interface, never card numbers.
 */
export interface CardVault {
  /** Makes a customer for an account. */
  createCustomer(input: { accountId: string; email: string | null; key: string }): Promise<ProviderAnswer<string>>
  /** Deletes a customer with all its cards. Harmless if already deleted. */
  deleteCustomer(customerRef: string): Promise<ProviderAnswer<null>>
  /** Opens the provider's page that saves a card without a charge. */
  openCardPage(input: {
    customerRef: string
    reference: string
    returnUrl: string
    cancelUrl: string
    key: string
  }): Promise<ProviderAnswer<{ hostedRef: string; url: string }>>
  /** The card saved on that page; null until it is. */
  readCardPage(hostedRef: string): Promise<ProviderAnswer<VaultedCard | null>>
  /** Returns the card saved by a charge; null if it saved no card. */
  readCardOfCharge(ref: string): Promise<ProviderAnswer<VaultedCard | null>>
  /** Sets whether an open charge saves its card for a customer. */
  saveCardOfCharge(input: { ref: string; customerRef: string | null; key: string }): Promise<ProviderAnswer<null>>
  /** Removes a card for good. Harmless if already removed. */
  detachCard(input: { cardRef: string; key: string }): Promise<ProviderAnswer<null>>
  /** Opens a charge that can be paid only by a customer's saved card. The card isn't charged yet. */
  openSavedCharge(input: {
    customerRef: string
    amountCents: number
    reference: string
    key: string
  }): Promise<ProviderAnswer<string>>
  /**
   * Authorizes an open charge with a saved card, with its owner present at `returnUrl` or absent (null). Confirming an
   * authorized charge again has no effect. A decline is an answer: `charge.state` is `failed`.
   */
  confirmSavedCharge(input: {
    ref: string
    cardRef: string
    returnUrl: string | null
    key: string
  }): Promise<ProviderAnswer<SavedCharge>>
}

/** A card at the provider. The fingerprint is the same whenever the same card is saved. */
export type VaultedCard = {
  cardRef: string
  fingerprint: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

/**
 * `approvalUrl` is the bank's authentication page, if required. `isUnapproved` means declined because authentication
 * was required while the customer was absent.
 */
export type SavedCharge = { charge: ChargeView; approvalUrl: string | null; isUnapproved: boolean }
