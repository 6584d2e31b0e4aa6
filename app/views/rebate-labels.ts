/** How the back office labels rebates. */
import type { rebatePayments } from '#domain/catalog/promotions/promotions.ts'

export const rebatePaymentLabels: Readonly<Record<(typeof rebatePayments)[number], string>> = {
  'prepaid-card': 'Prepaid card',
  check: 'Check',
}
