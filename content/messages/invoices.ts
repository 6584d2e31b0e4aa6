/** Messages about orders on net terms. */
import type { TermsRefusal } from '#domain/payments/invoices/invoices.ts'
import { formatCents } from '#platform/money.ts'

/** The message for the buyer. */
export function termsRefusalMessages({ detail }: TermsRefusal): string {
  switch (detail.why) {
    case 'no-terms':
      return 'Your company pays when it orders. Pay by card, or ask us for net terms.'
    case 'overdue':
      return `Your company owes ${formatCents(detail.overdueCents)} that was due before today. Pay this order by card, or have the invoice paid first.`
    case 'over-limit':
      return `This order is over what your company has left on its terms, ${formatCents(detail.leftCents)}. Pay it by card, or have an invoice paid first.`
  }
}
