/** Tests stock orders against the sandbox’s suppliers, with refusals, cancellations, and answers. */
import { expect, test } from 'vitest'
import { createCxmlSuppliers } from '#adapters/suppliers/cxml.ts'
import { must, pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import {
  answerFrom,
  billed,
  codeOf,
  deliver,
  jobsOf,
  openWithSupplier,
  ordersAtSupplier,
  type SupplierStore,
} from '#domain/ordering/orders/supplier-orders.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { supplierNames } from '#sandbox/suppliers/suppliers.ts'
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
  markStockOrderSent,
  sendStockOrder,
  transmitStockOrder,
  withdrawStockOrder,
} from './stock.server.ts'
import { draftStockOrderForm, newStockOrderForm, supplierForm } from './stock.ts'

const [port = 0] = await freePorts(3)
const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)

/** Drafts an order of 20 tires. The warehouse’s name determines the simulated response. */
async function openWithDraft(name = 'Chicago dock') {
  const store = await openWithSupplier(port)
  await store.db.updateTable('warehouse').set({ name }).where('id', '=', 2).execute()
  const itemId = await pickTire(store)
  const sku = (await findTireStock(store, itemId))?.tire.sku ?? ''
  const draft = { key: newId(), supplier: '91', warehouse: '2', add: `${sku} 20 80`, note: 'Dock 4' }
  const { id } = must(await createStockOrder(store, desk, newStockOrderForm.parse(draft)))
  return { ...store, id, itemId, sku }
}
type DraftStore = Awaited<ReturnType<typeof openWithDraft>>

async function orderOf(store: DraftStore) {
  const found = await findStockOrder(store, store.id)
  if (!found) throw new Error('The test needs its order.')
  return found
}
const versionOf = async (store: DraftStore) => (await orderOf(store)).order.version
const send = async (store: DraftStore) => sendStockOrder(store, desk, { id: store.id, version: await versionOf(store) })
const cancel = async (store: DraftStore) =>
  cancelStockOrder(store, desk, { id: store.id, version: await versionOf(store), reason: 'Ordered twice' })
const faultsIn = (store: SupplierStore) => verify(store.db, store.clock.now())

/** Sends the order and passes on what the supplier answers. */
async function sendAndHear(store: DraftStore): Promise<number[]> {
  must(await send(store))
  await transmitStockOrder(store, store.id)
  await answerFrom(store)
  return deliver(store)
}

test('two clicks send an order once, and a repeated job repeats the same message', async () => {
  await using store = await openWithDraft()
  const clicks = await Promise.all([1, 2].map(() => sendStockOrder(store, desk, { id: store.id, version: 1 })))
  expect(clicks.map(reasonOf).toSorted()).toEqual(['ok', 'other-state'])
  expect(await jobsOf(store, 'send-stock-order')).toEqual([{ stockOrderId: store.id }])
  expect((await orderOf(store)).order).toMatchObject({ state: 'sending', takenAt: null, askedNo: 1 })
  const edit = draftStockOrderForm.parse({ version: '2', add: `${store.sku} 1` })
  expect(reasonOf(await changeStockOrder(store, desk, store.id, edit))).toBe('other-state')
  await Promise.all([transmitStockOrder(store, store.id), transmitStockOrder(store, store.id)])
  await transmitStockOrder(store, store.id)
  expect((await orderOf(store)).order).toMatchObject({ state: 'sent', takenAt: store.clock.now(), sentBy: desk.name })
  expect(await ordersAtSupplier(store)).toMatchObject([
    { orderId: `SPO-${store.id}`, name: 'Chicago dock', lines: [{ lineNo: 1, sku: store.sku, quantity: 20 }] },
  ])
  expect(await faultsIn(store)).toEqual([])
})

test('retries an unavailable supplier, and staff can place the order themselves', async () => {
  await using store = await openWithDraft(supplierNames.down)
  must(await send(store))
  await expect(transmitStockOrder(store, store.id)).rejects.toThrow('The supplier is away.')
  expect((await orderOf(store)).order.state).toBe('sending')
  await store.db.updateTable('warehouse').set({ name: 'Chicago dock' }).where('id', '=', 2).execute()
  await transmitStockOrder(store, store.id)
  expect((await orderOf(store)).order.state).toBe('sent')

  const draft = { key: newId(), supplier: '91', warehouse: '2', add: `${store.sku} 4 80` }
  const { id } = must(await createStockOrder(store, desk, newStockOrderForm.parse(draft)))
  must(await sendStockOrder(store, desk, { id, version: 1 }))
  must(await markStockOrderSent(store, desk, { id, version: 2 }))
  await transmitStockOrder(store, id)
  expect((await findStockOrder(store, id))?.order).toMatchObject({ state: 'sent', takenAt: null })
  expect(await ordersAtSupplier(store)).toHaveLength(1)
  expect(await faultsIn(store)).toEqual([])
})

test('a refused order is a draft to follow up, and is sent again under a new number or marked as sent', async () => {
  await using store = await openWithDraft(supplierNames.refuses)
  must(await send(store))
  await transmitStockOrder(store, store.id)
  expect((await orderOf(store)).order).toMatchObject({
    state: 'draft',
    refusal: '406 This address is not served.',
    sentAt: null,
  })
  expect(await listStockOrdersToFollowUp(store, 5)).toMatchObject([{ id: store.id, refusedAt: store.clock.now() }])
  await store.db.updateTable('warehouse').set({ name: 'Chicago dock' }).where('id', '=', 2).execute()
  expect(await sendAndHear(store)).toEqual([200])
  expect((await orderOf(store)).order).toMatchObject({ state: 'sent', refusal: null, askedNo: 2 })
  expect(await ordersAtSupplier(store)).toMatchObject([{ orderId: `SPO-${store.id}-2` }])
  expect(await listStockOrdersToFollowUp(store, 5)).toEqual([])
  expect(await faultsIn(store)).toEqual([])
})

test('suppliers without an electronic address are left to staff, and one that loses it refuses', async () => {
  await using store = await openWithDraft()
  const form = { code: 'HILL', name: 'Hill', leadDays: '5', paymentDays: '45', discount: '0' }
  const { id: supplier } = must(
    await addSupplier({ ...store, supplierAvailability: { refuse: () => null } }, desk, supplierForm.parse(form)),
  )
  const draft = { key: newId(), supplier: String(supplier), warehouse: '2', add: `${store.sku} 4 80` }
  const { id } = must(await createStockOrder(store, desk, newStockOrderForm.parse(draft)))
  expect(reasonOf(await sendStockOrder(store, desk, { id, version: 1 }))).toBe('not-electronic')
  must(await markStockOrderSent(store, desk, { id, version: 1 }))
  const cxml = createCxmlSuppliers(null, { store: billed, outgoing: store.outgoing })
  const alone = { ...store, suppliers: { ...store.suppliers, ...cxml } }
  expect(reasonOf(await sendStockOrder(alone, desk, { id: store.id, version: 1 }))).toBe('not-electronic')
  must(await send(store))
  await transmitStockOrder(alone, store.id)
  expect((await orderOf(store)).order).toMatchObject({
    state: 'draft',
    refusal: 'It has no electronic address now.',
  })
  expect(await jobsOf(store, 'send-stock-order')).toEqual([{ stockOrderId: store.id }])
})

test('an order canceled before it was sent reaches no supplier, and one canceled on the way is withdrawn', async () => {
  await using store = await openWithDraft()
  must(await send(store))
  must(await cancel(store))
  await transmitStockOrder(store, store.id)
  expect(await ordersAtSupplier(store)).toEqual([])
  expect(await jobsOf(store, 'withdraw-stock-order')).toEqual([])

  const draft = { key: newId(), supplier: '91', warehouse: '2', add: `${store.sku} 4 80` }
  const { id } = must(await createStockOrder(store, desk, newStockOrderForm.parse(draft)))
  must(await sendStockOrder(store, desk, { id, version: 1 }))
  const { suppliers } = store
  const whileAsking = {
    ...suppliers,
    order: async (order: Parameters<typeof suppliers.order>[0]) => {
      must(await cancelStockOrder(store, desk, { id, version: 2, reason: 'Too late' }))
      return suppliers.order(order)
    },
  }
  await transmitStockOrder({ ...store, suppliers: whileAsking }, id)
  expect(await jobsOf(store, 'withdraw-stock-order')).toMatchObject([{ stockOrderId: id, askedNo: 1 }])
  await withdrawStockOrder(store, { stockOrderId: id, askedNo: 1 })
  expect(await ordersAtSupplier(store)).toMatchObject([{ state: 'withdrawn' }])
  expect((await findStockOrder(store, id))?.order.withdrawnAt).not.toBeNull()
  expect(await faultsIn(store)).toEqual([])
})

test('a sent order is withdrawn when it is canceled, and a refused withdrawal is shown', async () => {
  await using store = await openWithDraft()
  expect(await sendAndHear(store)).toEqual([200])
  await advance(store)
  must(await cancel(store))
  expect(await jobsOf(store, 'withdraw-stock-order')).toMatchObject([{ stockOrderId: store.id, askedNo: 1 }])
  await withdrawStockOrder(store, { stockOrderId: store.id, askedNo: 1 })
  expect((await orderOf(store)).order).toMatchObject({
    withdrawnAt: null,
    withdrawRefusal: '409 The order has left or is unknown.',
  })
  // The ship notice arrives after the cancellation, and is only shown.
  expect(await deliver(store)).toEqual([200, 409])
  const { order, messages } = await orderOf(store)
  expect(order.shipNotice).toBeNull()
  expect(messages[0]?.summary).toMatch(/^Shipped: .* The order was canceled\.$/)
  expect(await faultsIn(store)).toEqual([])
})

/** Has the supplier ship the order. */
async function advance({ sandbox, clock, id }: DraftStore): Promise<void> {
  clock.set(clock.now().add({ minutes: 1 }))
  const path = `suppliers/advance/${encodeURIComponent(`SPO-${id}-1@sidewall`)}`
  await fetch(`${sandbox.origin}/${path}`, { method: 'POST', redirect: 'manual' })
  await sandbox.catchUp()
}

test('answers set the reference, the day and the shipment once, and no stock', async () => {
  await using store = await openWithDraft(supplierNames.partly)
  const before = await findTireStock(store, store.itemId)
  expect(await sendAndHear(store)).toEqual([200])
  await advance(store)
  expect(await deliver(store)).toEqual([200, 200])
  expect(await deliver(store)).toEqual([200, 200])
  const { order, lines, messages } = await orderOf(store)
  const day = store.clock.now().toZonedDateTimeISO('America/Chicago').toPlainDate().add({ days: 2 })
  expect(order).toMatchObject({ state: 'sent', reference: `C-SPO-${store.id}`, expectedOn: day.toString() })
  expect(order.shipNotice).toContain('Sample Freight')
  expect(lines).toMatchObject([{ rejectedUnits: 10, backorderedUnits: 0, receivedUnits: 0, shortUnits: 0 }])
  expect(messages.map(({ summary }) => summary)).toEqual([
    expect.stringMatching(/^Shipped: /),
    `Rejected: 10 of 20 ${store.sku}. Stock is short in this warehouse.`,
  ])
  expect((await findTireStock(store, store.itemId))?.places).toEqual(before?.places)
  expect(await faultsIn(store)).toEqual([])
})

test('a later answer replaces the earlier one by line', async () => {
  await using store = await openWithDraft(supplierNames.changes)
  expect(await sendAndHear(store)).toEqual([200, 200])
  const { order, lines } = await orderOf(store)
  expect(order.state).toBe('sent')
  expect(lines).toMatchObject([{ rejectedUnits: 20 }])
  const body = store.receiver.received[1]?.body ?? ''
  const backordered = body.replace('type="reject"', 'type="backordered"').replace(/payloadID="msg_/, 'payloadID="other')
  expect(await codeOf(store, backordered)).toBe(200)
  expect((await orderOf(store)).lines).toMatchObject([{ rejectedUnits: 0, backorderedUnits: 20 }])
})

test('answers of other suppliers, to other sendings, or with other lines change nothing', async () => {
  await using store = await openWithDraft()
  must(await send(store))
  await transmitStockOrder(store, store.id)
  await answerFrom(store)
  const body = store.receiver.received[0]?.body ?? ''
  const other = (change: (text: string) => string) =>
    codeOf(store, change(body.replace(/payloadID="msg_/, `payloadID="${newId()}`)))
  await store.db.insertInto('supplier').values({ id: 92, code: 'OTHER', name: 'Other', network_id: 'OTHER' }).execute()
  expect(await other((text) => text.replace('RIDGEWAY', 'OTHER'))).toBe(400)
  expect(await other((text) => text.replaceAll(`SPO-${store.id}-1@`, 'SPO-999999-1@'))).toBe(400)
  expect(await other((text) => text.replaceAll(`SPO-${store.id}-1@`, `PO-${store.id}-1@`))).toBe(400)
  expect(await other((text) => text.replaceAll(`SPO-${store.id}-1@`, `SPO-${store.id}-2@`))).toBe(409)
  expect(await other((text) => text.replace('lineNumber="1"', 'lineNumber="2"'))).toBe(406)
  expect(
    await other((text) => text.replace('<ConfirmationStatus quantity="20"', '<ConfirmationStatus quantity="21"')),
  ).toBe(406)
  const { order, lines } = await orderOf(store)
  expect(order.reference).toBeNull()
  expect(lines).toMatchObject([{ rejectedUnits: 0 }])
  // A day that no delivery can be meant for is left out.
  expect(await other((text) => text.replace(/deliveryDate="\d{4}/, 'deliveryDate="0000'))).toBe(200)
  expect((await orderOf(store)).order).toMatchObject({ reference: `C-SPO-${store.id}`, expectedOn: order.expectedOn })
})

test('an answer proves that an order was taken, even if the worker was killed before it recorded that', async () => {
  await using store = await openWithDraft()
  must(await send(store))
  const killed = new Proxy(store.db, {
    get(target, name, receiver) {
      if (name === 'transaction') throw new Error('killed')
      const value: unknown = Reflect.get(target, name, receiver)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await expect(transmitStockOrder({ ...store, db: killed }, store.id)).rejects.toThrow('killed')
  await answerFrom(store)
  expect((await orderOf(store)).order.state).toBe('sending')
  must(await cancel(store))
  expect(await deliver(store)).toEqual([409])
  expect((await orderOf(store)).order.takenAt).not.toBeNull()
  expect(await jobsOf(store, 'withdraw-stock-order')).toMatchObject([{ stockOrderId: store.id, askedNo: 1 }])
  expect(await faultsIn(store)).toEqual([])
})
