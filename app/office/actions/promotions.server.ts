import { defineActions, formAction, plainAction, type ActionCall } from '#app/office/define-actions.server.ts'
import {
  promotionDrafts,
  draftPromotion,
  endPromotion,
  findPromotion,
  schedulePromotion,
} from '#domain/catalog/promotions/promotions.server.ts'
import {
  endForm,
  promotionChangeForm,
  promotionDraftForm,
  scheduleForm,
} from '#domain/catalog/promotions/promotions.ts'
import { promotionValues, recordOf } from '#app/views/offer-form.ts'
import {
  changeDescription,
  draftDescription,
  endDescription,
  offerRefusals,
  scheduleDescription,
  subjectRefusals,
} from './scheduled.server.ts'

/** IDs are as in addresses: "d12" of a draft, "p12" of a promotion. */
export const promotionActions = defineActions({
  resource: 'promotions',
  noun: 'promotion',
  permission: 'promotions.edit',
  actions: {
    add: formAction(
      { summary: 'Draft a promotion', description: draftDescription, form: promotionDraftForm },
      ({ app, by }, draft) => draftPromotion(app, by, draft),
      (id) => `d${id}`,
    ),
    change: formAction(
      { summary: 'Change a promotion draft', description: changeDescription, form: promotionChangeForm },
      async (call, change) => promotionDrafts.change(call.app, call.by, (await idsOf(call)).planId, change),
    ),
    schedule: formAction(
      { summary: 'Schedule a promotion', description: scheduleDescription, form: scheduleForm },
      async (call, times) => schedulePromotion(call.app, call.by, { planId: (await idsOf(call)).planId, ...times }),
    ),
    end: formAction(
      { summary: 'End a promotion', description: endDescription, form: endForm },
      async (call, { reason }) =>
        endPromotion(call.app, call.by, { promotionId: (await idsOf(call)).promotionId, reason }),
    ),
    discard: plainAction({ summary: 'Discard a promotion draft' }, async (call) =>
      promotionDrafts.discard(call.app, call.by, (await idsOf(call)).planId),
    ),
  },
  refusals: {
    ...offerRefusals,
    ...subjectRefusals,
    'no-original': 'The promotion to replace no longer exists.',
    'no-subject': {
      field: 'subject',
      text: 'Enter a SKU, a model as brand/model, or a brand, as in their addresses.',
    },
  },
  read: async (app, id) => {
    const promotion = await findPromotion(app, id)
    return promotion && { ...recordOf(promotionValues(promotion)), version: promotion.version }
  },
})

/** Returns the draft and promotion numbers in an address, or 0 if missing. */
async function idsOf({ app, id }: ActionCall): Promise<{ planId: number; promotionId: number }> {
  const promotion = await findPromotion(app, id)
  return { planId: promotion?.planId ?? 0, promotionId: promotion?.promotionId ?? 0 }
}
