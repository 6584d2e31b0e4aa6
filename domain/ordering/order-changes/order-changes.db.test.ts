import { expect, test } from 'vitest'
import {
  changeTerm,
  openTestStore,
  makePlacedOrder,
  must,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { cancel } from '#domain/ordering/cancellations/cancellations.testing.ts'
import { expireHolds } from '#domain/scheduling/booking/booking.server.ts'
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import {
  cancelAsStaff,
  cancelOrder,
  releaseOrder,
  selectOrderTires,
  shipOrder,
} from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import {
  announce,
  auditOf,
  booksOf,
  dana,
  orderOf,
  pass,
  refundIds,
} from '#domain/ordering/orders/staff-acts.testing.ts'
import { listPaidChanges, payOutRefund, refreshPayment } from '#domain/payments/payments/payments.server.ts'
import { refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import { moveToToday } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { mostWaivedCents } from './order-changes.ts'
import {
  changeOrder,
  changeOrderAsShopper,
  expireChanges,
  finishPaidChanges,
  payForChange,
  previewChange,
  withdrawChange,
  type AskedChange,
} from './order-changes.server.ts'
import { anotherShop, askedChange, authorizeChange, chargesOf, home } from './order-changes.testing.ts'

const [port = 0] = await freePorts(3)
const check = async (store: TestStore) => expect(await verify(store.db, store.clock.now())).toEqual([])

test('an uncharged order switched to home delivery captures less and frees the bay', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store)
  const before = await orderOf(store, orderId)
  const ask = await askedChange(store, orderId, home)
  const answers = await Promise.all(Array.from({ length: 20 }, () => changeOrder(store, dana, ask)))
  expect(answers.filter((answer) => answer.ok && answer.value.isNew)).toHaveLength(1)
  const after = await orderOf(store, orderId)
  expect(after).toMatchObject({ fulfillment: 'home', shop: null, booking: { state: 'canceled' } })
  expect(after.lines.map(({ kind }) => kind)).not.toContain('installation')
  expect(after.totalCents).toBeLessThan(totalCents)
  expect(after.payment).toMatchObject({ state: 'authorized', amountCents: after.totalCents })
  expect(after.shipments.map(({ id }) => id)).toEqual(before.shipments.map(({ id }) => id))
  expect(await auditOf(store, orderId)).toMatchObject([{ act: 'order.changed', reason: 'They moved.' }])
  await check(store)
  await announce(store, orderId)
  expect(await chargesOf(store, orderId)).toMatchObject([{ state: 'captured', amount: after.totalCents }])
  await check(store)
})

test('canceling only the installation captures less, once, at the shown price', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store)
  const { waives: _waives, ...ask } = await askedChange(store, orderId, home)
  expect(await changeOrderAsShopper(store, { ...ask, agreedPrice: 'another', key: newId() })).toMatchObject({
    reason: 'price-changed',
  })
  const answers = await Promise.all(Array.from({ length: 20 }, () => changeOrderAsShopper(store, ask)))
  expect(answers.every(({ ok }) => ok)).toBe(true)
  expect(answers.filter((answer) => answer.ok && answer.value.isNew)).toHaveLength(1)
  const after = await orderOf(store, orderId)
  expect(after).toMatchObject({ fulfillment: 'home', shop: null, booking: { state: 'canceled' } })
  expect(after.payment).toMatchObject({ state: 'authorized', amountCents: after.totalCents })
  expect(after.totalCents).toBeLessThan(totalCents)
  // The edit wasn't made by staff.
  expect(await auditOf(store, orderId)).toEqual([])
  await check(store)
})

test('after the notice period starts, shoppers must call the shop, but staff can still make changes', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const { waives: _waives, ...ask } = await askedChange(store, orderId, home)
  const { booking } = await orderOf(store, orderId)
  if (!booking) throw new Error('The order of a test has no appointment.')
  store.clock.set(booking.start.subtract({ minutes: booking.noticeMinutes - 1 }))
  expect(await changeOrderAsShopper(store, ask)).toEqual({ ok: false, reason: 'notice-over', detail: undefined })
  const elsewhere = await anotherShop(store, orderId)
  expect(await changeOrderAsShopper(store, { ...ask, ...elsewhere, key: newId() })).toMatchObject({
    reason: 'notice-over',
  })
  expect(await orderOf(store, orderId)).toMatchObject({ fulfillment: 'shop', booking: { state: 'confirmed' } })
  must(await changeOrder(store, dana, await askedChange(store, orderId, home)))
  expect(await orderOf(store, orderId)).toMatchObject({ fulfillment: 'home', booking: { state: 'canceled' } })
})

test('the window of a changed order lasts as long as the terms it was placed under', async () => {
  await using store = await openTestStore(port)
  await changeTerm(store, 'cancel-minutes', 10)
  const { orderId } = await makePlacedOrder(store)
  await changeTerm(store, 'cancel-minutes', 30)
  must(await changeOrder(store, dana, await askedChange(store, orderId, home)))
  expect(await orderOf(store, orderId)).toMatchObject({ cancelUntil: store.clock.now().add({ minutes: 10 }) })
})

test('a moved order ships free from the total of the zone when the order was placed', async () => {
  await using store = await openTestStore(port)
  const shippingOf = async (orderId: number) =>
    (await orderOf(store, orderId)).breakdown.lines.find(({ kind }) => kind === 'shipping')?.netCents
  await changeTerm(store, 'shipping-conus-handling-cents', 700)
  const paid = await makePlacedOrder(store)
  await changeTerm(store, 'shipping-conus-free-from-cents', 100)
  const free = await makePlacedOrder(store, { email: 'free@example.com' })
  await changeTerm(store, 'shipping-conus-free-from-cents', 0)
  for (const [{ orderId }, cents] of [
    [paid, 700],
    [free, 0],
  ] as const) {
    expect(await shippingOf(orderId)).toBe(cents)
    must(await changeOrder(store, dana, await askedChange(store, orderId, home)))
    expect(await shippingOf(orderId)).toBe(cents)
  }
})

test('within the notice an order is canceled for as long as any other', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const { waives: _waives, ...ask } = await askedChange(store, orderId, home)
  const { booking } = await orderOf(store, orderId)
  await moveToToday(store, booking?.id ?? '', store.clock.now(), 0)
  expect(await changeOrderAsShopper(store, ask)).toMatchObject({ reason: 'notice-over' })
  must(await cancelOrder(store, { orderId, actor: 'customer' }))
  expect(await orderOf(store, orderId)).toMatchObject({ state: 'canceled', booking: { state: 'canceled' } })
})

test('a shopper pays first to switch to a more expensive shop, and can’t switch after shipment', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const { waives: _waives, ...ask } = await askedChange(store, orderId, await anotherShop(store, orderId))
  expect(await changeOrderAsShopper(store, ask)).toMatchObject({ value: { change: { state: 'awaiting-payment' } } })
  expect(await orderOf(store, orderId)).toMatchObject({ fulfillment: 'home' })
  await check(store)
  const shipped = await makePlacedOrder(store)
  const { waives: _none, ...late } = await askedChange(store, shipped.orderId, home)
  await announce(store, shipped.orderId)
  await moveParcels(store, shipped.orderId, 'in-transit')
  expect(await changeOrderAsShopper(store, late)).toMatchObject({ reason: 'not-possible' })
  expect(await changeOrderAsShopper(store, { ...late, orderId: 999_999_999 })).toMatchObject({
    reason: 'order-not-found',
  })
})

test('a higher price is paid first while the bay is held, and the payment applies the change once', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store, { fulfillment: 'home' })
  const place = await anotherShop(store, orderId)
  expect(await changeOrder(store, dana, await askedChange(store, orderId, place))).toMatchObject({
    value: { state: 'awaiting-payment', isNew: true },
  })
  expect(await orderOf(store, orderId)).toMatchObject({ fulfillment: 'home', totalCents })
  await check(store)
  // Released at its first time, it would be charged at the old price.
  pass(store, { hours: 2 })
  await expect(releaseOrder(store, orderId)).rejects.toThrow('not over')
  const changeId = await authorizeChange(store, orderId)
  const paid = await Promise.all(Array.from({ length: 5 }, () => payForChange(store, changeId)))
  expect(paid.filter((answer) => answer.ok && answer.value.isNew)).toHaveLength(1)
  expect(await payForChange(store, changeId)).toEqual({ ok: true, value: { isNew: false } })
  const after = await orderOf(store, orderId)
  expect(after).toMatchObject({ fulfillment: 'shop', shop: { id: place.shopId }, booking: { state: 'confirmed' } })
  await check(store)
  await announce(store, orderId)
  expect(await chargesOf(store, orderId)).toMatchObject([
    { state: 'captured', amount: totalCents },
    { state: 'captured', amount: after.totalCents - totalCents },
  ])
  await check(store)
})

test('after the charge, a lower price is refunded and the parcels are announced again', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store)
  const before = await announce(store, orderId)
  expect(await changeOrder(store, dana, await askedChange(store, orderId, home))).toMatchObject({
    value: { state: 'done' },
  })
  await releaseOrder(store, orderId)
  for (const { id, state } of (await orderOf(store, orderId)).shipments)
    if (state === 'processed') await shipOrder(store, { orderId, shipmentId: id })
  for (const id of await refundIds(store)) await payOutRefund(store, id)
  const after = await orderOf(store, orderId)
  expect(after.shipments.map(({ state }) => state)).toEqual(before.shipments.map(() => 'pending-pickup'))
  for (const { id } of before.shipments) expect(after.shipments.map((parcel) => parcel.id)).not.toContain(id)
  expect(await chargesOf(store, orderId)).toMatchObject([{ refunded: totalCents - after.totalCents }])
  expect(await booksOf(store, orderId)).toMatchObject({ cash: after.totalCents })
  await check(store)
  expect(await cancelAsStaff(store, dana, { orderId, reason: 'They changed their mind.' })).toMatchObject({ ok: true })
  for (const id of await refundIds(store)) await payOutRefund(store, id)
  expect(await booksOf(store, orderId)).toEqual({})
  await check(store)
})

test('a label that is bought while the order is changed is given back', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  pass(store, { minutes: 31 })
  await releaseOrder(store, orderId)
  const ask = await askedChange(store, orderId, home)
  const [parcel] = (await orderOf(store, orderId)).shipments
  const refunded: string[] = []
  const carrier = {
    ...store.carrier,
    async buyLabel(parcelRef: string) {
      const label = await store.carrier.buyLabel(parcelRef)
      must(await changeOrder(store, dana, ask))
      return label
    },
    refundLabel(parcelRef: string) {
      refunded.push(parcelRef)
      return store.carrier.refundLabel(parcelRef)
    },
  }
  await shipOrder({ ...store, carrier }, { orderId, shipmentId: parcel?.id ?? '' })
  expect(refunded).toHaveLength(1)
  const after = await orderOf(store, orderId)
  expect(after.shipments).toMatchObject([{ state: 'processed', trackingNumber: null }])
  expect(after.shipTo.street).toContain('Halsted')
  await check(store)
})

test('a payment that was cut off before the change is finished by the job, and its refund takes both charges', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  await announce(store, orderId)
  must(await changeOrder(store, dana, await askedChange(store, orderId, await anotherShop(store, orderId))))
  const changeId = await authorizeChange(store, orderId)
  // The provider's event arrives, and the customer doesn't return.
  must(await refreshPayment(store, { changeId }))
  expect(await finishPaidChanges(store)).toBe(1)
  expect(await finishPaidChanges(store)).toBe(0)
  await releaseOrder(store, orderId)
  const order = await orderOf(store, orderId)
  expect(order).toMatchObject({ fulfillment: 'shop', payment: { state: 'captured', capturedCents: order.totalCents } })
  await check(store)
  const whole = { lines: order.lines.map(({ lineNo, quantity }) => ({ lineNo, units: quantity })), amountCents: null }
  const form = { hasHandlingFee: false, lowerReason: null, reason: 'late', bearer: 'store', note: null } as const
  must(
    await refundOrder(store, {
      ...whole,
      ...form,
      orderId,
      actor: dana,
      key: newId(),
      agreedCents: null,
      isFresh: true,
    }),
  )
  await check(store)
})

test('of two authorized charges, a lower price comes off the first', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store, { fulfillment: 'home' })
  must(await changeOrder(store, dana, await askedChange(store, orderId, await anotherShop(store, orderId))))
  const changeId = await authorizeChange(store, orderId)
  // Another order’s edit is offered but not paid.
  const other = await makePlacedOrder(store, { fulfillment: 'home' })
  const { orderId: unpaid } = other
  must(await changeOrder(store, dana, await askedChange(store, unpaid, await anotherShop(store, unpaid))))
  must(await refreshPayment(store, { changeId }))
  expect(await listPaidChanges(store.db, 10)).toEqual([changeId])
  must(await payForChange(store, changeId))
  expect(await listPaidChanges(store.db, 10)).toEqual([])
  const amounts = async () => (await chargesOf(store, orderId)).map(({ amount }) => amount).toSorted((a, b) => a - b)
  const [difference = 0, first] = await amounts()
  expect(first).toBe(totalCents)
  must(await changeOrder(store, dana, await askedChange(store, orderId, home)))
  const total = (await orderOf(store, orderId)).totalCents
  expect(await amounts()).toEqual([difference, total - difference])
  await check(store)
})

test('expired links, canceled orders, and withdrawn changes don’t change the order', async () => {
  await using store = await openTestStore(port)
  const orders = await Promise.all([0, 1, 2].map(() => makePlacedOrder(store, { fulfillment: 'home' })))
  const ids = orders.map(({ orderId }) => orderId)
  const [late = 0, canceled = 0, withdrawn = 0] = ids
  for (const id of ids) must(await changeOrder(store, dana, await askedChange(store, id, await anotherShop(store, id))))
  const second = await askedChange(store, late, await anotherShop(store, late))
  expect(await changeOrder(store, dana, second)).toMatchObject({
    detail: { why: expect.stringContaining('Withdraw it first') as unknown },
  })
  const paidFor = await authorizeChange(store, canceled)
  must(await cancelAsStaff(store, dana, { orderId: canceled, reason: 'They called.' }))
  expect(await payForChange(store, paidFor)).toMatchObject({ reason: 'over', detail: { state: 'overtaken' } })
  must(await withdrawChange(store, dana, { orderId: withdrawn, reason: 'They stay at home.' }))
  await check(store)
  const tooLate = await authorizeChange(store, late)
  pass(store, { hours: 24 })
  expect(await payForChange(store, tooLate)).toMatchObject({ reason: 'over', detail: { state: 'expired' } })
  expect(await expireChanges(store)).toBe(0)
  await expireHolds(store)
  for (const id of [late, withdrawn])
    expect(await orderOf(store, id)).toMatchObject({ fulfillment: 'home', booking: null })
  const paid = store.db.selectFrom('payment').select('state').where('order_change_id', 'is not', null)
  expect((await paid.execute()).map(({ state }) => state)).toEqual(['voided', 'voided'])
  for (const id of [late, withdrawn]) await announce(store, id)
  await check(store)
})

test('a change isn’t applied if lines were canceled after the link was sent', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store, { fulfillment: 'home' })
  await announce(store, orderId)
  must(await changeOrder(store, dana, await askedChange(store, orderId, await anotherShop(store, orderId))))
  const changeId = await authorizeChange(store, orderId)
  must(await cancel(store, orderId, [{ lineNo: 1, units: 2 }]))
  expect(await payForChange(store, changeId)).toMatchObject({ reason: 'over', detail: { state: 'overtaken' } })
  expect(await orderOf(store, orderId)).toMatchObject({ fulfillment: 'home', totalCents })
  const paid = await store.db.selectFrom('payment').select('state').where('order_change_id', '=', changeId).execute()
  expect(paid).toEqual([{ state: 'voided' }])
  await check(store)
})

test('two staff members change one order one after the other, each at the price they were shown', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const place = await anotherShop(store, orderId)
  const [one, other] = [await askedChange(store, orderId, home), await askedChange(store, orderId, place)]
  const answers = await Promise.all([changeOrder(store, dana, one), changeOrder(store, dana, other)])
  expect(answers.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(1)
  await check(store)
})

test('a small difference is waived and stays out of the charge; a large one is not', async () => {
  await using store = await openTestStore(port)
  const far = await makePlacedOrder(store, { fulfillment: 'home' })
  const dear = { ...(await askedChange(store, far.orderId, await anotherShop(store, far.orderId))), waives: true }
  expect(await changeOrder(store, dana, dear)).toMatchObject({ reason: 'waiver-not-allowed' })
  expect(await orderOf(store, far.orderId)).toMatchObject({ fulfillment: 'home', totalCents: far.totalCents })

  const { orderId, totalCents } = await makePlacedOrder(store)
  const order = await orderOf(store, orderId)
  const tires = await selectOrderTires(store.db, orderId)
  const near = must(await findShopsNear(store, { near: { zip: '60614' }, tires, limit: 12 }))
  const dearer: AskedChange[] = []
  for (const { id } of near.filter((shop) => shop.id !== order.shop?.id)) {
    const place = { fulfillment: 'shop', shopId: id, carrierLocationId: null } as const
    const { afterCents, beforeCents } = must(await previewChange(store, order, place))
    if (afterCents > beforeCents && afterCents - beforeCents <= mostWaivedCents)
      dearer.push(await askedChange(store, orderId, place))
  }
  const [ask] = dearer
  if (!ask) throw new Error('No shop is a little dearer.')
  expect(await changeOrder(store, dana, { ...ask, agreedPrice: 'another' })).toMatchObject({ reason: 'price-changed' })
  expect(await changeOrder(store, dana, { ...ask, waives: true })).toMatchObject({ value: { state: 'done' } })
  const changed = await orderOf(store, orderId)
  expect(changed.totalCents).toBeGreaterThan(totalCents)
  expect(changed.payment?.amountCents).toEqual(totalCents)
  await announce(store, orderId)
  await check(store)
  must(await cancelAsStaff(store, dana, { orderId, reason: 'They changed their mind.' }))
  for (const id of await refundIds(store)) await payOutRefund(store, id)
  expect(await booksOf(store, orderId)).toEqual({})
  await check(store)
})
