/** The decisions on coverage claims and price guarantee requests. */
import { defineActions, formAction, plainAction } from '#app/office/define-actions.server.ts'
import type { RefusalText } from '#app/office/decision.server.ts'
import { parseClaimNumber } from '#domain/aftercare/coverage-claims/coverage-claims.ts'
import {
  approveClaim,
  refuseClaim,
  retryClaimRefund,
} from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { parseGuaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'
import {
  approveGuarantee,
  refuseGuarantee,
  retryGuaranteeRefund,
} from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { approvalForm, refusalForm } from '#domain/kernel/staff/staff.ts'
import { formatCents } from '#platform/money.ts'

/** No claim and no request has this number. */
const none = 0
const approval = 'Refunds `amount` to the original payment method. Staff approve amounts above the approval threshold.'
const refusal = 'The customer is emailed the `reason` word for word.'

/** Refuses an amount that is too high. */
const tooMuch = (text: string): RefusalText => ({ field: 'amount', text, status: 409 })

const sharedRefusals = {
  'no-reason': 'Enter the reason that the customer will read.',
  'nothing-to-retry': 'No refund is outstanding.',
  'nothing-charged': 'This order was never charged.',
  'invoice-settled': 'The invoice no longer has that much outstanding. Pay by transfer, and refuse with that reason.',
  'more-than-charged': (detail: { leftCents: number } | undefined) =>
    detail
      ? tooMuch(`Only ${formatCents(detail.leftCents)} of the charge is left to refund.`)
      : 'Not enough of the charge is left to refund.',
} as const

export const claimActions = defineActions({
  resource: 'claims',
  noun: 'claim',
  permission: 'claims.decide',
  actions: {
    approve: formAction(
      { summary: 'Approve a coverage claim', description: approval, form: approvalForm },
      ({ app, by, id }, { amount }) => approveClaim(app, { id: parseClaimNumber(id) ?? none, givenCents: amount, by }),
    ),
    refuse: formAction(
      { summary: 'Refuse a coverage claim', description: refusal, form: refusalForm },
      ({ app, by, id }, { reason }) => refuseClaim(app, { id: parseClaimNumber(id) ?? none, reason, by }),
    ),
    retry: plainAction({ summary: 'Retry the refund of a coverage claim' }, ({ app, by, id }) =>
      retryClaimRefund(app, { id: parseClaimNumber(id) ?? none, by }),
    ),
  },
  refusals: {
    ...sharedRefusals,
    'request-not-found': { text: 'Claim not found.', status: 404 },
    'order-over': 'The order was canceled or returned. Refuse the claim instead.',
    'replaced-before': 'The plan already replaced all of these tires. Refuse this claim.',
    'more-than-plan': ({ mostCents }) => tooMuch(`The plan pays at most ${formatCents(mostCents)} for this claim.`),
  },
})

export const guaranteeActions = defineActions({
  resource: 'guarantees',
  noun: 'request',
  permission: 'guarantees.decide',
  actions: {
    approve: formAction(
      { summary: 'Approve a price guarantee request', description: approval, form: approvalForm },
      ({ app, by, id }, { amount }) =>
        approveGuarantee(app, { id: parseGuaranteeNumber(id) ?? none, differenceCents: amount, by }),
    ),
    refuse: formAction(
      { summary: 'Refuse a price guarantee request', description: refusal, form: refusalForm },
      ({ app, by, id }, { reason }) => refuseGuarantee(app, { id: parseGuaranteeNumber(id) ?? none, reason, by }),
    ),
    retry: plainAction({ summary: 'Retry the refund of a price guarantee' }, ({ app, by, id }) =>
      retryGuaranteeRefund(app, { id: parseGuaranteeNumber(id) ?? none, by }),
    ),
  },
  refusals: {
    ...sharedRefusals,
    'request-not-found': { text: 'Price guarantee request not found.', status: 404 },
    'order-over': 'The order was canceled or returned. Refuse the request instead.',
    'approved-before': 'Another request for these tires was already approved. Refuse this one.',
    'not-released': 'The customer can still cancel the order. Approve the request after the cancel window ends.',
    'more-than-paid': ({ mostCents }) => tooMuch(`At most ${formatCents(mostCents)} was paid for these tires.`),
  },
})
