/** The API representations of an order's tracking status and of the whole order. */
import { z } from 'zod'
import { orderSource, sourceView } from '#api/order-source.ts'
import {
  appointment,
  appointmentFields,
  installation,
  orderInList,
  orderState,
  orderTimeZone,
  shipmentState,
} from '#api/order-list.ts'
import { priceRow, priceTotals, rowViews } from '#api/prices.ts'
import { leftOut } from '#domain/pricing/pricing/pricing.ts'
import { cents, day, instant } from '#api/schemas.ts'
import { paths } from '#content/paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  canCancel,
  lastToCancel,
  confirmationReasons,
  orderProgress,
  progressWords,
  trackingStep,
  trackingSteps,
  type OrderProgress,
} from '#domain/ordering/orders/orders.ts'
import { receiptKey, receiptMinutes, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderPickup, pickupView } from '#api/order-pickup.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

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

export const tracked = {
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
    storage: z
      .strictObject({ storedOn: day, storedUntil: day, returnedAt: instant.nullable() })
      .nullable()
      .meta({ description: 'The set that the shop stores after a service with storage' }),
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
        description: `Address of the PDF in this store; opened by the browser or account that placed the order or, if the call had a \`key\`, by anyone for ${countOf(receiptMinutes, 'minute')}`,
      }),
  })
  .meta({ id: 'Order' })

export const ordersOfAccount = z.strictObject({ orders: z.array(orderInList), next: z.string().nullable() })

export function trackedView(found: OrderView) {
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

function storageView({ storedSet }: OrderView): z.input<typeof order>['storage'] {
  if (!storedSet) return null
  const { storedOn, storedUntil, returnedAt } = storedSet
  return { storedOn, storedUntil, returnedAt: returnedAt?.toString() ?? null }
}

function dealerView(dealer: OrderView['dealer']): Pick<z.input<typeof order>, 'dealerCode' | 'installerId'> {
  return { dealerCode: dealer?.dealerCode ?? null, installerId: dealer?.installerId ?? null }
}

export function orderView(
  app: Application,
  found: OrderView,
  { isOwn, mayCancel, key }: { isOwn: boolean; mayCancel: boolean; key: string | undefined },
): z.input<typeof order> {
  const { payment } = found
  const isWaiting = found.state === 'needs-confirmation'
  const own = <Value>(value: Value) => (isOwn ? value : null)
  return {
    ...trackedView(found),
    placedAt: found.placedAt.toString(),
    cancelUntil: lastToCancel(found).toString(),
    canCancel: mayCancel && canCancel(found, app.clock.now()).can,
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
    pickup: own(pickupView(app, found)),
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
    storage: own(storageView(found)),
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
      app.config.web.origin +
        paths.receipt(
          found.id,
          found.customerId,
          key && receiptKey(app.config.session.secret, found.id, app.clock.now()),
        ),
    ),
  }
}
