import { groupRefusals } from '#app/office/decision.server.ts'
import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import { readUpload } from '#app/office/sent-file.server.ts'
import { returnMessages } from '#content/messages/returns.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  acceptTires,
  holdReturn,
  inspectTire,
  openReturnAsStaff,
  receiveTires,
  refundReturn,
  releaseReturn,
} from '#domain/ordering/returns/returns.server.ts'
import {
  holdForm,
  inspectionForm,
  receivedForm,
  refundReturnForm,
  releaseForm,
  returnForm,
} from '#domain/ordering/returns/returns.ts'
import { formatCents } from '#platform/money.ts'

const heldMessage = 'This refund is held for a second look. End the hold first.'

export const returnActions = defineActions({
  resource: 'returns',
  noun: 'return',
  permission: 'returns.read',
  actions: {
    receive: formAction(
      {
        summary: 'Receive tires of a return',
        description: 'Starts the refund period. `tires` has their numbers, from 1.',
        permission: 'returns.receive',
        form: receivedForm,
      },
      ({ app, by, id }, tireNos) => receiveTires(app, by, { id: numberedId(id), tireNos }),
    ),
    inspect: formAction(
      {
        summary: 'Inspect a tire of a return',
        description: 'Refusing a tire that arrived requires a photo, which staff upload in the back office.',
        permission: 'returns.inspect',
        form: inspectionForm,
      },
      async (call, inspection) =>
        inspectTire(call.app, call.by, { id: numberedId(call.id), photo: await readUpload(call), ...inspection }),
    ),
    accept: formAction(
      {
        summary: 'Accept tires of a return into stock',
        description: '`tires` has their numbers, from 1. Accepts all of them as the tires that were sold, or none.',
        permission: 'returns.inspect',
        form: receivedForm,
      },
      ({ app, by, id }, tireNos) => acceptTires(app, by, { id: numberedId(id), tireNos }),
    ),
    refund: formAction(
      {
        summary: 'Refund the accepted tires of a return',
        description:
          '`agreed` is the refund in cents. Another amount is refused with the current one. Only staff can request a refund above the approval threshold.',
        permission: 'returns.refund',
        form: refundReturnForm,
      },
      async ({ app, by, id, isFresh = false }, asked) =>
        groupRefusals(
          await refundReturn(app, by, { id: numberedId(id), ...asked, isFresh }),
          [
            'not-allowed',
            'return-not-found',
            'amount-changed',
            'more-than-charged',
            'awaits-approval',
            'held',
            'over-your-limit',
            'not-fresh',
            'nothing-accepted',
            'reorder-not-found',
          ],
          'not-now',
        ),
    ),
    hold: formAction(
      {
        summary: 'Hold the refund of a return for a second look',
        description: 'The refund period continues.',
        permission: 'returns.refund',
        form: holdForm,
      },
      ({ app, by, id }, { reason }) => holdReturn(app, by, { id: numberedId(id), reason }),
    ),
    release: formAction(
      {
        summary: 'End the hold of a return after a second look',
        description:
          'Refused for the team member who set the hold and for their programs, unless no other team member can refund returns.',
        permission: 'returns.refund',
        form: releaseForm,
      },
      ({ app, by, id }, { result }) => releaseReturn(app, by, { id: numberedId(id), result }),
    ),
  },
  refusals: {
    'return-not-found': { text: 'Return not found.', status: 404 },
    'tire-not-found': 'Select the tires that arrived.',
    'nothing-to-receive': 'These tires were canceled.',
    'not-received': 'This tire hasn’t arrived yet.',
    'inspected-already': 'This tire was already inspected.',
    'no-reason': 'Enter the reason. The customer receives it word for word.',
    'no-photo': 'Add our own photo of what you found.',
    photo: ({ why }) => returnMessages.photo[why],
    'amount-changed': ({ refundCents }) =>
      `The refund is now ${formatCents(refundCents)}. Check the amount, then refund.`,
    'more-than-charged': ({ leftCents }) =>
      `Only ${formatCents(leftCents)} of the charge is left to refund. Refund the rest on the order.`,
    held: heldMessage,
    'own-hold': { text: 'You held this refund. Another team member must end the hold.', status: 409 },
    'awaits-approval': 'Another team member must approve this refund first, on the order’s page.',
    'not-fresh': 'Sign in again to continue. This refund exceeds the approval threshold.',
    'nothing-accepted': 'No accepted tire is waiting for a refund.',
    'reorder-not-found': 'This customer has no active order with that number. Enter another, or charge the fee.',
    'not-now': 'The order doesn’t allow this refund now. Check its refunds.',
  },
})

export const orderReturnActions = defineActions({
  resource: 'orders',
  part: 'returns',
  noun: 'return',
  permission: 'returns.open',
  actions: {
    add: formAction(
      {
        summary: 'Open a return',
        description:
          'The customer gets the same email as for a return that they open. `seq` is the number among the order’s returns, from 1: sent again, it returns the same return. Reasons that require a photo are for the back office.',
        form: returnForm,
      },
      async (call, { seq, ...asked }) => {
        const { app, by, id, signal } = call
        const photo = await readUpload(call)
        return openReturnAsStaff(
          app,
          by,
          { ...asked, orderId: parseOrderNumber(id) ?? 0 },
          {
            seq,
            photos: photo ? [photo] : [],
            networkKey: by.via === 'office' ? by.networkKey : by.name,
            ...(signal && { signal }),
          },
        )
      },
      ({ id }) => String(id),
    ),
  },
  refusals: {
    'order-not-found': null,
    'not-met': (findings) => ({
      fields: Object.fromEntries(
        findings
          .flatMap(({ field, isMet, reason }): [string, string][] => (isMet ? [] : [[field, reason]]))
          .toReversed(),
      ),
    }),
    photo: ({ why }) => ({ field: 'photos', text: returnMessages.photo[why] }),
    'too-many-photos': { field: 'photos', text: returnMessages.tooManyPhotos, status: 429 },
  },
})
