/** Orders of an account, a cart or a browser; tracking and canceling. */
import { z } from 'zod'
import { orderNotFoundMessage } from '#content/messages/orders.ts'
import { accountOf, signedInOf } from '#api/caller.ts'
import { answer, operation } from '#api/operation.ts'
import { orderInListView } from '#api/order-list.ts'
import { findOwn, orderId, orderKeys as keys } from '#api/own-order.ts'
import { cursor, cursorAt, numberOf } from '#api/paging.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, zip } from '#api/schemas.ts'
import { readCurrentEmail } from '#domain/customers/accounts/accounts.server.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { confirmWithinHours } from '#domain/ordering/orders/orders.ts'
import {
  cancelOrder,
  claimGuestOrders,
  confirmOrder,
  countGuestOrders,
  listAccountOrders,
  trackingToken,
  lookUpOrder,
  readOrder,
} from '#domain/ordering/orders/orders.server.ts'
import { countOf } from '#platform/count-text.ts'
import { order, orderView, ordersOfAccount, status, trackedView } from '#api/order-view.ts'

const noMatch = orderNotFoundMessage

export const orderOperations = [
  operation({
    id: 'listOrders',
    method: 'get',
    path: '/orders',
    area: 'Orders',
    summary: 'List orders',
    audience: 'account',
    query: z.strictObject({ cursor: cursor.optional() }),
    result: ordersOfAccount,
    async handle({ app, caller, query }) {
      const accountId = await accountOf(caller)
      const before = numberOf(query.cursor, accountId)
      if (!before.ok) return before
      const { orders, hasMore } = await listAccountOrders(app, accountId, before.value)
      const last = orders.at(-1)
      return answer({
        orders: orders.map(orderInListView),
        next: last && hasMore ? cursorAt(String(last.id), accountId) : null,
      })
    },
  }),
  // Before the route of a single order, which would match this address.
  operation({
    id: 'countUnclaimedOrders',
    method: 'get',
    path: '/orders/unclaimed',
    area: 'Orders',
    summary: 'Count guest orders that can be claimed',
    audience: 'account',
    result: z.strictObject({
      orders: z.int(),
      isEmailVerified: z.boolean().meta({ description: 'Until it is, orders with this email cannot be claimed' }),
    }),
    async handle({ app, caller }) {
      const { accountId, isEmailVerified } = await signedInOf(caller)
      return answer({ orders: await countGuestOrders(app, accountId), isEmailVerified })
    },
  }),
  operation({
    id: 'claimOrders',
    method: 'post',
    path: '/orders/claims',
    area: 'Orders',
    summary: 'Claim guest orders',
    description: 'If the email isn’t verified yet, we check again with the sign-in service.',
    audience: 'account',
    once: { isRequired: false, by: 'again' },
    result: z.strictObject({ claimed: z.int() }),
    async handle({ app, caller }) {
      const signedIn = await signedInOf(caller)
      await readCurrentEmail(app, signedIn)
      return answer({ claimed: await claimGuestOrders(app, signedIn.accountId) })
    },
  }),
  operation({
    id: 'readOrder',
    method: 'get',
    path: '/orders/{orderId}',
    area: 'Orders',
    summary: 'Get an order',
    description:
      'For the account, cart or browser that placed it, for owners and viewers of the company it was placed for, and for anyone with the key from our email. A lookup returns only the status and no personal data.',
    audience: 'customer',
    params: z.strictObject({ orderId }),
    query: keys,
    result: order,
    refuses: ['OrderNotFound'],
    async handle({ app, caller, params, query }) {
      const found = await findOwn(app, caller, params.orderId, query)
      return found ? answer(orderView(app, found.order, { ...found, key: query.key })) : problem('OrderNotFound')
    },
  }),
  operation({
    id: 'cancelOrder',
    method: 'post',
    path: '/orders/{orderId}/cancellation',
    area: 'Orders',
    summary: 'Cancel an order',
    description: `Within the cancellation window of the order. Stock and the appointment are released and the card is not charged. Canceling again has no effect. Viewers of a company cannot cancel orders.`,
    audience: 'customer',
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({ orderId }),
    query: keys,
    result: order,
    refuses: ['OrderNotFound', 'TooLateToCancel'],
    async handle({ app, caller, params, query }) {
      const found = await findOwn(app, caller, params.orderId, query)
      if (!found?.mayCancel) return problem('OrderNotFound')
      const canceled = await cancelOrder(app, { orderId: found.order.id, actor: 'shopper' })
      if (!canceled.ok)
        return canceled.reason === 'order-not-found'
          ? problem('OrderNotFound')
          : problem('TooLateToCancel', canceled.detail.reason)
      const after = await readOrder(app.db, found.order.id)
      return after
        ? answer(orderView(app, after, { isOwn: true, mayCancel: true, key: query.key }))
        : problem('OrderNotFound')
    },
  }),
  operation({
    id: 'confirmOrder',
    method: 'post',
    path: '/orders/{orderId}/confirmation',
    area: 'Orders',
    summary: 'Confirm an order',
    description: `For an order in \`needs-confirmation\`, which is canceled ${countOf(confirmWithinHours, 'hour')} after it was placed if nobody does. It can be canceled for the cancellation window from then on. Confirming a confirmed order has no effect. Viewers of a company cannot confirm orders.`,
    audience: 'customer',
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({ orderId }),
    query: keys,
    result: order,
    refuses: ['OrderNotFound', 'TooLateToConfirm'],
    async handle({ app, caller, params, query }) {
      const found = await findOwn(app, caller, params.orderId, query)
      if (!found?.mayCancel) return problem('OrderNotFound')
      const confirmed = await confirmOrder(app, { orderId: found.order.id, actor: 'shopper' })
      if (!confirmed.ok) return problem(confirmed.reason === 'over' ? 'TooLateToConfirm' : 'OrderNotFound')
      const after = await readOrder(app.db, found.order.id)
      return after
        ? answer(orderView(app, after, { isOwn: true, mayCancel: true, key: query.key }))
        : problem('OrderNotFound')
    },
  }),
  operation({
    id: 'lookUpOrder',
    method: 'post',
    path: '/order-look-ups',
    area: 'Orders',
    summary: 'Track an order by number and ZIP',
    description:
      'Failed attempts are counted, by order and by network. An unknown order number and a wrong ZIP return the same error.',
    audience: 'anyone',
    once: { isRequired: false, by: 'again' },
    body: bodyOf({
      order: z
        .string()
        .max(24)
        .meta({ examples: ['S-104001'] }),
      zip,
    }),
    result: status,
    refuses: ['NoMatch', 'TooManyAttempts'],
    async handle({ app, caller, body }) {
      const asked = parseOrderNumber(body.order)
      if (asked === undefined) return problem('NoMatch', noMatch)
      const found = await lookUpOrder(app, { orderId: asked, zip: body.zip, from: caller.visitor.networkKey })
      if (!found.ok) {
        if (found.reason === 'no-match') return problem('NoMatch', noMatch)
        return problem('TooManyAttempts', 'Too many attempts for this order. Open the link in the email we sent you.', {
          headers: { 'retry-after': String(found.detail.retryAfterSeconds) },
        })
      }
      const view = await readOrder(app.db, found.value.orderId)
      if (!view) return problem('NoMatch', noMatch)
      return answer({
        ...trackedView(view),
        look: trackingToken(app.config.session.secret, view.id, app.clock.now()),
      })
    },
  }),
]
