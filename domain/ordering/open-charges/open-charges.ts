/** Kinds and timing of payments needing review. Safe in the browser. */
import { paymentMethodRules, ruleOf } from '#domain/payments/payments/payments.ts'

/**
 * `no-answer` means that the bank has not responded (code 539). `to-capture` means that the authorization expires soon
 * without a capture. `lapsed` means that it has expired, and the order has no payment.
 */
export const openChargeKinds = {
  'no-answer': 'No answer from the bank (539)',
  'to-capture': 'Ends before it is charged',
  lapsed: 'Authorization ended',
} as const
export type OpenChargeKind = keyof typeof openChargeKinds

/** How long the link to pay again works. */
export const payAgainHours = 72

/**
 * Returns the hours before an authorization expires at which staff are alerted. Two working days for a card, more if
 * the capture depends on a third party, such as a shop that completes a financed job.
 */
export function warnHours(method: string): number {
  const { holdDays = 7 } = ruleOf(method) ?? {}
  if (holdDays <= 7) return 48
  return holdDays <= 14 ? 72 : 120
}

/** How long the store retries automatically before staff are alerted. */
export const retryHours = 24

/** Alert lead times by payment method. */
export const warnings: readonly { method: string; hours: number }[] = paymentMethodRules.map(({ type }) => ({
  method: type,
  hours: warnHours(type),
}))

/** Returns the next step for an authorization at `now` (waiting, a retry by the store, staff review, or expired). */
export function captureStage(
  method: string,
  captureBefore: Temporal.Instant,
  now: Temporal.Instant,
): 'early' | 'retry' | 'people' | 'over' {
  const hours = captureBefore.since(now).total('hours')
  if (hours <= 0) return 'over'
  if (hours <= warnHours(method)) return 'people'
  return hours <= warnHours(method) + retryHours ? 'retry' : 'early'
}
