import { expect, test } from 'vitest'
import { makePlacedOrder, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { cancelAsStaff, moveAppointmentAsStaff, offerOtherTimes } from './orders.server.ts'
import { moveParcels } from './orders.testing.ts'
import { announce, auditOf, dana, orderOf } from './staff-acts.testing.ts'

const [port = 0] = await freePorts(3)
const reason = 'They cannot come on that day.'

async function freeTimes(store: TestStore, orderId: number): Promise<Temporal.Instant[]> {
  const days = await offerOtherTimes(store, await orderOf(store, orderId))
  return days.flatMap(({ times }) => times.filter(({ free }) => free).map(({ start }) => start))
}

test('staff move an appointment at its shop, once; the customer is mailed and the old time is free', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const before = await orderOf(store, orderId)
  const start = (await freeTimes(store, orderId)).at(-1) ?? store.clock.now()
  const ask = { orderId, choice: { start }, reason }
  expect(await moveAppointmentAsStaff(store, dana, ask)).toEqual({ ok: true, value: { isNew: true } })
  expect(await moveAppointmentAsStaff(store, dana, ask)).toEqual({ ok: true, value: { isNew: false } })
  const after = await orderOf(store, orderId)
  expect(after.booking).toMatchObject({ id: before.booking?.id, state: 'confirmed', start })
  expect((await freeTimes(store, orderId)).map(String)).toContain(before.booking?.start.toString())
  const mails = await store.db.selectFrom('message').select('kind').where('order_id', '=', orderId).execute()
  expect(mails.map(({ kind }) => kind).toSorted()).toEqual(['order-received', 'order-rescheduled'])
  expect(await auditOf(store, orderId)).toMatchObject([
    {
      act: 'order.appointment-moved',
      before: { start: before.booking?.start.toString() },
      after: { start: start.toString() },
      reason,
    },
  ])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('an appointment moves ahead of the promised day once its tires were delivered', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const [promised] = await freeTimes(store, orderId)
  await announce(store, orderId)
  await moveParcels(store, orderId, 'delivered', store.clock.now())
  const [start] = await freeTimes(store, orderId)
  if (!start || !promised) throw new Error('The shop has times.')
  expect(start.since(store.clock.now()).total('hours')).toBeLessThan(24)
  expect(Temporal.Instant.compare(start, promised)).toBeLessThan(0)
  expect(await moveAppointmentAsStaff(store, dana, { orderId, choice: { start }, reason })).toMatchObject({ ok: true })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a taken time or an order without an appointment isn’t rescheduled', async () => {
  await using store = await openTestStore(port)
  const first = await makePlacedOrder(store)
  const second = await makePlacedOrder(store, { openingAt: 1 })
  const home = await makePlacedOrder(store, { fulfillment: 'home' })
  const start = (await orderOf(store, second.orderId)).booking?.start ?? store.clock.now()
  const moved = await moveAppointmentAsStaff(store, dana, { orderId: first.orderId, choice: { start }, reason })
  const isSameShop = (await orderOf(store, first.orderId)).shop?.id === (await orderOf(store, second.orderId)).shop?.id
  // A shop with several bays has room for both.
  if (!moved.ok) {
    expect(moved.reason).toBe('not-possible')
    expect(isSameShop).toBe(true)
  }
  expect(await moveAppointmentAsStaff(store, dana, { orderId: home.orderId, choice: { start }, reason })).toMatchObject(
    { detail: { why: expect.stringContaining('no appointment') as unknown } },
  )
  const past = { start: store.clock.now().subtract({ hours: 1 }) }
  expect(await moveAppointmentAsStaff(store, dana, { orderId: second.orderId, choice: past, reason })).toMatchObject({
    ok: false,
    reason: 'not-possible',
  })
  expect(await auditOf(store, second.orderId)).toEqual([])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('an order canceled during a reschedule has neither appointment', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const start = (await freeTimes(store, orderId)).at(-1) ?? store.clock.now()
  const [moved, canceled] = await Promise.all([
    moveAppointmentAsStaff(store, dana, { orderId, choice: { start }, reason }),
    cancelAsStaff(store, dana, { orderId, reason }),
  ])
  expect(canceled).toMatchObject({ ok: true })
  expect(moved.ok || moved.reason).toBeOneOf([true, 'not-possible'])
  expect(await orderOf(store, orderId)).toMatchObject({ state: 'canceled', booking: { state: 'canceled' } })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
