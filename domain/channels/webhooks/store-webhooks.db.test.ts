/** Tests which events the store's webhooks receive, that each fact is sent once, and who manages the webhooks. */
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'
import { storeWebhookBody } from '#api/store-webhook-events.ts'
import { renderWebhook } from '#api/webhook-events.ts'
import { cancel, makeCharged } from '#domain/ordering/cancellations/cancellations.testing.ts'
import { makePlacedOrder, must, pickTire, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { changeOrder } from '#domain/ordering/order-changes/order-changes.server.ts'
import { askedChange, home } from '#domain/ordering/order-changes/order-changes.testing.ts'
import { cancelOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { cancelReturn, inspectTire, receiveTires } from '#domain/ordering/returns/returns.server.ts'
import { makeDeliveredOrder, makeReturn, openReturnsStore, photo } from '#domain/ordering/returns/returns.testing.ts'
import { refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import {
  changeShop,
  changeStatus,
  findShopRecord,
  listAffected,
  type StatusInput,
} from '#domain/installer-portal/shops/shops.server.ts'
import { addApiClient, listAudit, revokeApiClient } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { adjustStock, findTireStock } from '#domain/supply/stock/stock.server.ts'
import { newId } from '#platform/ids.ts'
import type { Application } from '#application'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { startReceiver } from './webhooks.testing.ts'
import {
  addStoreWebhook,
  changeStoreWebhook,
  deliverWebhooks,
  listStoreDeliveries,
  listStoreWebhooks,
  removeStoreWebhook,
  replayStoreWebhooks,
  rotateStoreSecret,
  showStoreSecret,
  testStoreWebhook,
} from './webhooks.server.ts'
import { mostStoreEndpoints, retryMinutes, storeTypeNames, type StoreType } from './webhooks.ts'

const [port = 0] = await freePorts(3)
afterEach(() => void vi.useRealTimers())

async function open() {
  const store = await openReturnsStore(port)
  const receiver = await startReceiver()
  const app = { ...store, outgoing: receiver.outgoing } as unknown as Application
  return {
    store,
    receiver,
    app,
    /** Delivers due events, two minutes after the times written by the database's own clock. */
    async deliver() {
      const now = store.clock.now()
      const real = Temporal.Now.instant()
      const due = (Temporal.Instant.compare(now, real) > 0 ? now : real).add({ minutes: 2 })
      // Delays only deliveries, because the sandbox shares the store's clock, and charges would lapse.
      const late = { ...app, clock: { now: () => due } }
      await deliverWebhooks(late, (delivery) => renderWebhook(late, delivery))
    },
    async endpointAt(path: string, types: readonly StoreType[] = storeTypeNames) {
      return must(await addStoreWebhook(app, desk, { url: receiver.origin + path, types })).id
    },
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

type Body = { type: string; timestamp: string; data: Record<string, Record<string, unknown> | null> }
const bodiesIn = (heard: readonly { body: string }[]) => heard.map(({ body }) => JSON.parse(body) as Body)
const countsIn = (heard: readonly { body: string }[]) => {
  const counts: Record<string, number> = {}
  for (const { type } of bodiesIn(heard)) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

const eventsIn = (store: TestStore) => store.db.selectFrom('webhook_event').select('type').execute()

async function adjust(store: TestStore, at: { itemId: number; warehouseId: number }, units: number) {
  const input = { ...at, reason: 'found', units, note: null, key: newId(), by: desk } as const
  return must(await adjustStock(store, input)).afterUnits
}

async function stockedTire(store: TestStore): Promise<{ itemId: number; warehouseId: number }> {
  const itemId = await pickTire(store)
  const place = (await findTireStock(store, itemId))?.places.find(({ supplier }) => supplier === null)
  if (!place) throw new Error('No warehouse of the store has the tire of a test.')
  return { itemId, warehouseId: place.warehouseId }
}

test('the store gets every order’s events once, signed, in the documented form, and without customer data', async () => {
  await using test = await open()
  const { store, receiver, app } = test
  const id = await test.endpointAt('/all')
  const { secret } = must(await showStoreSecret(app, desk, id))
  const { orderId } = await makePlacedOrder(store)
  await test.deliver()
  expect(countsIn(receiver.heard)).toMatchObject({ 'order.placed': 1, 'appointment.booked': 1 })
  expect(countsIn(receiver.heard)).not.toHaveProperty('order.changed')
  must(await changeOrder(store, desk, await askedChange(store, orderId, home)))
  await test.deliver()
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const asked = { reason: 'late', bearer: 'carrier', note: null, lowerReason: null } as const
  const money = { lines: [], amountCents: 500, hasHandlingFee: false, agreedCents: null, isFresh: true }
  must(await refundOrder(store, { ...asked, ...money, orderId, actor: desk, key: newId() }))
  await payOutRefunds(store)
  await moveParcels(store, orderId, 'delivered', store.clock.now())
  await test.deliver()
  await test.deliver()

  const parcels = (await orderOf(store, orderId)).shipments.length
  expect(countsIn(receiver.heard)).toMatchObject({
    'order.placed': 1,
    'order.changed': 1,
    'appointment.booked': 1,
    'appointment.canceled': 1,
    'refund.issued': 1,
    'shipment.shipped': parcels,
    'shipment.delivered': parcels,
  })
  vi.useFakeTimers({ now: Temporal.Now.instant().epochMilliseconds, toFake: ['Date'] })
  for (const { headers, body } of receiver.heard) {
    vi.setSystemTime(Number(headers['webhook-timestamp']) * 1_000)
    const message = new Webhook(secret).verify(body, headers as Record<string, string>)
    expect(() => storeWebhookBody.parse(message), body).not.toThrow()
    expect(body).not.toMatch(/Reyes|@|\b\d{10}\b/)
  }
  vi.useRealTimers()
  const refund = bodiesIn(receiver.heard).find(({ type }) => type === 'refund.issued')
  expect(refund?.data).toMatchObject({
    order: { orderId, orderNumber: `S-${orderId}` },
    refund: { amountCents: 500, way: 'payment-method' },
    shipment: null,
  })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('canceled units change an order, and a canceled order is canceled once', async () => {
  await using test = await open()
  const { store, receiver } = test
  await test.endpointAt('/a', ['order.changed', 'order.canceled', 'refund.issued'])
  const charged = await makeCharged(store, { fulfillment: 'home' })
  must(await cancel(store, charged.orderId, [{ lineNo: 1, units: 2 }]))
  await payOutRefunds(store)
  await test.deliver()
  expect(countsIn(receiver.heard)).toEqual({ 'order.changed': 1, 'refund.issued': 1 })
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  await test.deliver()
  expect(countsIn(receiver.heard)).toEqual({ 'order.changed': 1, 'refund.issued': 1, 'order.canceled': 1 })
})

test('nothing is written while no endpoint receives it, nor by a transaction that is rolled back', async () => {
  await using test = await open()
  const { store, receiver } = test
  const at = await stockedTire(store)
  await makePlacedOrder(store, { fulfillment: 'home' })
  await adjust(store, at, 1)
  expect(await eventsIn(store)).toEqual([])
  await test.endpointAt('/a', ['stock.changed', 'order.changed', 'shop.paused'])
  const undone = new Error('undone')
  const adjusting = store.db.transaction().execute(async (tx) => {
    await tx.updateTable('stock').set({ on_hand: 3 }).where('item_id', '=', at.itemId).execute()
    throw undone
  })
  await expect(adjusting).rejects.toBe(undone)
  expect(await eventsIn(store)).toEqual([])
  await test.deliver()
  expect(receiver.heard).toEqual([])
})

test('a tire’s stock is sent at most once a minute per warehouse, with the latest units', async () => {
  await using test = await open()
  const { store, receiver, app } = test
  const id = await test.endpointAt('/stock', ['stock.changed'])
  await test.endpointAt('/orders', ['order.placed'])
  const at = await stockedTire(store)
  await Promise.all(Array.from({ length: 10 }, () => adjust(store, at, 1)))
  const units = await adjust(store, at, 2)
  expect(await eventsIn(store)).toHaveLength(1)
  await deliverWebhooks({ ...app, clock: { now: () => Temporal.Now.instant() } }, async () => ({}))
  expect(receiver.heard).toEqual([])
  await test.deliver()
  expect(bodiesIn(receiver.heard)).toMatchObject([
    { type: 'stock.changed', data: { order: null, stock: { ...at, availableUnits: units } } },
  ])
  // The next change has its own event. While the webhook is paused, it is a dead letter with the units when it is sent.
  await adjust(store, at, 1)
  must(await changeStoreWebhook(app, desk, id, { isPaused: true }))
  await adjust(store, at, 1)
  must(await changeStoreWebhook(app, desk, id, { isPaused: false }))
  const last = await adjust(store, at, 1)
  expect(await eventsIn(store)).toHaveLength(2)
  await test.deliver()
  expect(bodiesIn(receiver.heard).slice(1)).toMatchObject([{ data: { stock: { availableUnits: last } } }])
})

test('very many tires that change together have one event', async () => {
  await using test = await open()
  const { store, receiver } = test
  await test.endpointAt('/stock', ['stock.changed'])
  await store.db
    .updateTable('stock')
    .set((eb) => ({ on_hand: eb('on_hand', '+', 1) }))
    .where('item_id', 'in', (eb) => eb.selectFrom('item').select('item.id').orderBy('item.id').limit(150))
    .execute()
  await test.deliver()
  expect(bodiesIn(receiver.heard)).toMatchObject([{ type: 'stock.changed', data: { stock: null } }])
})

test('a change that commits while its event is sent is sent as well', async () => {
  await using test = await open()
  const { store, receiver, app } = test
  await test.endpointAt('/stock', ['stock.changed'])
  const at = await stockedTire(store)
  await adjust(store, at, 1)
  const [sent] = await Promise.all([test.deliver(), adjust(store, at, 1)])
  expect(sent).toBeUndefined()
  await test.deliver()
  const { places } = (await findTireStock(store, at.itemId)) ?? { places: [] }
  const last = bodiesIn(receiver.heard).at(-1)?.data['stock']
  expect(last?.['availableUnits']).toBe(places.find(({ warehouseId }) => warehouseId === at.warehouseId)?.free)
  expect(await listStoreWebhooks(app)).toMatchObject([{ failingSince: null }])
})

test('a shop that pauses, closes and opens is sent, each once', async () => {
  await using test = await open()
  const { store, receiver } = test
  await test.endpointAt('/shops', ['shop.opened', 'shop.paused', 'shop.suspended', 'shop.closed'])
  const { code } = await store.db
    .selectFrom('shop')
    .select('code')
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const press = async (input: StatusInput) => {
    const record = await findShopRecord(store, code)
    if (!record) throw new Error('The shop of a test is gone.')
    const { seen } = await listAffected(store, record, input)
    const choices = { byBooking: {}, rest: 'offer' } as const
    must(await changeStatus(store, desk, { code, version: record.version, seen, input, choices }))
    await test.deliver()
  }
  const reason = 'Lift repair'
  await press({
    to: 'paused',
    from: Temporal.PlainDate.from('2026-12-01'),
    through: Temporal.PlainDate.from('2026-12-02'),
    reason,
  })
  await press({ to: 'closed', reason })
  await press({ to: 'open' })
  expect(bodiesIn(receiver.heard)).toMatchObject([
    { type: 'shop.paused', data: { shop: { shopCode: code, pausedFrom: '2026-12-01', pausedUntil: '2026-12-03' } } },
    { type: 'shop.closed', data: { shop: { status: 'closed' } } },
    { type: 'shop.opened', data: { shop: { status: 'open' } } },
  ])
})

test('a shop with another phone number is sent as changed, and one that is saved as it was is not', async () => {
  await using test = await open()
  const { store, receiver } = test
  await test.endpointAt('/shops')
  const { code } = await store.db
    .selectFrom('shop')
    .select('code')
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  for (const phone of ['(312) 555-0177', '(312) 555-0177']) {
    const record = await findShopRecord(store, code)
    if (!record) throw new Error('The shop of a test is gone.')
    must(await changeShop(store, desk, code, { ...record, phone }))
  }
  await test.deliver()
  expect(bodiesIn(receiver.heard)).toMatchObject([{ type: 'shop.changed', data: { shop: { shopCode: code } } }])
})

test('a canceled return and one with a refused tire are each sent once', async () => {
  await using test = await open()
  const { store, receiver } = test
  await test.endpointAt('/returns', ['return.canceled', 'return.refused'])
  const { orderId } = await makeDeliveredOrder(store)
  const canceled = await makeReturn(store, orderId, { lines: [{ lineNo: 1, quantity: 2 }] })
  must(await cancelReturn(store, { id: canceled, actor: desk.name }))
  const refused = await makeReturn(store, orderId, { lines: [{ lineNo: 1, quantity: 2 }] })
  must(await receiveTires(store, desk, { id: refused, tireNos: [1, 2] }))
  const found = { finding: 'Mounting marks', dot: null, isDotMatch: null, refusal: 'The beads show mounting marks.' }
  for (const tireNo of [1, 2]) {
    const input = { id: refused, tireNo, outcome: 'send-back', photo: await photo(), ...found } as const
    must(await inspectTire(store, desk, input))
  }
  await test.deliver()
  expect(bodiesIn(receiver.heard)).toMatchObject([
    { type: 'return.canceled', data: { return: { returnId: canceled, state: 'canceled' } } },
    { type: 'return.refused', data: { return: { returnId: refused, state: 'refused' } } },
  ])
})

test('only owners and programs with the permission manage the store’s webhooks, and each change is recorded', async () => {
  await using test = await open()
  const { store, app, receiver } = test
  const asked = { url: `${receiver.origin}/hooks`, types: ['order.placed'] } as const
  const owner = await signInStaff(store, 'owner')
  const manager = await signInStaff(store, 'manager')
  expect(await addStoreWebhook(app, manager, asked)).toMatchObject({ reason: 'not-allowed' })
  const { id } = must(await addStoreWebhook(app, owner, asked))
  expect(await addStoreWebhook(app, owner, asked)).toMatchObject({ reason: 'known' })
  expect(await addStoreWebhook(app, owner, { ...asked, url: 'https://10.0.0.1/' })).toMatchObject({
    reason: 'private-address',
  })
  const identity = { issuer: 'https://id.example' }
  const client = must(
    await addApiClient({ ...store, identity }, owner, { name: 'Warehouse system', clientId: 'wms', role: 'owner' }),
  )
  const program = { via: 'api', name: 'Warehouse system', clientId: client.id, scopes: ['webhooks.manage'] } as const
  expect(await testStoreWebhook(app, { ...program, scopes: ['orders.read'] }, id)).toMatchObject({
    reason: 'not-allowed',
  })
  must(await changeStoreWebhook(app, program, id, { types: ['order.canceled'] }))
  must(await showStoreSecret(app, owner, id))
  must(await rotateStoreSecret(app, owner, id))
  must(await testStoreWebhook(app, owner, id))
  must(await revokeApiClient(store, owner, client.id))
  expect(await removeStoreWebhook(app, program, id)).toMatchObject({ reason: 'not-allowed' })
  // An owner who signed in long ago can send tests, but must sign in again to change the events sent.
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  must(await testStoreWebhook(app, owner, id))
  for (const denied of [
    await removeStoreWebhook(app, owner, id),
    await showStoreSecret(app, owner, id),
    await changeStoreWebhook(app, owner, id, { url: `${receiver.origin}/elsewhere` }),
  ])
    expect(denied).toMatchObject({ reason: 'not-fresh' })
  must(await removeStoreWebhook(app, desk, id))
  expect(await listStoreWebhooks(app)).toEqual([])
  const audit = { actor: null, act: null, subject: asked.url, from: null, until: null, before: null }
  const { entries } = await listAudit(store, audit)
  expect(entries.map(({ act, via }) => `${act} via ${via}`)).toEqual([
    'webhook.removed via command line',
    'webhook.tested via office',
    'webhook.tested via office',
    'webhook.secret-rotated via office',
    'webhook.secret-shown via office',
    'webhook.changed via api',
    'webhook.added via office',
  ])
})

test('a webhook of the store that fails is paused, its managers are emailed, and its dead letters are sent again', async () => {
  await using test = await open()
  const { store, app, receiver } = test
  await signInStaff(store, 'owner', 'olga')
  const id = await test.endpointAt('/a', ['order.placed'])
  receiver.answers.set('/a', 500)
  await makePlacedOrder(store, { fulfillment: 'home' })
  for (const minutes of [0, ...retryMinutes]) {
    store.clock.set(store.clock.now().add({ minutes }))
    await deliverWebhooks(app, (delivery) => renderWebhook(app, delivery))
  }
  expect(await listStoreWebhooks(app)).toMatchObject([{ pausedBecause: 'failing' }])
  const mails = await store.db.selectFrom('message').select('to_address').where('kind', '=', 'webhook-paused').execute()
  expect(mails.map(({ to_address }) => to_address)).toContain('olga@store.example')
  must(await changeStoreWebhook(app, desk, id, { isPaused: false }))
  receiver.answers.delete('/a')
  expect(must(await replayStoreWebhooks(app, desk, { endpointId: id, deliveryId: null }))).toEqual({ count: 1 })
  await deliverWebhooks(app, (delivery) => renderWebhook(app, delivery))
  expect((await listStoreDeliveries(app, id))?.deliveries).toMatchObject([{ state: 'delivered', status: 204 }])
})

test('the store has up to 20 webhooks', async () => {
  await using test = await open()
  const { app, receiver } = test
  for (let no = 0; no < mostStoreEndpoints; no++) await test.endpointAt(`/${no}`)
  const more = { url: `${receiver.origin}/more`, types: ['order.placed'] } as const
  expect(await addStoreWebhook(app, desk, more)).toMatchObject({ reason: 'too-many' })
})
