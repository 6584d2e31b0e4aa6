import { z } from 'zod'
import { slotField } from '#app/forms/slot-value.ts'
import { defineActions, formAction, type ActionCall } from '#app/office/define-actions.server.ts'
import { cancelLinesRefusals } from '#app/views/cancel-lines.server.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { cancelLinesForm, countCancelable } from '#domain/ordering/cancellations/cancellations.ts'
import {
  cancelLinesAsStaff,
  readCancelable,
  type CancelLinesRefusal,
} from '#domain/ordering/cancellations/cancellations.server.ts'
import { contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { noLines, staffOrderActs, type NoLines } from '#domain/ordering/orders/orders.ts'
import {
  cancelAsStaff,
  changeAddressAsStaff,
  checkFitAsStaff,
  confirmAsStaff,
  moveAppointmentAsStaff,
  questionAsStaff,
  readOrder,
  resendAsStaff,
  type StaffActRefusal,
} from '#domain/ordering/orders/orders.server.ts'

/** Returns the order number in an address; 0, which no order has, for other text. */
export const orderIdIn = ({ id }: Pick<ActionCall, 'id'>) => parseOrderNumber(id) ?? 0

const reason = z
  .string('Enter a reason for the audit log.')
  .trim()
  .min(1, 'Enter a reason for the audit log.')
  .max(400, 'Please keep this under 400 characters.')
const reasonForm = z.object({ reason })
const addressForm = contactForm
  .pick({ address1: true, address2: true, city: true, state: true, zip: true })
  .extend({ reason })
const appointmentForm = z.object({
  slot: slotField,
  reason,
})
const resendForm = z.object({
  message: z.uuid('Choose an email.'),
  once: z.uuid('Reload the page.').describe('A new UUID per request'),
})

/** The messages of all acts on an order. */
export const orderActRefusals = {
  ...cancelLinesRefusals,
  'order-not-found': null,
  'not-possible': ({ why }: { why: string }) => why,
  'no-lines': ({ why }: { why: NoLines }) => noLines[why],
} as const

export const orderActions = defineActions({
  resource: 'orders',
  noun: 'order',
  permission: 'orders.read',
  actions: {
    confirm: formAction(
      {
        summary: 'Confirm an order',
        description: 'The customer is emailed.',
        permission: staffOrderActs.confirm.permission,
        form: reasonForm,
      },
      (call, asked) => confirmAsStaff(call.app, call.by, { orderId: orderIdIn(call), ...asked }),
    ),
    question: formAction(
      {
        summary: 'Ask the customer to confirm an order',
        description: 'The order is canceled without an answer.',
        permission: staffOrderActs.question.permission,
        form: reasonForm,
      },
      (call, asked) => questionAsStaff(call.app, call.by, { orderId: orderIdIn(call), ...asked }),
    ),
    'check-fit': formAction(
      {
        summary: 'Record the fit check of an order',
        description: '`reason` is the result. The customer isn’t notified.',
        permission: staffOrderActs['check-fit'].permission,
        form: reasonForm,
      },
      (call, asked) => checkFitAsStaff(call.app, call.by, { orderId: orderIdIn(call), ...asked }),
    ),
    address: formAction(
      {
        summary: 'Change the address of an order',
        permission: staffOrderActs.address.permission,
        form: addressForm,
      },
      (call, { reason: why, ...address }) =>
        changeAddressAsStaff(call.app, call.by, { orderId: orderIdIn(call), address, reason: why }),
    ),
    appointment: formAction(
      {
        summary: 'Reschedule the appointment of an order',
        description: 'The customer is emailed.',
        permission: staffOrderActs.appointment.permission,
        form: appointmentForm,
      },
      (call, { slot, reason: why }) =>
        moveAppointmentAsStaff(call.app, call.by, { orderId: orderIdIn(call), choice: slot, reason: why }),
    ),
    cancel: formAction(
      {
        summary: 'Cancel an order',
        description: 'Also refunds it. The customer is emailed.',
        permission: staffOrderActs.cancel.permission,
        form: reasonForm,
      },
      (call, asked) => cancelAsStaff(call.app, call.by, { orderId: orderIdIn(call), ...asked }),
    ),
    resend: formAction(
      {
        summary: 'Resend an email of an order',
        permission: staffOrderActs.resend.permission,
        form: resendForm,
      },
      (call, { message: messageId, once }) =>
        resendAsStaff(call.app, call.by, { orderId: orderIdIn(call), messageId, once }),
    ),
  },
  refusals: orderActRefusals,
})

export const orderLineActions = defineActions({
  resource: 'orders',
  part: 'lines',
  noun: 'order line',
  permission: staffOrderActs.lines.permission,
  actions: {
    cancel: formAction(
      {
        summary: 'Cancel lines of an order that haven’t shipped',
        description:
          'Refunds their units to the original payment method. `seen` is the number of units that could be canceled when the lines were read. `key` is a new UUID per request.',
        form: cancelLinesForm.and(reasonForm),
      },
      (call, asked) => cancelLinesAsStaff(call.app, call.by, { ...asked, orderId: orderIdIn(call) }),
    ),
  },
  refusals: orderActRefusals,
  async read(app, id) {
    const order = await readOrder(app.db, orderIdIn({ id }))
    if (!order) return undefined
    const lines = await readCancelable(app, order)
    return {
      lines: lines.map(({ lineNo, most }) => ({ lineNo: String(lineNo), units: most })),
      seen: countCancelable(lines),
    }
  },
})

/** Why an act on an order is refused. */
export type OrderActRefusal = StaffActRefusal | CancelLinesRefusal

/** The declared action of each form on the page of an order's act. */
export const orderActForms = { ...orderActions.actions, lines: orderLineActions.actions.cancel } as const
