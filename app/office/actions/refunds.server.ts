import { z } from 'zod'
import type { RefusalTexts } from '#app/office/decision.server.ts'
import { defineActions, formAction, plainAction, uuidOf } from '#app/office/define-actions.server.ts'
import { notRefundable } from '#app/views/office/order.server.ts'
import {
  decideRefund,
  refundOrder,
  retryOrderRefund,
  type RefundRefusal,
} from '#domain/ordering/refunds/refunds.server.ts'
import { refundForm } from '#domain/ordering/refunds/refunds.ts'
import { formatCents } from '#platform/money.ts'
import { refused } from '#platform/outcome.ts'
import { orderIdIn } from './orders.server.ts'

const again = 'Reload the page.'

/** The amount that was shown or read, in cents, and the form's idempotency key. */
const agreementForm = z.object({
  key: z.uuid(again).describe('A new UUID per refund'),
  agreed: z
    .string(again)
    .regex(/^\d{1,9}$/, again)
    .transform(Number)
    .meta({ formUnit: 'number', description: 'The refund in cents. Another amount is refused with the current one' }),
})

export const refundRefusals: RefusalTexts<RefundRefusal> = {
  'order-not-found': null,
  'order-not-charged': notRefundable['order-not-charged'],
  'order-over': notRefundable['order-over'],
  'invoice-settled': notRefundable['invoice-settled'],
  'nothing-charged': notRefundable['order-not-charged'],
  'over-your-limit': ({ limitCents }) => ({
    text: `Your approval threshold per order is ${formatCents(limitCents)}. Ask finance or a manager to make this refund.`,
    status: 403,
  }),
  'not-on-order': ({ lineNo }) => `Line ${lineNo} is not on this order.`,
  'more-than-bought': ({ lineNo, leftUnits }) => ({
    field: `units-${lineNo}`,
    text: `Only ${leftUnits} of this line can still be refunded.`,
  }),
  'nothing-asked': { field: 'amount', text: 'Choose a quantity, or enter an amount.' },
  'more-than-lines': ({ mostCents }) => ({
    field: 'amount',
    text: `The lines come to ${formatCents(mostCents)}. Enter that or less.`,
  }),
  'more-than-left': moreThanLeft,
  'more-than-charged': moreThanLeft,
  'needs-lower-reason': ({ mostCents }) => ({
    field: 'lowerReason',
    text: `The lines come to ${formatCents(mostCents)}. Say why the refund is lower.`,
  }),
  'amount-moved': ({ amountCents }) =>
    `The refund now comes to ${formatCents(amountCents)} because another refund was issued. Review it again.`,
  'not-fresh': 'To request a refund above the approval threshold, sign in again with the link below.',
}

function moreThanLeft({ leftCents }: { leftCents: number }) {
  return {
    field: 'amount',
    text: `Only ${formatCents(leftCents)} of this order can still be refunded. Enter a lower amount.`,
  }
}

export const orderRefundActions = defineActions({
  resource: 'orders',
  part: 'refunds',
  noun: 'refund',
  permission: 'refunds.make',
  actions: {
    add: formAction(
      {
        summary: 'Refund an order',
        description:
          'Refunds `lines`, or a custom `amount` without lines. Only staff can request a refund above the approval threshold.',
        form: refundForm.and(agreementForm),
      },
      async (call, { agreed: agreedCents, ...asked }) =>
        refundOrder(call.app, {
          ...asked,
          orderId: orderIdIn(call),
          actor: call.by,
          agreedCents,
          isFresh: call.isFresh ?? false,
        }),
      ({ refundId }) => refundId,
    ),
  },
  refusals: refundRefusals,
})

export const refundActions = defineActions({
  resource: 'refunds',
  noun: 'refund',
  permission: 'refunds.approve',
  actions: {
    decline: plainAction(
      { summary: 'Decline a refund', description: 'One that waits for approval. Only staff can approve it.' },
      ({ app, by, id }) => decideRefund(app, { refundId: uuidOf(id), decision: 'declined', actor: by }),
    ),
    retry: plainAction(
      { summary: 'Retry a refund', description: 'One that the provider refused.', permission: 'refunds.make' },
      async ({ app, by, id }) => {
        const retried = await retryOrderRefund(app, { refundId: uuidOf(id), actor: by })
        return !retried.ok && retried.reason === 'more-than-charged' ? refused('refunded-otherwise') : retried
      },
    ),
  },
  refusals: {
    ...refundRefusals,
    'refund-not-found': null,
    'own-refund': { text: 'You requested this refund. Another team member must approve it.', status: 403 },
    'already-decided': ({ state }) => `This refund was already ${state}.`,
    'nothing-to-retry': 'This refund was already paid or resent.',
    'refunded-otherwise': 'The remaining charge is too small because part of it was refunded another way.',
  },
})
