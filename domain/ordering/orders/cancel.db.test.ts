import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  makePlacedOrder,
  openTestStore,
  pickTire,
  stockOf,
  untilWaiting,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { voidCharge } from '#domain/payments/payments/payments.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { moveOrder } from './order-life.sql.server.ts'
import { moveParcels } from './orders.testing.ts'
import { cancelOrder, readOrder, receiptOf, releaseOrder } from './orders.server.ts'

const [port = 0] = await freePorts(3)

async function outcomeOf({ db }: Pick<TestStore, 'db'>, orderId: number) {
  const result = await sql<{
    state: string
    payment: string
    booking: string | null
    shipments: string[]
    balance: number
    voids: number
  }>`
    select o.state, (select state from payment where order_id = o.id) as payment, (select state from booking where order_id = o.id) as booking,
      (select array_agg(state) from shipment where order_id = o.id) as shipments,
      (select coalesce(sum(abs(total)), 0)::int from (select sum(amount_cents) as total from ledger_entry where order_id = o.id group by account) as accounts) as balance,
      (select count(*)::int from graphile_worker.jobs where task_identifier = 'void-charge') as voids
    from sales_order o where o.id = ${orderId}`.execute(db)
  return result.rows[0]
}

test('canceling returns stock and appointment, reverses the ledger and voids the charge', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const stock = await stockOf(store, itemId)
  const { orderId } = await makePlacedOrder(store, { itemId })
  expect(await stockOf(store, itemId)).toBe(stock - 4)

  expect(await cancelOrder(store, { orderId, actor: 'shopper' })).toEqual({ ok: true, value: { isNew: true } })
  expect(await stockOf(store, itemId)).toBe(stock)
  expect(await outcomeOf(store, orderId)).toEqual({
    state: 'canceled',
    payment: 'authorized',
    booking: 'canceled',
    shipments: ['canceled'],
    balance: 0,
    voids: 1,
  })

  const order = await readOrder(store.db, orderId)
  await voidCharge(store, order?.payment?.id ?? '', 'store')
  const { provider_ref } = await store.db
    .selectFrom('payment')
    .select('provider_ref')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(await store.payments.readCharge(provider_ref ?? '')).toMatchObject({
    ok: true,
    value: { state: 'voided', capturedCents: 0 },
  })
  expect((await outcomeOf(store, orderId))?.payment).toBe('voided')
})

test('twenty simultaneous cancellations cancel an order once', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const stock = await stockOf(store, itemId)
  const { orderId } = await makePlacedOrder(store, { itemId })
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => cancelOrder(store, { orderId, actor: 'shopper' })),
  )
  expect(outcomes.filter((outcome) => outcome.ok && outcome.value.isNew)).toHaveLength(1)
  expect(outcomes.every(({ ok }) => ok)).toBe(true)
  expect(await stockOf(store, itemId)).toBe(stock)
  expect(await outcomeOf(store, orderId)).toMatchObject({ state: 'canceled', balance: 0, voids: 1 })
  expect(
    await store.db.selectFrom('message').select('id').where('key', '=', `order-canceled:${orderId}`).execute(),
  ).toHaveLength(1)
})

test('rejects cancellation after the window and shows the reason', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const { orderId } = await makePlacedOrder(store, { itemId })
  const stock = await stockOf(store, itemId)
  store.clock.set(store.clock.now().add({ minutes: 30 }))
  expect(await cancelOrder(store, { orderId, actor: 'shopper' })).toMatchObject({
    ok: false,
    reason: 'too-late',
    detail: {
      reason:
        'Orders can be canceled for 30 minutes after they are placed. You can return unmounted tires within 30 days.',
    },
  })
  expect(await stockOf(store, itemId)).toBe(stock)
  expect(await outcomeOf(store, orderId)).toMatchObject({ state: 'confirmed', booking: 'confirmed', voids: 0 })
})

test('an order that came back is not canceled, and the reason is said', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  await sql`update sales_order set state = 'returned' where id = ${orderId}`.execute(store.db)
  expect(await cancelOrder(store, { orderId, actor: 'shopper' })).toEqual({
    ok: false,
    reason: 'too-late',
    detail: { reason: 'This order was returned.' },
  })
  expect(await outcomeOf(store, orderId)).toMatchObject({ state: 'returned', booking: 'confirmed', voids: 0 })
})

test('an invalid order or package transition throws and has no effect', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const events = () => store.db.selectFrom('order_event').select('id').where('order_id', '=', orderId).execute()
  const before = await events()
  const change = { actor: 'store', at: store.clock.now(), note: null }
  const move = (state: 'needs-confirmation' | 'returned', act: 'cancel' | 'confirm') =>
    store.db.transaction().execute((tx) => moveOrder(tx, { id: orderId, state }, act, change))
  await expect(move('returned', 'cancel')).rejects.toThrow('is returned, which does not allow: cancel')
  await expect(move('needs-confirmation', 'cancel')).rejects.toThrow('is not needs-confirmation anymore')

  await moveParcels(store, orderId, 'in-transit')
  await expect(cancelOrder(store, { orderId, actor: 'shopper' })).rejects.toThrow('has shipped')
  expect(await outcomeOf(store, orderId)).toMatchObject({ state: 'confirmed', shipments: ['in-transit'], voids: 0 })
  expect(await events()).toEqual(before)
})

test('an order that does not exist is not canceled', async () => {
  await using store = await openTestStore(port)
  expect(await cancelOrder(store, { orderId: 999_999_999, actor: 'shopper' })).toMatchObject({
    ok: false,
    reason: 'order-not-found',
  })
})

test('release waits for a cancellation in progress, so canceled orders aren’t charged', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  // Canceling locks the order, then writes stock. Locking stock here leaves the cancellation half done.
  const blocker = await store.db.startTransaction().execute()
  await sql`select 1 from stock for update`.execute(blocker)
  const canceling = cancelOrder(store, { orderId, actor: 'shopper' })
  await untilWaiting(store.db, 1)
  store.clock.set(store.clock.now().add({ minutes: 30 }))
  const releasing = releaseOrder(store, orderId)
  await untilWaiting(store.db, 2)
  await blocker.rollback().execute()

  expect(await canceling).toMatchObject({ ok: true })
  await releasing
  expect(await outcomeOf(store, orderId)).toMatchObject({ state: 'canceled', payment: 'authorized', voids: 1 })
})

test('a canceled order’s receipt shows that it wasn’t charged', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  await cancelOrder(store, { orderId, actor: 'shopper' })
  const order = await readOrder(store.db, orderId)
  const receipt =
    order && receiptOf(order, { store: { name: 'Sidewall', phone: '', email: '', address: '' }, demo: false })
  expect(receipt).toMatchObject({
    paidWith: 'Visa ending in 4242, not charged because the order was canceled',
    installation: [],
  })
})
