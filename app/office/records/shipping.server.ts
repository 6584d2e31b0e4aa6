/** Parcels, manifests, and warehouse pickups as programs read them. */
import { z } from 'zod'
import { cents, day, instant } from '#api/schemas.ts'
import { numberedId, uuidOf } from '#app/office/define-actions.server.ts'
import { defineRecord } from '#app/office/define-record.server.ts'
import { shipToShown } from '#app/views/customer-fields.server.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readOrder, selectPickup } from '#domain/ordering/orders/orders.server.ts'
import { findManifest, findParcel } from '#domain/ordering/parcels/parcels.server.ts'

/** Each list row is one tire, so its ID starts with the parcel's. */
export const parcelRecord = defineRecord({
  noun: 'parcel',
  description: 'The ID of a list row also reads its parcel. Parcels that have shipped stay readable.',
  schema: z.object({
    id: z.string(),
    order: z.string(),
    state: z.string(),
    releasedAt: instant.nullable(),
    shipsBy: instant.nullable(),
    carrier: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    trackingUrl: z.string().nullable(),
    warehouse: z.object({ id: z.int(), code: z.string(), name: z.string(), timeZone: z.string() }),
    items: z.array(
      z.object({
        itemId: z.int(),
        sku: z.string(),
        name: z.string(),
        size: z.string(),
        quantity: z.int(),
        bin: z.string().nullable(),
      }),
    ),
    label: z.object({ costCents: cents, voidedAt: instant.nullable() }).nullable(),
    shipTo: z
      .object({ name: z.string(), street: z.string(), city: z.string(), state: z.string(), zip: z.string() })
      .nullable()
      .meta({ description: 'Null for an address of a customer that the program’s permissions don’t include' }),
  }),
  async read({ app, session }, id) {
    const parcel = await findParcel(app, uuidOf(id.slice(0, 36)))
    const order = parcel && (await readOrder(app.db, parcel.orderId))
    if (!parcel || !order) return undefined
    const isShown = shipToShown({ ...order, shipments: [parcel] }, session.roles)
    return { ...parcel, order: orderNumber(parcel.orderId), shipTo: isShown ? order.shipTo : null }
  },
})

export const manifestRecord = defineRecord({
  noun: 'manifest',
  schema: z.object({
    id: z.int(),
    state: z.string(),
    warehouseId: z.int(),
    carrier: z.string(),
    carrierRef: z.string().nullable(),
    failure: z.string().nullable(),
    requestedAt: instant,
    requestedBy: z.string(),
    endedAt: instant.nullable(),
    parcels: z.array(z.object({ shipmentId: z.string(), trackingNumber: z.string(), refusal: z.string().nullable() })),
  }),
  async read({ app }, id) {
    const found = await findManifest(app, numberedId(id))
    return found && { ...found.manifest, parcels: found.parcels }
  },
})

export const pickupRecord = defineRecord({
  noun: 'pickup',
  schema: z.object({
    order: z.string(),
    state: z.string(),
    warehouse: z.string(),
    timeZone: z.string(),
    firstName: z.string().meta({ description: 'Staff at the counter check the customer’s name' }),
    lastName: z.string(),
    tires: z.int(),
    items: z.array(z.string()),
    readyBy: instant,
    readyAt: instant.nullable(),
    keepUntil: day.nullable(),
    handedOverAt: instant.nullable(),
    handedOverBy: z.string().nullable(),
  }),
  async read({ app }, id) {
    const pickup = await selectPickup(app, parseOrderNumber(id) ?? 0)
    return pickup && { ...pickup, order: orderNumber(pickup.orderId) }
  },
})
