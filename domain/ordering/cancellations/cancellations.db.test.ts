/** Canceling by line updates stock, parcels, appointment, money and state once, and never affects shipped units. */
import { expect, test } from 'vitest'
import {
  makeInvoicedOrder,
  makePlacedOrder,
  must,
  openTestStore,
  pickTire,
  stockOf,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { recordInvoicePaid } from '#domain/payments/invoices/invoices.server.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { orderProgress } from '#domain/ordering/orders/orders.ts'
import { cancelAsStaff, releaseOrder, shipOrder } from '#domain/ordering/orders/orders.server.ts'
import { auditOf, booksOf, dana, orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { listOrderRefunds } from '#domain/ordering/refunds/refunds.server.ts'
import { readConfig } from '#platform/config.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { cancelLinesAsShopper, cancelLinesAsStaff, cancellationMessageValues } from './cancellations.server.ts'
import { cancel, formOf, makeCharged } from './cancellations.testing.ts'

const [port = 0] = await freePorts(3)
const reason = 'The customer called.'
const two = [{ lineNo: 1, units: 2 }]
const four = [{ lineNo: 1, units: 4 }]

const broken = async ({ db, clock }: TestStore) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

const minutesOf = ({ booking }: Awaited<ReturnType<typeof orderOf>>) =>
  booking ? booking.end.since(booking.start).total('minutes') : 0

test('canceling two of four charged tires refunds half and shortens the appointment', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const stock = await stockOf(store, itemId)
  const { orderId, totalCents } = await makeCharged(store, { itemId })
  const before = await orderOf(store, orderId)
  expect(must(await cancel(store, orderId, two))).toEqual({ isNew: true })
  const after = await orderOf(store, orderId)
  expect(after.state).toBe('confirmed')
  expect(orderProgress(after)).toBe('processing')
  expect(await stockOf(store, itemId)).toBe(stock - 2)
  expect(after.shipments).toMatchObject([{ state: 'processed', items: [{ quantity: 2 }] }])
  expect(after.booking).toMatchObject({ state: 'confirmed', start: before.booking?.start })
  expect(minutesOf(after)).toBeLessThan(minutesOf(before))
  for (const line of after.lines)
    if (line.kind !== 'shipping' && line.kind !== 'roadside') expect(line.canceled).toBe(line.quantity / 2)
  const [refund] = await listOrderRefunds(store.db, orderId)
  expect(refund).toMatchObject({ kind: 'cancellation', state: 'approved', createdBy: 'dana' })
  await payOutRefunds(store)
  expect((await orderOf(store, orderId)).payment?.refundedCents).toBe(refund?.amountCents)
  expect(Math.abs((refund?.amountCents ?? 0) * 2 - totalCents)).toBeLessThan(20)
  expect(await auditOf(store, orderId)).toMatchObject([
    { act: 'order.lines-canceled', actor: 'dana', reason, after: { refundedCents: refund?.amountCents } },
  ])
  expect(await broken(store)).toEqual([])
  // The remaining units ship, and the order continues normally.
  for (const { id } of after.shipments) await shipOrder(store, { orderId, shipmentId: id })
  expect(orderProgress(await orderOf(store, orderId))).toBe('pending-pickup')
  expect(await broken(store)).toEqual([])
})

test('canceling the last tires cancels the order and its sale', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const stock = await stockOf(store, itemId)
  const { orderId, totalCents } = await makeCharged(store, { itemId })
  for (const { id } of (await orderOf(store, orderId)).shipments) await shipOrder(store, { orderId, shipmentId: id })
  must(await cancel(store, orderId, two))
  expect(await cancelAsStaff(store, dana, { orderId, reason })).toMatchObject({
    detail: { why: expect.stringContaining('by line') as unknown },
  })
  must(await cancel(store, orderId, two))
  await payOutRefunds(store)
  const after = await orderOf(store, orderId)
  expect(after).toMatchObject({
    state: 'canceled',
    booking: { state: 'canceled' },
    shipments: [{ state: 'canceled' }],
    payment: { refundedCents: totalCents },
  })
  expect(orderProgress(after)).toBe('refunded')
  expect(await booksOf(store, orderId)).toEqual({})
  expect(await stockOf(store, itemId)).toEqual(stock)
  const jobs = await store.db
    .selectFrom('message')
    .select('kind')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'order-lines-canceled')
    .execute()
  expect(jobs).toHaveLength(2)
  expect(await broken(store)).toEqual([])
})

test('canceling all items without earlier refunds equals canceling the order', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  // The release isn't finished yet, so the authorization is voided and no capture happens.
  must(await cancel(store, orderId, four))
  await releaseOrder(store, orderId)
  expect(await orderOf(store, orderId)).toMatchObject({ state: 'canceled', payment: { capturedCents: 0 } })
  expect(await listOrderRefunds(store.db, orderId)).toEqual([])
  expect(await booksOf(store, orderId)).toEqual({})
  expect(await broken(store)).toEqual([])
})

test('uncaptured amounts are released at capture, in part or in full', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  must(await cancel(store, orderId, two))
  expect((await orderOf(store, orderId)).payment).toMatchObject({ state: 'authorized', capturedCents: 0 })
  expect(await broken(store)).toEqual([])
  must(await cancel(store, orderId, two))
  expect((await orderOf(store, orderId)).state).toBe('canceled')
  expect(await broken(store)).toEqual([])
  await releaseOrder(store, orderId)
  await payOutRefunds(store)
  expect((await orderOf(store, orderId)).payment).toMatchObject({
    capturedCents: totalCents,
    refundedCents: totalCents,
  })
  expect(await booksOf(store, orderId)).toEqual({})
  expect(await broken(store)).toEqual([])
})

test('in the window, unconfirmed, shipped or over, an order refuses in words', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  expect(await cancel(store, orderId, two)).toMatchObject({ reason: 'no-lines', detail: { why: 'in-window' } })
  const { orderId: waiting } = await makePlacedOrder(store, { fulfillment: 'home', street: 'Halsted Street' })
  expect(await cancel(store, waiting, two)).toMatchObject({ detail: { why: 'unconfirmed' } })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  expect(await cancel(store, orderId, [{ lineNo: 1, units: 5 }])).toMatchObject({
    reason: 'more-than-unshipped',
    detail: { lineNo: 1, most: 4 },
  })
  expect(await cancel(store, orderId, [{ lineNo: 90, units: 1 }])).toMatchObject({ detail: { most: 0 } })
  expect(await cancel(store, orderId, [])).toMatchObject({ reason: 'nothing-asked' })
  await moveParcels(store, orderId, 'in-transit', store.clock.now())
  expect(await cancel(store, orderId, two)).toMatchObject({ detail: { why: 'shipped' } })
  expect(
    await cancelLinesAsShopper(store, { orderId: 999_999, lines: two, key: newId(), seen: 4, agreedCents: null }),
  ).toMatchObject({
    reason: 'order-not-found',
  })
  expect(await listOrderRefunds(store.db, orderId)).toEqual([])
})

test('what a company has paid of its invoice is not canceled by line, and in words', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makeInvoicedOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const by = { via: 'command line', name: 'tester' } as const
  must(await recordInvoicePaid(store, { orderId, cents: totalCents - 1_000, reference: 'wire 7', by }))
  expect(await cancel(store, orderId, [{ lineNo: 1, units: 2 }])).toMatchObject({
    reason: 'no-money',
    detail: { why: 'invoice-settled' },
  })
  expect(await orderOf(store, orderId)).toMatchObject({
    state: 'confirmed',
    invoice: { paidCents: totalCents - 1_000 },
  })
  expect(await broken(store)).toEqual([])
})

test('of two teammates canceling at the same time, one succeeds and the other is shown the change', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store)
  const forms = await Promise.all([formOf(store, orderId, two), formOf(store, orderId, two)])
  const pressed = await Promise.all(
    Array.from({ length: 20 }, () => forms).flatMap((both) =>
      both.map((form) => cancelLinesAsStaff(store, dana, { ...form, reason })),
    ),
  )
  expect(pressed.filter((one) => one.ok && one.value.isNew)).toHaveLength(1)
  expect(pressed.filter((one) => !one.ok && one.reason === 'moved')).toHaveLength(20)
  expect(await listOrderRefunds(store.db, orderId)).toHaveLength(1)
  expect((await orderOf(store, orderId)).shipments[0]?.items).toMatchObject([{ quantity: 2 }])
  expect(await broken(store)).toEqual([])
})

test('a shopper cancels unshipped items and gets an email with the items and refund', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store, { fulfillment: 'home' })
  must(await cancelLinesAsShopper(store, await formOf(store, orderId, two)))
  const [refund] = await listOrderRefunds(store.db, orderId)
  expect(refund).toMatchObject({ createdBy: 'shopper', kind: 'cancellation' })
  const config = readConfig({ DATABASE_URL: 'postgres://nobody@localhost/none' })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const deps = { ...store, config: config.value }
  const values = await cancellationMessageValues(deps, { key: `order-lines-canceled:${refund?.id}` })
  const mail = await renderMessage('order-lines-canceled', values ?? {})
  expect(mail.text).toContain('2 × ')
  expect(mail.text).toContain('The rest of your order doesn’t change.')
  const { lines } = await orderOf(store, orderId)
  expect(values?.['items']).toMatchObject({
    tires: [
      { name: lines[0]?.description, quantity: 2, pictureUrl: expect.stringContaining(`/${lines[0]?.itemId}.png`) },
    ],
  })
  expect(await auditOf(store, orderId)).toEqual([])
})

test('a tire stays in its package until it is refunded as canceled', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store)
  const gone = store.db.deleteFrom('stock_allocation').where('order_id', '=', orderId).execute()
  expect(violatedConstraint(await gone.catch((error: unknown) => error))).toBe('order_line_allocated_or_canceled')
})
