/** Moving all stock out of a closing warehouse. */
import { expect, test } from 'vitest'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { makePlacedOrder, must } from '#domain/ordering/checkout/checkout.testing.ts'
import { closeWarehouse, findWarehouse, readOpenWork } from '#domain/supply/delivery/delivery.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { openWithSentOrder } from './receiving.testing.ts'
import { emptyWarehouse, findTireStock, listStock, transferStock } from './stock.server.ts'

const [port = 0] = await freePorts(2)
const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)

/** A store that received 12 of a tire with their DOT weeks, and a manager. */
async function openStore() {
  const store = await openWithSentOrder(port)
  must(await store.receive({ units: '12', weeks: '0126 8, 2625 4' }))
  const { itemId, warehouse: fromId, warehouses } = store
  const toId = warehouses.find(({ id }) => id !== fromId)?.id ?? 0
  const manager = await signInStaff(store, 'manager')
  const close = async (id: number) =>
    must(
      await closeWarehouse(store, manager, { id, version: (await findWarehouse(store, id))?.version ?? 0, on: null }),
    )
  const placeOf = async (warehouseId: number) => {
    const { places: now = [], lots = [] } = (await findTireStock(store, itemId)) ?? {}
    const free = now.find((place) => place.warehouseId === warehouseId)?.free ?? 0
    return { free, lots: lots.find((one) => one.warehouseId === warehouseId)?.lots ?? [] }
  }
  return { store, manager, itemId, fromId, toId, close, placeOf }
}

test('moves all free units with their DOT weeks, and the history and audit log have them', async () => {
  const { store: opened, manager, itemId, fromId, toId, close, placeOf } = await openStore()
  await using store = opened
  expect(reasonOf(await emptyWarehouse(store, manager, { fromId, toId }))).toBe('other-state')
  const [there, here] = [await placeOf(toId), await placeOf(fromId)]
  await close(fromId)
  const { units } = await readOpenWork(store, fromId)
  const { tires } = await listStock(
    store,
    { words: [], pool: null, warehouse: (await findWarehouse(store, fromId))?.code },
    0,
    10_000,
  )
  expect(units).toBeGreaterThan(here.free)

  const both = await Promise.all([1, 2].map(() => emptyWarehouse(store, manager, { fromId, toId })))
  expect(both.map(reasonOf).toSorted()).toEqual(['nothing-to-move', 'ok'])
  expect(both.find(({ ok }) => ok)).toMatchObject({ value: { tires: tires.length, units } })
  expect(await placeOf(fromId)).toEqual({ free: 0, lots: [] })
  expect((await placeOf(toId)).free).toBe(there.free + here.free)
  const weeks = (lots: typeof here.lots) => lots.reduce((sum, lot) => sum + (lot.week === null ? 0 : lot.units), 0)
  expect(weeks(here.lots)).toBe(12)
  expect(weeks((await placeOf(toId)).lots)).toBe(weeks(there.lots) + 12)
  expect((await readOpenWork(store, fromId)).units).toBe(0)
  expect((await findTireStock(store, itemId))?.transfers).toMatchObject([
    { units: here.free, recordedBy: manager.name },
  ])
  const acts = await store.db.selectFrom('audit_entry').select('after').where('act', '=', 'warehouse.emptied').execute()
  expect(acts).toMatchObject([{ after: { tires: tires.length, units } }])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('refuses suppliers’ and closing warehouses as targets, and staff without the permission', async () => {
  const { store: opened, manager, itemId, fromId, toId, close } = await openStore()
  await using store = opened
  const { places = [] } = (await findTireStock(store, itemId)) ?? {}
  const supplierId = places.find(({ supplier }) => supplier !== null)?.warehouseId ?? 0
  await close(fromId)
  expect(reasonOf(await emptyWarehouse(store, manager, { fromId, toId: supplierId }))).toBe('gone')
  expect(reasonOf(await emptyWarehouse(store, manager, { fromId, toId: 32_000 }))).toBe('gone')
  expect(reasonOf(await emptyWarehouse(store, manager, { fromId, toId: fromId }))).toBe('target-closing')
  await close(toId)
  expect(reasonOf(await emptyWarehouse(store, manager, { fromId, toId }))).toBe('target-closing')
  const support = await signInStaff(store, 'support')
  expect(reasonOf(await emptyWarehouse(store, support, { fromId, toId }))).toBe('not-allowed')
})

test('concurrent orders and transfers lose no units and don’t deadlock', async () => {
  const { store: opened, manager, itemId, fromId, toId, close, placeOf } = await openStore()
  await using store = opened
  await close(fromId)
  const before = (await placeOf(fromId)).free + (await placeOf(toId)).free
  const transfer = { itemId, fromId, toId, units: 1, note: null, by: manager }
  const results = await Promise.allSettled([
    emptyWarehouse(store, manager, { fromId, toId }),
    makePlacedOrder(store),
    transferStock(store, { ...transfer, key: '0198c2f4-8d5e-7c10-a1b2-000000000001' }),
    emptyWarehouse(store, manager, { fromId, toId }),
  ])
  const failures = results.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(failures.filter((text) => /deadlock|violates/.test(text))).toEqual([])
  const left = (await placeOf(fromId)).free + (await placeOf(toId)).free
  expect(before - left).toBeGreaterThanOrEqual(0)
  expect((await readOpenWork(store, fromId)).units).toBe(0)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
