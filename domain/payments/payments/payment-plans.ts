/** A payment method's plan for an amount, with first payment, frequency and total. Safe in the browser. */
import type { PaymentSpread } from '#domain/payments/payment-methods/payment-methods.ts'
import { PPM } from '#platform/money.ts'

export type PaymentPlan = {
  firstCents: number
  often: 'once' | 'today' | 'a month'
  /** The payments in their order; empty for one that is paid once. */
  payments: { on: Temporal.PlainDate; cents: number }[]
  interestCents: number
  totalCents: number
}

/** The plan for `amountCents` from `today`. Installments differ by the cents that do not divide; the first has them. */
export function planFor(
  spread: PaymentSpread | undefined,
  amountCents: number,
  today: Temporal.PlainDate,
): PaymentPlan {
  switch (spread?.kind) {
    case undefined:
      return { firstCents: amountCents, often: 'once', payments: [], interestCents: 0, totalCents: amountCents }
    case 'installments': {
      const later = Math.floor(amountCents / spread.count)
      const first = amountCents - later * (spread.count - 1)
      const payments = Array.from({ length: spread.count }, (_, at) => ({
        on: today.add({ weeks: at * spread.everyWeeks }),
        cents: at === 0 ? first : later,
      }))
      return { firstCents: first, often: 'today', payments, interestCents: 0, totalCents: amountCents }
    }
    case 'monthly': {
      const rate = spread.ratePpm / PPM / 12
      const each = Math.round((amountCents * rate) / (1 - (1 + rate) ** -spread.count))
      const payments = Array.from({ length: spread.count }, (_, at) => ({
        on: today.add({ months: at + 1 }),
        cents: each,
      }))
      const totalCents = each * spread.count
      return { firstCents: each, often: 'a month', payments, interestCents: totalCents - amountCents, totalCents }
    }
  }
}
