import type { ChargedMethod } from '#domain/payments/payments/payments.ts'
import type { Config } from '#platform/config.ts'

/** The payment methods that the configured providers offer. */
export function offeredMethods({ payments, paypal, financing, resolve }: Config): ReadonlySet<ChargedMethod> {
  return new Set<ChargedMethod>([
    'card',
    ...(paypal ? (['paypal'] as const) : []),
    ...(paypal?.hasVenmo ? (['venmo'] as const) : []),
    ...payments.payLater,
    ...payments.wallets,
    ...(financing?.offered ?? []),
    ...(resolve ? (['resolve'] as const) : []),
  ])
}
