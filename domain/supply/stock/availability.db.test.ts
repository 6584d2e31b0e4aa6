/** Live availability of suppliers' tires in carts and orders. */
import { expect, test } from 'vitest'
import { placeOrder, quoteCart } from '#domain/ordering/checkout/checkout.server.ts'
import { agreeTo, cartOf, makeReadyCart, must, payByCard } from '#domain/ordering/checkout/checkout.testing.ts'
import { readOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { answeredTires } from './availability.server.ts'
import { writeAvailability } from './availability.sql.server.ts'
import { countOwnStock, desk, openSupplied, type Supplied } from './availability.testing.ts'
import { findSupplier, retireSupplier } from './stock.server.ts'

const [port = 0] = await freePorts(3)

async function problemsOf(store: Supplied, cartId: string): Promise<string[]> {
  const { problems } = await quoteCart(store, await cartOf(store, cartId), null)
  return problems.map(({ kind }) => kind)
}

test('a cart queries the supplier, again after a minute, and sells the stock it reports', async () => {
  await using store = await openSupplied(port)
  await store.answer(12)
  await store.supplierAvailability.refresh([store.itemId])
  expect(await store.units()).toBe(12)
  const cart = await makeReadyCart(store, { itemId: store.itemId, fulfillment: 'home' })
  expect(await problemsOf(store, cart.id)).toEqual([])
  await store.answer(3)
  store.pass(59)
  expect(await problemsOf(store, cart.id)).toEqual([])
  expect(await store.queries()).toEqual([['P122565']])
  store.pass(2)
  expect(await problemsOf(store, cart.id)).toEqual(['out-of-stock'])
  expect(await store.units()).toBe(3)
  expect(await store.queries()).toHaveLength(2)
  const [known] = await store.db.selectFrom('supplier_availability').selectAll().execute()
  expect(known).toMatchObject({ item_id: store.itemId, units: 3, cost_cents: 6_150 })
})

test('an order isn’t placed if its supplier sold out after the review', async () => {
  await using store = await openSupplied(port)
  await store.answer(4)
  await store.supplierAvailability.refresh([store.itemId])
  const cart = await makeReadyCart(store, { itemId: store.itemId, fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  await store.answer(0)
  store.pass(61)
  expect(await placeOrder(store, input)).toMatchObject({
    reason: 'problem',
    detail: { problems: [{ kind: 'out-of-stock' }] },
  })
  await store.answer(4)
  store.pass(61)
  must(await placeOrder(store, input))
})

test('an answer counts without the units that the supplier hasn’t received an order for yet', async () => {
  await using store = await openSupplied(port)
  await store.answer(10)
  await store.supplierAvailability.refresh([store.itemId])
  const cart = await makeReadyCart(store, { itemId: store.itemId, fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  must(await placeOrder(store, input))
  expect(await store.units()).toBe(6)
  store.pass(61)
  await store.supplierAvailability.refresh([store.itemId])
  expect(await store.queries()).toHaveLength(2)
  expect(await store.units()).toBe(6)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('simultaneous carts with the same tires share one query', async () => {
  await using store = await openSupplied(port)
  await store.answer(8)
  await Promise.all(Array.from({ length: 10 }, () => store.supplierAvailability.refresh([store.itemId])))
  expect(await store.queries()).toHaveLength(1)
})

test.each([
  ['down', 'status 503'],
  ['slow', 'timeout'],
  ['broken', 'answer in another form'],
])('known stock stays for sale while a service is %s, and staff see why', async (name, fault) => {
  await using store = await openSupplied(port)
  await store.answer(8)
  await store.supplierAvailability.refresh([store.itemId])
  const cart = await makeReadyCart(store, { itemId: store.itemId, fulfillment: 'home' })
  await store.move(name)
  store.pass(61)
  expect(await problemsOf(store, cart.id)).toEqual([])
  expect(await store.units()).toBe(8)
  expect(await findSupplier(store, store.id)).toMatchObject({ availabilityFault: fault })
  // Carts skip it for half a minute.
  await store.move('east')
  await store.answer(5)
  await store.supplierAvailability.refresh([store.itemId])
  expect(await store.units()).toBe(8)
  store.pass(31)
  await store.supplierAvailability.refresh([store.itemId])
  expect(await store.units()).toBe(5)
  expect(await findSupplier(store, store.id)).toMatchObject({ availabilityFault: null, availabilityFailedAt: null })
})

/** An order of four tires from branch 7, past its cancellation window. `units` are there when it is placed. */
async function placeOverWindow(store: Supplied, units = 4): Promise<number> {
  await store.answer(units)
  store.pass(61)
  const cart = await makeReadyCart(store, { itemId: store.itemId, fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  const { orderId } = must(await placeOrder(store, input))
  store.pass(31 * 60)
  return orderId
}

async function stateOf({ db }: Supplied, orderId: number) {
  const order = await readOrder(db, orderId)
  const [parcel] = order?.shipments ?? []
  return { payment: order?.payment?.state, warehouse: parcel?.warehouse.id, expectedOn: parcel?.expectedOn ?? null }
}

test('an order is charged once its supplier confirms the tires', async () => {
  await using store = await openSupplied(port)
  const orderId = await placeOverWindow(store)
  await releaseOrder(store, orderId)
  expect(await stateOf(store, orderId)).toMatchObject({ payment: 'captured', warehouse: store.warehouseId })
})

test('units that the supplier sold elsewhere come from another warehouse before the charge', async () => {
  await using store = await openSupplied(port)
  const orderId = await placeOverWindow(store)
  await store.answer(3)
  await countOwnStock(store, 20)
  await releaseOrder(store, orderId)
  const { payment, warehouse } = await stateOf(store, orderId)
  expect(payment).toBe('captured')
  expect(warehouse).not.toBe(store.warehouseId)
  const orders = await store.db.selectFrom('purchase_order').select('state').where('order_id', '=', orderId).execute()
  expect(orders.map(({ state }) => state)).toEqual(['canceled'])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('an order isn’t charged while no warehouse has its tires, and staff read it once', async () => {
  await using store = await openSupplied(port)
  const orderId = await placeOverWindow(store)
  await store.answer(0)
  for (let attempt = 1; attempt <= 2; attempt += 1)
    await expect(releaseOrder(store, orderId)).rejects.toThrow('No warehouse has the tires')
  expect(await stateOf(store, orderId)).toMatchObject({ payment: 'authorized', warehouse: store.warehouseId })
  const notes = await store.db.selectFrom('order_event').select('note').where('order_id', '=', orderId).execute()
  expect(notes.filter(({ note }) => note?.includes('no other warehouse has them'))).toHaveLength(1)
  await store.answer(4)
  await releaseOrder(store, orderId)
  expect(await stateOf(store, orderId)).toMatchObject({ payment: 'captured', warehouse: store.warehouseId })
})

test('of two orders for the last tires, the first is charged', async () => {
  await using store = await openSupplied(port)
  const first = await placeOverWindow(store)
  const second = await placeOverWindow(store, 8)
  await store.answer(4)
  await releaseOrder(store, first)
  await expect(releaseOrder(store, second)).rejects.toThrow('No warehouse has the tires')
  expect(await stateOf(store, first)).toMatchObject({ payment: 'captured' })
  expect(await stateOf(store, second)).toMatchObject({ payment: 'authorized' })
})

test('a service that is down doesn’t delay a charge', async () => {
  await using store = await openSupplied(port)
  const orderId = await placeOverWindow(store)
  await store.move('down')
  await releaseOrder(store, orderId)
  expect(await stateOf(store, orderId)).toMatchObject({ payment: 'captured' })
})

test('an older answer doesn’t replace a newer one, and a retired supplier gets no stock', async () => {
  await using store = await openSupplied(port)
  const { id: supplierId, itemId } = store
  const write = (seconds: number, units: number) =>
    store.db.transaction().execute((tx) =>
      writeAvailability(tx, {
        supplierId,
        queriedAt: store.clock.now().add({ seconds }),
        tires: [{ itemId, costCents: null, branches: [{ id: '7', units }] }],
      }),
    )
  await write(5, 9)
  await write(4, 2)
  expect(await store.units()).toBe(9)
  // Of two entries for a branch, the lower counts.
  await store.db.transaction().execute((tx) =>
    writeAvailability(tx, {
      supplierId,
      queriedAt: store.clock.now().add({ seconds: 6 }),
      tires: [
        {
          itemId,
          costCents: null,
          branches: [
            { id: '7', units: 3 },
            { id: '7', units: 5 },
            { id: '8', units: 5 },
          ],
        },
      ],
    }),
  )
  expect(await store.units()).toBe(3)
  const { version = 0 } = (await findSupplier(store, supplierId)) ?? {}
  must(await retireSupplier(store, desk, { id: supplierId, version }))
  await write(10, 9)
  expect(await store.units()).toBe(0)
})

test('the job queries all tires with a part number', async () => {
  await using store = await openSupplied(port)
  await store.answer(7)
  await store.supplierAvailability.refreshAll()
  expect(await store.units()).toBe(7)
  await store.answer(2)
  await store.supplierAvailability.refreshAll()
  expect(await store.units()).toBe(7)
  store.pass(31 * 60)
  await store.supplierAvailability.refreshAll()
  expect(await store.units()).toBe(2)
})

test('part numbers match by letters and digits, and the brand decides between equal ones', () => {
  const part = { supplierId: 1, mpn: 'ab-1 2', brand: 'Cedar Line' }
  const branches = [{ id: '7', units: 4 }]
  const answer = { partNumber: 'AB12', costCents: 100, branches }
  expect(answeredTires([{ ...part, itemId: 1 }], [{ ...answer, brand: 'Other' }])).toEqual([
    { itemId: 1, costCents: 100, branches },
  ])
  const both = [
    { ...part, itemId: 1 },
    { ...part, itemId: 2, brand: 'Oak' },
  ]
  expect(answeredTires(both, [{ ...answer, brand: 'CEDARLINE' }])).toEqual([
    { itemId: 1, costCents: 100, branches },
    { itemId: 2, costCents: null, branches: [] },
  ])
})
