import { z } from 'zod'
import { defineActions, formAction, plainAction } from '#app/office/define-actions.server.ts'
import { alikeView } from '#app/views/office/contact.server.ts'
import { creditAccount } from '#app/views/office/credit.server.ts'
import { findPerson } from '#app/views/office/customer.server.ts'
import { noTextsText } from '#app/views/office/order-conversation.server.ts'
import { writeToCustomer, writeToPerson } from '#domain/aftercare/order-conversations/order-conversations.server.ts'
import { customerMessageForm } from '#domain/aftercare/order-conversations/order-conversations.ts'
import { addVehicleAsStaff } from '#domain/customers/accounts/accounts.server.ts'
import {
  addCustomer,
  blockCustomer,
  changeContact,
  findContact,
  keepApart,
  mergeCustomers,
  noteCustomer,
  unblockCustomer,
  undoCustomerMerge,
} from '#domain/customers/customers/customers.server.ts'
import {
  blockForm,
  contactChangeForm,
  customerNoteForm,
  customerVehicleForm,
  erasureForm,
  newCustomerForm,
  otherCustomerForm,
  phoneChangeForm,
  undoMergeDays,
} from '#domain/customers/customers/customers.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { longestText } from '#domain/messaging/texts/texts.ts'
import { requestErasure } from '#domain/operations/personal-data/personal-data.server.ts'
import { selectCustomerOrders } from '#domain/ordering/orders/orders.server.ts'
import { findVehicleByName } from '#domain/ordering/quotes/quotes.server.ts'
import { countOf } from '#platform/count-text.ts'
import { refused } from '#platform/outcome.ts'

export const newCustomerActions = defineActions({
  resource: 'customers',
  noun: 'customer',
  permission: 'customers.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add a customer',
        description: 'We don’t email them. `isOther` confirms that someone else has this phone, too.',
        form: newCustomerForm,
      },
      ({ app, by }, typed) => addCustomer(app, by, typed),
      ({ id }) => id,
    ),
  },
  refusals: {
    'email-taken': ({ customer }) => ({
      field: 'email',
      text: 'A customer has this email.',
      status: 409,
      others: [alikeView(customer)],
    }),
    'same-phone': ({ customers }) => ({
      field: 'isOther',
      text: 'Compare the customers above. If this is another person, check this box.',
      status: 409,
      others: customers.map(alikeView),
    }),
  },
})

export const customerActions = defineActions({
  resource: 'customers',
  noun: 'customer',
  permission: 'customers.edit',
  actions: {
    change: formAction(
      {
        summary: 'Change a customer’s contact',
        description: 'Only the customer can change the name and email of an account.',
        form: contactChangeForm,
      },
      ({ app, by, id }, typed) => changeContact(app, by, { id, ...typed }),
    ),
    phone: formAction({ summary: 'Change a customer’s phone', form: phoneChangeForm }, ({ app, by, id }, typed) =>
      changeContact(app, by, { id, ...typed }),
    ),
  },
  refusals: {
    'customer-not-found': null,
    'email-taken': ({ customer }) => ({
      field: 'email',
      text: 'Another customer has this email.',
      status: 409,
      others: [alikeView(customer)],
    }),
    'account-owns': 'This customer has an account now. Only its owner can change the name and email.',
    'blocked-contact': {
      text: 'This customer is blocked. Only people who can unblock them can change their contact.',
      status: 403,
    },
  },
  read: async (app, id) => {
    const contact = await findContact(app, id)
    return contact && { ...contact }
  },
  facts: z.object({ hasAccount: z.boolean() }),
})

export const customerBlockActions = defineActions({
  resource: 'customers',
  noun: 'customer',
  permission: 'customers.manage',
  actions: {
    block: formAction(
      {
        summary: 'Block a customer',
        description: 'Their account, email, and phone can’t place new orders.',
        form: blockForm,
      },
      ({ app, by, id }, { reason }) => blockCustomer(app, by, { id, reason }),
    ),
    unblock: plainAction({ summary: 'Unblock a customer' }, ({ app, by, id }) => unblockCustomer(app, by, id)),
  },
  refusals: { 'customer-not-found': null, 'no-words': { text: 'Enter a reason for your team.', field: 'reason' } },
})

export const customerPairActions = defineActions({
  resource: 'customers',
  noun: 'customer',
  permission: 'customers.manage',
  actions: {
    merge: formAction(
      {
        summary: 'Merge another customer into this one',
        description: `Undo it within ${countOf(undoMergeDays, 'day')} with its \`mergeId\`.`,
        form: otherCustomerForm,
        result: z.object({ mergeId: z.string() }),
      },
      ({ app, by, id }, { other }) => mergeCustomers(app, by, { id, otherId: other }),
    ),
    apart: formAction(
      { summary: 'Mark two customers as different people', form: otherCustomerForm },
      ({ app, by, id }, { other }) => keepApart(app, by, { id, otherId: other }),
    ),
  },
  refusals: { 'customer-not-found': 'One of these customers was already merged or erased.' },
})

export const customerVehicleActions = defineActions({
  resource: 'customers',
  part: 'vehicles',
  noun: 'customer vehicle',
  permission: 'customers.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add a vehicle to a customer’s account',
        description: '`vehicle` is the year, make and model, such as `2019 Honda CR-V EX`.',
        form: customerVehicleForm,
      },
      async ({ app, by, id }, { vehicle: typed }) => {
        const person = await findPerson(app, id)
        if (!person) return refused('customer-not-found')
        const vehicle = await findVehicleByName(app, typed)
        if (!vehicle) return refused('vehicle-unknown')
        return addVehicleAsStaff(app, by, { accountId: creditAccount(person)?.id ?? null, vehicle })
      },
    ),
  },
  refusals: {
    'customer-not-found': null,
    'no-account': 'This customer has no account. Vehicles are saved in accounts.',
    'vehicle-unknown': {
      text: 'We don’t know this vehicle. Enter its year, make and model, such as 2019 Honda CR-V EX.',
      field: 'vehicle',
    },
    'vehicle-known': { text: 'This vehicle is saved already.', field: 'vehicle' },
    'garage-full': 'This account has the most vehicles it can have. The customer can remove one.',
  },
})

export const customerMergeActions = defineActions({
  resource: 'customer-merges',
  noun: 'merge',
  permission: 'customers.manage',
  actions: {
    undo: plainAction({ summary: 'Undo a merge of customers' }, ({ app, by, id }) => undoCustomerMerge(app, by, id)),
  },
  refusals: {
    'merge-not-found': { text: 'This merge was already undone.', status: 404 },
    'too-late': `A merge can be undone for ${countOf(undoMergeDays, 'day')}.`,
    'merged-again': 'This customer was later merged into another one. Undo that merge first.',
  },
})

/** Only staff confirm or decline an erasure, after a recent sign-in. */
export const erasureActions = defineActions({
  resource: 'customers',
  part: 'erasure',
  noun: 'erasure',
  permission: 'customers.manage',
  actions: {
    request: formAction(
      {
        summary: 'Request that a customer is erased',
        description: 'A manager or owner must confirm it in the back office.',
        form: erasureForm,
      },
      ({ app, by, id }, { reason }) => requestErasure(app, by, { id, reason }),
    ),
  },
  refusals: {
    'customer-not-found': null,
    'no-words': { text: 'Enter a reason, such as how the customer made the request.', field: 'reason' },
  },
})

/** The number of orders to choose from when writing a message. */
const ordersAbout = 50

export const customerMessageActions = defineActions({
  resource: 'customers',
  noun: 'customer',
  permission: 'customers.read',
  actions: {
    note: formAction(
      {
        summary: 'Add a note to a customer',
        description: '`once` is a UUID that you choose, and sending it again adds no second note.',
        permission: 'customers.note',
        form: customerNoteForm,
      },
      ({ app, by, id }, { body, once }) => noteCustomer(app, by, { id, body, once }),
    ),
    write: formAction(
      {
        summary: 'Write to a customer',
        description: 'By email or text message. `about` is the number of their order, and may be empty for an email.',
        permission: 'requests.answer',
        form: customerMessageForm,
      },
      async ({ app, by, id }, { as: channel, about, message: body, once }) => {
        const person = await findPerson(app, id)
        if (!person) return refused('customer-not-found')
        if (about === '')
          return channel === 'text'
            ? refused('no-order')
            : writeToPerson(app, by, { customerId: person.id, body, once })
        const orders = await selectCustomerOrders(app.db, person.ordering, ordersAbout)
        const order = orders.find((own) => own.id === parseOrderNumber(about))
        if (!order) return refused('order-not-found')
        const sent = await writeToCustomer(app, by, { orderId: order.id, channel, body, once })
        return !sent.ok && sent.reason === 'no-words' ? refused('too-long') : sent
      },
    ),
  },
  refusals: {
    'customer-not-found': null,
    'no-words': { text: 'Write a note.', field: 'body' },
    'no-order': { text: 'Choose the order this text message is about, or send an email.', field: 'message' },
    'order-not-found': { text: 'Choose an order of this customer.', field: 'message' },
    'no-texts': ({ why }) => ({ text: noTextsText(why), field: 'message' }),
    'too-long': {
      text: `Please keep a text message under ${countOf(longestText, 'character')}.`,
      field: 'message',
    },
  },
})
