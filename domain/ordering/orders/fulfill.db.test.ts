import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  makePlacedOrder,
  openTestStore,
  untilWaiting,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { scanBy } from '#domain/ordering/returns/returns.testing.ts'
import { ok, refused } from '#platform/outcome.ts'
import { startReceiver, type Received } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { lockOrder, updateExpected } from './order-life.sql.server.ts'
import { pickupLines } from './orders.ts'
import {
  lookUpOrder,
  readOrder,
  receiptOf,
  receiveCarrierEvent,
  releaseOrder,
  shipOrder,
  type OrderView,
} from './orders.server.ts'

const [port = 0] = await freePorts(3)
const carrierCallbackUrl = `http://127.0.0.1:${port + 2}/webhooks/carrier`

async function orderOf(store: TestStore, orderId: number): Promise<OrderView> {
  const order = await readOrder(store.db, orderId)
  if (!order) throw new Error('The order of a test is gone.')
  return order
}

/** Passes the carrier's messages to the store in the given order. */
async function deliver(store: TestStore, received: readonly Received[]): Promise<void> {
  for (const { body, headers } of received)
    expect(await receiveCarrierEvent(store, body, String(headers['x-hmac-signature']))).toEqual({
      ok: true,
      value: null,
    })
}

function advance(store: TestStore, trackingNumber: string | null): Promise<Response> {
  return fetch(`${store.sandbox.origin}/carrier/board/${trackingNumber}/advance`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: store.sandbox.origin },
  })
}

test('a released order is captured once, booked, and its parcels are announced', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store)
  await expect(releaseOrder(store, orderId)).rejects.toThrow('is not over')
  expect((await orderOf(store, orderId)).payment).toMatchObject({ state: 'authorized', capturedCents: 0 })
  store.clock.set(store.clock.now().add({ minutes: 30 }))
  await Promise.all([releaseOrder(store, orderId), releaseOrder(store, orderId)])
  await releaseOrder(store, orderId)

  const order = await orderOf(store, orderId)
  expect(order.payment).toMatchObject({ state: 'captured', capturedCents: totalCents })
  const cash = await store.db
    .selectFrom('ledger_entry')
    .select('amount_cents')
    .where('order_id', '=', orderId)
    .where('account', '=', 'cash')
    .execute()
  expect(cash).toEqual([{ amount_cents: totalCents }])
  expect(
    receiptOf(order, { store: { name: 'Sidewall', phone: '', email: '', address: '' }, demo: true }),
  ).toMatchObject({
    orderNumber: `S-${orderId}`,
    poNumber: 'PO-7',
    vehicle: '2021 RAV4',
    sample: true,
    paidWith: expect.stringMatching(/^Visa ending in 4242, \$[\d,.]+ charged$/),
  })
})

test('records no progress during a provider outage and retries the job', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 30 }))
  const away = {
    ...store.payments,
    captureCharge: async () => ({ ok: false as const, reason: 'unavailable' as const, message: 'away' }),
  }
  await expect(releaseOrder({ ...store, payments: away }, orderId)).rejects.toThrow('The payment provider is away.')
  expect((await orderOf(store, orderId)).payment).toMatchObject({ state: 'authorized', capturedCents: 0 })
})

test("a shipment is announced once and follows the carrier's messages", async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const { orderId } = await makePlacedOrder(store)
  const [shipment] = (await orderOf(store, orderId)).shipments
  const key = { orderId, shipmentId: shipment?.id ?? '' }
  await shipOrder(store, key)
  await shipOrder(store, key)
  const [announced] = (await orderOf(store, orderId)).shipments
  expect(announced).toMatchObject({ state: 'pending-pickup', carrier: 'Sandbox Freight' })

  await advance(store, announced?.trackingNumber ?? null)
  await advance(store, announced?.trackingNumber ?? null)
  await store.sandbox.catchUp()
  await deliver(store, receiver.received)
  const [delivered] = (await orderOf(store, orderId)).shipments
  expect(delivered?.state).toBe('delivered')
  expect(delivered?.events.map(({ state }) => state)).toEqual([
    'processed',
    'pending-pickup',
    'in-transit',
    'delivered',
  ])
  expect(delivered?.deliveredAt).not.toBeNull()
  const mails = await store.db
    .selectFrom('message')
    .select('kind')
    .where('order_id', '=', orderId)
    .orderBy('kind')
    .execute()
  expect(mails.map(({ kind }) => kind)).toEqual(['order-delivered', 'order-received', 'order-shipped'])
})

test('a package for a pickup location is held there, and the buyer is emailed where and until when', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'carrier-pickup' })
  const before = await orderOf(store, orderId)
  expect(pickupLines(before).at(-1)).toMatch(/^Kept for you for 7 days from their arrival. Bring a government-issued/)
  const [shipment] = before.shipments
  await shipOrder(store, { orderId, shipmentId: shipment?.id ?? '' })
  const [announced] = (await orderOf(store, orderId)).shipments
  const board = await (await fetch(`${store.sandbox.origin}/carrier`)).text()
  expect(board).toContain('Dana Reyes')
  await advance(store, announced?.trackingNumber ?? null)
  await advance(store, announced?.trackingNumber ?? null)
  await store.sandbox.catchUp()
  await deliver(store, receiver.received)

  const held = await orderOf(store, orderId)
  expect(held.shipments[0]?.state).toBe('in-transit')
  expect(pickupLines(held)).toEqual([
    `${held.shipTo.name}, ${held.shipTo.street}, ${held.shipTo.city}, ${held.shipTo.state} ${held.shipTo.zip}`,
    expect.stringMatching(/^Open /),
    expect.stringMatching(/^Kept for you until \w{3}, \w{3} \d+. Bring/),
  ])
  const kinds = async () =>
    (await store.db.selectFrom('message').select('kind').where('order_id', '=', orderId).orderBy('kind').execute()).map(
      ({ kind }) => kind,
    )
  expect(await kinds()).toEqual(['order-received', 'order-shipped', 'pickup-ready'])
  await advance(store, announced?.trackingNumber ?? null)
  await store.sandbox.catchUp()
  await deliver(store, receiver.received)
  expect((await orderOf(store, orderId)).shipments[0]?.state).toBe('delivered')
})

test('late, duplicate, and reordered carrier messages have no further effect', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const { orderId } = await makePlacedOrder(store)
  const [shipment] = (await orderOf(store, orderId)).shipments
  await shipOrder(store, { orderId, shipmentId: shipment?.id ?? '' })
  const [announced] = (await orderOf(store, orderId)).shipments
  await advance(store, announced?.trackingNumber ?? null)
  await advance(store, announced?.trackingNumber ?? null)
  await store.sandbox.catchUp()

  await deliver(store, receiver.received.toReversed())
  await deliver(store, receiver.received)
  // The delivery email isn't followed by a shipping email.
  const mails = await store.db.selectFrom('message').select('kind').where('order_id', '=', orderId).execute()
  expect(mails.map(({ kind }) => kind).toSorted()).toEqual(['order-delivered', 'order-received'])
  const [delivered] = (await orderOf(store, orderId)).shipments
  expect(delivered?.events.map(({ state }) => state)).toEqual([
    'processed',
    'pending-pickup',
    'in-transit',
    'delivered',
  ])
  expect(await receiveCarrierEvent(store, receiver.received[0]?.body ?? '', 'hmac-sha256-hex=00')).toMatchObject({
    ok: false,
    reason: 'bad-signature',
  })
})

test('a carrier message waits for the order lock without locking packages', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const [parcel] = (await orderOf(store, orderId)).shipments
  const shipmentId = parcel?.id ?? ''
  await shipOrder(store, { orderId, shipmentId })
  const trackingNumber = (await orderOf(store, orderId)).shipments[0]?.trackingNumber ?? ''

  const holder = await store.db.startTransaction().execute()
  await lockOrder(holder, orderId)
  const receiving = receiveCarrierEvent(scanBy(store, { id: 'there', trackingNumber, state: 'delivered' }), '', '')
  await untilWaiting(store.db, 1)
  await sql`set local lock_timeout = '2s'`.execute(holder)
  await updateExpected(holder, shipmentId, { expectedOn: '2030-01-02', asOf: store.clock.now().toString() })
  await holder.commit().execute()
  expect(await receiving).toMatchObject({ ok: true })
  expect((await orderOf(store, orderId)).shipments[0]).toMatchObject({ state: 'delivered' })
})

test("a carrier's final refusal is noted on the order and not retried", async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  await store.db.updateTable('sales_order').set({ ship_to_zip: '96799' }).where('id', '=', orderId).execute()
  const [shipment] = (await orderOf(store, orderId)).shipments
  await shipOrder(store, { orderId, shipmentId: shipment?.id ?? '' })
  expect((await orderOf(store, orderId)).shipments[0]?.state).toBe('processed')
  const notes = await store.db
    .selectFrom('order_event')
    .select('note')
    .where('order_id', '=', orderId)
    .where('note', 'is not', null)
    .execute()
  expect(notes).toEqual([{ note: `The carrier does not take shipment ${shipment?.id} to 96799.` }])
})

test('number and ZIP find an order, and only wrong attempts count toward the limit', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const attempts: string[] = []
  const deps = {
    db: store.db,
    rateLimits: {
      ...noRateLimits,
      take: async (...[, keys]: Parameters<RateLimits['take']>) => {
        attempts.push(JSON.stringify(keys))
        return attempts.length <= 2 ? ok(undefined) : refused('too-many', { retryAfterSeconds: 600 })
      },
      giveBack: async () => void attempts.pop(),
    },
  }
  expect(await lookUpOrder(deps, { orderId, zip: '60614', from: 'a' })).toEqual({ ok: true, value: { orderId } })
  expect(await lookUpOrder(deps, { orderId, zip: '60615', from: 'a' })).toMatchObject({ ok: false, reason: 'no-match' })
  expect(await lookUpOrder(deps, { orderId: orderId + 1_000_000, zip: '60614', from: 'a' })).toMatchObject({
    ok: false,
    reason: 'no-match',
  })
  expect(await lookUpOrder(deps, { orderId, zip: '60614', from: 'a' })).toMatchObject({
    ok: false,
    reason: 'too-many-attempts',
    detail: { retryAfterSeconds: 600 },
  })
})
