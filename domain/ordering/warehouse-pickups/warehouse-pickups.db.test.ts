import { expect, test } from 'vitest'
import { sql } from 'kysely'
import {
  makePaidCart,
  makePlacedOrder,
  must,
  openTestStore,
  stockOf,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import {
  changeWarehouse,
  findPickupWarehouses,
  findWarehouse,
  listWarehouses,
} from '#domain/supply/delivery/delivery.server.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { orderProgress, pickupLines } from '#domain/ordering/orders/orders.ts'
import {
  readyCodeOf,
  releaseOrder,
  remindOfPickups,
  selectPickup,
  shipOrder,
} from '#domain/ordering/orders/orders.server.ts'
import { auditOf, dana, orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { endMissedPickup, handOverPickup, makePickupReady, searchPickups } from './warehouse-pickups.server.ts'

const [port = 0] = await freePorts(3)
const secret = 'a secret of the store'
const config = { session: { secret } }

/** An item with four units in a warehouse near 60614. */
async function pickHere({ db }: TestStore): Promise<number> {
  const { item_id: id } = await db
    .selectFrom('stock')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .select('item_id')
    .where('warehouse.code', '=', 'JOL')
    .where('on_hand', '>=', 8)
    .orderBy('item_id')
    .executeTakeFirstOrThrow()
  return id
}

async function makeReleased(store: TestStore): Promise<{ orderId: number; itemId: number }> {
  const itemId = await pickHere(store)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'warehouse-pickup', itemId })
  store.clock.set(store.clock.now().add({ minutes: 30 }))
  await releaseOrder(store, orderId)
  return { orderId, itemId }
}

const mailsOf = async ({ db }: TestStore, orderId: number) =>
  (await db.selectFrom('message').select('kind').where('order_id', '=', orderId).orderBy('kind').execute()).map(
    ({ kind }) => kind,
  )

const broken = async ({ db, clock }: TestStore) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

test('only warehouses near with all tires are offered, with when they are ready', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickHere(store)
  const near = await findPickupWarehouses(store, { zip: '60614', lines: [{ itemId, quantity: 4 }] })
  expect(near).toMatchObject([{ code: 'JOL', hasAll: true, timeZone: 'America/Chicago' }])
  const wait = near[0]?.readyAt.since(store.clock.now()).total('hours') ?? 0
  expect(wait).toBeGreaterThanOrEqual(24)
  expect(await findPickupWarehouses(store, { zip: '60614', lines: [{ itemId, quantity: 4_000 }] })).toMatchObject([
    { code: 'JOL', hasAll: false },
  ])
  expect(await findPickupWarehouses(store, { zip: '99501', lines: [{ itemId, quantity: 1 }] })).toEqual([])
})

test('an order is prepared and released once, for its code and all its tires', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeReleased(store)
  const deps = { ...store, config }
  const released = await orderOf(store, orderId)
  expect(released.shipTo.name).toMatch(/ warehouse$/)
  expect(released.breakdown.totals.totalCents).toBe(released.totalCents)
  expect(pickupLines(released).at(-1)).toMatch(/^Ready by /)
  // The carrier isn't involved.
  await shipOrder(store, { orderId, shipmentId: released.shipments[0]?.id ?? '' })
  expect((await orderOf(store, orderId)).shipments[0]?.state).toBe('processed')
  expect(await handOverPickup(deps, dana, { orderId, code: '123456', pieces: 4 })).toMatchObject({
    reason: 'not-ready',
  })
  expect(readyCodeOf(secret, released)).toBeNull()

  must(await makePickupReady(store, dana, orderId))
  must(await makePickupReady(store, dana, orderId))
  const ready = await orderOf(store, orderId)
  expect(orderProgress(ready)).toBe('pending-pickup')
  const code = readyCodeOf(secret, ready) ?? ''
  expect(code).toMatch(/^\d{6}$/)
  expect(pickupLines(ready, code).at(-1)).toBe(`Your pickup code is ${code.slice(0, 3)} ${code.slice(3)}.`)
  expect(await searchPickups(deps, code)).toBe(orderId)
  expect(await searchPickups(deps, `S-${orderId}`)).toBe(orderId)

  expect(await handOverPickup(deps, dana, { orderId, code, pieces: 3 })).toMatchObject({
    reason: 'pieces',
    detail: { tires: 4 },
  })
  must(await handOverPickup(deps, dana, { orderId, code, pieces: 4 }))
  must(await handOverPickup(deps, dana, { orderId, code, pieces: 4 }))
  const done = await orderOf(store, orderId)
  expect(done.shipments).toMatchObject([{ state: 'delivered', carrier: 'Warehouse counter' }])
  expect(await mailsOf(store, orderId)).toEqual(['order-received', 'pickup-ready'])
  expect(await selectPickup(store, orderId)).toMatchObject({ state: 'handed-over', handedOverBy: 'dana' })
  expect((await auditOf(store, orderId)).map(({ act }) => act)).toEqual(['pickup.ready', 'pickup.handed-over'])
  expect(await broken(store)).toEqual([])
})

test('a warehouse without pickup is not offered, refuses an order being placed, and releases earlier orders', async () => {
  await using store = await openTestStore(port)
  const { orderId, itemId } = await makeReleased(store)
  const deps = { ...store, config }
  const paid = await makePaidCart(store, { fulfillment: 'warehouse-pickup', itemId })
  const warehouse = (await listWarehouses(store)).find(({ code }) => code === 'JOL')
  if (!warehouse) throw new Error('The warehouse of a test is missing.')
  const manager = await signInStaff(store, 'manager')
  const turn = async (offersPickup: boolean) => {
    const { version } = (await findWarehouse(store, warehouse.id)) ?? warehouse
    return must(
      await changeWarehouse(store, manager, warehouse.id, { ...warehouse, pool: 'local', offersPickup, version }),
    )
  }

  // The order blocks on a change that it didn't read.
  const [placing] = await store.db.transaction().execute(async (tx) => {
    await tx.updateTable('warehouse').set({ offers_pickup: false }).where('id', '=', warehouse.id).execute()
    const waiting = placeOrder(store, paid)
    await untilBlocked(store)
    return [waiting]
  })
  expect(await placing).toMatchObject({ reason: 'problem', detail: { problems: [{ kind: 'pickup-gone' }] } })
  const lines = [{ itemId, quantity: 4 }]
  expect(await findPickupWarehouses(store, { zip: '60614', lines })).toEqual([])

  await turn(false)
  must(await makePickupReady(store, dana, orderId))
  const code = readyCodeOf(secret, await orderOf(store, orderId)) ?? ''
  expect(pickupLines(await orderOf(store, orderId), code).join(' ')).toContain('Mon')
  must(await handOverPickup(deps, dana, { orderId, code, pieces: 4 }))

  await turn(true)
  expect(await findPickupWarehouses(store, { zip: '60614', lines })).toMatchObject([{ code: 'JOL' }])
  expect(await placeOrder(store, paid)).toMatchObject({ ok: true })
  expect(await broken(store)).toEqual([])
})

async function untilBlocked({ db }: TestStore): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length
    })
    .toBeGreaterThan(0)
}

test('five wrong codes in a row make the counter wait, even for the right one', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeReleased(store)
  const deps = { ...store, config }
  must(await makePickupReady(store, dana, orderId))
  const code = readyCodeOf(secret, await orderOf(store, orderId)) ?? ''
  const wrong = code === '000000' ? '111111' : '000000'
  for (const left of [4, 3, 2, 1, 0])
    expect(await handOverPickup(deps, dana, { orderId, code: wrong, pieces: 4 })).toMatchObject({ detail: { left } })
  expect(await handOverPickup(deps, dana, { orderId, code, pieces: 4 })).toMatchObject({ reason: 'too-many-codes' })
  store.clock.set(store.clock.now().add({ minutes: 15 }))
  must(await handOverPickup(deps, dana, { orderId, code, pieces: 4 }))
})

test('the buyer is reminded once, and unclaimed orders are restocked and refunded', async () => {
  await using store = await openTestStore(port)
  const { orderId, itemId } = await makeReleased(store)
  must(await makePickupReady(store, dana, orderId))
  const before = await stockOf(store, itemId)
  expect(await remindOfPickups(store)).toBe(0)
  store.clock.set(store.clock.now().add({ hours: 24 * 6 }))
  expect(await remindOfPickups(store)).toBe(1)
  expect(await remindOfPickups(store)).toBe(0)
  expect(await mailsOf(store, orderId)).toEqual(['order-received', 'pickup-ready', 'pickup-reminder'])
  expect(await endMissedPickup(store, dana, { orderId, key: newId() })).toMatchObject({ reason: 'not-overdue' })
  store.clock.set(store.clock.now().add({ hours: 48 }))
  expect(await selectPickup(store, orderId)).toMatchObject({ state: 'overdue' })
  must(await endMissedPickup(store, dana, { orderId, key: newId() }))
  expect(await orderOf(store, orderId)).toMatchObject({ state: 'canceled' })
  expect(await stockOf(store, itemId)).toBe(before + 4)
  expect(await selectPickup(store, orderId)).toBeUndefined()
  expect(await endMissedPickup(store, dana, { orderId, key: newId() })).toMatchObject({ reason: 'pickup-not-found' })
  expect(await broken(store)).toEqual([])
})

test('a warehouse sets when orders are ready, how long they are kept, and directions for customers', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickHere(store)
  const lines = [{ itemId, quantity: 4 }]
  const warehouse = (await listWarehouses(store)).find(({ code }) => code === 'JOL')
  if (!warehouse) throw new Error('The warehouse of a test is missing.')
  const readyAt = async () => (await findPickupWarehouses(store, { zip: '60614', lines }))[0]?.readyAt.toString() ?? ''
  const before = await readyAt()
  const manager = await signInStaff(store, 'manager')
  const terms = { pickupReadyHours: 1, pickupKeptDays: 3, pickupNote: 'Door 6, ring the bell.' }
  must(await changeWarehouse(store, manager, warehouse.id, { ...warehouse, pool: 'local', ...terms }))
  expect(Temporal.Instant.compare(await readyAt(), before)).toBe(-1)

  const { orderId } = await makeReleased(store)
  must(await makePickupReady(store, dana, orderId))
  const order = await orderOf(store, orderId)
  const today = store.clock.now().toZonedDateTimeISO('America/Chicago').toPlainDate()
  expect(order.warehousePickup).toMatchObject({ keepUntil: today.add({ days: 3 }).toString() })
  expect(pickupLines(order)).toContain('Door 6, ring the bell.')
  expect(await broken(store)).toEqual([])
})
