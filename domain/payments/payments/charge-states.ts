/** A charge as its provider shows it, in the store's terms. */
import { ruleOf } from '#domain/payments/payment-methods/payment-methods.ts'
import type { ChargeView } from './payment-provider.port.ts'
import type { Payment, PaymentState } from './payments.ts'

/** Returns the capture deadline, from the provider or otherwise the payment method's rule. */
export function captureBeforeOf(charge: ChargeView, method: string, at: Temporal.Instant): Temporal.Instant {
  return charge.captureBefore ?? at.add({ hours: 24 * (ruleOf(method)?.holdDays ?? 7) })
}

/** Open, or open again after a declined card. */
export function takesCard({ state }: ChargeView): boolean {
  return state === 'open' || state === 'failed'
}

/** Maps the provider's charge to our payment state; undefined if the state is unchanged. */
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

/** On net terms, an order can be lowered in the provider's dashboard. Less than our total doesn't count as paid. */
function isShort({ method, state, amountCents }: Payment, charge: ChargeView): boolean {
  if (state === 'voided' || charge.state !== 'authorized' || ruleOf(method)?.provider !== 'resolve') return false
  return charge.amountCents !== amountCents
}
