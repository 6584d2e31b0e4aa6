/** Payment texts for financed orders. Safe in the browser. */
import { isPaidOnDelivery, ruleOf } from '#domain/payments/payments/payments.ts'
import { formatCents } from '#platform/money.ts'

type Financed = {
  state: string
  payment: { method: string; amountCents: number; capturedCents: number; refundedCents: number } | null
}

/** Returns the payment status of an order its lender funds on fulfillment, or null for any other order. */
export function financedText({ state, payment }: Financed): string | null {
  if (!payment || !isPaidOnDelivery(payment.method)) return null
  const { amountCents, capturedCents, refundedCents } = payment
  const name = ruleOf(payment.method)?.name ?? ''
  if (capturedCents === 0)
    return state === 'canceled'
      ? `${name} ends with the order, and you don’t owe anything.`
      : `${formatCents(amountCents)} financed, ${name}. The lender pays us when your tires are delivered or installed, and you pay the lender.`
  const paid = formatCents(capturedCents - refundedCents)
  if (capturedCents < amountCents)
    return `${name}: ${paid} of ${formatCents(amountCents)} is under way with the lender, for the items delivered so far.`
  return refundedCents > 0
    ? `${name}: ${paid} financed, ${formatCents(refundedCents)} taken off your contract.`
    : `${name}: ${paid} financed. You pay the lender.`
}
