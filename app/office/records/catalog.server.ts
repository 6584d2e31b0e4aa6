/** Stock, purchase orders, and price lists as programs read them. */
import { z } from 'zod'
import { cents, instant } from '#api/schemas.ts'
import { numberedId } from '#app/office/define-actions.server.ts'
import { defineRecord } from '#app/office/define-record.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { findPriceList, listCompaniesOfList } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { findPurchaseOrder, findTireStock, listReorderPoints } from '#domain/supply/stock/stock.server.ts'

export const tireStockRecord = defineRecord({
  noun: 'stock item',
  description: 'A tire’s units by warehouse, with reorder points and recent changes.',
  schema: z.object({
    itemId: z.int(),
    sku: z.string(),
    brand: z.string(),
    line: z.string(),
    size: z.string(),
    isActive: z.boolean(),
    onHand: z.int(),
    local: z.int(),
    nationwide: z.int(),
    allocated: z.int(),
    inventory: z.object({ units: z.int(), valueCents: cents }),
    places: z.array(
      z.object({
        warehouseId: z.int(),
        code: z.string(),
        name: z.string(),
        pool: z.string(),
        supplier: z.string().nullable(),
        bin: z.string().nullable(),
        free: z.int(),
        allocated: z.int(),
      }),
    ),
    reorderPoints: z.array(
      z.object({
        id: z.int(),
        warehouse: z.string(),
        supplier: z.string(),
        reorderAt: z.int(),
        orderUpTo: z.int(),
        incoming: z.int(),
      }),
    ),
    adjustments: z.array(
      z.object({
        id: z.int(),
        warehouse: z.string(),
        reason: z.string(),
        changeUnits: z.int(),
        afterUnits: z.int(),
        note: z.string().nullable(),
        recordedBy: z.string(),
        recordedAt: instant,
      }),
    ),
    transfers: z.array(
      z.object({
        id: z.int(),
        from: z.string(),
        to: z.string(),
        units: z.int(),
        note: z.string().nullable(),
        recordedBy: z.string(),
        recordedAt: instant,
      }),
    ),
  }),
  async read({ app }, id) {
    const itemId = numberedId(id)
    const found = await findTireStock(app, itemId)
    if (!found) return undefined
    const { tire, places, inventory, adjustments, transfers } = found
    const reorderPoints = await listReorderPoints(app, itemId)
    return { ...tire, inventory, places, reorderPoints, adjustments, transfers }
  },
})

export const purchaseOrderRecord = defineRecord({
  noun: 'purchase order',
  schema: z.object({
    id: z.int(),
    order: z.string(),
    supplier: z.string(),
    isWired: z.boolean().meta({ description: 'Whether it is sent by cXML' }),
    warehouse: z.string(),
    state: z.string(),
    createdAt: instant,
    releasedAt: instant.nullable(),
    sentAt: instant.nullable(),
    answeredAt: instant.nullable(),
    withdrawnAt: instant.nullable(),
    shippedAt: instant.nullable(),
    reference: z.string().nullable(),
    rejectReason: z.string().nullable(),
    shipNotice: z.string().nullable(),
    lines: z.array(
      z.object({
        lineNo: z.int(),
        itemId: z.int(),
        sku: z.string(),
        quantity: z.int(),
        unitCostCents: cents.nullable().meta({
          description: 'The supplier’s price. Null if unknown, or without the permission `reports.read`',
        }),
        freightCents: cents.nullable().meta({
          description: 'The supplier’s freight for a unit. Null without the permission `reports.read`',
        }),
        filled: z.int(),
        rejected: z.int(),
        backordered: z.int(),
      }),
    ),
    messages: z.array(z.object({ payloadId: z.string(), summary: z.string(), receivedAt: instant })),
  }),
  async read({ app, can }, id) {
    const order = await findPurchaseOrder(app.db, numberedId(id))
    if (!order) return undefined
    const hidden = can('reports.read') ? {} : { unitCostCents: null, freightCents: null }
    return { ...order, order: orderNumber(order.orderId), lines: order.lines.map((line) => ({ ...line, ...hidden })) }
  },
})

export const priceListRecord = defineRecord({
  noun: 'price list',
  schema: z.object({
    slug: z.string(),
    name: z.string(),
    accountType: z.string().nullable(),
    rules: z.int(),
    versions: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        state: z.string(),
        entries: z.int(),
        startsAt: instant.nullable(),
        by: z.string(),
      }),
    ),
    companies: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .nullable()
      .meta({ description: 'Null without the permission `companies.read`' }),
  }),
  async read({ app, can }, id) {
    const list = await findPriceList(app, id)
    return list && { ...list, companies: can('companies.read') ? await listCompaniesOfList(app, list.id) : null }
  },
})
