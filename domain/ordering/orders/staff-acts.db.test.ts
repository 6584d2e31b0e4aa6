import { expect, test } from 'vitest'
import { makePlacedOrder, openTestStore, pickTire, stockOf } from '#domain/ordering/checkout/checkout.testing.ts'
import { payOutRefund } from '#domain/payments/payments/payments.server.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  cancelAsStaff,
  cancelParcel,
  confirmAsStaff,
  listResendable,
  questionAsStaff,
  releaseOrder,
  resendAsStaff,
  shipOrder,
} from './orders.server.ts'
import { moveParcels } from './orders.testing.ts'
import { orderProgress } from './orders.ts'
import { announce, auditOf, booksOf, dana, orderOf, pass, refundIds } from './staff-acts.testing.ts'

const [port = 0] = await freePorts(3)
const reason = 'The customer called.'
const done = { ok: true, value: { isNew: true } }
const again = { ok: true, value: { isNew: false } }

test('staff confirm an order for its customer, once, and it is released like any other', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home', street: 'Halsted Street' })
  expect(await confirmAsStaff(store, dana, { orderId, reason })).toEqual(done)
  expect(await confirmAsStaff(store, dana, { orderId, reason })).toEqual(again)
  const confirmed = await orderOf(store, orderId)
  expect(confirmed.state).toBe('confirmed')
  expect(orderProgress(confirmed)).toBe('confirmed')
  expect(await auditOf(store, orderId)).toEqual([
    {
      act: 'order.confirmed',
      actor: 'dana',
      before: { state: 'needs-confirmation' },
      after: { state: 'confirmed' },
      reason,
    },
  ])
  expect(orderProgress(await announce(store, orderId))).toBe('pending-pickup')
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('staff request the customer’s confirmation once, and the order isn’t charged until then', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  expect(await questionAsStaff(store, dana, { orderId, reason })).toEqual(done)
  expect(await questionAsStaff(store, dana, { orderId, reason })).toEqual(again)
  pass(store, { hours: 1 })
  await releaseOrder(store, orderId)
  expect(await orderOf(store, orderId)).toMatchObject({
    state: 'needs-confirmation',
    releasedAt: null,
    confirmationRules: ['asked-by-staff'],
    payment: { method: 'card', state: 'authorized' },
  })
  expect(await verify(store.db, store.clock.now())).toEqual([])
  expect(await confirmAsStaff(store, dana, { orderId, reason })).toEqual(done)
  expect(await questionAsStaff(store, dana, { orderId, reason })).toMatchObject({
    reason: 'not-possible',
    detail: { why: 'The customer has confirmed this order once. Call them, or cancel it.' },
  })
  expect((await auditOf(store, orderId)).map(({ act }) => act)).toEqual(['order.questioned', 'order.confirmed'])
})

test('an order with an appointment isn’t put on hold, because the appointment would pass', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  expect(await questionAsStaff(store, dana, { orderId, reason })).toMatchObject({
    detail: { why: expect.stringContaining('An appointment cannot wait') as unknown },
  })
})

test('staff cancel between the window and release with a void', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  pass(store, { minutes: 31 })
  expect(await cancelAsStaff(store, dana, { orderId, reason })).toEqual(done)
  await releaseOrder(store, orderId)
  expect(await orderOf(store, orderId)).toMatchObject({ state: 'canceled', payment: { capturedCents: 0 } })
  expect(await booksOf(store, orderId)).toEqual({})
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('staff cancel a charged order before shipment, and stock, bay, and payment are restored once', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const stock = await stockOf(store, itemId)
  const { orderId, totalCents } = await makePlacedOrder(store, { itemId })
  const announced = await announce(store, orderId)
  expect(announced.payment).toMatchObject({ capturedCents: totalCents })
  const both = await Promise.all([1, 2].map(() => cancelAsStaff(store, dana, { orderId, reason })))
  expect(both.filter((outcome) => outcome.ok && outcome.value.isNew)).toHaveLength(1)
  expect(both.every(({ ok }) => ok)).toBe(true)

  const canceled = await orderOf(store, orderId)
  expect(canceled).toMatchObject({ state: 'canceled', booking: { state: 'canceled' } })
  expect(canceled.shipments.map(({ state }) => state)).toEqual(announced.shipments.map(() => 'canceled'))
  expect(await stockOf(store, itemId)).toBe(stock)
  expect(orderProgress(canceled)).toBe('canceled')
  // The charged amount is owed in refunds until it is paid back.
  expect(await booksOf(store, orderId)).toEqual({ cash: totalCents, refunds: -totalCents })
  expect(await verify(store.db, store.clock.now())).toEqual([])

  for (const id of await refundIds(store)) for (const _ of [1, 2]) await payOutRefund(store, id)
  expect(orderProgress(await orderOf(store, orderId))).toBe('refunded')
  expect(await booksOf(store, orderId)).toEqual({})
  for (const { id: shipmentId, trackingNumber } of announced.shipments)
    await cancelParcel(store, { orderId, shipmentId, trackingNumber: trackingNumber ?? '' })
  expect(await verify(store.db, store.clock.now())).toEqual([])
  expect(await auditOf(store, orderId)).toMatchObject([
    { act: 'order.canceled', after: { state: 'canceled', refundedCents: totalCents }, reason },
  ])
})

test('a parcel announced while its order is canceled is canceled at the carrier', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  pass(store, { minutes: 31 })
  await releaseOrder(store, orderId)
  const [parcel] = (await orderOf(store, orderId)).shipments
  const canceledAtCarrier: string[] = []
  const carrier: typeof store.carrier = {
    ...store.carrier,
    async buyLabel(parcelRef) {
      const answer = await store.carrier.buyLabel(parcelRef)
      await cancelAsStaff(store, dana, { orderId, reason })
      return answer
    },
    async refundLabel(parcelRef) {
      canceledAtCarrier.push(parcelRef)
      return store.carrier.refundLabel(parcelRef)
    },
  }
  await shipOrder({ ...store, carrier }, { orderId, shipmentId: parcel?.id ?? '' })
  expect(canceledAtCarrier).toHaveLength(1)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a released but uncharged order waits a minute, and a shipped order can’t be canceled', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  pass(store, { minutes: 31 })
  const payments = {
    ...store.payments,
    captureCharge: () => Promise.resolve({ ok: false, reason: 'unavailable', message: 'away' } as const),
  }
  await expect(releaseOrder({ ...store, payments }, orderId)).rejects.toThrow('away')
  expect(await cancelAsStaff(store, dana, { orderId, reason })).toMatchObject({
    detail: { why: 'The card is being charged at this moment. Wait a minute, then try again.' },
  })
  await announce(store, orderId)
  await moveParcels(store, orderId, 'in-transit')
  expect(await cancelAsStaff(store, dana, { orderId, reason })).toMatchObject({
    detail: { why: expect.stringContaining('has shipped') as unknown },
  })
  expect(await auditOf(store, orderId)).toEqual([])
})

test('an email is sent again once per request, as itself, and a code never', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const [mail] = await listResendable(store, orderId)
  expect(mail).toMatchObject({ kind: 'order-received' })
  const ask = { orderId, messageId: mail?.id ?? '', once: newId() }
  expect(await resendAsStaff(store, dana, ask)).toEqual(done)
  expect(await resendAsStaff(store, dana, ask)).toEqual(again)
  expect(await resendAsStaff(store, dana, { ...ask, once: newId() })).toEqual(done)
  const sent = await store.db
    .selectFrom('message')
    .select(['kind', 'to_address'])
    .where('order_id', '=', orderId)
    .execute()
  expect(new Set(sent.map((each) => JSON.stringify(each))).size).toBe(1)
  expect(sent).toHaveLength(3)
  expect(await listResendable(store, orderId)).toHaveLength(1)
  const other = await makePlacedOrder(store, { openingAt: 1 })
  expect(await resendAsStaff(store, dana, { ...ask, orderId: other.orderId, once: newId() })).toMatchObject({
    reason: 'not-possible',
  })
})

test.for(['confirm', 'question', 'cancel'] as const)(
  'of two staff who %s an order at once, one does it',
  async (act) => {
    await using store = await openTestStore(port)
    const { orderId } = await makePlacedOrder(store, {
      fulfillment: 'home',
      street: act === 'confirm' ? 'Halsted Street' : '1430 N Halsted St',
    })
    const perform = { confirm: confirmAsStaff, question: questionAsStaff, cancel: cancelAsStaff }[act]
    const outcomes = await Promise.all(
      ['dana', 'olga'].map((name) => perform(store, { via: 'command line', name }, { orderId, reason })),
    )
    expect(outcomes.filter((outcome) => outcome.ok && outcome.value.isNew)).toHaveLength(1)
    expect(outcomes.every(({ ok }) => ok)).toBe(true)
    expect(await auditOf(store, orderId)).toHaveLength(1)
  },
)

test('an act on an order that is not there is refused as a value', async () => {
  await using store = await openTestStore(port)
  expect(await cancelAsStaff(store, dana, { orderId: 999_999, reason })).toMatchObject({ reason: 'order-not-found' })
})
