import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  changeTerm,
  makePlacedOrder,
  openTestStore,
  pickTire,
  stockOf,
  untilWaiting,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  cancelOrder,
  cancelUnansweredOrders,
  confirmOrder,
  readOrder,
  releaseOrder,
  remindOfUnconfirmedOrders,
} from './orders.server.ts'

const [port = 0] = await freePorts(3)

/** An order to an address without a house number. */
async function placeDoubtful(store: TestStore) {
  const itemId = await pickTire(store)
  const stock = await stockOf(store, itemId)
  const { orderId } = await makePlacedOrder(store, { itemId, fulfillment: 'home', street: 'Halsted Street' })
  return { orderId, itemId, stock, placedAt: store.clock.now() }
}

async function orderOf({ db }: TestStore, orderId: number) {
  const order = await readOrder(db, orderId)
  if (!order) throw new Error('The order of a test is gone.')
  return order
}

/** What the queue and the mailbox have for an order. */
async function askedFor({ db }: TestStore, orderId: number) {
  const mails = await db.selectFrom('message').select('kind').where('order_id', '=', orderId).orderBy('kind').execute()
  const { rows } = await sql<{ task: string }>`
    select task_identifier as task from graphile_worker.jobs
    where key = ${`release-order:${orderId}`} or task_identifier = 'void-charge' order by 1`.execute(db)
  return { mails: mails.map(({ kind }) => kind), jobs: rows.map(({ task }) => task) }
}

const pass = (store: TestStore, time: Temporal.DurationLike) => store.clock.set(store.clock.now().add(time))

test('an order that needs confirmation is placed in full but not charged or shipped', async () => {
  await using store = await openTestStore(port)
  const { orderId, itemId, stock, placedAt } = await placeDoubtful(store)
  const confirmBy = placedAt.add({ hours: 48 })
  expect(await orderOf(store, orderId)).toMatchObject({
    state: 'needs-confirmation',
    confirmBy,
    cancelUntil: confirmBy,
    confirmationRules: ['street-without-number'],
    payment: { state: 'authorized' },
    shipments: [{ state: 'processed' }],
  })
  expect(await stockOf(store, itemId)).toBe(stock - 4)
  expect(await askedFor(store, orderId)).toEqual({ mails: ['order-unconfirmed'], jobs: [] })
  expect(
    await store.db.selectFrom('order_event').select(['to_state', 'note']).where('order_id', '=', orderId).execute(),
  ).toEqual([{ to_state: 'needs-confirmation', note: 'The street has no house number. The carrier may not find it.' }])

  pass(store, { hours: 47 })
  await releaseOrder(store, orderId)
  expect(await orderOf(store, orderId)).toMatchObject({ releasedAt: null, payment: { state: 'authorized' } })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('the window of a confirmed order lasts as long as the terms it was placed under', async () => {
  await using store = await openTestStore(port)
  await changeTerm(store, 'cancel-minutes', 10)
  const { orderId } = await placeDoubtful(store)
  await changeTerm(store, 'cancel-minutes', 30)
  expect(await confirmOrder(store, { orderId, actor: 'shopper' })).toMatchObject({ ok: true })
  expect(await orderOf(store, orderId)).toMatchObject({ cancelUntil: store.clock.now().add({ minutes: 10 }) })
})

test('a confirmed order acts like a new one, with a new delivery date, a 30-minute window, and a charge', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await placeDoubtful(store)
  const before = await orderOf(store, orderId)
  const deadline = async () => {
    const parcels = store.db.selectFrom('shipment').select('ship_by').where('order_id', '=', orderId)
    return (await parcels.executeTakeFirstOrThrow()).ship_by?.epochMilliseconds ?? 0
  }
  const shipsBy = await deadline()
  pass(store, { hours: 47 })
  expect(await confirmOrder(store, { orderId, actor: 'shopper' })).toEqual({ ok: true, value: { isNew: true } })
  const confirmed = await orderOf(store, orderId)
  expect(confirmed).toMatchObject({ state: 'confirmed', cancelUntil: store.clock.now().add({ minutes: 30 }) })
  expect(String(confirmed.shipments[0]?.promisedOn) > String(before.shipments[0]?.promisedOn)).toBe(true)
  expect(await deadline()).toBeGreaterThan(shipsBy)
  expect(await askedFor(store, orderId)).toEqual({
    mails: ['order-confirmed', 'order-unconfirmed'],
    jobs: ['release-order'],
  })

  expect(await confirmOrder(store, { orderId, actor: 'shopper' })).toEqual({ ok: true, value: { isNew: false } })
  pass(store, { minutes: 29 })
  await expect(releaseOrder(store, orderId)).rejects.toThrow('is not over')
  pass(store, { minutes: 1 })
  expect(await cancelUnansweredOrders(store)).toBe(0)
  await releaseOrder(store, orderId)
  expect(await orderOf(store, orderId)).toMatchObject({ payment: { state: 'captured' } })
  expect((await askedFor(store, orderId)).mails).toEqual(['order-confirmed', 'order-unconfirmed'])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('unanswered for 48 hours it is canceled, with everything given back', async () => {
  await using store = await openTestStore(port)
  const { orderId, itemId, stock } = await placeDoubtful(store)
  pass(store, { hours: 47, minutes: 59, seconds: 59 })
  expect(await cancelUnansweredOrders(store)).toBe(0)
  expect(await stockOf(store, itemId)).toBe(stock - 4)

  pass(store, { seconds: 1 })
  expect(await cancelUnansweredOrders(store)).toBe(1)
  expect(await cancelUnansweredOrders(store)).toBe(0)
  expect(await orderOf(store, orderId)).toMatchObject({ state: 'canceled', shipments: [{ state: 'canceled' }] })
  expect(await stockOf(store, itemId)).toBe(stock)
  expect(await askedFor(store, orderId)).toEqual({
    mails: ['order-unanswered', 'order-unconfirmed'],
    jobs: ['void-charge'],
  })
  expect(await verify(store.db, store.clock.now())).toEqual([])
  expect(await confirmOrder(store, { orderId, actor: 'shopper' })).toEqual({
    ok: false,
    reason: 'over',
    detail: { state: 'canceled' },
  })
})

test('verify reports unanswered orders that weren’t canceled', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await placeDoubtful(store)
  pass(store, { hours: 49 })
  expect(await verify(store.db, store.clock.now())).toMatchObject([
    { name: 'unanswered-order-canceled', examples: [`order ${orderId}`] },
  ])
})

test('a shopper can cancel an order awaiting confirmation and gets the usual email', async () => {
  await using store = await openTestStore(port)
  const { orderId, itemId, stock } = await placeDoubtful(store)
  pass(store, { hours: 40 })
  expect(await cancelOrder(store, { orderId, actor: 'shopper' })).toEqual({ ok: true, value: { isNew: true } })
  expect(await stockOf(store, itemId)).toBe(stock)
  expect((await askedFor(store, orderId)).mails).toEqual(['order-canceled', 'order-unconfirmed'])
})

test('one reminder is sent after a day, except for confirmed, canceled, or expired orders', async () => {
  await using store = await openTestStore(port)
  const [waits, answered] = [await placeDoubtful(store), await placeDoubtful(store)]
  pass(store, { hours: 23, minutes: 59 })
  await remindOfUnconfirmedOrders(store)
  expect((await askedFor(store, waits.orderId)).mails).toEqual(['order-unconfirmed'])
  await confirmOrder(store, { orderId: answered.orderId, actor: 'shopper' })
  pass(store, { minutes: 1 })
  await remindOfUnconfirmedOrders(store)
  await remindOfUnconfirmedOrders(store)
  expect((await askedFor(store, waits.orderId)).mails).toEqual(['order-unconfirmed', 'order-unconfirmed-reminder'])
  expect((await askedFor(store, answered.orderId)).mails).toEqual(['order-confirmed', 'order-unconfirmed'])
  const late = await placeDoubtful(store)
  pass(store, { hours: 48 })
  await remindOfUnconfirmedOrders(store)
  expect((await askedFor(store, late.orderId)).mails).toEqual(['order-unconfirmed'])
})

test('twenty concurrent confirmations confirm once', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await placeDoubtful(store)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => confirmOrder(store, { orderId, actor: 'shopper' })),
  )
  expect(outcomes.every(({ ok }) => ok)).toBe(true)
  expect(outcomes.filter((outcome) => outcome.ok && outcome.value.isNew)).toHaveLength(1)
  expect(await askedFor(store, orderId)).toMatchObject({ mails: ['order-confirmed', 'order-unconfirmed'] })
})

test('if expiry locks the order first, the shopper sees that it expired', async () => {
  await using store = await openTestStore(port)
  const { orderId, itemId, stock } = await placeDoubtful(store)
  pass(store, { hours: 48 })
  // Canceling locks the order, then writes stock. Locking stock here leaves it half done.
  const blocker = await store.db.startTransaction().execute()
  await sql`select 1 from stock for update`.execute(blocker)
  const canceling = cancelUnansweredOrders(store)
  await untilWaiting(store.db, 1)
  const confirming = confirmOrder(store, { orderId, actor: 'shopper' })
  await untilWaiting(store.db, 2)
  await blocker.rollback().execute()
  expect(await canceling).toBe(1)
  expect(await confirming).toMatchObject({ ok: false, reason: 'over' })
  expect(await orderOf(store, orderId)).toMatchObject({ state: 'canceled', payment: { state: 'authorized' } })
  expect(await stockOf(store, itemId)).toBe(stock)
  expect(await askedFor(store, orderId)).toMatchObject({ jobs: ['void-charge'] })
})

test('if the shopper locks the order first, it is confirmed', async () => {
  await using store = await openTestStore(port)
  const { orderId, itemId, stock } = await placeDoubtful(store)
  pass(store, { hours: 48 })
  // Confirming locks the order, then updates the promised dates of its parcels. Locking parcels here leaves it half
  // done.
  const blocker = await store.db.startTransaction().execute()
  await sql`select 1 from shipment where order_id = ${orderId} for update`.execute(blocker)
  const confirming = confirmOrder(store, { orderId, actor: 'shopper' })
  await untilWaiting(store.db, 1)
  const canceling = cancelUnansweredOrders(store)
  await untilWaiting(store.db, 2)
  await blocker.rollback().execute()
  expect(await confirming).toEqual({ ok: true, value: { isNew: true } })
  expect(await canceling).toBe(0)
  expect(await orderOf(store, orderId)).toMatchObject({ state: 'confirmed' })
  expect(await stockOf(store, itemId)).toBe(stock - 4)
  expect(await askedFor(store, orderId)).toMatchObject({ jobs: ['release-order'] })
})
