/** Payment by lender application, and the orders each method can finance. Safe in the browser. */
import type { PaymentMethodRule } from './payment-methods.ts'

const byApplication = {
  group: 'over-time',
  provider: 'lender',
  entry: 'page',
  capture: 'on-delivery',
  holdDays: 90,
  // Consumer credit, since companies have their own terms.
  forBusiness: false,
} as const

/** The amounts that a lender decides on, as usual for such products. */
export const financedMethodRules: readonly PaymentMethodRule[] = [
  {
    type: 'store-card',
    name: 'Store credit card',
    detail: 'Apply once, and pay with it whenever you order',
    button: 'Apply for the store card',
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

/** The order attributes that matter to a lender, meaning line kinds and destination. */
export type OrderToFinance = { kinds: readonly string[]; fulfillment: string | null }

/**
 * Returns why `method` doesn't finance this order; null if it does, or isn't a lender's method. Leases cover goods with
 * their installation but not plans. Carrier counters don't report pickups.
 */
export function whyNotFinanced(
  { type, provider }: Pick<PaymentMethodRule, 'type' | 'provider'>,
  { kinds, fulfillment }: OrderToFinance,
): NotFinanced | null {
  if (provider !== 'lender') return null
  if (fulfillment === 'carrier-pickup') return 'counter'
  return type === 'lease' && kinds.some((kind) => kind === 'coverage' || kind === 'roadside') ? 'plans' : null
}
