/** The ways to pay, and what each allows. Sources: the providers' documentation, decision 015. */
import { financedMethodRules } from './financed-methods.ts'

export { whyNotFinanced, type NotFinanced, type OrderToFinance } from './financed-methods.ts'

/** Each has a page at `/checkout/payments/[type]`, except net terms. */
export const paymentMethodTypes = [
  'card',
  'apple-pay',
  'google-pay',
  'paypal',
  'venmo',
  'klarna',
  'affirm',
  'afterpay',
  'lease',
  'loan',
  'store-card',
  'resolve',
  'net-terms',
] as const

export type PaymentMethodType = (typeof paymentMethodTypes)[number]

/** Methods that create a charge. Only an invoice on the store's own terms doesn't. */
export type ChargedMethod = Exclude<PaymentMethodType, 'net-terms'>

/**
 * The companies that move the money. `lender` finances by application (lease, loan, store card); `resolve` grants
 * companies net terms.
 */
export type PaymentProviderName = 'stripe' | 'paypal' | 'lender' | 'resolve'

/**
 * The shopper pays in the provider's fields on our page, on the provider's page, or in the device's wallet sheet, which
 * requires JavaScript.
 */
export type PaymentEntry = 'fields' | 'page' | 'wallet'

export type PaymentMethodRule = {
  type: ChargedMethod
  name: string
  detail: string
  /** The groups of the payment page, in its order. */
  group: 'device' | 'now' | 'over-time' | 'company'
  provider: PaymentProviderName
  entry: PaymentEntry
  /**
   * `at-release`: held when paying, captured when the order can no longer be canceled. `on-delivery`: a lender pays by
   * line, once the tires are delivered or installed.
   */
  capture: 'at-release' | 'on-delivery'
  /** How long the provider holds an authorization, in days. An estimate, unless the provider returns the exact time. */
  holdDays: number
  /** Amounts the provider takes, in cents. */
  minCents: number
  maxCents: number
  /** Whether a company's buyers may use it. */
  forBusiness: boolean
  /** How a provider that is paid over time is paid, as an example; without it, the sum is paid once. */
  spread?: PaymentSpread
  /** One sentence about it, shown once it is chosen. */
  note?: string
  /** Button text, if it does more than open the page. */
  button?: string
}

/** `installments`: equal parts without interest, the first today. `monthly`: a loan at an example rate, after a month. */
export type PaymentSpread =
  | { kind: 'installments'; count: number; everyWeeks: number }
  | { kind: 'monthly'; count: number; ratePpm: number }

/** Methods that charge a card in the browser, through the provider's fields or a device wallet. */
export type InBrowserMethod = 'card' | WalletMethod

/** The wallets of devices, in the order of the payment page. */
export const walletMethods = ['apple-pay', 'google-pay'] as const
export type WalletMethod = (typeof walletMethods)[number]

const anyAmount = { minCents: 50, maxCents: 99_999_999 } as const

/** Wallet charges are card charges, so card rules apply to them. */
const wallet = {
  detail: 'The card, name and billing address come from your wallet',
  group: 'device',
  provider: 'stripe',
  entry: 'wallet',
  capture: 'at-release',
  holdDays: 7,
  ...anyAmount,
  // A company's orders ask for a PO number, which a wallet cannot.
  forBusiness: false,
} as const

/** Display order is device wallets, pay now, and pay later with the cheapest first. */
export const paymentMethodRules: readonly PaymentMethodRule[] = [
  { type: 'apple-pay', name: 'Apple Pay', ...wallet },
  { type: 'google-pay', name: 'Google Pay', ...wallet },
  {
    type: 'card',
    name: 'Card',
    detail: 'Visa, Mastercard, American Express or Discover',
    group: 'now',
    provider: 'stripe',
    entry: 'fields',
    capture: 'at-release',
    holdDays: 7,
    ...anyAmount,
    forBusiness: true,
    note: 'Your card number goes straight to the payment company, never to us. We set the amount aside now and charge it after you place the order.',
  },
  {
    type: 'klarna',
    name: 'Klarna',
    detail: '4 payments, 0% APR, every 2 weeks',
    group: 'over-time',
    provider: 'stripe',
    entry: 'page',
    capture: 'at-release',
    holdDays: 28,
    minCents: 1_000,
    maxCents: 1_000_000,
    forBusiness: false,
    spread: { kind: 'installments', count: 4, everyWeeks: 2 },
    note: 'No interest. Klarna shows you the dates and any fee for a late payment before you accept.',
  },
  {
    type: 'afterpay',
    name: 'Afterpay',
    detail: '4 payments, 0% APR, every 2 weeks',
    group: 'over-time',
    provider: 'stripe',
    entry: 'page',
    capture: 'at-release',
    holdDays: 13,
    minCents: 100,
    maxCents: 400_000,
    forBusiness: false,
    spread: { kind: 'installments', count: 4, everyWeeks: 2 },
    note: 'No interest. Afterpay takes the first payment when it approves you, and shows you the dates of the others.',
  },
  {
    type: 'affirm',
    name: 'Affirm',
    detail: 'Monthly loan, 12 payments. Example at 14.99% APR',
    group: 'over-time',
    provider: 'stripe',
    entry: 'page',
    capture: 'at-release',
    holdDays: 30,
    minCents: 5_000,
    maxCents: 3_000_000,
    forBusiness: false,
    spread: { kind: 'monthly', count: 12, ratePpm: 149_900 },
    note: 'Affirm shows you your rate and every payment before you accept.',
  },
  {
    type: 'paypal',
    name: 'PayPal',
    detail: 'Approve at PayPal, then review your order here',
    note: 'Continue opens PayPal. Your account is charged only after you have placed the order here.',
    group: 'now',
    provider: 'paypal',
    entry: 'page',
    capture: 'at-release',
    holdDays: 29,
    minCents: 1,
    maxCents: 99_999_999,
    forBusiness: true,
  },
  {
    type: 'venmo',
    name: 'Venmo',
    detail: 'Approve with Venmo, then review your order here',
    note: 'Continue opens Venmo. Your account is charged only after you have placed the order here.',
    group: 'now',
    provider: 'paypal',
    entry: 'page',
    capture: 'at-release',
    holdDays: 29,
    minCents: 1,
    maxCents: 99_999_999,
    forBusiness: false,
  },
  ...financedMethodRules,
  {
    type: 'resolve',
    name: 'Resolve',
    detail: 'Net terms for your company',
    note: 'Resolve pays us and sends your company its invoice, with your PO number.',
    button: 'Continue with net terms',
    group: 'company',
    provider: 'resolve',
    entry: 'page',
    capture: 'at-release',
    // Resolve returns the exact deadline with each order.
    holdDays: 30,
    minCents: 100,
    maxCents: 99_999_999,
    forBusiness: true,
  },
]

/** Returns the method's segment in its page URL. */
export function pageTypeOf(type: ChargedMethod): string {
  return type === 'resolve' ? 'net-terms' : type
}

/** Returns the rule for a page URL segment; undefined if unknown. */
export function ruleOfPage(pageType: string): PaymentMethodRule | undefined {
  return paymentMethodRules.find(({ type }) => pageTypeOf(type) === pageType)
}

/** The rule of a method; undefined for net terms and what this store does not know. */
export function ruleOf(type: string): PaymentMethodRule | undefined {
  return paymentMethodRules.find((rule) => rule.type === type)
}

/** Whether a method is a wallet of the shopper's device. */
export function isWallet(type: string): type is WalletMethod {
  return ruleOf(type)?.entry === 'wallet'
}

/** Returns whether a method charges a card, including through a wallet. */
export function isOfCard(type: string): boolean {
  return type === 'card' || isWallet(type)
}

/** Whether a method's money comes by line with the goods, and not when the order is released. */
export function isPaidOnDelivery(type: string): boolean {
  return ruleOf(type)?.capture === 'on-delivery'
}

/**
 * Returns the payment methods for `amountCents` that the store's providers offer, within their amount limits, and open
 * to company buyers if one is paying. Includes net terms only if the provider grants them.
 */
export function methodsFor(order: {
  amountCents: number
  isBusiness: boolean
  offered: ReadonlySet<ChargedMethod>
  /** Whether the buyer's company is a customer of the net terms provider. */
  hasProviderTerms: boolean
}): PaymentMethodRule[] {
  return paymentMethodRules.filter(
    (rule) =>
      order.offered.has(rule.type) &&
      (rule.provider !== 'resolve' || order.hasProviderTerms) &&
      order.amountCents >= rule.minCents &&
      order.amountCents <= rule.maxCents &&
      (rule.forBusiness || !order.isBusiness),
  )
}
