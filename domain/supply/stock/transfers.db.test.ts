/** Moving units between warehouses, next to orders that take them. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verify } from '#tests/support/invariants.ts'
import {
  makePlacedOrder,
  must,
  openTestStore,
  pickTire,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { findTireStock, transferStock } from './stock.server.ts'

const [port = 0] = await freePorts(2)
const by = { via: 'command line', name: 'desk' } as const
const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)

/** A store with a tire in two warehouses, most of it in the first. */
async function openStore() {
  const store = await openTestStore(port)
  const itemId = await pickTire(store)
  const { places = [], warehouses = [] } = (await findTireStock(store, itemId)) ?? {}
  const ours = places.filter(({ supplier }) => supplier === null)
  const [most] = ours.toSorted((one, other) => other.free - one.free)
  const other = warehouses.find(({ id }) => id !== most?.warehouseId)
  if (!most || !other) throw new Error('The test store has two warehouses.')
  const input = { itemId, fromId: most.warehouseId, toId: other.id, note: null, by }
  return { ...store, free: most.free, input }
}

async function freeAt(store: TestStore, itemId: number, warehouseId: number): Promise<number | undefined> {
  const found = await findTireStock(store, itemId)
  return found?.places.find((place) => place.warehouseId === warehouseId)?.free
}

async function unitsOf({ db }: TestStore, itemId: number): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select (select coalesce(sum(on_hand), 0) from stock where item_id = ${itemId}) + (
      select coalesce(sum(allocation.quantity), 0) from stock_allocation allocation
      join order_line line on line.order_id = allocation.order_id and line.line_no = allocation.line_no
      where line.item_id = ${itemId}) as units`.execute(db)
  return Number(rows[0]?.units)
}

test('units move once however often the form is sent, and are in the history', async () => {
  await using store = await openStore()
  const { input, free } = store
  const key = newId()
  const there = (await freeAt(store, input.itemId, input.toId)) ?? 0
  const answers = await Promise.all([1, 2, 3].map(() => transferStock(store, { ...input, key, units: 2 })))
  expect(answers.map(reasonOf)).toContain('ok')
  must(await transferStock(store, { ...input, key, units: 2 }))
  expect(await freeAt(store, input.itemId, input.fromId)).toBe(free - 2)
  expect(await freeAt(store, input.itemId, input.toId)).toBe(there + 2)
  expect((await findTireStock(store, input.itemId))?.transfers).toMatchObject([{ units: 2, recordedBy: 'desk' }])
  const { fromId, toId } = input
  expect(reasonOf(await transferStock(store, { ...input, fromId: toId, toId: fromId, key, units: 2 }))).toBe('key-used')
})

test('more than is free, the same warehouse twice, a supplier’s and an unknown one are refused', async () => {
  await using store = await openStore()
  const { input, free } = store
  const ask = (change: Partial<Parameters<typeof transferStock>[1]>) =>
    transferStock(store, { ...input, key: newId(), units: 1, ...change })
  expect(await ask({ units: free + 1 })).toMatchObject({ reason: 'too-few', detail: { free } })
  expect(reasonOf(await ask({ toId: input.fromId }))).toBe('same-warehouse')
  expect(reasonOf(await ask({ toId: 32_000 }))).toBe('not-stocked')
  expect(reasonOf(await ask({ fromId: 32_000 }))).toBe('not-stocked')
  expect(reasonOf(await ask({ itemId: 2_000_000_000 }))).toBe('not-stocked')
  expect(await freeAt(store, input.itemId, input.fromId)).toBe(free)
})

test('concurrent orders and transfers in both directions never lose a unit or sell it twice', async () => {
  await using store = await openStore()
  const { input, free } = store
  const before = await unitsOf(store, input.itemId)
  const { fromId, toId } = input
  const results = await Promise.allSettled([
    transferStock(store, { ...input, key: newId(), units: free }),
    makePlacedOrder(store),
    transferStock(store, { ...input, fromId: toId, toId: fromId, key: newId(), units: 1 }),
    makePlacedOrder(store),
    transferStock(store, { ...input, key: newId(), units: free }),
  ])
  // An order is refused if its units were moved away. Other orders succeed.
  const failures = results.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(failures.filter((text) => /deadlock|violates/.test(text))).toEqual([])
  expect(await unitsOf(store, input.itemId)).toBe(before)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
