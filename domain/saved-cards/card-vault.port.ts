import type { ChargeView, ProviderAnswer } from '#domain/payments/payment-provider.port.ts'

/**
 * Cards that the payment provider keeps for our customers. What crosses this border are the provider's names for
 * customers and cards, and what tells one card from another; never a number.
 */
export interface CardVault {
  /** Makes a customer for an account. */
  createCustomer(input: { accountId: string; email: string | null; key: string }): Promise<ProviderAnswer<string>>
  /** Deletes a customer with all its cards. Harmless if already deleted. */
  deleteCustomer(customerRef: string): Promise<ProviderAnswer<null>>
  /** Opens the provider's own page that saves a card and charges nothing. */
  openCardPage(input: {
    customerRef: string
    reference: string
    returnUrl: string
    cancelUrl: string
    key: string
  }): Promise<ProviderAnswer<{ hostedRef: string; url: string }>>
  /** The card saved on that page; null until it is. */
  readCardPage(hostedRef: string): Promise<ProviderAnswer<VaultedCard | null>>
  /** The card that a charge saved; null if it saved none. */
  readCardOfCharge(ref: string): Promise<ProviderAnswer<VaultedCard | null>>
  /** Lets an open charge save its card for a customer, or no more. */
  saveCardOfCharge(input: { ref: string; customerRef: string | null; key: string }): Promise<ProviderAnswer<null>>
  /** Removes a card for good. Harmless if already removed. */
  detachCard(input: { cardRef: string; key: string }): Promise<ProviderAnswer<null>>
  /** Opens a charge that only a saved card of the customer can pay. Nothing is charged yet. */
  openSavedCharge(input: {
    customerRef: string
    amountCents: number
    reference: string
    key: string
  }): Promise<ProviderAnswer<string>>
  /**
   * Authorizes an open charge with a saved card, with its owner at `returnUrl` or away (null). Confirming again what is
   * authorized changes nothing. A decline is an answer: `charge.state` is `failed`.
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
 * `approvalUrl`: where the bank asks its customer, if it does. `isUnapproved`: declined because the customer was away
 * and could not be asked.
 */
export type SavedCharge = { charge: ChargeView; approvalUrl: string | null; isUnapproved: boolean }
