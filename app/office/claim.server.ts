/** The view that the coverage claim and price guarantee pages share. */
import type { ConcessionRequest } from '#domain/kernel/concessions/concessions.server.ts'
import { staffCan, type OfficeSession, type Permission } from '#domain/kernel/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { doneNews, shownRows } from './decision.server.ts'
import type { ApprovalView, ClaimView } from './decision.tsx'

/** The requester and the amount in dollars of a request for approval; null without a request. */
export function approvalView(request: ConcessionRequest | null | undefined): ApprovalView | null {
  if (!request) return null
  const { requestedBy, amountCents } = request
  return { requestedBy, amount: amountCents === 0 ? null : formatCents(amountCents) }
}

const refundLabels = {
  'waits-for-capture': 'Will be refunded once the order is charged',
  promised: 'On its way to the card',
  done: 'Refunded',
  refused: 'The provider refused the refund',
} as const

const news = {
  approved: 'Approved. We emailed the customer.',
  requested: concessionMessages.requested,
  refused: 'Refused. We emailed the customer your reason.',
  retry: 'We asked the provider for the refund again.',
}

type ClaimCase = {
  state: ClaimView['state']
  approvalRequest: ConcessionRequest | null
  refund: { state: keyof typeof refundLabels; note: string | null } | null
  refusal: string | null
  decidedAt: Temporal.Instant | null
  decidedBy: string | null
}

/** A claim as its page shows it; amounts are cents. */
export function claimView(
  found: ClaimCase,
  {
    givenCents,
    suggestedCents,
    decides,
    session,
    url,
    ...shown
  }: Pick<ClaimView, 'number' | 'facts'> & {
    givenCents: number | null
    suggestedCents: number
    decides: Permission
    session: OfficeSession
    url: URL
  },
): ClaimView {
  const { state, approvalRequest, refund, refusal, decidedAt, decidedBy } = found
  const decision: [string, string | null][] = decidedAt
    ? [
        ['Decided', `${timeText(decidedAt, storeZone)} by ${decidedBy}`],
        ['Given', givenCents === null ? null : formatCents(givenCents)],
        ['Refund', refund && [refundLabels[refund.state], refund.note].filter(Boolean).join(': ')],
        ['Reason sent', refusal],
      ]
    : []
  return {
    ...shown,
    state,
    decision: shownRows(decision),
    approval: approvalView(approvalRequest),
    suggested: ((approvalRequest?.amountCents ?? suggestedCents) / 100).toFixed(2),
    mayDecide: staffCan(session.roles, decides),
    canRetry: state === 'approved' && refund !== null && refund.state !== 'done',
    news: doneNews(url, news),
  }
}
