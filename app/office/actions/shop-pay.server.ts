import { z } from 'zod'
import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { adjustPay, answerDispute, findPayee } from '#domain/installer-portal/payouts/payouts.server.ts'
import { adjustForm, answerForm } from '#domain/installer-portal/payouts/payouts.ts'
import { refused } from '#platform/outcome.ts'

/** Refusal messages for changes to shop pay. */
export const shopPayRefusals = {
  'over-your-limit': { text: concessionMessages['over-your-limit'], status: 403 },
  'not-found': { text: 'Record not found for this shop.', status: 404 },
  'shop-not-found': 'This form was sent for another shop. Reload the page.',
  'job-not-found': { text: 'Job not found for this shop.', status: 404 },
  'answered-already': 'This dispute was already answered.',
} as const

/** Shop pay. The record ID is the shop code. */
export const shopPayActions = defineActions({
  resource: 'shop-pay',
  noun: 'shop balance',
  permission: 'pay.adjust',
  actions: {
    adjust: formAction(
      {
        summary: 'Adjust a shop’s pay',
        description:
          'An addition, a deduction, or a chargeback, in cents. `job` is the ID of a payout line. Above the limits it is refused, because a second team member approves it.',
        form: adjustForm,
        result: z.object({ id: z.string(), state: z.string() }),
      },
      async ({ app, by, id }, { kind, amount, job, reason, submission }) => {
        const payee = await findPayee(app.db, id)
        if (!payee) return refused('not-found')
        return adjustPay(app, by, {
          shopId: payee.shopId,
          jobPayId: job || null,
          kind: kind === 'chargeback' ? 'chargeback' : 'adjustment',
          amountCents: kind === 'add' ? amount : -amount,
          reason,
          submission,
        })
      },
    ),
    answer: formAction(
      {
        summary: 'Answer a dispute of a shop',
        description: 'With `granted`, the amount is added to the shop’s pay.',
        form: answerForm,
      },
      async ({ app, by, id }, { dispute, answer, granted: amountCents, submission }) => {
        const payee = await findPayee(app.db, id)
        if (!payee) return refused('not-found')
        return answerDispute(app, by, { shopId: payee.shopId, id: dispute, answer, amountCents, submission })
      },
    ),
  },
  refusals: shopPayRefusals,
})
