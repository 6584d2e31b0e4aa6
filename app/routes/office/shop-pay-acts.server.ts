/** What the office does to a shop's pay: each form by its button. */
import type { z } from 'zod'
import { checkForm, formRefusal, refuseForm } from '#app/forms/form.ts'
import { requireFresh, type Staff } from '#app/server/office.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import type { PaidShop } from '#domain/installers/installers.server.ts'
import { adjustPay, answerDispute, decideAdjustment, reversePay, sendPayNow } from '#domain/payouts/payouts.server.ts'
import { adjustForm, answerForm, decideForm, reverseForm } from '#domain/payouts/payouts.ts'
import { seeOther } from '#http/safe-redirect.ts'

const refusals = {
  'over-your-limit': [concessionMessages['over-your-limit'], 403],
  'not-fresh': [concessionMessages['not-fresh'], 403],
  'not-allowed': ['Your role does not allow that. Nothing was changed.', 403],
  'shop-not-found': ['This form was sent for another shop. Load the page again.', 409],
  'job-not-found': ['This shop has no such job.', 404],
  'not-found': ['This shop has nothing like that.', 404],
  'own-proposal': ['Somebody else has to approve what you proposed.', 409],
  'decided-already': ['This was decided already.', 409],
  'answered-already': ['This dispute was answered already.', 409],
  'too-much': ['The provider does not give that much back.', 409],
  'nothing-due': ['Nothing is due, a transfer is on its way, or the bank account is not ready.', 409],
  refused: ['The provider refused again. What it said is under Transfers.', 409],
  unavailable: ['The payout provider does not answer. Send the form again, it acts once.', 503],
} as const

type Settled = { ok: true } | { ok: false; reason: keyof typeof refusals }

/** Does what the pressed button says; above 10 minutes after the last sign-in, an approval asks for another. */
export async function actOnPay(staff: Staff, { shopId, code }: PaidShop, fields: URLSearchParams) {
  const path = officePaths.officeShopPay(code)
  const { shop, actor } = staff
  const run = async <Schema extends z.ZodType>(
    form: Schema,
    act: (input: z.output<Schema>) => Promise<Settled>,
    done: 'adjusted' | 'decided' | 'answered' | 'reversed',
  ) => {
    const checked = checkForm(form, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const settled = await act(checked.value)
    if (settled.ok) return seeOther(officePaths.officeShopPay(code, done))
    const [words, status] = refusals[settled.reason]
    return refuseForm(formRefusal(fields, words), status)
  }
  switch (fields.get('intent')) {
    case 'adjust':
      return run(
        adjustForm,
        ({ kind, amount, job, reason, submission }) =>
          adjustPay(shop, actor, {
            shopId,
            jobPayId: job || null,
            kind: kind === 'chargeback' ? 'chargeback' : 'adjustment',
            amountCents: kind === 'add' ? amount : -amount,
            reason,
            submission,
          }),
        'adjusted',
      )
    case 'decide':
      requireFresh(staff, path)
      return run(
        decideForm,
        ({ adjustment: id, decision }) =>
          decideAdjustment(shop, actor, { shopId, id, isApproved: decision === 'approve' }),
        'decided',
      )
    case 'answer':
      return run(
        answerForm,
        ({ dispute: id, answer, granted: amountCents, submission }) =>
          answerDispute(shop, actor, { shopId, id, answer, amountCents, submission }),
        'answered',
      )
    case 'send': {
      requireFresh(staff, path)
      const settled = await sendPayNow(shop, actor, shopId)
      if (settled.ok) return seeOther(officePaths.officeShopPay(code, 'sent'))
      const [words, status] = refusals[settled.reason]
      return refuseForm(formRefusal(fields, words), status)
    }
    case 'reverse':
      requireFresh(staff, path)
      return run(
        reverseForm,
        ({ transfer: transferId, back: amountCents, submission }) =>
          reversePay(shop, actor, { shopId, transferId, amountCents, submission }),
        'reversed',
      )
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}
