/** What a provider's state of a charge means for ours. Pure. */
import type { ChargeView } from '#domain/payments/payment-provider.port.ts'
import type { PaymentState } from '#domain/payments/payments.ts'

/** Open, or open again after a declined card. */
export function takesCard({ state }: ChargeView): boolean {
  return state === 'open' || state === 'failed'
}

/** Our state of a charge; undefined while it is open. */
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
