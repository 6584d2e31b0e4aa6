/** Notes on orders, their assignees, and messages to their customers. */
import { z } from 'zod'
import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { noTextsText } from '#app/views/office/order-conversation.server.ts'
import { assignOrder, writeToCustomer } from '#domain/aftercare/order-conversations/order-conversations.server.ts'
import { longestAnswer } from '#domain/messaging/support/support.ts'
import { longestText } from '#domain/messaging/texts/texts.ts'
import {
  addOrderNote,
  longestNote,
  recordVin,
  resendTextAsStaff,
  sendCodesAgain,
} from '#domain/ordering/orders/orders.server.ts'
import { optionalText } from '#platform/form-fields.ts'
import { countOf } from '#platform/count-text.ts'
import { refused } from '#platform/outcome.ts'
import { orderIdIn } from './orders.server.ts'

const once = z.uuid('Reload the page and try again.').describe('A new UUID per request')
const noteForm = z.object({ key: once, body: z.string('Write a note.') })
const vinForm = z.object({ vin: z.string('Enter the VIN.') })
const writeForm = z.object({
  as: z.enum(['email', 'text', 'note'], 'Choose how to send it.'),
  message: z
    .string('Please write a message.')
    .trim()
    .min(1, 'Please write a message.')
    .max(longestAnswer, `Please keep this under ${countOf(longestAnswer, 'character')}.`),
  once,
})

export const orderMessageActions = defineActions({
  resource: 'orders',
  noun: 'order',
  permission: 'orders.note',
  actions: {
    note: formAction({ summary: 'Add a note to an order', form: noteForm }, (call, { key, body }) =>
      addOrderNote(call.app, { orderId: orderIdIn(call), body, actor: call.by, key }),
    ),
    vin: formAction({ summary: 'Record the VIN of the vehicle of an order', form: vinForm }, (call, { vin }) =>
      recordVin(call.app, call.by, { orderId: orderIdIn(call), typed: vin }),
    ),
    write: formAction(
      {
        summary: 'Write to the customer of an order',
        description: 'Sends `message` as an email or text message, or adds it as a note.',
        permission: 'requests.answer',
        form: writeForm,
      },
      async (call, { as, message: body, once: key }) => {
        const { app, by } = call
        const orderId = orderIdIn(call)
        if (as !== 'note') return writeToCustomer(app, by, { orderId, channel: as, body, once: key })
        const added = await addOrderNote(app, { orderId, body, actor: by, key })
        return !added.ok && added.reason === 'no-note' ? refused('long-note') : added
      },
    ),
    assign: formAction(
      {
        summary: 'Assign an order',
        description: 'With its open messages. `to` is the email of a team member. Without it, no one is assigned.',
        permission: 'requests.answer',
        form: z.object({ to: optionalText(254) }),
      },
      ({ app, by, id }, { to }) => assignOrder(app, by, { orderId: orderIdIn({ id }), to }),
    ),
    'text-again': formAction(
      {
        summary: 'Resend a text message of an order',
        description: 'Only one that failed.',
        permission: 'orders.emails',
        form: z.object({ text: z.uuid('Choose a text message.'), once }),
      },
      (call, { text: textId, once: key }) =>
        resendTextAsStaff(call.app, call.by, { orderId: orderIdIn(call), textId, once: key }),
    ),
    'send-codes': formAction(
      {
        summary: 'Email the codes of an appointment again',
        permission: 'orders.codes',
        form: z.object({ once }),
      },
      (call, { once: key }) => sendCodesAgain(call.app, call.by, { orderId: orderIdIn(call), once: key }),
    ),
  },
  refusals: {
    'order-not-found': null,
    'not-possible': ({ why }) => why,
    'no-note': { field: 'body', text: `Write a note of up to ${countOf(longestNote, 'character')}.` },
    'long-note': { field: 'message', text: `Please keep a note under ${countOf(longestNote, 'character')}.` },
    'no-words': { field: 'message', text: `Please keep a text message under ${countOf(longestText, 'character')}.` },
    'no-texts': ({ why }) => ({ field: 'message', text: noTextsText(why) }),
    'not-staff': { field: 'to', text: 'Choose someone from the list.', status: 409 },
    'not-a-vin': { field: 'vin', text: 'A VIN has 17 letters and digits, without I, O and Q.' },
  },
})
