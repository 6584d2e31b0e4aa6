import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import {
  couponDrafts,
  draftCoupon,
  endCoupon,
  findCoupon,
  importCoupons,
  scheduleCoupon,
} from '#domain/catalog/coupons/coupons.server.ts'
import { couponValues, recordOf } from '#app/views/offer-form.ts'
import {
  couponChangeForm,
  couponDraftForm,
  couponSubjectMessages,
  freeServices,
} from '#domain/catalog/coupons/coupons.ts'
import { importAction, importRefusals } from '#app/office/file-import.server.ts'
import { z } from 'zod'
import { draftFileLimits, endForm, maxDraftFileBytes, scheduleForm } from '#domain/catalog/promotions/promotions.ts'
import {
  changeDescription,
  draftDescription,
  endDescription,
  offerRefusals,
  scheduleDescription,
  subjectRefusals,
} from './scheduled.server.ts'

export const couponActions = defineActions({
  resource: 'coupons',
  noun: 'coupon',
  permission: 'promotions.edit',
  actions: {
    add: formAction(
      {
        summary: 'Draft a coupon',
        description: `${draftDescription} \`subject\` of a \`Free\` coupon is a SKU or ${Object.keys(freeServices).join(', ')}.`,
        form: couponDraftForm,
      },
      ({ app, by }, draft) => draftCoupon(app, by, draft),
      String,
    ),
    change: formAction(
      { summary: 'Change a coupon draft', description: changeDescription, form: couponChangeForm },
      ({ app, by, id }, change) => couponDrafts.change(app, by, numberedId(id), change),
    ),
    schedule: formAction(
      { summary: 'Schedule a coupon', description: scheduleDescription, form: scheduleForm },
      ({ app, by, id }, times) => scheduleCoupon(app, by, { id: numberedId(id), ...times }),
    ),
    end: formAction({ summary: 'End a coupon', description: endDescription, form: endForm }, ({ app, by, id }, ended) =>
      endCoupon(app, by, { id: numberedId(id), ...ended }),
    ),
    discard: plainAction({ summary: 'Discard a coupon draft' }, ({ app, by, id }) =>
      couponDrafts.discard(app, by, numberedId(id)),
    ),
  },
  refusals: {
    ...offerRefusals,
    ...subjectRefusals,
    'code-taken': { field: 'startsAt', text: 'Another coupon uses this code in that time. End that one first.' },
    'no-original': 'The coupon to replace no longer exists.',
    'no-subject': { field: 'subject', text: couponSubjectMessages['no-subject'] },
    'not-free': { field: 'subject', text: couponSubjectMessages['not-free'] },
  },
  read: async (app, id) => {
    const coupon = await findCoupon(app, id)
    if (!coupon) return undefined
    const { minimumCents: minimum, usesMost, personMost, version } = coupon
    return { ...recordOf(couponValues(coupon)), minimum, usesMost, personMost, version }
  },
})

export const couponFileActions = defineActions({
  resource: 'coupons',
  noun: 'coupon file',
  permission: 'promotions.edit',
  hasNoId: true,
  actions: {
    import: importAction(
      {
        summary: 'Import coupons',
        description: `CSV as the list is exported, ${draftFileLimits}. A row without an ID drafts a coupon, and other rows change their drafts. If a row has an error, no rows are imported.`,
        result: z.object({ drafted: z.int(), changed: z.int() }),
      },
      maxDraftFileBytes,
      importCoupons,
    ),
  },
  refusals: importRefusals(maxDraftFileBytes),
})
