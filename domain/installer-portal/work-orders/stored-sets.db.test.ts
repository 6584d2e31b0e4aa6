/** Sets that a shop stores after a service with storage, from the finished job until they are picked up. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeServiceOrder } from '#domain/ordering/checkout/service-orders.testing.ts'
import { must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import {
  cancelOrder,
  isReminderOver,
  listOfficeOrders,
  messageValues,
  readOrder,
  releaseOrder,
  remindOfStorage,
} from '#domain/ordering/orders/orders.server.ts'
import { storageText } from '#domain/ordering/orders/orders.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import type { JobDeps } from './job.server.ts'
import { technicianOf, wholeInput } from './work-orders.testing.ts'
import { finishJob, listStoredSets, moveJob, returnSet, saveSetPlace } from './work-orders.server.ts'

const [port = 0] = await freePorts(3)

const config = {
  web: { origin: 'https://store.example' },
  session: { secret: 'a secret for tests only' },
  store: { name: 'Sidewall', email: 'store@example.com', phone: '1' },
  demo: true,
} as const

/** Books a service, and finishes its job as the demo's technician. */
async function finishService(store: TestStore, service = 'changeover-storage') {
  const { orderId, booking, shop } = await makeServiceOrder(store, { service })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  store.clock.set(booking.start)
  const deps = { ...store, config } as never as JobDeps
  const by = await technicianOf({ ...store, config }, shop.id)
  const bookingId = (await readOrder(store.db, orderId))?.booking?.id ?? ''
  must(await moveJob(deps, by, { bookingId, to: 'arrived' }))
  must(await finishJob(deps, by, { bookingId, input: wholeInput({ tires: [] }) }))
  const doneOn = booking.start.toZonedDateTimeISO(booking.timeZone).toPlainDate()
  return { orderId, shop, by, deps, doneOn, bookingId }
}

async function readText(store: TestStore, orderId: number): Promise<string | null> {
  const order = await readOrder(store.db, orderId)
  return order ? storageText(order) : null
}

test('a finished service with storage stores the set for its months, once', async () => {
  await using store = await openTestStore(port)
  const waiting = await makeServiceOrder(store, { service: 'changeover-storage' })
  expect(await readText(store, waiting.orderId)).toBe('Stored for 6 months from the day of the changeover')
  const { orderId, shop, by, deps, doneOn, bookingId } = await finishService(store)
  must(await finishJob(deps, by, { bookingId, input: wholeInput({ tires: [] }) }))
  const { stored, returned } = await listStoredSets(store, shop.id)
  expect(returned).toEqual([])
  expect(stored).toMatchObject([
    {
      orderId,
      bookingId,
      storedOn: doneOn.toString(),
      storedUntil: doneOn.add({ months: 6 }).toString(),
      place: null,
      returnedAt: null,
    },
  ])
  expect(await readText(store, orderId)).toMatch(/^Stored at Halsted Tire until \w{3} \d+, 2027$/)
  expect(await cancelOrder(store, { orderId, actor: 'shopper' })).toMatchObject({ ok: false, reason: 'too-late' })
  const broken = await verify(store.db, store.clock.now())
  expect(broken.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a service without storage and a canceled one store no set', async () => {
  await using store = await openTestStore(port)
  const { shop } = await finishService(store, 'changeover')
  expect(await listStoredSets(store, shop.id)).toEqual({ stored: [], returned: [] })
  const { orderId } = await makeServiceOrder(store, { service: 'changeover-storage' })
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  expect(await readText(store, orderId)).toBeNull()
})

test('the shop saves the place and returns the set once, and other shops can do neither', async () => {
  await using store = await openTestStore(port)
  const { orderId, shop, by, deps } = await finishService(store)
  const { id: otherId } = await store.db
    .selectFrom('shop')
    .select('id')
    .where('id', '<>', shop.id)
    .where('kind', '=', 'shop')
    .limit(1)
    .executeTakeFirstOrThrow()
  const stranger = await technicianOf({ ...store, config }, otherId)
  expect(await saveSetPlace(deps, stranger, { orderId, place: 'Rack 1' })).toMatchObject({ reason: 'not-stored' })
  expect(await returnSet(deps, stranger, { orderId })).toMatchObject({ reason: 'not-stored' })
  const outside = { sessionId: newId(), shopId: shop.id }
  expect(await returnSet(deps, outside, { orderId })).toMatchObject({ reason: 'not-allowed' })
  must(await saveSetPlace(deps, by, { orderId, place: 'Rack 4, shelf B' }))
  expect((await listStoredSets(store, shop.id)).stored).toMatchObject([{ place: 'Rack 4, shelf B' }])
  const both = await Promise.all([returnSet(deps, by, { orderId }), returnSet(deps, by, { orderId })])
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await saveSetPlace(deps, by, { orderId, place: null })).toMatchObject({ reason: 'not-stored' })
  const { stored, returned } = await listStoredSets(store, shop.id)
  expect(stored).toEqual([])
  expect(returned.map((set) => set.orderId)).toEqual([orderId])
  expect(await readText(store, orderId)).toMatch(/^Picked up \w{3} \d+, 202\d$/)
})

test('the database refuses a set before its job is done, other days, and changes after its return', async () => {
  await using store = await openTestStore(port)
  const waiting = await makeServiceOrder(store, { service: 'changeover-storage' })
  const early = sql`insert into stored_set (order_id, shop_id, stored_at, stored_on, stored_until)
    values (${waiting.orderId}::bigint, ${waiting.shop.id}::int, now(), '2026-11-20', '2027-05-20')`
  const refusal = (statement: typeof early) => statement.execute(store.db).then(() => null, violatedConstraint)
  expect(await refusal(early)).toBe('stored_set_follows_its_job')
  const { orderId, by, deps } = await finishService(store)
  const longer = sql`update stored_set set stored_until = stored_until + 1 where order_id = ${orderId}::bigint`
  expect(await refusal(longer)).toBe('stored_set_follows_its_job')
  must(await returnSet(deps, by, { orderId }))
  const again = sql`update stored_set set returned_at = null where order_id = ${orderId}::bigint`
  expect(await refusal(again)).toBe('stored_set_follows_its_job')
})

test('the customer is reminded once, 30 days before storage ends, and not after the return', async () => {
  await using store = await openTestStore(port)
  const { orderId, shop, deps, doneOn } = await finishService(store)
  const noon = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone: shop.timeZone, plainTime: '12:00' }).toInstant()
  const due = doneOn.add({ months: 6 }).subtract({ days: 30 })
  store.clock.set(noon(due.subtract({ days: 1 })))
  expect(await remindOfStorage(store)).toBe(0)
  store.clock.set(noon(due))
  expect(await remindOfStorage(store)).toBe(1)
  expect(await remindOfStorage(store)).toBe(0)
  const message = await store.db
    .selectFrom('message')
    .select(['key', 'order_id as orderId'])
    .where('kind', '=', 'storage-ending')
    .executeTakeFirstOrThrow()
  expect(await isReminderOver(store, message)).toBe(false)
  const { values } = await messageValues({ ...store, config: config as never }, { kind: 'storage-ending', ...message })
  expect(values).toMatchObject({
    shopName: 'Halsted Tire',
    bookUrl: 'https://store.example/book-service?shop=SW-00001&service=changeover',
  })
  // The technician's session has expired by then.
  must(await returnSet(deps, await technicianOf({ ...store, config }, shop.id), { orderId }))
  expect(await isReminderOver(store, message)).toBe(true)
})

test('the office lists a finished service under delivered orders', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await finishService(store, 'rotation')
  const { orderId: aheadId } = await makeServiceOrder(store)
  const everyOrder = { fulfillment: null, companyIds: null, shopIds: null, destination: null, soldBy: null } as const
  const page = { after: null, before: null, isOldestFirst: false, limit: 10 } as const
  const days = { ids: [orderId, aheadId], from: null, until: null }
  const listed = await listOfficeOrders(store, { ...everyOrder, ...days, tab: 'delivered' }, page)
  expect(listed.orders.map(({ id }) => id)).toEqual([orderId])
})
