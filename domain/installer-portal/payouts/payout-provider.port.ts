/**
 * What the store needs to pay shops. Amounts are in US cents. Every call that moves money takes an idempotency key. Bank
 * details never reach the store; the provider's own pages take them.
 */
import type { ProviderAnswer, UnreadEvent } from '#domain/payments/payments/payment-provider.port.ts'

export interface PayoutProvider {
  /** Opens an account for a shop, to which money can be sent once its owner has completed it. */
  openAccount(input: { reference: string; email: string; key: string }): Promise<ProviderAnswer<{ ref: string }>>
  /**
   * A page of the provider where the owner enters or changes the bank details; it is opened once and leads back to
   * `returnUrl`, or to `refreshUrl` if it is opened too late.
   */
  openBankPage(input: { ref: string; returnUrl: string; refreshUrl: string }): Promise<ProviderAnswer<{ url: string }>>
  readAccount(ref: string): Promise<ProviderAnswer<AccountView>>
  /** Sends money to an account. `reference` is our own id, under which the transfer is found again. */
  sendTransfer(input: {
    accountRef: string
    amountCents: number
    reference: string
    key: string
  }): Promise<ProviderAnswer<TransferView>>
  /** Returns the transfer with this reference; null if it doesn't exist. */
  findTransfer(reference: string): Promise<ProviderAnswer<TransferView | null>>
  readTransfer(ref: string): Promise<ProviderAnswer<TransferView>>
  /** Takes a part of a transfer back. */
  reverseTransfer(input: { ref: string; amountCents: number; key: string }): Promise<ProviderAnswer<TransferView>>
  /** Returns a payout from an account to its bank. */
  readBankPayout(input: { accountRef: string; ref: string }): Promise<ProviderAnswer<BankPayoutView>>
  /** Reads a webhook; refuses one with a signature that is invalid or too old. */
  readEvent(rawBody: string, signature: string): Promise<{ ok: true; event: PayoutEvent } | UnreadEvent>
}

export type AccountView = { ref: string; state: 'started' | 'ready' | 'restricted'; bankLast4: string | null }

/** `reversedCents` is all that was taken back so far. */
export type TransferView = { ref: string; reference: string | null; reversedCents: number }

export type BankPayoutView = {
  ref: string
  amountCents: number
  state: 'pending' | 'paid' | 'failed'
  arrivesOn: string
}

/** What a message is about, to be read again; null for one that is not about paying shops. */
export type PayoutEvent =
  | { about: 'account'; ref: string }
  | { about: 'transfer'; ref: string }
  | { about: 'bank-payout'; ref: string; accountRef: string }
  | null
