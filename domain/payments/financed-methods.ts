/** Paying by an application to a lender: which orders a method finances. Safe in the browser. */
import type { PaymentMethodRule } from '#domain/payments/payment-methods.ts'

const byApplication = {
  group: 'over-time',
  provider: 'lender',
  entry: 'page',
  capture: 'on-delivery',
  holdDays: 90,
  // Consumer credit: companies have terms of their own.
  forBusiness: false,
} as const

/** The lender decides within these amounts, which are the usual ones of such products. */
export const financedMethodRules: readonly PaymentMethodRule[] = [
  {
    type: 'store-card',
    name: 'Sidewall credit card',
    detail: 'Apply once, and pay with it whenever you order',
    button: 'Apply for the Sidewall card',
    ...byApplication,
    minCents: 2_500,
    maxCents: 1_500_000,
  },
  {
    type: 'loan',
    name: 'Monthly loan',
    detail: 'You see your rate before you accept',
    button: 'See my rate',
    ...byApplication,
    minCents: 15_000,
    maxCents: 1_000_000,
  },
  {
    type: 'lease',
    name: 'Lease-to-own',
    detail: 'No credit needed. Costs the most',
    button: 'Apply for the lease',
    ...byApplication,
    minCents: 30_000,
    maxCents: 500_000,
  },
]

/** Why a lender does not finance an order; the others of the store's methods are not affected. */
export type NotFinanced = 'plans' | 'counter'

/** An order as far as a lender minds: the kinds of its lines, and where it goes. */
export type OrderToFinance = { kinds: readonly string[]; fulfillment: string | null }

/**
 * Why `method` does not finance this order; null if it does, or is none that a lender decides. What can be leased are
 * goods with their installation, not plans; a carrier's counter does not report who took the tires.
 */
export function whyNotFinanced(
  { type, provider }: Pick<PaymentMethodRule, 'type' | 'provider'>,
  { kinds, fulfillment }: OrderToFinance,
): NotFinanced | null {
  if (provider !== 'lender') return null
  if (fulfillment === 'carrier-pickup') return 'counter'
  return type === 'lease' && kinds.some((kind) => kind === 'coverage' || kind === 'roadside') ? 'plans' : null
}
