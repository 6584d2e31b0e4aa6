/**
 * The provider's card fields inside our page. They belong to the provider, so a card number goes directly to its origin
 * and never passes through ours. Implemented by the sandbox's iframe and Stripe's elements.
 */
export type PaymentFieldsSetup = { kind: 'sandbox'; origin: string } | { kind: 'stripe'; publishableKey: string }

/** The charge to pay. The secret identifies it to the provider. */
export type FieldsCharge = { clientSecret: string; returnUrl: string; billing: FieldsBilling }
export type FieldsBilling = {
  name: string
  email: string
  phone: string
  address: { line1: string; line2: string; city: string; state: string; postalCode: string }
}

/** `unknown`: no response came, so ask the server for the charge's status before trying again. */
export type CardResult = { status: 'authorized' } | { status: 'failed'; message: string } | { status: 'unknown' }

/**
 * What the fields report to the page. `submitted`: Enter was pressed in one. `challenged`: the bank requires approval.
 * `finished` may come more than once: after a decline the shopper tries another card. `missing`: the fields failed to
 * load.
 */
export type FieldsEvent =
  | { type: 'ready' }
  | { type: 'changed'; isComplete: boolean }
  | { type: 'submitted' }
  | { type: 'challenged' }
  | { type: 'finished'; result: CardResult }
  | { type: 'missing' }

export type PaymentFields = {
  /** Pays with the card entered; answered by `finished`. */
  confirm(): void
  remove(): void
}

export type OpenPaymentFields<Setup extends PaymentFieldsSetup> = (
  box: HTMLElement,
  setup: Setup,
  charge: FieldsCharge,
  tell: (event: FieldsEvent) => void,
) => PaymentFields
