/** Messages about orders that await their company's approval. */
import { problemText } from '#content/messages/cart.ts'
import { refusePlacing } from '#content/messages/placing.ts'
import type { ApproveRefusal, DecisionRefusal } from '#domain/channels/approvals/approvals.server.ts'
import { approvalStateNames } from '#domain/channels/approvals/approvals.ts'
import type { TermsRefusal } from '#domain/payments/invoices/invoices.ts'
import { formatCents } from '#platform/money.ts'

export const noApprover = 'No one in your company can approve this amount. Ask an owner to raise a limit, or call us.'

/** Why a request could not be decided. */
export function decisionMessages(refusal: DecisionRefusal): string {
  switch (refusal.reason) {
    case 'not-found':
      return 'Request not found.'
    case 'request-expired':
      return 'This request waited too long and has ended.'
    case 'decided': {
      const { state, by } = refusal.detail
      if (state === 'approved') return `${by ?? 'Someone else'} approved it already. There is one order.`
      return `This request is already closed: ${approvalStateNames[state].toLowerCase()}.`
    }
  }
}

/** Why approving placed no order. */
export function approveMessages(
  refusal: ApproveRefusal,
  store: { phone: string },
): { words: string; status: 402 | 403 | 409 | 422 | 503 } {
  switch (refusal.reason) {
    case 'not-found':
    case 'decided':
    case 'request-expired':
      return { words: decisionMessages(refusal), status: 409 }
    case 'above-your-limit':
      return { words: 'This is more than you may order yourself. The order wasn’t placed.', status: 403 }
    case 'requester-left':
      return { words: 'The requester no longer orders for your company. The order wasn’t placed.', status: 409 }
    case 'price-changed':
      return {
        words: 'The price changed. The order wasn’t placed. Review the new total, then approve it.',
        status: 409,
      }
    case 'slot-lost':
      return {
        words:
          'That time was just booked. The order wasn’t placed. Request changes so the buyer can choose another time.',
        status: 409,
      }
    case 'net-terms-refused':
      return { words: termsWords(refusal), status: 402 }
    case 'problem':
      return { words: `${refusal.detail.problems.map(problemText).join(' ')} The order wasn’t placed.`, status: 409 }
    default: {
      const { words, title, status } = refusePlacing(refusal, store)
      return { words: `${words ?? title ?? 'Something is missing.'} The order wasn’t placed.`, status }
    }
  }
}

function termsWords({ detail }: TermsRefusal): string {
  switch (detail.why) {
    case 'no-terms':
      return 'Your company has no net terms now. The order wasn’t placed.'
    case 'overdue':
      return `Your company owes ${formatCents(detail.overdueCents)} that was due before today. Nothing was placed; have it paid first.`
    case 'over-limit':
      return `Your company has ${formatCents(detail.leftCents)} left on its terms. Nothing was placed; have an invoice paid first.`
  }
}
