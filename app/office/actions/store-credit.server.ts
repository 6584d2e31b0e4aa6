import { z } from 'zod'
import { defineActions, formAction, plainAction } from '#app/office/define-actions.server.ts'
import { creditAccount } from '#app/views/office/credit.server.ts'
import { findPerson, type Person } from '#app/views/office/customer.server.ts'
import { selectCustomerOrders } from '#domain/ordering/orders/orders.server.ts'
import { declineCredit, giveCredit, takeBackCredit } from '#domain/payments/store-credit/store-credit.server.ts'
import { giveCreditForm, takeBackForm } from '#domain/payments/store-credit/store-credit.ts'
import { refused } from '#platform/outcome.ts'
import type { Application } from '#application'

/** Returns the newest orders that credit can be about. */
export const readCreditOrders = (app: Application, { ordering }: Person) => selectCustomerOrders(app.db, ordering, 20)

export const customerCreditActions = defineActions({
  resource: 'customers',
  part: 'credit',
  noun: 'store credit',
  permission: 'credit.give',
  actions: {
    give: formAction(
      {
        summary: 'Give a customer store credit',
        description:
          '`once` is a UUID that you choose, and becomes the ID of the credit. Above the limit it is `requested`, until a second person approves it in the back office. `order` is the number of their order, or empty.',
        form: giveCreditForm,
        result: z.object({ state: z.enum(['given', 'requested']) }),
      },
      async ({ app, by, id }, { amount, reason, order, once }) => {
        const person = await findPerson(app, id)
        if (!person) return refused('customer-not-found')
        const account = creditAccount(person)
        if (!account) return refused('no-account')
        const orders = order === null ? [] : await readCreditOrders(app, person)
        if (order !== null && !orders.some((own) => own.id === order)) return refused('order-unknown')
        return giveCredit(app, by, { accountId: account.id, orderId: order, cents: amount, reason, once })
      },
    ),
  },
  refusals: {
    'customer-not-found': null,
    'no-account': 'Store credit requires an account, and this customer doesn’t have one.',
    'order-unknown': { field: 'order', text: 'Choose an order of this customer.' },
    'invalid-grant': 'This form was already used. Reload the page and try again.',
  },
})

/** Only staff approve store credit, after a recent sign-in. */
export const storeCreditActions = defineActions({
  resource: 'store-credit',
  noun: 'store credit',
  permission: 'credit.give',
  actions: {
    decline: plainAction(
      {
        summary: 'Decline requested store credit',
        description: 'Or withdraw a request.',
        permission: 'refunds.approve',
      },
      ({ app, by, id }) => declineCredit(app, by, id),
    ),
    'take-back': formAction(
      {
        summary: 'Take back unused store credit',
        form: takeBackForm,
        result: z.object({ cents: z.int().meta({ description: 'The reversed amount' }) }),
      },
      ({ app, by, id }, { reason }) => takeBackCredit(app, by, { grantId: id, reason }),
    ),
  },
  refusals: {
    'grant-not-found': { text: 'Store credit not found.', status: 404 },
    'no-account': 'Store credit requires an account, and this customer doesn’t have one.',
    'nothing-left': 'This credit was already used, so it can’t be taken back.',
    'invalid-grant': 'This form was already used. Reload the page and try again.',
  },
})
