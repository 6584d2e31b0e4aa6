import type { CardStatus } from '#app/routes/checkout/card-charge.server.ts'
import type { PaymentAlertView } from '#app/routes/checkout/payment-alert.tsx'
import { paymentOutcome } from '#content/messages/payments.ts'
import { pageTypeOf, ruleOf, type PaymentMethodRule } from '#domain/payments/payments/payments.ts'

/**
 * Returns the result of the last payment attempt from the provider. If the shopper went back, the result comes from the
 * URL and is only displayed. Returns null if there's no result to show.
 */
export function paymentAlert({
  status,
  method,
  wentBackFrom,
  isHeld,
}: {
  status: CardStatus
  /** The method of the cart's charge. */
  method: string
  wentBackFrom: string | null
  isHeld: boolean
}): PaymentAlertView | null {
  const hasFailed = status.kind === 'failed'
  const about = hasFailed ? method : wentBackFrom
  const rule = about === null ? undefined : ruleOf(about)
  if (about === null || (!rule && about !== 'net-terms')) return null
  if (!hasFailed && status.kind !== 'none' && status.kind !== 'unavailable') return null
  const told = paymentOutcome(about, hasFailed ? 'declined' : 'canceled', {
    name: rule?.name ?? '',
    words: hasFailed ? status.words : null,
    isHeld,
  })
  return { ...told, again: rule?.entry === 'page' ? againAt(rule) : null }
}

/** The method's page once more; for net terms that page is ours. */
function againAt({ type, name, provider }: PaymentMethodRule): PaymentAlertView['again'] {
  return { method: pageTypeOf(type), label: provider === 'resolve' ? 'Try net terms again' : `Open ${name} again` }
}
