/** Every email after a delay must describe the installation consistently and accurately. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { startReceiver } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { readConfig } from '#platform/config.ts'
import { delayMessageValues } from './delay-messages.server.ts'
import { deliver, orderOf, pass, press, shipped } from './delays.testing.ts'
import { installationState, installationTimeText, timesOpening } from './installation.ts'
import { messageValues } from './order-messages.server.ts'
import { notifyOfDelay, tellOfDelays } from './orders.server.ts'

const [port = 0] = await freePorts(3)
const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!config.ok) throw new Error('The configuration of tests is wrong.')
const { value: settings } = config
const carrierCallbackUrl = `http://127.0.0.1:${port + 2}/webhooks/carrier`

/** Runs a late order's queued job as the worker does. */
async function runDelayJob(store: TestStore, orderId: number): Promise<void> {
  const { rows } = await sql<{ payload: Parameters<typeof notifyOfDelay>[1] }>`
    select payload from graphile_worker._private_jobs where key = ${`notify-of-delay:${orderId}`}`.execute(store.db)
  const [job] = rows
  if (!job) throw new Error('No notification of a delay is queued.')
  await notifyOfDelay(store, job.payload)
}

async function delayMail(store: TestStore, orderId: number) {
  const values = await delayMessageValues({ ...store, config: settings }, { kind: 'order-delayed', orderId })
  return renderMessage('order-delayed', values ?? {})
}

async function deliveredMail(store: TestStore, orderId: number) {
  const message = { kind: 'order-delivered', orderId, key: `order-delivered:${orderId}` } as const
  return renderMessage('order-delivered', (await messageValues({ ...store, config: settings }, message)).values)
}

const mailsOf = (store: TestStore, orderId: number) =>
  store.db
    .selectFrom('message')
    .select('kind')
    .where('order_id', '=', orderId)
    .where('kind', 'in', ['order-delayed', 'order-delivered'])
    .orderBy('created_at')
    .execute()

test('a delay report queues the notification itself; repeating the job notifies once', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const orderId = await shipped(store)
  await press(store, orderId, 'delay')
  await deliver(store, receiver.received)
  await runDelayJob(store, orderId)
  await runDelayJob(store, orderId)
  await tellOfDelays(store)
  expect(await mailsOf(store, orderId)).toEqual([{ kind: 'order-delayed' }])
  expect((await delayMail(store, orderId)).subject).toBe(`Your tires will be late: order S-${orderId}`)
})

test('reports a delay in the past tense if the package arrives first, and the time doesn’t change', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const orderId = await shipped(store)
  const before = await orderOf(store, orderId)
  await press(store, orderId, 'delay')
  await press(store, orderId, 'advance')
  await deliver(store, receiver.received)
  expect((await orderOf(store, orderId)).shipments[0]?.state).toBe('delivered')
  await runDelayJob(store, orderId)
  await runDelayJob(store, orderId)
  expect((await mailsOf(store, orderId)).map(({ kind }) => kind).toSorted()).toEqual([
    'order-delayed',
    'order-delivered',
  ])
  expect((await orderOf(store, orderId)).booking).toMatchObject({ state: 'confirmed', start: before.booking?.start })
  const mail = await delayMail(store, orderId)
  expect(mail.subject).toBe(`Your tires have arrived: order S-${orderId}`)
  expect(mail.text).toContain('They arrived on')
  expect(mail.text).not.toMatch(/will be late|now expects|You decide|If we do not hear/)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('for tires after the last bookable day, every text shows when times open, without offering one', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const orderId = await shipped(store)
  for (let count = 0; count < 5; count += 1) await press(store, orderId, 'delay')
  await deliver(store, receiver.received)
  await runDelayJob(store, orderId)
  const order = await orderOf(store, orderId)
  expect(installationState(order)).toBe('unbooked')
  expect(installationTimeText(order, order.timeZone)).toBe('No time is booked.')
  const opening = timesOpening(order, { now: store.clock.now(), terms: store.businessTerms.current })
  if (opening.kind !== 'later') throw new Error('The tires of a test arrive too soon.')
  const mail = await delayMail(store, orderId)
  expect(mail.text).toContain(`${order.shop?.name} takes appointments up to 30 days ahead`)
  expect(mail.text).not.toContain('You can pick a new time')

  // On that day there are times, and the delivered mail has the link to them.
  pass(store, {
    hours: opening.opensOn.since(store.clock.now().toZonedDateTimeISO(order.timeZone)).total('hours') + 48,
  })
  expect(timesOpening(order, { now: store.clock.now(), terms: store.businessTerms.current }).kind).toBe('open')
  await press(store, orderId, 'advance')
  await deliver(store, receiver.received)
  const delivered = await deliveredMail(store, orderId)
  expect(delivered.text).toContain(`No time is booked at ${order.shop?.name}.`)
  expect(delivered.text).toMatch(new RegExp(`Pick a time at ${order.shop?.name}: http\\S+/appointment/`))
  expect((await delayMail(store, orderId)).text).toContain(`No time is booked at ${order.shop?.name}. You can pick`)
})

test('a delivered order with a time shows it and has no rescheduling link', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { carrierCallbackUrl })
  const orderId = await shipped(store)
  await press(store, orderId, 'advance')
  await press(store, orderId, 'advance')
  await deliver(store, receiver.received)
  const mail = await deliveredMail(store, orderId)
  expect(mail.text).toContain('To be installed at')
  expect(mail.text).not.toContain('Pick a time')
})
