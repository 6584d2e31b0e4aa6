/** Payloads of the store's own webhooks: IDs and business facts. Programs read customers through the admin API. */
import { z } from 'zod'
import { orderState, shipmentState } from '#api/order-list.ts'
import { cents, day, instant } from '#api/schemas.ts'
import { officePaths } from '#content/office-paths.ts'
import { selectShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { readRefund } from '#domain/payments/ledger/ledger.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { listOrderReturns } from '#domain/ordering/returns/returns.server.ts'
import { returnNumber, returnReasons, returnState, returnTireStates } from '#domain/ordering/returns/returns.ts'
import { readStockLevel } from '#domain/supply/stock/stock.server.ts'
import { storeTypeNames, testType } from '#domain/channels/webhooks/webhooks.ts'
import type { ClaimedDelivery } from '#domain/channels/webhooks/webhooks.server.ts'
import type { Application } from '#application'

const order = z.strictObject({
  orderId: z.int(),
  orderNumber: z.string().meta({ examples: ['S-1042'] }),
  state: orderState,
  placedAt: instant,
  fulfillment: z.enum(['shop', 'mobile', 'home', 'carrier-pickup', 'warehouse-pickup']),
  shopCode: z.string().nullable(),
  companyOrder: z.boolean().meta({ description: 'Whether a company pays for it' }),
  totalCents: cents,
  lines: z.array(
    z.strictObject({
      itemId: z.int().nullable().meta({ description: 'Null for a line without a tire' }),
      quantity: z.int(),
    }),
  ),
  url: z.url().meta({ description: 'Its page in the back office' }),
})

const storeData = z
  .strictObject({
    order: order.nullable().meta({ description: 'Null for events of stock and shops' }),
    shipment: z
      .strictObject({
        shipmentId: z.string(),
        state: shipmentState,
        carrier: z.string().nullable(),
        trackingNumber: z.string().nullable(),
        warehouseId: z.int(),
      })
      .nullable(),
    appointment: z
      .strictObject({
        appointmentId: z.string(),
        kind: z.enum(['wait', 'drop-off', 'mobile']),
        state: z.string(),
        start: instant,
        end: instant,
      })
      .nullable(),
    return: z
      .strictObject({
        returnId: z.int(),
        returnNumber: z.string().meta({ examples: ['M-1042'] }),
        state: z.enum(returnTireStates).meta({ description: 'Status of the least-advanced tire in the return' }),
        reason: z.enum(returnReasons),
        refundedCents: cents,
      })
      .nullable(),
    refund: z
      .strictObject({
        refundId: z.string(),
        amountCents: cents,
        way: z.enum(['payment-method', 'store-credit', 'invoice']),
      })
      .nullable(),
    stock: z
      .strictObject({
        itemId: z.int(),
        sku: z.string(),
        warehouseId: z.int(),
        warehouseCode: z.string(),
        availableUnits: z.int().meta({ description: 'When the event is first sent' }),
      })
      .nullable()
      .meta({ description: 'Also null when over 100 tires changed together: read `/api/admin/stock` again' }),
    shop: z
      .strictObject({
        shopCode: z.string(),
        name: z.string(),
        status: z.enum(['open', 'suspended', 'closed']),
        pausedFrom: day.nullable(),
        pausedUntil: day
          .nullable()
          .meta({ description: 'The first day with bookings again; null for a pause without a last day' }),
      })
      .nullable(),
  })
  .meta({
    id: 'StoreEventData',
    description: 'The subject, as of when the event was first sent; the other members are null',
  })

/** The body of every webhook of the store. */
export const storeWebhookBody = z
  .strictObject({
    id: z.string().meta({ description: 'The same as the header `webhook-id`, in every try' }),
    type: z.enum([...storeTypeNames, testType]),
    timestamp: instant.meta({ description: 'When it happened' }),
    data: z.union([storeData, z.strictObject({}).meta({ description: 'Of a test' })]),
  })
  .meta({ id: 'StoreWebhookEvent' })

type StoreData = z.input<typeof storeData>

const nothing: StoreData = {
  order: null,
  shipment: null,
  appointment: null,
  return: null,
  refund: null,
  stock: null,
  shop: null,
}

/** The data of an event for the store; undefined when its subject no longer exists. */
export async function renderStoreEvent(app: Application, delivery: ClaimedDelivery): Promise<StoreData | undefined> {
  const { orderId, shopId } = delivery
  if (shopId !== null) return renderShop(app, shopId)
  if (orderId === null) return renderStock(app, delivery)
  const found = await readOrder(app.db, orderId)
  return found && renderOrder(app, found, delivery)
}

async function renderShop({ db }: Application, id: number): Promise<StoreData | undefined> {
  const found = await selectShopRecord(db, { id })
  if (!found) return undefined
  const { code: shopCode, name, status, pause } = found
  const pausedFrom = pause?.from ?? null
  return { ...nothing, shop: { shopCode, name, status, pausedFrom, pausedUntil: pause?.until ?? null } }
}

async function renderStock(
  { db }: Application,
  { itemId, warehouseId }: ClaimedDelivery,
): Promise<StoreData | undefined> {
  if (itemId === null || warehouseId === null) return nothing
  const level = await readStockLevel(db, { itemId, warehouseId })
  if (!level) return undefined
  const { sku, warehouse: warehouseCode, availableUnits } = level
  return { ...nothing, stock: { itemId, sku, warehouseId, warehouseCode, availableUnits } }
}

async function renderOrder(
  { db, config }: Application,
  found: OrderView,
  { type, shipmentId, bookingId, returnId, fact }: ClaimedDelivery,
): Promise<StoreData> {
  const shipment = found.shipments.find(({ id }) => id === shipmentId)
  const returned = returnId === null ? [] : await listOrderReturns(db, found.id)
  const about = returned.find(({ id }) => id === returnId)
  const refund = type === 'refund.issued' && fact !== null ? await readRefund(db, fact) : undefined
  return {
    ...nothing,
    order: {
      orderId: found.id,
      orderNumber: orderNumber(found.id),
      state: found.state,
      placedAt: found.placedAt.toString(),
      fulfillment: found.fulfillment,
      shopCode: found.shop?.code ?? null,
      companyOrder: found.invoice !== null,
      totalCents: found.totalCents,
      lines: found.lines.map(({ itemId, quantity }) => ({ itemId, quantity })),
      url: `${config.web.origin}${officePaths.officeOrder(found.id)}`,
    },
    shipment: shipment
      ? {
          shipmentId: shipment.id,
          state: shipment.state,
          carrier: shipment.carrier,
          trackingNumber: shipment.trackingNumber,
          warehouseId: shipment.warehouse.id,
        }
      : null,
    appointment: appointmentOf(found, { type, bookingId }),
    return: about
      ? {
          returnId: about.id,
          returnNumber: returnNumber(about.id),
          state: returnState(about.tires),
          reason: about.reason,
          refundedCents: about.refunds.reduce((sum, { refundCents }) => sum + refundCents, 0),
        }
      : null,
    refund: refund && fact !== null ? { refundId: fact, ...refund } : null,
  }
}

/** The order's appointment; null if the event is about one that was replaced and canceled since. */
function appointmentOf(
  { booking }: OrderView,
  { type, bookingId }: Pick<ClaimedDelivery, 'type' | 'bookingId'>,
): StoreData['appointment'] {
  if (bookingId === null || !booking) return null
  if (booking.id !== bookingId && type === 'appointment.canceled') return null
  const { id: appointmentId, kind, state, start, end } = booking
  return { appointmentId, kind, state, start: start.toString(), end: end.toString() }
}
