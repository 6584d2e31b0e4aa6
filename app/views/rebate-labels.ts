/** How the back office labels rebates. */
import type { rebatePayments, RebateState } from '#domain/catalog/catalog/catalog.ts'

export const rebateStateLabels: Readonly<Record<RebateState, string>> = {
  running: 'Running',
  scheduled: 'Scheduled',
  claimable: 'Claims only',
  ended: 'Ended',
}

export const rebatePaymentLabels: Readonly<Record<(typeof rebatePayments)[number], string>> = {
  'prepaid-card': 'Prepaid card',
  check: 'Check',
}
