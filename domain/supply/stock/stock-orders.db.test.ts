/** Stock orders, from draft to sent or canceled. */
import { expect, test } from 'vitest'
import { must, openTestStore, pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  addSupplier,
  cancelStockOrder,
  changeStockOrder,
  createStockOrder,
  findStockOrder,
  findTireStock,
  listStockOrdersToFollowUp,
  listStockOrders,
  retireSupplier,
  markStockOrderSent,
} from './stock.server.ts'
import { draftStockOrderForm, newStockOrderForm, supplierForm } from './stock.ts'

const [port = 0] = await freePorts(2)
const config = { session: { secret: 'a secret for tests only' } }
const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)

/** A store with a supplier of 5 days lead time, net 45 and a $1,000 minimum, and a tire. */
async function openStore() {
  const store = await openTestStore(port)
  const itemId = await pickTire(store)
  const { tire, warehouses = [], places = [] } = (await findTireStock(store, itemId)) ?? {}
  const terms = {
    code: 'RIDGE',
    name: 'Ridgeway',
    leadDays: '5',
    paymentDays: '45',
    discount: '10',
    minimumOrder: '1000',
  }
  const { id: supplier } = must(
    await addSupplier(
      { ...store, config, supplierAvailability: { refuse: () => null } },
      desk,
      supplierForm.parse(terms),
    ),
  )
  const warehouse = warehouses[0]?.id ?? 0
  const theirs = places.find((place) => place.supplier !== null)?.warehouseId ?? 0
  const create = (change: { add?: string; warehouse?: number; supplier?: number; key?: string } = {}) =>
    createStockOrder(
      store,
      desk,
      newStockOrderForm.parse({ key: newId(), supplier, warehouse, add: `${tire?.sku} 8 84.50`, ...change }),
    )
  return { ...store, itemId, sku: tire?.sku ?? '', supplier, warehouse, theirs, create }
}

test('a draft is created once per form, expected after the lead time, and sent with the terms of that day', async () => {
  await using store = await openStore()
  const key = newId()
  const answers = await Promise.all([1, 2, 3].map(() => store.create({ key })))
  const ids = new Set(answers.map((answer) => must(answer).id))
  expect(ids.size).toBe(1)
  const [id = 0] = ids
  const { order, lines } = (await findStockOrder(store, id)) ?? {}
  const today = store.clock.now().toZonedDateTimeISO('America/New_York').toPlainDate()
  expect(order).toMatchObject({
    state: 'draft',
    version: 1,
    expectedOn: today.add({ days: 5 }).toString(),
    sentAt: null,
  })
  expect(lines).toMatchObject([{ itemId: store.itemId, quantity: 8, unitCostCents: 8_450 }])
  expect(await listStockOrdersToFollowUp(store, 5)).toEqual([])
  must(await markStockOrderSent(store, desk, { id, version: 1 }))
  expect((await findStockOrder(store, id))?.order).toMatchObject({ state: 'sent', paymentDays: 45, sentBy: desk.name })
  expect(reasonOf(await markStockOrderSent(store, desk, { id, version: 2 }))).toBe('other-state')
  const edit = draftStockOrderForm.parse({ version: '2', add: `${store.sku} 1` })
  expect(reasonOf(await changeStockOrder(store, desk, id, edit))).toBe('other-state')
  expect((await listStockOrders(store, { state: 'sent', before: null })).orders).toMatchObject([
    { id, units: 8, totalCents: 67_600, supplier: 'Ridgeway' },
  ])
  const later = { ...store, clock: { now: () => store.clock.now().add({ hours: 24 * 6 }) } }
  expect(await listStockOrdersToFollowUp(later, 5)).toMatchObject([{ id }])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('two tabs don’t overwrite each other, and a quantity of 0 removes a line', async () => {
  await using store = await openStore()
  const { id } = must(await store.create())
  const edit = (version: number, more: Record<string, string>) =>
    changeStockOrder(
      store,
      desk,
      id,
      draftStockOrderForm.parse({ version: String(version), add: '', note: '', ...more }),
    )
  const line = { [`quantity-${store.itemId}`]: '12', [`cost-${store.itemId}`]: '80' }
  must(await edit(1, line))
  expect(reasonOf(await edit(1, line))).toBe('changed-meanwhile')
  expect((await findStockOrder(store, id))?.lines).toMatchObject([{ quantity: 12, unitCostCents: 8_000 }])
  // The cost applies to added units with the same tire.
  must(await edit(2, { ...line, add: store.sku.toLowerCase() + ', 4' }))
  expect((await findStockOrder(store, id))?.lines).toMatchObject([{ quantity: 16, unitCostCents: 8_000 }])
  must(await edit(3, { ...line, [`quantity-${store.itemId}`]: '0' }))
  expect((await findStockOrder(store, id))?.lines).toEqual([])
  expect(reasonOf(await markStockOrderSent(store, desk, { id, version: 4 }))).toBe('no-lines')
  // A form can't add a tire by its id.
  must(await edit(4, line))
  expect((await findStockOrder(store, id))?.lines).toEqual([])
  must(await cancelStockOrder(store, desk, { id, version: 5, reason: 'Ordered twice' }))
  expect(reasonOf(await cancelStockOrder(store, desk, { id, version: 6, reason: 'Again' }))).toBe('other-state')
})

test('the catalog’s cost applies after the discount; unknown SKUs, suppliers and warehouses are refused', async () => {
  await using store = await openStore()
  const { id } = must(await store.create({ add: `${store.sku} 4` }))
  const cost = await store.db.selectFrom('item').select('cost_cents').where('id', '=', store.itemId).executeTakeFirst()
  const catalog = cost?.cost_cents ?? 0
  expect((await findStockOrder(store, id))?.lines[0]?.unitCostCents).toBe(catalog - Math.floor(catalog * 0.1 + 0.5))
  expect(await store.create({ add: 'NO-SUCH 4\nNEITHER 1' })).toMatchObject({
    reason: 'sku-unknown',
    detail: { skus: ['NO-SUCH', 'NEITHER'] },
  })
  expect(reasonOf(await store.create({ warehouse: store.theirs }))).toBe('not-ours')
  expect(reasonOf(await store.create({ supplier: 30_000 }))).toBe('supplier-retired')
  expect(reasonOf(await changeStockOrder(store, desk, 9, draftStockOrderForm.parse({})))).toBe('gone')
  expect(await retireSupplier(store, desk, { id: store.supplier, version: 1 })).toMatchObject({
    reason: 'orders-open',
    detail: { count: 1 },
  })
  must(await cancelStockOrder(store, desk, { id, version: 1, reason: 'Supplier retires' }))
  must(await retireSupplier(store, desk, { id: store.supplier, version: 1 }))
  expect(reasonOf(await store.create())).toBe('supplier-retired')
})

test('lines pasted from a spreadsheet are parsed, and errors name their line', () => {
  const read = (add: string) => newStockOrderForm.safeParse({ key: newId(), supplier: '1', warehouse: '1', add })
  expect(read('A-1\t8\t$1,084.50\r\n\nB-2;4').data?.add).toEqual([
    { sku: 'A-1', quantity: 8, unitCostCents: 108_450 },
    { sku: 'B-2', quantity: 4, unitCostCents: null },
  ])
  for (const wrong of ['A-1', 'A-1 0', 'A-1 10001', 'A-1 x', 'A-1 4 0', 'A-1 4 -5', 'A-1 4 5 6'])
    expect(read(`OK-1 1\n${wrong}`).error?.issues[0]?.message, wrong).toMatch(/^Line 2: /)
  expect(read('A 1\n'.repeat(101)).success).toBe(false)
  expect(read('A 1'.padEnd(10_001, '\n')).success).toBe(false)
})
