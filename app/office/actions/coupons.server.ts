import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import {
  couponDrafts,
  draftCoupon,
  endCoupon,
  findCoupon,
  scheduleCoupon,
} from '#domain/catalog/coupons/coupons.server.ts'
import { couponValues, recordOf } from '#app/views/offer-form.ts'
import { couponChangeForm, couponDraftForm, freeServices } from '#domain/catalog/coupons/coupons.ts'
import { endForm, scheduleForm } from '#domain/catalog/promotions/promotions.ts'
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
    'no-subject': { field: 'subject', text: 'Enter a SKU, a model as brand/model, or a brand.' },
    'not-free': {
      field: 'subject',
      text: `Enter the free item, as a SKU or ${Object.keys(freeServices).join(', ')}.`,
    },
  },
  read: async (app, id) => {
    const coupon = await findCoupon(app, id)
    if (!coupon) return undefined
    const { minimumCents: minimum, usesMost, personMost, version } = coupon
    return { ...recordOf(couponValues(coupon)), minimum, usesMost, personMost, version }
  },
})
