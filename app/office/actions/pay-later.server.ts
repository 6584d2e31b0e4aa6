import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import {
  endPayLater,
  listPayLaterOffers,
  schedulePayLater,
} from '#domain/catalog/payment-offers/payment-offers.server.ts'
import { payLaterEndForm, payLaterForm, payLaterMethods } from '#domain/catalog/payment-offers/payment-offers.ts'

export const payLaterActions = defineActions({
  resource: 'pay-later-offers',
  noun: 'offer',
  permission: 'promotions.edit',
  actions: {
    add: formAction(
      {
        summary: 'Schedule a lender offer',
        description: 'Staff schedule offers above the limits. `formKey` is a new UUID per offer.',
        form: payLaterForm,
      },
      ({ app, by }, offer) => schedulePayLater(app, by, offer),
      (scheduled) => ('id' in scheduled ? String(scheduled.id) : ''),
    ),
    end: formAction(
      { summary: 'End a lender offer', description: 'A scheduled offer then never starts.', form: payLaterEndForm },
      ({ app, by, id }, { reason }) => endPayLater(app, by, { id: numberedId(id), reason }),
    ),
  },
  refusals: {
    gone: { text: 'Offer not found.', status: 404 },
    'other-state': 'This offer has already ended.',
    'starts-in-past': { field: 'startsAt', text: 'Enter a time in the future.' },
    'ends-before-start': { field: 'endsAt', text: 'Enter a time after the start.' },
    'over-your-limit': { text: concessionMessages['over-your-limit'], status: 403 },
    'not-fresh': { text: concessionMessages['not-fresh'], status: 403 },
    taken: 'This payment method has another offer in that time. End that one first, or choose other times.',
  },
  list: async (app) =>
    (await listPayLaterOffers(app)).map(({ id, method, percent }) => ({
      id: String(id),
      label: `${payLaterMethods[method]}, ${percent}%`,
    })),
})
