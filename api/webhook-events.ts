/** Webhook payloads in the API's formats, limited to the parts of an order that the endpoint's owner can see. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { appointment, appointmentView } from '#api/order-list.ts'
import { order, orderView } from '#api/order-view.ts'
import { returnView, view as returnSchema } from '#api/routes/returns.ts'
import { cents, instant } from '#api/schemas.ts'
import { renderStoreEvent, type storeWebhookBody } from '#api/store-webhook-events.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { readAttributedOrder } from '#domain/customers/programs/programs.server.ts'
import { listOrderReturns } from '#domain/ordering/returns/returns.server.ts'
import { testType, webhookTypeNames } from '#domain/channels/webhooks/webhooks.ts'
import type { ClaimedDelivery } from '#domain/channels/webhooks/webhooks.server.ts'
import type { Application } from '#application'
import { makingSecret } from '#platform/secrets.ts'

const companyData = z
  .strictObject({
    order,
    trackingNumber: z.string().nullable().meta({ description: 'Of the parcel it is about; null in other events' }),
    appointment: appointment.nullable().meta({ description: 'Which it is about; null in other events' }),
    return: returnSchema.nullable().meta({ description: 'Which it is about; null in other events' }),
  })
  .meta({ id: 'CompanyEventData', description: 'An order of the company, as of when the event was first sent' })

const partnerData = z
  .strictObject({
    order: z.strictObject({
      id: z.string().meta({ description: 'The same in every event about this order, and of no use elsewhere' }),
      placedAt: instant,
      isCanceled: z.boolean(),
      tireCents: cents.meta({ description: 'Remaining qualifying tire price' }),
      commissionCents: cents,
    }),
  })
  .meta({
    id: 'PartnerEventData',
    description: 'An order from the partner’s widget, as counted in its report. Excludes customer names',
  })

/** The body of every webhook. */
export const webhookBody = z
  .strictObject({
    id: z.string().meta({ description: 'The same as the header `webhook-id`, in every try' }),
    type: z.enum([...webhookTypeNames, testType]),
    timestamp: instant.meta({ description: 'When it happened' }),
    data: z.union([companyData, partnerData, z.strictObject({}).meta({ description: 'Of a test' })]),
  })
  .meta({ id: 'WebhookEvent' })

/** The data of an event for an endpoint's owner; undefined when the order is no longer theirs to see. */
export async function renderWebhook(
  app: Application,
  delivery: ClaimedDelivery,
): Promise<z.input<typeof webhookBody | typeof storeWebhookBody>['data'] | undefined> {
  const { owner, orderId, type } = delivery
  if (type === testType) return {}
  if (owner.kind === 'store') return renderStoreEvent(app, delivery)
  if (orderId === null) return undefined
  if (owner.kind === 'partner') return partnerView(app, owner.widgetId, orderId)
  const found = await readOrder(app.db, orderId)
  return found && companyView(app, found, delivery)
}

async function partnerView(
  app: Application,
  widgetId: string,
  orderId: number,
): Promise<z.input<typeof partnerData> | undefined> {
  const found = await readAttributedOrder(app, { widgetId, orderId })
  if (!found) return undefined
  const id = createHmac('sha256', makingSecret(app.config.session.secret)).update(
    `widget-order\n${widgetId}\n${orderId}`,
  )
  return { order: { id: id.digest('base64url').slice(0, 22), ...found, placedAt: found.placedAt.toString() } }
}

async function companyView(
  app: Application,
  found: OrderView,
  { type, shipmentId, bookingId, returnId }: ClaimedDelivery,
): Promise<z.input<typeof companyData>> {
  const returned = returnId === null ? [] : await listOrderReturns(app.db, found.id)
  const about = returned.find(({ id }) => id === returnId)
  const { booking } = found
  // An appointment replaced by another one is reported as canceled.
  const isCanceled = type === 'appointment.canceled'
  return {
    order: orderView(app, found, { isOwn: true, mayCancel: false, key: undefined }),
    trackingNumber: found.shipments.find(({ id }) => id === shipmentId)?.trackingNumber ?? null,
    appointment:
      bookingId !== null && booking && (booking.id === bookingId || !isCanceled) ? appointmentView(booking) : null,
    return: about ? returnView(app, found, about) : null,
  }
}
