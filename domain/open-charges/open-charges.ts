/** Charges that need people: what kinds there are, and when. Safe in the browser. */
import { paymentMethodRules, ruleOf } from '#domain/payments/payments.ts'

/**
 * `no-answer`: the bank has not answered (code 539). `to-capture`: the authorization ends soon and nothing was taken.
 * `lapsed`: it has ended, and the order stands without a payment.
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
 * How long before an authorization ends people hear of it: two working days for a card, more where a capture needs
 * somebody else, such as a shop that finishes a financed job.
 */
export function warnHours(method: string): number {
  const { holdDays = 7 } = ruleOf(method) ?? {}
  if (holdDays <= 7) return 48
  return holdDays <= 14 ? 72 : 120
}

/** The store tries by itself for this long before people hear of it. */
export const retryHours = 24

/** Every method with how many hours before its end people hear of it. */
export const warnings: readonly { method: string; hours: number }[] = paymentMethodRules.map(({ type }) => ({
  method: type,
  hours: warnHours(type),
}))

/** What is due for an authorization at `now`: nothing yet, another try by the store, people, or it is over. */
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
