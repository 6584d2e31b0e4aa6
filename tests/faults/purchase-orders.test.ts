/** The 30 minutes and the suppliers, by the database's clock and with the worker running, and a worker that is killed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { cancelOrder } from '#domain/ordering/orders/orders.server.ts'
import { systemClock } from '#platform/clock.ts'
import { enqueue } from '#platform/jobs.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { composeApplication, granted } from './ready-cart.ts'
import { openStartedStore, type StartedStore } from './started-store.ts'
import { openInventory } from '#tests/support/inventory.ts'

/** How long before the end of its window an order is placed here. */
const leadSeconds = 20

async function databaseNow({ db }: StartedStore): Promise<Temporal.Instant> {
  const { rows } = await sql<{ now: Temporal.Instant }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? systemClock.now()
}

/** Every warehouse is a supplier's, on the network, and has no parts. */
async function giveToSupplier({ db }: StartedStore): Promise<void> {
  await sql`insert into supplier (id, code, name, network_id) values (91, 'WINDOW', 'Window Wholesale', 'WINDOW') on conflict do nothing`.execute(
    db,
  )
  await sql`update warehouse set supplier_id = 91, pool = 'nationwide'`.execute(db)
  await sql`update part_stock set on_hand = 0`.execute(db)
  await openInventory(db)
}

async function atSupplier({ sandboxOrigin }: StartedStore) {
  const answer = await fetch(`${sandboxOrigin}/suppliers/orders.json`)
  return ((await answer.json()) as { orders: { orderId: string; receivedAt: string; state: string }[] }).orders
}

function purchaseOrdersOf({ db }: StartedStore, orderIds: number[]) {
  return db
    .selectFrom('purchase_order')
    .innerJoin('sales_order', 'sales_order.id', 'purchase_order.order_id')
    .select([
      'purchase_order.id',
      'order_id',
      'purchase_order.state',
      'sent_at',
      'purchase_order.released_at',
      'cancel_until',
    ])
    .where('order_id', 'in', orderIds)
    .orderBy('order_id')
    .execute()
}

test('purchase orders go out once after 30 minutes, even through kills, and not for canceled orders', async () => {
  await using store = await openStartedStore()
  await giveToSupplier(store)
  const carts = [
    await store.prepare(undefined, undefined, '1 Oak Ave'),
    await store.prepare(undefined, undefined, '2 Oak Ave'),
  ]
  const placedAt = (await databaseNow(store)).subtract({ seconds: 30 * 60 - leadSeconds })
  await using early = composeApplication(
    store.database.url,
    { clock: { now: () => placedAt } },
    { env: { SANDBOX_ORIGIN: store.sandboxOrigin, PUBLIC_ORIGIN: store.origin } },
  )
  const orderIds: number[] = []
  for (const { press } of carts) orderIds.push(granted(await placeOrder(early, press)).orderId)
  const [kept = 0, regretted = 0] = orderIds
  const [first] = await purchaseOrdersOf(store, [kept])
  if (!first) throw new Error('The order has no purchase order.')
  const { id, cancel_until: until } = first

  // Jobs that come too early do no more than those in time.
  await enqueue(store.db, 'send-purchase-order', { purchaseOrderId: id })
  await enqueue(store.db, 'release-order', { orderId: kept })
  const atEnd = until.subtract({ seconds: 1 })
  await sleep(Math.max(0, (await databaseNow(store)).until(atEnd).total('milliseconds')))
  // 29:59
  const seconds = placedAt.until(await databaseNow(store)).total('seconds')
  expect(seconds).toBeGreaterThanOrEqual(30 * 60 - 1)
  const present = { ...early, clock: systemClock }
  granted(await cancelOrder(present, { orderId: regretted, actor: 'shopper' }))
  expect((await purchaseOrdersOf(store, orderIds)).map(({ state, sent_at }) => [state, sent_at])).toEqual([
    ['held', null],
    ['canceled', null],
  ])
  expect(await atSupplier(store)).toEqual([])

  // 30:01 and after
  await eventually('order at the supplier', async () => (await atSupplier(store)).length > 0, 120)
  await store.kill('worker')
  await store.revive('worker')
  await eventually(
    'answer of the supplier',
    async () => (await purchaseOrdersOf(store, [kept]))[0]?.state === 'accepted',
    120,
  )
  await eventually('note of the supplier’s reply', async () => (await purchaseOrdersOf(store, [kept]))[0]?.sent_at, 120)
  const received = await atSupplier(store)
  expect(received.map(({ orderId }) => orderId)).toEqual([`PO-${id}`])
  expect(Temporal.Instant.compare(Temporal.Instant.from(received[0]?.receivedAt ?? ''), until)).toBe(1)
  const [sent, canceled] = await purchaseOrdersOf(store, orderIds)
  expect(Temporal.Instant.compare(sent?.released_at ?? until, until)).toBe(1)
  expect(canceled).toMatchObject({ state: 'canceled', sent_at: null, released_at: null })
  expect(await verify(store.db, systemClock.now())).toEqual([])
})
