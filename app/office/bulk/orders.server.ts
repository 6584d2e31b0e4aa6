/** Bulk actions that buy, print, assign or confirm orders, add a note, or write to customers. */
import { fillTemplate, noTextsText } from '#app/views/office/order-conversation.server.ts'
import {
  assignOrder,
  findWhyNoTexts,
  writeToCustomer,
} from '#domain/aftercare/order-conversations/order-conversations.server.ts'
import {
  addOrderNote,
  confirmAsStaff,
  longestNote,
  noteRemovableMinutes,
  readOrder,
  removeOrderNote,
} from '#domain/ordering/orders/orders.server.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { canActOn } from '#domain/ordering/orders/orders.ts'
import { findAssignee, listTemplates } from '#domain/messaging/support/support.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import type { Staff } from '#app/server/office.server.ts'
import {
  counted,
  done,
  refusedFor,
  revoked,
  type BulkAct,
  type BulkActs,
  type BulkChange,
  type Done,
} from './act.server.ts'
import { assigneeField, requestRefusals } from './messages.server.ts'
import { buyFromSupplier } from './order-purchases.server.ts'
import { printPackingSlips } from './order-slips.server.ts'
import { readOrderRow } from './order-row.server.ts'

/** The templates to choose from, by their ids. */
const templateField: BulkChange['input'] = async (app: Application) => ({
  kind: 'choice',
  label: 'Template',
  options: (await listTemplates(app)).map(({ id, name }): [string, string] => [String(id), name]),
  missing: 'Choose a template.',
})

/** Writes a template's text to each order's customer, with their name and order number filled in. */
function writeAct(
  channel: 'email' | 'text',
  about: Pick<BulkChange, 'title' | 'label' | 'button' | 'effect'>,
): BulkChange {
  return {
    ...about,
    permission: 'requests.answer',
    input: templateField,
    readRow: (reader, id) =>
      readOrderRow(reader, id, async () => {
        const why = channel === 'text' ? await findWhyNoTexts(reader.app.db, id) : null
        return { whyNot: why && noTextsText(why) }
      }),
    does: async ({ app, actor }, { id, given, key }) => {
      const [template, order] = [
        (await listTemplates(app)).find((one) => String(one.id) === given),
        await readOrder(app.db, id),
      ]
      if (!template || !order) return refusedFor('The template was retired. Choose another one.')
      const body = fillTemplate(template.body, order)
      const [blank] = /\{\{\w{1,30}\}\}/.exec(body) ?? []
      if (blank !== undefined) return refusedFor(`The template has a blank that orders don’t fill: ${blank}.`)
      const written = await writeToCustomer(app, actor, { orderId: id, channel, body, once: key })
      if (written.ok) return done
      if (written.reason === 'no-texts') return refusedFor(noTextsText(written.detail.why))
      return refusedFor(
        written.reason === 'no-words'
          ? 'The template is too long for a text message.'
          : written.reason === 'not-allowed'
            ? revoked
            : 'Order not found.',
      )
    },
    // Sent messages can't be recalled.
    undo: null,
  }
}

async function assign(staff: Staff, { id, to }: { id: number; to: string }): Promise<Done> {
  const assigned = await assignOrder(staff.app, staff.actor, {
    orderId: id,
    to: to === 'nobody' || to === '' ? null : to,
  })
  if (assigned.ok) return done
  return refusedFor(assigned.reason === 'order-not-found' ? 'Order not found.' : requestRefusals[assigned.reason])
}

const acts: Readonly<Record<string, BulkAct>> = {
  'buy-orders': buyFromSupplier,
  'print-packing-slips': printPackingSlips,
  'assign-orders': {
    permission: 'requests.answer',
    title: 'Assign orders',
    label: 'Assign',
    button: counted('Assign', 'order'),
    effect: 'Assigned to the person you choose, with the order’s open messages.',
    input: assigneeField,
    readRow: (reader, id) =>
      readOrderRow(reader, id, async () => ({ whyNot: null, was: (await findAssignee(reader.app.db, id)) ?? '' })),
    does: (staff, { id, given }) => assign(staff, { id, to: given }),
    undo: {
      words: 'Restores the previous assignee of each.',
      does: (staff, { id, was }) => assign(staff, { id, to: was }),
    },
  },
  'confirm-orders': {
    permission: 'orders.confirm',
    title: 'Confirm orders',
    label: 'Confirm',
    button: counted('Confirm', 'order'),
    effect: 'Confirmed. The customer gets an email, and the order is charged and shipped after its cancel window.',
    input: () =>
      Promise.resolve({
        kind: 'text',
        label: 'Reason',
        hint: 'Recorded in the audit log. Customers can’t see it.',
        most: 400,
        missing: 'Enter a reason for the audit log.',
      }),
    readRow: (reader, id) =>
      readOrderRow(reader, id, async (order) => {
        const allowed = canActOn(order, 'confirm', reader.app.clock.now())
        return { whyNot: allowed.can ? null : allowed.reason }
      }),
    does: async ({ app, actor }, { id, given }) => {
      const confirmed = await confirmAsStaff(app, actor, { orderId: id, reason: given })
      if (confirmed.ok) return done
      return refusedFor(confirmed.reason === 'not-possible' ? confirmed.detail.why : revoked)
    },
    // Its customer already got the confirmation email.
    undo: null,
  },
  'note-orders': {
    permission: 'orders.note',
    title: 'Add a note to orders',
    label: 'Add a note',
    button: counted('Add the note to', 'order'),
    effect: 'Note added. Customers never see it.',
    input: () =>
      Promise.resolve({
        kind: 'text',
        label: 'Note',
        hint: 'Staff see it on the page of each order.',
        most: longestNote,
        missing: 'Write the note.',
      }),
    readRow: (reader, id) => readOrderRow(reader, id, async () => ({ whyNot: null })),
    does: async ({ app, actor }, { id, given, key }) => {
      const noted = await addOrderNote(app, { orderId: id, body: given, actor, key })
      return noted.ok ? done : refusedFor(noted.reason === 'not-allowed' ? revoked : 'The note was not added.')
    },
    undo: {
      words: `Removes the notes. Available for ${countOf(noteRemovableMinutes, 'minute')}.`,
      does: async ({ app, actor }, { id, key }) => {
        const removed = await removeOrderNote(app, { orderId: id, key, actor })
        return removed.ok
          ? done
          : refusedFor(removed.reason === 'gone' ? 'The note was already removed, or is too old to undo.' : revoked)
      },
    },
  },
  'email-orders': writeAct('email', {
    title: 'Email customers',
    label: 'Email',
    button: counted('Email the customers of', 'order'),
    effect: 'The customer gets the email, and it is added to the order’s conversation.',
  }),
  'text-orders': writeAct('text', {
    title: 'Text customers',
    label: 'Text',
    button: counted('Text the customers of', 'order'),
    effect: 'The customer agreed to text messages and gets this one. It is added to the order’s conversation.',
  }),
}

export const orderActs: BulkActs = { field: 'order', readId: parseOrderNumber, writeId: orderNumber, acts }
