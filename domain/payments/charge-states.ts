/** A charge as its provider shows it, in the store's terms. */
import { ruleOf } from '#domain/payments/payment-methods.ts'
import type { ChargeView } from '#domain/payments/payment-provider.port.ts'
import type { PaymentState } from '#domain/payments/payments.ts'

/** Until when it can be captured: as its provider says, else by the rule of its method. */
export function captureBeforeOf(charge: ChargeView, method: string, at: Temporal.Instant): Temporal.Instant {
  return charge.captureBefore ?? at.add({ hours: 24 * (ruleOf(method)?.holdDays ?? 7) })
}

/** Open, or open again after a declined card. */
export function takesCard({ state }: ChargeView): boolean {
  return state === 'open' || state === 'failed'
}

/** The state that a charge has here; undefined while nothing is decided. */
export function stateFor(charge: ChargeView): PaymentState | undefined {
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
