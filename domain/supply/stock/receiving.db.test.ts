/** Tests receiving stock orders in parts, while others receive, sell, and move the same tires. */
import { expect, test } from 'vitest'
import { makePlacedOrder, must } from '#domain/ordering/checkout/checkout.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { cancelStockOrder, findStockOrder, findTireStock, selectReceiptLines, transferStock } from './stock.server.ts'
import { openWithSentOrder } from './receiving.testing.ts'

const [port = 0] = await freePorts(2)
const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)

test('an order is received in parts, once per form, and the units are in stock by DOT week', async () => {
  await using store = await openWithSentOrder(port)
  const key = newId()
  const answers = await Promise.all(
    [1, 2, 3].map(() => store.receive({ units: '12', weeks: '0126 8, 2625 4' }, { key })),
  )
  expect(answers.map(reasonOf)).toEqual(['ok', 'ok', 'ok'])
  expect(await store.state()).toBe('partly-received')
  expect((await store.place())?.free).toBe(store.free + 12)
  const found = await findTireStock(store, store.itemId)
  expect(found?.lots.find(({ warehouseId }) => warehouseId === store.warehouse)?.lots).toEqual([
    { week: null, units: store.onHand },
    { week: '2025-06-23', units: 4 },
    { week: '2025-12-29', units: 8 },
  ])
  expect(found?.adjustments).toMatchObject([{ reason: 'received', changeUnits: 12, note: `SPO-${store.id}` }])
  expect(reasonOf(await store.receive({ units: '1' }, { key, of: store.id + 1 }))).toBe('gone')
  must(await store.receive({ units: '5', damaged: '1', short: '2', reason: 'Torn wrap' }))
  expect(await store.state()).toBe('received')
  expect((await findStockOrder(store, store.id))?.lines).toMatchObject([
    { quantity: 20, receivedUnits: 17, damagedUnits: 1, shortUnits: 2, overUnits: 0 },
  ])
  expect(await selectReceiptLines(store.db, store.id)).toMatchObject([{ receivedUnits: 5 }, { receivedUnits: 12 }])
  expect((await store.place())?.free).toBe(store.free + 17)
  expect(reasonOf(await store.receive({ units: '1', overReason: 'Extra' }))).toBe('other-state')
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('two people receiving the same order at the same time don’t exceed the ordered units', async () => {
  await using store = await openWithSentOrder(port)
  const answers = await Promise.all([1, 2, 3, 4].map(() => store.receive({ units: '8', weeks: '0126' })))
  expect(answers.map(reasonOf).toSorted((one, other) => one.localeCompare(other))).toEqual(['ok', 'ok', 'over', 'over'])
  expect((await store.place())?.free).toBe(store.free + 16)
  expect(answers.find((answer) => !answer.ok)).toMatchObject({ detail: { itemId: store.itemId, outstanding: 4 } })
  expect(reasonOf(await store.receive({ units: '4', short: '1', reason: 'Missing' }))).toBe('short-over')
  must(await store.receive({ units: '6', overReason: 'A full pallet' }))
  expect((await findStockOrder(store, store.id))?.lines).toMatchObject([{ receivedUnits: 22, overUnits: 2 }])
  expect(await store.state()).toBe('received')
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('receiving beside orders and transfers loses nothing, and the oldest units move first', async () => {
  await using store = await openWithSentOrder(port)
  const other = store.warehouses.find(({ id }) => id !== store.warehouse)?.id ?? 0
  const move = (units: number) =>
    transferStock(store, {
      itemId: store.itemId,
      fromId: store.warehouse,
      toId: other,
      units,
      note: null,
      key: newId(),
      by: desk,
    })
  const results = await Promise.allSettled([
    store.receive({ units: '6', weeks: '0126' }),
    makePlacedOrder(store),
    move(1),
    store.receive({ units: '6', weeks: '0226' }),
    makePlacedOrder(store),
  ])
  const failures = results.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(failures.filter((text) => /deadlock|violates/.test(text))).toEqual([])
  const totalOf = async (warehouseId: number) => {
    const at = await store.place(warehouseId)
    return (at?.free ?? 0) + (at?.allocated ?? 0)
  }
  // All available units except three move, oldest first.
  const free = (await store.place())?.free ?? 0
  const [there, here] = [await totalOf(other), await totalOf(store.warehouse)]
  must(await move(free - 3))
  const found = await findTireStock(store, store.itemId)
  const lotsAt = (id: number) => found?.lots.find(({ warehouseId }) => warehouseId === id)?.lots ?? []
  const sum = (lots: readonly { units: number }[]) => lots.reduce((total, lot) => total + lot.units, 0)
  expect(sum(lotsAt(other))).toBe(there + free - 3)
  expect(sum(lotsAt(store.warehouse))).toBe(here - free + 3)
  expect(lotsAt(store.warehouse).at(-1)?.week).toBe('2026-01-05')
  const weeks = [...lotsAt(other), ...lotsAt(store.warehouse)].filter(({ week }) => week !== null)
  expect(sum(weeks)).toBe(12)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('received units stay when the rest is canceled, and later deliveries are refused', async () => {
  await using store = await openWithSentOrder(port)
  must(await store.receive({ units: '4' }))
  const version = (await findStockOrder(store, store.id))?.order.version ?? 0
  must(await cancelStockOrder(store, desk, { id: store.id, version, reason: 'Discontinued' }))
  expect(reasonOf(await store.receive({ units: '4' }))).toBe('other-state')
  expect((await store.place())?.free).toBe(store.free + 4)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
