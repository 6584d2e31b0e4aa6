/** Orders of tires with parts, through cart, price, stock, order, and cancellation. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cancel } from '#domain/ordering/cancellations/cancellations.testing.ts'
import { readCancelable } from '#domain/ordering/cancellations/cancellations.server.ts'
import {
  cancelOrder,
  messageValues,
  readOrder,
  releaseOrder,
  workOrderOf,
} from '#domain/ordering/orders/orders.server.ts'
import { findParcel, packingSlipOf } from '#domain/ordering/parcels/parcels.server.ts'
import { orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { setPart, setQuantity } from '#domain/payments/cart/cart.server.ts'
import { changePart, countPart, findPart } from '#domain/supply/parts/parts.server.ts'
import { partForm, partValues } from '#domain/supply/parts/parts.ts'
import { readConfig } from '#platform/config.ts'
import { refused } from '#platform/outcome.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { placeOrder, quoteCart, readDetails } from './checkout.server.ts'
import {
  agreeTo,
  booksOf,
  cartOf,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from './checkout.testing.ts'

const [port = 0] = await freePorts(3)
const sku = 'HS-433-M'
const configured = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!configured.ok) throw new Error('The configuration of tests is wrong.')
const { value: config } = configured
const by = { via: 'command line', name: 'tester' } as const

async function makeCart(store: TestStore, units = 4, options: Parameters<typeof makeReadyCart>[1] = {}) {
  const { id } = await makeReadyCart(store, options)
  must(await setPart(store, id, { sku, quantity: units }))
  return cartOf(store, id)
}

async function makeOrder(store: TestStore, units = 4, options: Parameters<typeof makeReadyCart>[1] = {}) {
  const cart = await makeCart(store, units, options)
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  const { orderId } = must(await placeOrder(store, input))
  return { orderId, cartId: cart.id, totalCents, input }
}

const partLine = async (store: TestStore, orderId: number) =>
  (await orderOf(store, orderId)).lines.find(({ kind }) => kind === 'part')
const unitsLeft = async (store: TestStore) => (await findPart(store, sku))?.part.units ?? 0

async function quoteOf(store: TestStore, cartId: string) {
  const { contact } = await readDetails(store, cartId)
  return quoteCart(store, await cartOf(store, cartId), contact, {})
}

/** Stocks the part in every warehouse. */
async function stockEach(store: TestStore, units: number): Promise<void> {
  for (const { warehouseId } of (await findPart(store, sku))?.stock ?? [])
    must(await countPart(store, by, sku, { warehouse: warehouseId, units, seen: null }))
}

test('parts are ordered with the tires that they are packed with, and come back when the order is canceled', async () => {
  await using store = await openTestStore(port)
  const before = await unitsLeft(store)
  const { orderId, totalCents, input } = await makeOrder(store)
  expect(await unitsLeft(store)).toBe(before - 4)
  const { rows } = await sql<object>`
    select line.description, quantity, net_cents, tax_cents > 0 as "isTaxed", unit_cost_cents,
      exists (select from shipment where order_id = line.order_id and warehouse_id = part_warehouse_id) as "isPacked"
    from order_line line where order_id = ${orderId}::bigint and kind = 'part'`.execute(store.db)
  expect(rows).toEqual([
    {
      description: 'Halden Sense 433 Metal',
      quantity: 4,
      net_cents: 16_796,
      isTaxed: true,
      unit_cost_cents: 2300,
      isPacked: true,
    },
  ])
  expect(await booksOf(store.db, orderId)).toMatchObject({ receivable: totalCents })
  const order = await orderOf(store, orderId)
  const { values } = await messageValues(
    { ...store, config },
    { kind: 'order-received', orderId, key: `order-received:${orderId}` },
  )
  expect(JSON.stringify(values)).toContain('Halden Sense 433 Metal')
  expect(workOrderOf(order, config)?.prepaid).toContain('Halden Sense 433 Metal, 4')
  expect(await placeOrder(store, input)).toMatchObject({ ok: true, value: { orderId, isNew: false } })
  expect(await unitsLeft(store)).toBe(before - 4)
  expect(await verify(store.db, store.clock.now())).toEqual([])

  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  expect(await unitsLeft(store)).toBe(before)
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  expect(await unitsLeft(store)).toBe(before)
  expect(await booksOf(store.db, orderId)).toEqual({})
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a part that can’t be packed, or isn’t for sale, stops the order until it is removed', async () => {
  await using store = await openTestStore(port)
  const cart = await makeCart(store)
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  await stockEach(store, 3)
  expect((await quoteOf(store, cart.id)).problems).toEqual([
    { kind: 'parts-lacking', names: ['Halden Sense 433 Metal'] },
  ])
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'problem' })
  await stockEach(store, 4)
  expect((await quoteOf(store, cart.id)).problems).toEqual([])
  const part = (await findPart(store, sku))?.part
  if (!part) throw new Error('The demo has no such part.')
  const off = partForm.parse({ ...partValues(part), sale: 'off' })
  must(await changePart(store, by, sku, off))
  expect((await quoteOf(store, cart.id)).problems).toMatchObject([{ kind: 'parts-lacking' }])
  must(await setPart(store, cart.id, { sku, quantity: 0 }))
  expect(await setPart(store, cart.id, { sku, quantity: 1 })).toEqual(refused('not-sold'))
  expect((await quoteOf(store, cart.id)).problems).toEqual([])
})

test('a new price of a part is agreed to again', async () => {
  await using store = await openTestStore(port)
  const cart = await makeCart(store)
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  const part = (await findPart(store, sku))?.part
  if (!part) throw new Error('The demo has no such part.')
  must(await changePart(store, by, sku, partForm.parse({ ...partValues(part), price: '43' })))
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'price-changed' })
})

test('the last parts go to one of two orders', async () => {
  await using store = await openTestStore(port)
  const carts = [await makeCart(store, 4, { fulfillment: 'home' }), await makeCart(store, 4, { fulfillment: 'home' })]
  const inputs = []
  for (const cart of carts) {
    const { totalCents, ...input } = await agreeTo(store, cart)
    await payByCard(store, cart.id, totalCents)
    inputs.push(input)
  }
  await stockEach(store, 4)
  const outcomes = await Promise.all(inputs.map((input) => placeOrder(store, input)))
  const placed = outcomes.filter(({ ok }) => ok)
  const packed = (await findPart(store, sku))?.stock.map(({ units }) => units ?? 0) ?? []
  expect(Math.min(...packed)).toBe(0)
  expect(packed.filter((units) => units === 0)).toHaveLength(placed.length)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a cart needs tires for parts, and takes no more than the kind allows', async () => {
  await using store = await openTestStore(port)
  const cart = await makeCart(store)
  expect(await setPart(store, cart.id, { sku, quantity: 9 })).toEqual(refused('not-sold'))
  expect(await setPart(store, cart.id, { sku: 'NO-SUCH', quantity: 1 })).toEqual(refused('not-sold'))
  const [line] = cart.lines
  must(await setQuantity(store, cart.id, { itemId: line?.itemId ?? 0, axle: 'all', quantity: 0 }))
  expect(await setPart(store, cart.id, { sku, quantity: 2 })).toEqual(refused('not-sold'))
})

test('after the window, parts are canceled by line, and with their parcel’s last tire', async () => {
  await using store = await openTestStore(port)
  const before = await unitsLeft(store)
  const { orderId } = await makeOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const part = await partLine(store, orderId)
  const lineNo = part?.lineNo ?? 0
  expect(await readCancelable(store, await orderOf(store, orderId))).toContainEqual(
    expect.objectContaining({ lineNo, kind: 'part', most: 4 }),
  )
  must(await cancel(store, orderId, [{ lineNo, units: 1 }]))
  expect(await unitsLeft(store)).toBe(before - 3)
  const order = await orderOf(store, orderId)
  expect(order.state).toBe('confirmed')
  const [shipment] = order.shipments
  const parcel = await findParcel(store, shipment?.id ?? '')
  if (!parcel) throw new Error('The order has no parcel.')
  expect(parcel.parts).toEqual([{ sku, name: 'Halden Sense 433 Metal', quantity: 3 }])
  expect(packingSlipOf(config, order, parcel, { place: 1, of: 1 })).toMatchObject({
    count: '4 tires in this parcel',
    items: [{ quantity: 4 }, { quantity: 3, sku }],
  })
  expect(await verify(store.db, store.clock.now())).toEqual([])

  const tire = order.lines.find(({ kind }) => kind === 'tire')?.lineNo ?? 0
  must(await cancel(store, orderId, [{ lineNo: tire, units: 4 }]))
  expect(await unitsLeft(store)).toBe(before)
  expect((await readOrder(store.db, orderId))?.state).toBe('canceled')
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
