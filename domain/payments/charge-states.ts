/** A charge as its provider shows it, in the store's terms. */
import { ruleOf } from '#domain/payments/payment-methods.ts'
import type { ChargeView } from '#domain/payments/payment-provider.port.ts'
import type { Payment, PaymentState } from '#domain/payments/payments.ts'

/** Until when it can be captured: as its provider says, else by the rule of its method. */
export function captureBeforeOf(charge: ChargeView, method: string, at: Temporal.Instant): Temporal.Instant {
  return charge.captureBefore ?? at.add({ hours: 24 * (ruleOf(method)?.holdDays ?? 7) })
}

/** Open, or open again after a declined card. */
export function takesCard({ state }: ChargeView): boolean {
  return state === 'open' || state === 'failed'
}

/** What a charge is here by what the provider says of it; undefined while it says nothing new. */
export function stateFor(payment: Payment, charge: ChargeView): PaymentState | undefined {
  if (isShort(payment, charge)) return 'failed'
  switch (charge.state) {
    case 'authorized':
    case 'captured':
    case 'voided':
      return charge.state
    case 'failed':
      return 'failed'
    case 'open':
    case 'processing':
      return undefined
  }
}

/** On net terms the provider's own dashboard can lower an order: less than our whole total is no payment. */
function isShort({ method, state, amountCents }: Payment, charge: ChargeView): boolean {
  if (state === 'voided' || charge.state !== 'authorized' || ruleOf(method)?.provider !== 'resolve') return false
  return charge.amountCents !== amountCents
}
