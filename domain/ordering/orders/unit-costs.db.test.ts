/** What sold tires cost by their source, and the prices on purchase orders. */
import { expect, test } from 'vitest'
import { makePlacedOrder, must, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { answerPurchaseOrder } from '#domain/supply/stock/stock.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { listSources, releaseOrder, reSource } from './orders.server.ts'
import { openWithSupplier } from './supplier-orders.testing.ts'

const [port = 0] = await freePorts(3)

test('a line costs the price and freight at its source, and only another source changes it', async () => {
  await using store = await openWithSupplier(port)
  const { db, clock } = store
  await db.updateTable('supplier').set({ discount_ppm: 400_000, freight_cents: 450 }).where('id', '=', 91).execute()
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const { itemId, listed } = await db
    .selectFrom('order_line')
    .innerJoin('item', 'item.id', 'order_line.item_id')
    .select(['item.id as itemId', 'item.cost_cents as listed'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const discounted = (listed ?? 0) - Math.round((listed ?? 0) * 0.4)
  expect(discounted).toBeGreaterThan(0)
  const placed = [{ cents: discounted + 450, freight: 450 }]
  expect(await costsOf(store, orderId)).toEqual(placed)
  expect(await pricesOf(store, orderId)).toEqual([{ cents: discounted, freight: 450 }])
  await db.updateTable('supplier').set({ freight_cents: 600 }).where('id', '=', 91).execute()

  clock.set(clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const { id } = await db
    .selectFrom('purchase_order')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  must(await answerPurchaseOrder(store, { answer: { intent: 'rejected', id, reason: 'Sold out' }, by: desk }))
  const costCents = discounted + 7
  await db
    .insertInto('supplier_availability')
    .values({ supplier_id: 91, item_id: itemId, queried_at: clock.now(), units: 40, cost_cents: costCents })
    .execute()
  const other = (await listSources(store, id)).find(({ supplier }) => supplier !== null)
  expect(other).toMatchObject({ costCents: 4 * (costCents + 600), freightCents: 4 * 600 })
  expect(await costsOf(store, orderId)).toEqual(placed)
  must(await reSource(store, { id, warehouseId: other?.warehouseId ?? 0, by: desk }))
  expect(await costsOf(store, orderId)).toEqual([{ cents: costCents + 600, freight: 600 }])
  expect(await pricesOf(store, orderId)).toEqual([
    { cents: discounted, freight: 450 },
    { cents: costCents, freight: 600 },
  ])
  expect(await verify(db, clock.now())).toEqual([])
})

test('a cart comes from the lowest landed cost among the warehouses that arrive first', async () => {
  await using store = await openWithSupplier(port)
  const { db } = store
  await db.updateTable('stock').set({ on_hand: 40 }).where('warehouse_id', 'in', [1, 2]).execute()
  const supplierAt = async (terms: { discount_ppm: number; freight_cents: number }) => {
    await db.updateTable('supplier').set(terms).where('id', '=', 91).execute()
    const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
    const sources = await db
      .selectFrom('stock_allocation as allocation')
      .innerJoin('warehouse', 'warehouse.id', 'allocation.warehouse_id')
      .select('warehouse.supplier_id as supplierId')
      .where('allocation.order_id', '=', orderId)
      .execute()
    return sources.map(({ supplierId }) => supplierId)
  }
  expect(await supplierAt({ discount_ppm: 400_000, freight_cents: 0 })).toEqual([91])
  expect(await supplierAt({ discount_ppm: 0, freight_cents: 50_000 })).toEqual([null])
})

type Cost = { cents: number | null; freight: number }

function costsOf({ db }: TestStore, orderId: number): Promise<Cost[]> {
  return db
    .selectFrom('order_line')
    .select(['unit_cost_cents as cents', 'unit_freight_cents as freight'])
    .where('order_id', '=', orderId)
    .where('kind', '=', 'tire')
    .orderBy('line_no')
    .execute()
}

/** The prices on an order's purchase orders, oldest first. */
function pricesOf({ db }: TestStore, orderId: number): Promise<Cost[]> {
  return db
    .selectFrom('purchase_order_line as line')
    .innerJoin('purchase_order as po', 'po.id', 'line.purchase_order_id')
    .select(['line.unit_cost_cents as cents', 'line.freight_cents as freight'])
    .where('po.order_id', '=', orderId)
    .orderBy('po.id')
    .execute()
}
