import { expect, test } from 'vitest'
import {
  booksOf,
  makeInvoicedOrder,
  must,
  openTestStore,
  pickTire,
  stockOf,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { recordInvoicePaid } from '#domain/payments/invoices/invoices.server.ts'
import { payOutRefund } from '#domain/payments/payments/payments.server.ts'
import { expireQuotes } from '#domain/ordering/quotes/quotes.server.ts'
import { giveBackAll } from '#domain/ordering/refunds/refunds.server.ts'
import { startReceiver } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { withoutSecrets } from '#domain/messaging/messages/email-copy.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { readConfig } from '#platform/config.ts'
import { deliver, orderOf, pass, press, ship, shipped } from './delays.testing.ts'
import { delayMessageValues } from './delay-messages.server.ts'
import {
  answerDelay,
  findDelay,
  listDelaysForStaff,
  readAppointmentToken,
  refundLabel,
  settleSilentDelays,
  tellOfDelays,
} from './orders.server.ts'

const [port = 0] = await freePorts(3)
const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!config.ok) throw new Error('The configuration of tests is wrong.')
const { value: settings } = config
const carrierCallbackUrl = `http://127.0.0.1:${port + 2}/webhooks/carrier`

async function noticesOf({ db }: TestStore, orderId: number) {
  return db
    .selectFrom('delay_notice')
    .select(['notice_no', 'promised_on', 'revised_on', 'on_silence', 'appointment', 'answer', 'answered_by'])
    .where('order_id', '=', orderId)
    .orderBy('notice_no')
    .execute()
}

/** Of the sample orders some are late, too. */
const forStaff = async (store: TestStore, orderId: number) =>
  (await listDelaysForStaff(store, 100)).filter((row) => row.orderId === orderId)

async function mailsOf({ db }: TestStore, orderId: number): Promise<string[]> {
  const mails = await db
    .selectFrom('message')
    .select('kind')
    .where('order_id', '=', orderId)
    .where('kind', 'like', 'order-delay%')
    .orderBy('created_at')
    .execute()
  return mails.map(({ kind }) => kind)
}

/** Pays out promised refunds and returns the total for the order's charge. */
async function payOut(store: TestStore, orderId: number): Promise<number> {
  const promised = store.db
    .selectFrom('charge_refund')
    .innerJoin('payment', 'payment.id', 'payment_id')
    .select('charge_refund.id')
    .where('payment.order_id', '=', orderId)
    .where('charge_refund.state', '=', 'promised')
  for (const { id } of await promised.execute()) await payOutRefund(store, id)
  return (await orderOf(store, orderId)).payment?.refundedCents ?? 0
}

const shopper = { actor: 'shopper' }
const plusDays = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()

test('a delayed delivery is reported once and the appointment moves after the new date', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const orderId = await shipped(store)
  await tellOfDelays(store)
  expect(await noticesOf(store, orderId)).toEqual([])
  const before = await orderOf(store, orderId)

  await press(store, orderId, 'delay')
  await deliver(store, receiver.received)
  await Promise.all([tellOfDelays(store), tellOfDelays(store)])
  await tellOfDelays(store)
  const late = await orderOf(store, orderId)
  const revised = late.shipments[0]?.expectedOn ?? ''
  expect(await noticesOf(store, orderId)).toMatchObject([
    { notice_no: 1, promised_on: before.shipments[0]?.promisedOn, revised_on: revised, on_silence: 'wait' },
  ])
  expect(await mailsOf(store, orderId)).toEqual(['order-delayed'])
  const day = late.booking?.start.toZonedDateTimeISO(late.timeZone).toPlainDate().toString() ?? ''
  expect(late.booking).toMatchObject({ id: before.booking?.id, state: 'confirmed' })
  expect(day >= revised).toBe(true)
  // Up to three other times after the new day, a link each.
  const values = await delayMessageValues({ ...store, config: settings }, { kind: 'order-delayed', orderId })
  const times = values?.['times']
  const links = typeof times === 'object' && 'links' in times ? times.links : []
  expect(links).toHaveLength(3)
  for (const { url } of links) {
    const link = new URL(url)
    const token = decodeURIComponent(link.pathname.split('/').at(-1) ?? '')
    expect(readAppointmentToken(settings.session.secret, token, store.clock.now())).toMatchObject({ orderId })
    const start = Temporal.Instant.from(link.searchParams.get('to') ?? '')
    expect(start.toZonedDateTimeISO(late.timeZone).toPlainDate().toString() >= revised).toBe(true)
    expect(start).not.toEqual(late.booking?.start)
  }
  const { text, html } = await renderMessage('order-delayed', values ?? {})
  for (const { words, url } of links) {
    expect(text).toContain(`${words}: ${url}`)
    expect(html).toContain(`href="${url.replaceAll('&', '&amp;')}"`)
  }
  expect(JSON.stringify(withoutSecrets(values ?? {}))).not.toContain('appointment/1')
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('the shopper waits, reschedules to an offered time, and can still cancel', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const itemId = await pickTire(store)
  const stock = await stockOf(store, itemId)
  const orderId = await shipped(store, { itemId })
  expect(await answerDelay({ ...store, giveBackAll }, { orderId, answer: 'wait', ...shopper })).toMatchObject({
    reason: 'no-delay',
  })
  await press(store, orderId, 'delay')
  await deliver(store, receiver.received)
  await tellOfDelays(store)

  expect(await answerDelay({ ...store, giveBackAll }, { orderId, answer: 'wait', ...shopper })).toMatchObject({
    ok: true,
  })
  const delay = await findDelay(store, await orderOf(store, orderId))
  const choice = delay?.times[2]
  if (!choice || !('start' in choice)) throw new Error('The delay of a test offers no time.')
  expect(await answerDelay({ ...store, giveBackAll }, { orderId, answer: 'move', choice, ...shopper })).toMatchObject({
    ok: true,
  })
  expect((await orderOf(store, orderId)).booking).toMatchObject({ start: choice.start })
  const past = { start: store.clock.now() }
  expect(
    await answerDelay({ ...store, giveBackAll }, { orderId, answer: 'move', choice: past, ...shopper }),
  ).toMatchObject({
    reason: 'time-taken',
  })
  expect(await noticesOf(store, orderId)).toMatchObject([{ answer: 'move', answered_by: 'shopper' }])

  // Pressed twenty times, it cancels and refunds once.
  const presses = Array.from({ length: 20 }, () =>
    answerDelay({ ...store, giveBackAll }, { orderId, answer: 'cancel', ...shopper }),
  )
  for (const pressed of await Promise.all(presses)) expect(pressed).toMatchObject({ ok: true })
  const order = await orderOf(store, orderId)
  expect(order).toMatchObject({
    state: 'returned',
    booking: { state: 'canceled' },
    shipments: [{ state: 'in-transit' }],
  })
  expect(await payOut(store, orderId)).toBe(order.payment?.capturedCents)
  expect(await mailsOf(store, orderId)).toEqual(['order-delayed', 'order-delay-canceled'])
  expect(await answerDelay({ ...store, giveBackAll }, { orderId, answer: 'wait', ...shopper })).toMatchObject({
    reason: 'over',
  })
  expect(await stockOf(store, itemId)).toBe(stock - 4)

  // It arrives anyway, so the shopper isn't notified.
  await press(store, orderId, 'advance')
  await deliver(store, receiver.received)
  expect((await orderOf(store, orderId)).shipments[0]?.state).toBe('delivered')
  expect(await mailsOf(store, orderId)).toHaveLength(2)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('silence is consent to a first delay with a near day, and cancels after a second one', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const orderId = await shipped(store)
  await press(store, orderId, 'delay')
  await deliver(store, receiver.received)
  await tellOfDelays(store)
  const revised = (await noticesOf(store, orderId))[0]?.revised_on ?? ''
  await settleSilentDelays({ ...store, giveBackAll })
  expect(await noticesOf(store, orderId)).toMatchObject([{ answer: null }])

  await press(store, orderId, 'delay')
  await deliver(store, receiver.received)
  await tellOfDelays(store)
  expect(await noticesOf(store, orderId)).toMatchObject([
    { notice_no: 1, answer: null },
    { notice_no: 2, promised_on: revised, on_silence: 'cancel', revised_on: plusDays(revised, 9) },
  ])
  pass(store, { hours: 7 * 24 })
  await settleSilentDelays({ ...store, giveBackAll })
  expect((await orderOf(store, orderId)).state).toBe('confirmed')
  pass(store, { hours: 24 })
  await settleSilentDelays({ ...store, giveBackAll })
  await settleSilentDelays({ ...store, giveBackAll })
  const order = await orderOf(store, orderId)
  expect(order.state).toBe('returned')
  expect(await noticesOf(store, orderId)).toMatchObject([{ answer: null }, { answer: 'cancel', answered_by: 'store' }])
  expect(await payOut(store, orderId)).toBe(order.payment?.capturedCents)
  await tellOfDelays(store)
  // The demo's quotes expire in this period, too.
  await expireQuotes(store)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test.for([
  { paidCents: 0, becomes: { state: 'returned', invoice: { state: 'paid', amountCents: 0 } } },
  { paidCents: 100, becomes: { state: 'confirmed', invoice: { state: 'open', paidCents: 100 } } },
])(
  'silently late with $paidCents cents of its invoice paid, an order is taken off it or left to staff',
  async (row) => {
    await using store = await openTestStore(port)
    const { orderId } = await makeInvoicedOrder(store, { fulfillment: 'home' })
    await ship(store, orderId)
    const promised = (await orderOf(store, orderId)).shipments[0]?.promisedOn ?? ''
    const start = Temporal.PlainDate.from(promised).toZonedDateTime('America/Chicago').toInstant()
    store.clock.set(start.add({ hours: 25 }))
    await tellOfDelays(store)
    store.clock.set(start.add({ hours: 31 * 24 + 2 }))
    const by = { via: 'command line', name: 'tester' } as const
    if (row.paidCents > 0)
      must(await recordInvoicePaid(store, { orderId, cents: row.paidCents, reference: 'wire 7', by }))
    await settleSilentDelays({ ...store, giveBackAll })
    await settleSilentDelays({ ...store, giveBackAll })
    expect(await orderOf(store, orderId)).toMatchObject(row.becomes)
    if (row.paidCents === 0) expect(await booksOf(store.db, orderId)).toEqual({})
    // The warnings are demo orders that weren't confirmed in that month.
    const found = await verify(store.db, store.clock.now())
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  },
)

test('a package that isn’t picked up frees the time and is refunded after 30 days without a reply', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const stock = await stockOf(store, itemId)
  const orderId = await shipped(store, { itemId })
  const promised = (await orderOf(store, orderId)).shipments[0]?.promisedOn ?? ''
  const start = Temporal.PlainDate.from(promised).toZonedDateTime('America/Chicago').toInstant()
  store.clock.set(start.add({ hours: 23 }))
  await tellOfDelays(store)
  expect(await noticesOf(store, orderId)).toEqual([])
  store.clock.set(start.add({ hours: 25 }))
  await tellOfDelays(store)
  await tellOfDelays(store)
  expect(await noticesOf(store, orderId)).toMatchObject([
    { revised_on: null, on_silence: 'cancel', appointment: 'freed' },
  ])
  expect((await orderOf(store, orderId)).booking?.state).toBe('canceled')
  // Without a day there are no times to offer.
  const values = await delayMessageValues({ ...store, config: settings }, { kind: 'order-delayed', orderId })
  expect(values).toMatchObject({ times: { links: [] }, timesIntro: '' })
  expect(await forStaff(store, orderId)).toMatchObject([{ isRefund: false }])
  expect(await verify(store.db, store.clock.now())).toEqual([])

  store.clock.set(start.add({ hours: 31 * 24 + 2 }))
  await settleSilentDelays({ ...store, giveBackAll })
  const order = await orderOf(store, orderId)
  expect(order).toMatchObject({ state: 'returned', shipments: [{ state: 'canceled' }] })
  expect(await payOut(store, orderId)).toBe(order.payment?.capturedCents)
  expect(await stockOf(store, itemId)).toBe(stock)
  const { carrier_ref } = await store.db
    .selectFrom('shipment')
    .select('carrier_ref')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  await refundLabel(store, carrier_ref ?? '')
  await refundLabel(store, carrier_ref ?? '')
  expect(await store.carrier.refundLabel(carrier_ref ?? '')).toMatchObject({ ok: true })
  // A month later the sample orders wait for other jobs.
  const broken = await verify(store.db, store.clock.now())
  expect(broken.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('orders that can’t be fully refunded go to staff with the reason on the order', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const orderId = await shipped(store, { fulfillment: 'home' })
  await press(store, orderId, 'delay')
  await deliver(store, receiver.received)
  await tellOfDelays(store)
  expect(await noticesOf(store, orderId)).toMatchObject([{ appointment: 'none' }])
  // Its capture was lost, so no refund is due.
  await store.db
    .updateTable('payment')
    .set({ state: 'authorized', captured_cents: 0 })
    .where('order_id', '=', orderId)
    .execute()
  for (let count = 0; count < 2; count += 1)
    expect(await answerDelay({ ...store, giveBackAll }, { orderId, answer: 'cancel', ...shopper })).toMatchObject({
      ok: true,
    })
  expect((await orderOf(store, orderId)).state).toBe('confirmed')
  expect(await forStaff(store, orderId)).toMatchObject([{ isRefund: true }])
  const notes = await store.db
    .selectFrom('order_event')
    .select('note')
    .where('order_id', '=', orderId)
    .where('note', 'is not', null)
    .execute()
  expect(notes).toEqual([{ note: 'Cancel and refund the items that haven’t arrived. It is not charged yet.' }])
})

test('an older message of the carrier does not replace a newer expected day', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const orderId = await shipped(store)
  pass(store, { hours: 1 })
  await press(store, orderId, 'delay')
  const [older, newer] = [...receiver.received]
  if (!older || !newer) throw new Error('The carrier of a test says nothing.')
  await deliver(store, [newer])
  const expected = (await orderOf(store, orderId)).shipments[0]?.expectedOn
  await deliver(store, [older])
  expect((await orderOf(store, orderId)).shipments[0]).toMatchObject({ expectedOn: expected, state: 'in-transit' })
})
