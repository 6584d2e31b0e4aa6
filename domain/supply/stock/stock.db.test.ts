/**
 * Office stock is searched and adjusted, including under concurrent orders, once per form; and purchase orders from
 * order to answer.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  makePlacedOrder,
  must,
  openTestStore,
  pickTire,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { cancelOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { listAudit, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  answerPurchaseOrder,
  listPurchaseOrders,
  listPurchaseOrdersToPlace,
  listRejectedPurchaseOrders,
} from './purchase-orders.server.ts'
import { stockWords, type AdjustmentReason } from './stock.ts'
import { adjustStock, findTireStock, listStock } from './stock.server.ts'
import { openInventory } from '#tests/support/inventory.ts'

const [port = 0] = await freePorts(3)
const everything = { words: [], pool: null }

async function unitsOf({ db }: TestStore, itemId: number, warehouseId: number) {
  const found = await findTireStock({ db }, itemId)
  const place = found?.places.find((each) => each.warehouseId === warehouseId)
  if (!place) throw new Error('The tire has no stock there.')
  return place
}

/** An order with the warehouse that its four tires come from. */
async function makeAllocated(store: TestStore) {
  const { orderId } = await makePlacedOrder(store)
  const { warehouse_id: warehouseId } = await store.db
    .selectFrom('stock_allocation')
    .select('warehouse_id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return { orderId, warehouseId, itemId: await pickTire(store) }
}

function adjust(
  store: TestStore,
  at: { itemId: number; warehouseId: number },
  [reason, units]: readonly [AdjustmentReason, number],
  { key = newId(), by = desk }: { key?: string; by?: Actor } = {},
) {
  return adjustStock(store, { itemId: at.itemId, warehouseId: at.warehouseId, reason, units, note: null, key, by })
}

test('stock is found by SKU, line and size, page by page and as a whole', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const { tire } = (await findTireStock(store, itemId)) ?? {}
  for (const q of [
    tire?.sku,
    tire?.sku.toLowerCase(),
    `${tire?.brand} ${tire?.line}`,
    `${tire?.line} 225/65R17`,
    `2256517 ${tire?.brand}`,
  ]) {
    const { tires } = await listStock(store, { words: stockWords(q ?? ''), pool: null }, 0)
    expect(
      tires.some((each) => each.itemId === itemId),
      q,
    ).toBe(true)
  }
  expect((await listStock(store, { words: ['%'], pool: null }, 0)).tires).toEqual([])
  const first = await listStock(store, everything, 0)
  const second = await listStock(store, everything, first.next ?? 0)
  expect(first.tires).toHaveLength(50)
  expect(second.tires[0]?.itemId).toBeGreaterThan(first.tires.at(-1)?.itemId ?? Infinity)
  const { rows } = await sql<{ tires: number }>`select count(*)::int as tires from item`.execute(store.db)
  expect((await listStock(store, everything, 0, 100_000)).tires).toHaveLength(rows[0]?.tires ?? 0)
  expect(await findTireStock(store, 1)).toBeUndefined()
})

test('a count is of the whole shelf, and no adjustment takes what an order needs', async () => {
  await using store = await openTestStore(port)
  const at = await makeAllocated(store)
  const before = await unitsOf(store, at.itemId, at.warehouseId)
  expect(before.allocated).toBe(4)
  for (const asked of [
    ['count', 3],
    ['damaged', before.free + 1],
    ['lost', before.free + 4],
  ] as const)
    expect(await adjust(store, at, asked)).toMatchObject({ reason: 'below-allocated', detail: { allocated: 4 } })
  expect(await unitsOf(store, at.itemId, at.warehouseId)).toEqual(before)
  must(await adjust(store, at, ['count', before.free + 4]))
  must(await adjust(store, at, ['damaged', 2]))
  must(await adjust(store, at, ['found', 1]))
  expect(must(await adjust(store, at, ['count', 4]))).toEqual({ changeUnits: 1 - before.free, afterUnits: 0 })
  // What is canceled is free again.
  must(await cancelOrder(store, { orderId: at.orderId, actor: 'shopper' }))
  expect(await unitsOf(store, at.itemId, at.warehouseId)).toMatchObject({ free: 4, allocated: 0 })
  expect(await adjust(store, { ...at, itemId: 1 }, ['found', 1])).toMatchObject({ reason: 'not-stocked' })
  const { tire } = (await findTireStock(store, at.itemId)) ?? {}
  const { entries } = await listAudit(store, {
    actor: null,
    act: 'stock.adjusted',
    subject: tire?.sku ?? '',
    from: null,
    until: null,
    before: null,
  })
  expect(entries.map(({ reason }) => reason)).toEqual(['count', 'found', 'damaged', 'count'])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a form submitted twenty times adjusts once, and concurrent forms never go below zero', async () => {
  await using store = await openTestStore(port)
  const at = await makeAllocated(store)
  const { free } = await unitsOf(store, at.itemId, at.warehouseId)
  const key = newId()
  const same = await Promise.all(Array.from({ length: 20 }, () => adjust(store, at, ['lost', 1], { key })))
  expect(new Set(same.map((each) => must(each).afterUnits))).toEqual(new Set([free - 1]))
  const units = Math.ceil((free - 1) / 6)
  const many = await Promise.all(Array.from({ length: 12 }, () => adjust(store, at, ['damaged', units])))
  const done = many.filter((each) => each.ok).length
  expect(done).toBe(Math.floor((free - 1) / units))
  expect((await unitsOf(store, at.itemId, at.warehouseId)).free).toBe(free - 1 - done * units)
  const other = await store.db
    .selectFrom('stock')
    .select('item_id as itemId')
    .where('warehouse_id', '=', at.warehouseId)
    .where('item_id', '<>', at.itemId)
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(await adjust(store, { ...at, ...other }, ['found', 1], { key })).toMatchObject({ reason: 'key-used' })
  const revoked: Actor = { via: 'office', name: 'x@store.example', sessionId: newId(), networkKey: 'n' }
  expect(await adjust(store, at, ['found', 1], { by: revoked })).toMatchObject({ reason: 'not-allowed' })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

/** Makes every warehouse a supplier's. */
async function giveToSupplier({ db }: TestStore): Promise<void> {
  await db.insertInto('supplier').values({ id: 91, code: 'RIDGE', name: 'Ridgeway Wholesale' }).execute()
  await db.updateTable('warehouse').set({ supplier_id: 91, pool: 'nationwide' }).execute()
  await db.deleteFrom('part_stock').execute()
  await openInventory(db)
}

async function shippingJobs({ db }: TestStore): Promise<number> {
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from graphile_worker.jobs where task_identifier = 'ship-order'`.execute(db)
  return rows[0]?.jobs ?? 0
}

test('a purchase order is reserved with its order, released with the charge, and awaits the supplier', async () => {
  await using store = await openTestStore(port)
  await giveToSupplier(store)
  const { orderId } = await makePlacedOrder(store)
  const list = async (state: 'held' | 'released' | 'accepted' | 'rejected' | 'canceled') =>
    (await listPurchaseOrders(store, { state, before: null })).orders.filter((each) => each.orderId === orderId)
  const [held] = await list('held')
  expect(held).toMatchObject({ orderId, supplier: 'Ridgeway Wholesale', releasedAt: null })
  expect(held?.units[0]).toMatch(/^4 /)
  const id = held?.id ?? 0
  const toPlace = async () => (await listPurchaseOrdersToPlace(store, 5)).filter((each) => each.id === id)
  expect(await toPlace()).toEqual([])
  const early = store.db
    .updateTable('purchase_order')
    .set({ state: 'released', released_at: store.clock.now() })
    .where('id', '=', id)
  expect(await early.execute().catch(violatedConstraint)).toBe('purchase_order_after_window')
  expect(
    await answerPurchaseOrder(store, { answer: { intent: 'accepted', id, reference: 'R-1' }, by: desk }),
  ).toMatchObject({ reason: 'other-state' })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  await releaseOrder(store, orderId)
  expect(await list('released')).toHaveLength(1)
  expect(await toPlace()).toMatchObject([{ id, orderId }])
  expect(await shippingJobs(store)).toBe(0)

  must(await answerPurchaseOrder(store, { answer: { intent: 'rejected', id, reason: 'Sold out' }, by: desk }))
  const rejected = async () => (await listRejectedPurchaseOrders(store, 5)).filter((each) => each.id === id)
  expect(await rejected()).toMatchObject([{ id, orderId }])
  expect(await toPlace()).toEqual([])
  must(await answerPurchaseOrder(store, { answer: { intent: 'again', id }, by: desk }))
  expect(await rejected()).toEqual([])
  expect(await toPlace()).toHaveLength(1)
  const presses = await Promise.all(
    Array.from({ length: 20 }, () =>
      answerPurchaseOrder(store, { answer: { intent: 'accepted', id, reference: 'R-2' }, by: desk }),
    ),
  )
  expect(presses.filter(({ ok }) => ok)).toHaveLength(1)
  expect((await list('accepted'))[0]?.reference).toBe('R-2')
  expect(await toPlace()).toEqual([])
  expect(await shippingJobs(store)).toBe(1)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a canceled order reaches no supplier, and a supplier’s stock is not adjusted', async () => {
  await using store = await openTestStore(port)
  await giveToSupplier(store)
  const at = await makeAllocated(store)
  expect(await adjust(store, at, ['found', 1])).toMatchObject({ reason: 'held-by-supplier' })
  must(await cancelOrder(store, { orderId: at.orderId, actor: 'shopper' }))
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, at.orderId)
  const { orders } = await listPurchaseOrders(store, { state: 'canceled', before: null })
  expect(orders[0]).toMatchObject({ orderId: at.orderId, releasedAt: null })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('our warehouse stocks a new tire from its first units, but supplier and unknown warehouses don’t', async () => {
  await using store = await openTestStore(port)
  /** A tire, and a warehouse without stock of it. */
  const unstocked = (pool: string) =>
    store.db
      .selectFrom('item')
      .innerJoin('warehouse', (on) => on.on('warehouse.pool', '=', pool))
      .select(['item.id as itemId', 'warehouse.id as warehouseId'])
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('stock')
              .select('stock.item_id')
              .whereRef('stock.item_id', '=', 'item.id')
              .whereRef('stock.warehouse_id', '=', 'warehouse.id'),
          ),
        ),
      )
      .limit(1)
      .executeTakeFirstOrThrow()
  const [ours, theirs] = [await unstocked('on-hand'), await unstocked('local')]
  expect(await adjust(store, theirs, ['count', 8])).toMatchObject({ reason: 'not-stocked' })
  expect(await adjust(store, { ...ours, warehouseId: 9_999 }, ['count', 8])).toMatchObject({ reason: 'not-stocked' })
  const both = await Promise.all([1, 2].map(() => adjust(store, ours, ['found', 4])))
  expect(both.map(({ ok }) => ok)).toEqual([true, true])
  expect(await unitsOf(store, ours.itemId, ours.warehouseId)).toMatchObject({ free: 8 })
})
