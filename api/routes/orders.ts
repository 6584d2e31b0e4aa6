/** Orders of an account, a cart or a browser; tracking and canceling. Over 400 lines: the description of each operation. */
import { z } from 'zod'
import { orderNotFoundMessage } from '#content/messages/orders.ts'
import { accountOf, signedInOf } from '#api/caller.ts'
import { orderSource, sourceView } from '#api/order-source.ts'
import { answer, operation } from '#api/operation.ts'
import {
  appointment,
  appointmentFields,
  installation,
  orderInList,
  orderInListView,
  orderState,
  orderTimeZone,
  shipmentState,
} from '#api/order-list.ts'
import { findOwn, orderId, orderKeys as keys } from '#api/own-order.ts'
import { cursor, cursorAt, numberOf } from '#api/paging.ts'
import { priceRow, priceTotals, rowViews } from '#api/prices.ts'
import { leftOut } from '#domain/pricing/pricing.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, cents, day, instant, zip } from '#api/schemas.ts'
import { paths } from '#content/paths.ts'
import { readCurrentEmail } from '#domain/accounts/accounts.server.ts'
import {
  canCancel,
  cancelMinutes,
  confirmationReasons,
  confirmWithinHours,
  orderNumber,
  orderProgress,
  parseOrderNumber,
  progressWords,
  trackingStep,
  trackingSteps,
  type OrderProgress,
} from '#domain/orders/orders.ts'
import {
  cancelOrder,
  claimGuestOrders,
  confirmOrder,
  countGuestOrders,
  listAccountOrders,
  trackingToken,
  lookUpOrder,
  readOrder,
  receiptKey,
  receiptMinutes,
  type OrderView,
} from '#domain/orders/orders.server.ts'
import { orderPickup, pickupView } from '#api/order-pickup.ts'
import type { Shop } from '#shop'

const noMatch = orderNotFoundMessage

const shipment = z
  .strictObject({
    state: shipmentState,
    step: z.string().nullable().meta({
      description: 'Order Processed, Pending Carrier Pickup, In Transit or Delivered; null if canceled or returned',
    }),
    carrier: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    promisedOn: day,
    deliveredAt: instant.nullable(),
    from: z.strictObject({ city: z.string(), state: z.string() }),
    tires: z.int(),
    events: z.array(z.strictObject({ at: instant, state: shipmentState, note: z.string().nullable() })),
  })
  .meta({ id: 'Shipment' })

const orderProgressName = z.enum(Object.keys(progressWords) as OrderProgress[]).meta({
  description: 'How far the order is, by its slowest parcel; `state` is what was decided about it',
})

const tracked = {
  orderId: z.int(),
  orderNumber: z.string(),
  state: orderState,
  progress: orderProgressName,
  timeZone: orderTimeZone,
  shipments: z.array(shipment),
}
export const status = z
  .strictObject({
    ...tracked,
    look: z.string().meta({ description: 'Gives access to the order’s status for 30 minutes; send it as `look`' }),
  })
  .meta({ id: 'OrderStatus' })

export const order = z
  .strictObject({
    ...tracked,
    placedAt: instant,
    cancelUntil: instant,
    canCancel: z.boolean(),
    confirmBy: instant
      .nullable()
      .meta({ description: 'Until when an order in `needs-confirmation` has to be confirmed; then it is canceled' }),
    confirmationReasons: z.array(z.string()).meta({ description: 'Why it has to be; empty in other states' }),
    fulfillment: z.enum(['shop', 'mobile', 'home', 'carrier-pickup', 'warehouse-pickup']),
    contact: z
      .strictObject({ firstName: z.string(), lastName: z.string(), email: z.string(), phone: z.string() })
      .nullable()
      .meta({ description: 'Null, like all personal data, if the caller has only the order number and ZIP' }),
    shipTo: z
      .strictObject({ name: z.string(), street: z.string(), city: z.string(), state: z.string(), zip: z.string() })
      .nullable(),
    pickup: orderPickup.nullable(),
    shop: z
      .strictObject({ id: z.int(), code: z.string(), name: z.string(), timeZone: z.string(), phone: z.string() })
      .nullable(),
    dealerCode: z
      .string()
      .nullable()
      .meta({ description: 'The branded store it was placed in; null for our own', examples: ['HALSTED'] }),
    ...orderSource,
    installerId: z
      .string()
      .nullable()
      .meta({ description: 'The code of that store’s shop', examples: ['SW-00001'] }),
    installation,
    appointment: appointment.nullable(),
    lines: z.array(
      z.strictObject({
        itemId: z.int().nullable(),
        kind: z.string(),
        description: z.string(),
        quantity: z.int(),
        netCents: cents,
      }),
    ),
    rows: z.array(priceRow),
    notes: z.array(z.string()).meta({ description: 'Offers that did not count in the price, in words' }),
    totals: priceTotals.nullable(),
    payment: z.strictObject({ state: z.string(), capturedCents: cents, refundedCents: cents }).nullable(),
    invoice: z
      .strictObject({
        state: z.enum(['open', 'paid', 'canceled']),
        amountCents: cents,
        paidCents: cents,
        netDays: z.int(),
        dueOn: day,
      })
      .nullable()
      .meta({ description: 'What the company owes for an order on net terms, instead of a payment' }),
    receipt: z
      .string()
      .nullable()
      .meta({
        description: `Address of the PDF in this store; opened by the browser or account that placed the order or, if the call had a \`key\`, by anyone for ${receiptMinutes} minutes`,
      }),
  })
  .meta({ id: 'Order' })

export const ordersOfAccount = z.strictObject({ orders: z.array(orderInList), next: z.string().nullable() })

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
    async handle({ shop, caller, query }) {
      const accountId = await accountOf(caller)
      const before = numberOf(query.cursor, accountId)
      if (!before.ok) return before
      const { orders, hasMore } = await listAccountOrders(shop, accountId, before.value)
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
    async handle({ shop, caller }) {
      const { accountId, isEmailVerified } = await signedInOf(caller)
      return answer({ orders: await countGuestOrders(shop, accountId), isEmailVerified })
    },
  }),
  operation({
    id: 'claimOrders',
    method: 'post',
    path: '/orders/claims',
    area: 'Orders',
    summary: 'Claim guest orders',
    description: 'If the email is not verified yet, the sign-in service is asked again.',
    audience: 'account',
    once: { isRequired: false, by: 'again' },
    result: z.strictObject({ claimed: z.int() }),
    async handle({ shop, caller }) {
      const signedIn = await signedInOf(caller)
      await readCurrentEmail(shop, signedIn)
      return answer({ claimed: await claimGuestOrders(shop, signedIn.accountId) })
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
    async handle({ shop, caller, params, query }) {
      const found = await findOwn(shop, caller, params.orderId, query)
      return found ? answer(orderView(shop, found.order, { ...found, key: query.key })) : problem('OrderNotFound')
    },
  }),
  operation({
    id: 'cancelOrder',
    method: 'post',
    path: '/orders/{orderId}/cancellation',
    area: 'Orders',
    summary: 'Cancel an order',
    description: `Within ${cancelMinutes} minutes of placing it. Stock and the appointment are released and the card is not charged. Canceling again has no effect. Viewers of a company cannot cancel orders.`,
    audience: 'customer',
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({ orderId }),
    query: keys,
    result: order,
    refuses: ['OrderNotFound', 'TooLateToCancel'],
    async handle({ shop, caller, params, query }) {
      const found = await findOwn(shop, caller, params.orderId, query)
      if (!found?.mayCancel) return problem('OrderNotFound')
      const canceled = await cancelOrder(shop, { orderId: found.order.id, actor: 'shopper' })
      if (!canceled.ok)
        return canceled.reason === 'order-not-found'
          ? problem('OrderNotFound')
          : problem('TooLateToCancel', canceled.detail.reason)
      const after = await readOrder(shop.db, found.order.id)
      return after
        ? answer(orderView(shop, after, { isOwn: true, mayCancel: true, key: query.key }))
        : problem('OrderNotFound')
    },
  }),
  operation({
    id: 'confirmOrder',
    method: 'post',
    path: '/orders/{orderId}/confirmation',
    area: 'Orders',
    summary: 'Confirm an order',
    description: `For an order in \`needs-confirmation\`, which is canceled ${confirmWithinHours} hours after it was placed if nobody does. It can be canceled for ${cancelMinutes} minutes from then on. Confirming a confirmed order has no effect. Viewers of a company cannot confirm orders.`,
    audience: 'customer',
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({ orderId }),
    query: keys,
    result: order,
    refuses: ['OrderNotFound', 'TooLateToConfirm'],
    async handle({ shop, caller, params, query }) {
      const found = await findOwn(shop, caller, params.orderId, query)
      if (!found?.mayCancel) return problem('OrderNotFound')
      const confirmed = await confirmOrder(shop, { orderId: found.order.id, actor: 'shopper' })
      if (!confirmed.ok) return problem(confirmed.reason === 'over' ? 'TooLateToConfirm' : 'OrderNotFound')
      const after = await readOrder(shop.db, found.order.id)
      return after
        ? answer(orderView(shop, after, { isOwn: true, mayCancel: true, key: query.key }))
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
    async handle({ shop, caller, body }) {
      const asked = parseOrderNumber(body.order)
      if (asked === undefined) return problem('NoMatch', noMatch)
      const found = await lookUpOrder(shop, { orderId: asked, zip: body.zip, from: caller.visitor.networkKey })
      if (!found.ok) {
        if (found.reason === 'no-match') return problem('NoMatch', noMatch)
        return problem('TooManyAttempts', 'Too many attempts for this order. Open the link in the email we sent you.', {
          headers: { 'retry-after': String(found.detail.retryAfterSeconds) },
        })
      }
      const view = await readOrder(shop.db, found.value.orderId)
      if (!view) return problem('NoMatch', noMatch)
      return answer({
        ...trackedView(view),
        look: trackingToken(shop.config.session.secret, view.id, shop.clock.now()),
      })
    },
  }),
]

function trackedView(found: OrderView) {
  return {
    orderId: found.id,
    orderNumber: orderNumber(found.id),
    state: found.state,
    progress: orderProgress(found),
    timeZone: found.timeZone,
    shipments: found.shipments.map((each) => {
      const step = trackingStep(each.state)
      return {
        state: each.state,
        step: step === null ? null : trackingSteps[step],
        carrier: each.carrier,
        trackingNumber: each.trackingNumber,
        promisedOn: each.promisedOn,
        deliveredAt: each.deliveredAt?.toString() ?? null,
        from: { city: each.warehouse.city, state: each.warehouse.state },
        tires: each.items.reduce((sum, item) => sum + item.quantity, 0),
        events: each.events.map(({ at, state: to, note }) => ({ at: at.toString(), state: to, note })),
      }
    }),
  }
}

function dealerView(dealer: OrderView['dealer']): Pick<z.input<typeof order>, 'dealerCode' | 'installerId'> {
  return { dealerCode: dealer?.dealerCode ?? null, installerId: dealer?.installerId ?? null }
}

export function orderView(
  shop: Shop,
  found: OrderView,
  { isOwn, mayCancel, key }: { isOwn: boolean; mayCancel: boolean; key: string | undefined },
): z.input<typeof order> {
  const { payment } = found
  const isWaiting = found.state === 'needs-confirmation'
  const own = <Value>(value: Value) => (isOwn ? value : null)
  return {
    ...trackedView(found),
    placedAt: found.placedAt.toString(),
    cancelUntil: found.cancelUntil.toString(),
    canCancel: mayCancel && canCancel(found, shop.clock.now()).can,
    confirmBy: isWaiting ? (found.confirmBy?.toString() ?? null) : null,
    confirmationReasons: isOwn && isWaiting ? confirmationReasons(found.confirmationRules, 'shopper') : [],
    fulfillment: found.fulfillment,
    contact: own({ firstName: found.firstName, lastName: found.lastName, email: found.email, phone: found.phone }),
    shipTo: own({
      name: found.shipTo.name,
      street: found.shipTo.street,
      city: found.shipTo.city,
      state: found.shipTo.state,
      zip: found.shipTo.zip,
    }),
    pickup: own(pickupView(shop, found)),
    shop: own(
      found.shop && {
        id: found.shop.id,
        code: found.shop.code,
        name: found.shop.name,
        timeZone: found.shop.timeZone,
        phone: found.shop.phone,
      },
    ),
    ...sourceView(found, isOwn),
    ...dealerView(found.dealer),
    ...appointmentFields(found, isOwn),
    lines: isOwn
      ? found.lines.map(({ itemId, kind, description, quantity, netCents }) => ({
          itemId,
          kind,
          description,
          quantity,
          netCents,
        }))
      : [],
    rows: isOwn ? rowViews(found.breakdown) : [],
    notes: isOwn ? leftOut(found.breakdown) : [],
    totals: own(found.breakdown.totals),
    payment: own(
      payment && { state: payment.state, capturedCents: payment.capturedCents, refundedCents: payment.refundedCents },
    ),
    invoice: own(found.invoice && { ...found.invoice }),
    receipt: own(
      shop.config.web.origin +
        paths.receipt(
          found.id,
          found.customerId,
          key && receiptKey(shop.config.session.secret, found.id, shop.clock.now()),
        ),
    ),
  }
}
