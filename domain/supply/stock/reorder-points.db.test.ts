/** Reorder points, and orders drafted from the low-stock list. */
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore, pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { readSoldUnits } from '#domain/ordering/orders/orders.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  cancelStockOrder,
  findStockOrder,
  findTireStock,
  listLowStock,
  listStockOrders,
  listSuppliers,
  receiveStockOrder,
  reorder,
  markStockOrderSent,
  setReorderPoint,
} from './stock.server.ts'
import { reorderPointForm, suggestedUnits } from './stock.ts'

const [port = 0] = await freePorts(2)
const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)
const uncovered = { isUncovered: true, after: 0 }

/** A store where a tire is to be ordered again in its first warehouse. */
async function openStore() {
  const store = await openTestStore(port)
  const itemId = await pickTire(store)
  const { warehouses = [], places = [] } = (await findTireStock(store, itemId)) ?? {}
  const [supplier] = await listSuppliers(store)
  const warehouseId = warehouses[0]?.id ?? 0
  const free = places.find((place) => place.warehouseId === warehouseId)?.free ?? 0
  const point = { itemId, warehouseId, supplierId: supplier?.id ?? 0, reorderAt: free, orderUpTo: free + 10 }
  must(await setReorderPoint(store, desk, point))
  const low = async (query = uncovered) => (await listLowStock(store, query, 10)).points
  const [first] = await low()
  const id = first?.id ?? 0
  return { ...store, point, low, id, theirs: places.find((place) => place.supplier !== null)?.warehouseId ?? 0 }
}

test('a low tire is ordered once under concurrent requests, and incoming units count until they arrive', async () => {
  await using store = await openStore()
  expect(await store.low()).toMatchObject([{ incoming: 0, held: 0, reorderAt: store.point.reorderAt }])
  const answers = await Promise.all([1, 2, 3].map(() => reorder(store, desk, store.id)))
  expect(answers.map(reasonOf).toSorted((one, other) => one.localeCompare(other))).toEqual(['covered', 'covered', 'ok'])
  const { orders } = await listStockOrders(store, { state: 'draft', before: null })
  expect(orders).toMatchObject([{ units: 10 }])
  const id = orders[0]?.id ?? 0
  expect(await store.low()).toEqual([])
  expect(await store.low({ isUncovered: false, after: 0 })).toMatchObject([{ incoming: 10 }])
  // A higher reorder point adds to the draft's line.
  must(
    await setReorderPoint(store, desk, {
      ...store.point,
      reorderAt: store.point.orderUpTo,
      orderUpTo: store.point.orderUpTo + 5,
    }),
  )
  expect(must(await reorder(store, desk, store.id)).id).toBe(id)
  const { order, lines } = (await findStockOrder(store, id)) ?? {}
  expect(lines).toMatchObject([{ quantity: 15 }])
  must(await markStockOrderSent(store, desk, { id, version: order?.version ?? 0 }))
  const line = { itemId: store.point.itemId, units: 6, lots: [], damaged: 0, short: 9, reason: 'Discontinued' }
  must(await receiveStockOrder(store, { id, key: newId(), freightCents: 0, overReason: null, lines: [line], by: desk }))
  // Six arrived and nine never will.
  expect(await store.low()).toMatchObject([{ free: store.point.reorderAt + 6, incoming: 0 }])
  const next = must(await reorder(store, desk, store.id)).id
  expect(next).not.toBe(id)
  must(await cancelStockOrder(store, desk, { id: next, version: 1, reason: 'Not now' }))
  expect(await store.low()).toHaveLength(1)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('reorder points are for the store’s warehouses, are removed by empty fields, and count sold units', async () => {
  await using store = await openStore()
  const { itemId, warehouseId } = store.point
  expect(reasonOf(await setReorderPoint(store, desk, { ...store.point, warehouseId: store.theirs }))).toBe('not-ours')
  expect(reasonOf(await setReorderPoint(store, desk, { ...store.point, supplierId: 30_000 }))).toBe('supplier-retired')
  expect(reasonOf(await setReorderPoint(store, desk, { ...store.point, itemId: 2_000_000_000 }))).toBe('gone')
  const since = store.clock.now().subtract({ hours: 720 })
  const places = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ itemId, warehouseId: id }))
  const sum = async () =>
    [...(await readSoldUnits(store.db, places, since)).values()].reduce((all, one) => all + one, 0)
  const before = await sum()
  await makePlacedOrder(store)
  expect((await sum()) - before).toBe(4)
  expect(await readSoldUnits(store.db, [{ itemId, warehouseId }], store.clock.now().add({ hours: 1 }))).toEqual(
    new Map(),
  )
  must(await setReorderPoint(store, desk, { ...store.point, reorderAt: null, orderUpTo: null }))
  expect(await store.low()).toEqual([])
  expect(reasonOf(await reorder(store, desk, store.id))).toBe('gone')
})

test('units are suggested up to the target only at or below the reorder point', () => {
  for (const [free, incoming, suggested] of [
    [5, 0, 0],
    [4, 0, 8],
    [0, 0, 12],
    [0, 4, 8],
    [0, 5, 0],
    [3, 1, 8],
  ] as const)
    expect(suggestedUnits({ free, incoming, reorderAt: 4, orderUpTo: 12 }), `${free} and ${incoming}`).toBe(suggested)
  const read = (fields: Record<string, string>) =>
    reorderPointForm.safeParse({ reorderWarehouse: '1', reorderSupplier: '1', ...fields })
  expect(read({ reorderAt: '', orderUpTo: '' }).data).toMatchObject({ reorderAt: null, orderUpTo: null })
  for (const wrong of [
    { reorderAt: '4', orderUpTo: '4' },
    { reorderAt: '', orderUpTo: '4' },
    { reorderAt: '4', orderUpTo: '' },
    { reorderAt: 'x', orderUpTo: '8' },
    { reorderAt: '4', orderUpTo: '10001' },
  ])
    expect(read(wrong).success, JSON.stringify(wrong)).toBe(false)
})
