import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import {
  agreeTo,
  makeReadyCart,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { cancelAsStaff, cancelWithin, readOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import {
  clearLapsed,
  openCharge,
  receiveProviderEvent,
  refreshPayment,
  releaseUnansweredCharges,
  voidCharge,
} from '#domain/payments/payments/payments.server.ts'
import { readConfig } from '#platform/config.ts'
import { payWithFields, startReceiver } from '#sandbox/test-sandbox.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { fromStripe } from '#tests/support/provider-message.ts'
import {
  askAgain,
  askToPayAgain,
  captureNow,
  findOpenCharge,
  finishPaidAgain,
  voidUnanswered,
  listOpenCharges,
  openChargeMessageValues,
  payAgain,
  readPayAgain,
  takeCharge,
  watchCharges,
  writeToPayer,
} from './open-charges.server.ts'

const [port = 0] = await freePorts(3)
const by = { via: 'command line', name: 'tester' } as const
const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!read.ok) throw new Error('The configuration of tests is wrong.')
const config = read.value
const stalls = '4000000000020000'

const later = (store: TestStore, hours: number) =>
  store.clock.set(store.clock.now().add({ minutes: Math.round(hours * 60) }))

/** A card order with a release that never ran. */
async function stuckOrder(store: TestStore) {
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(store, cart)
  const { payment, clientSecret } = must(
    await openCharge(store, { cartId: cart.id, amountCents: totalCents, email: null }),
  )
  await payWithFields(store.sandbox, clientSecret, '4242424242424242')
  const { orderId } = must(await placeOrder(store, input))
  return { orderId, totalCents, paymentId: payment.id, cartId: cart.id }
}

const opensOf = async (store: TestStore) =>
  (await listOpenCharges(store, 10)).map(({ kind, orderId }) => [kind, orderId])

const jobsOf = async ({ db }: TestStore, name: string) =>
  Number(
    (
      await sql<{ count: string }>`select count(*) from graphile_worker.jobs
        where task_identifier = ${name} and run_at <= now()`.execute(db)
    ).rows[0]?.count,
  )

const broken = async ({ db, clock }: TestStore) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

test('a failed charge is retried, then sent to staff, charged, and resolved', async () => {
  await using store = await openTestStore(port)
  const { orderId, paymentId } = await stuckOrder(store)
  // Its job has failed for good.
  await sql`delete from graphile_worker._private_jobs`.execute(store.db)
  expect(await opensOf(store)).toEqual([])

  later(store, 24 * 7 - 72 - 1)
  await watchCharges(store)
  expect(await jobsOf(store, 'release-order')).toBe(0)
  later(store, 2)
  await watchCharges(store)
  expect(await jobsOf(store, 'release-order')).toBe(1)
  expect(await opensOf(store)).toEqual([])

  later(store, 24)
  expect(await opensOf(store)).toEqual([['to-capture', orderId]])
  must(await takeCharge(store, { paymentId, by }))
  expect(await findOpenCharge(store, paymentId)).toMatchObject({ owner: 'tester', isHeld: false, kind: 'to-capture' })
  expect(must(await askAgain(store, { paymentId, by }))).toEqual({ isOpen: true })
  expect(await voidUnanswered(store, { paymentId, by })).toMatchObject({ reason: 'not-this-one' })
  must(await captureNow(store, { paymentId, by }))
  expect((await readOrder(store.db, orderId))?.payment?.state).toBe('captured')
  expect(await opensOf(store)).toEqual([])
  expect(await captureNow(store, { paymentId, by })).toMatchObject({ reason: 'over' })
  const acts = await store.db
    .selectFrom('audit_entry')
    .select('act')
    .where('act', 'like', 'charge.%')
    .orderBy('id')
    .execute()
  expect(acts.map(({ act }) => act)).toEqual(['charge.taken', 'charge.asked', 'charge.captured'])
  expect(await broken(store)).toEqual([])
})

test('an order awaiting its customer isn’t charged', async () => {
  await using store = await openTestStore(port)
  const { orderId, paymentId } = await stuckOrder(store)
  await store.db
    .updateTable('sales_order')
    .set({ state: 'needs-confirmation', confirm_by: store.clock.now().add({ hours: 24 * 30 }) })
    .where('id', '=', orderId)
    .execute()
  later(store, 24 * 7 - 48)
  await sql`delete from graphile_worker._private_jobs`.execute(store.db)
  await watchCharges(store)
  expect(await jobsOf(store, 'release-order')).toBe(0)
  expect(await opensOf(store)).toEqual([['to-capture', orderId]])
  expect(await captureNow(store, { paymentId, by })).toMatchObject({
    reason: 'waits',
    detail: { why: 'The customer has not confirmed the order.' },
  })
  expect(await askToPayAgain(store, { paymentId, by })).toMatchObject({ reason: 'waits' })
})

test('after an authorization expires, the customer pays again by link once, and the order continues', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents, paymentId, cartId } = await stuckOrder(store)
  later(store, 24 * 7 + 1)
  await store.sandbox.catchUp()
  await watchCharges(store)
  expect(await opensOf(store)).toEqual([['lapsed', orderId]])
  expect(await captureNow(store, { paymentId, by })).toMatchObject({ reason: 'waits' })
  expect(await payAgain(store, paymentId)).toMatchObject({ reason: 'over' })

  must(await askToPayAgain(store, { paymentId, by }))
  const mail = await store.db
    .selectFrom('message')
    .select('key')
    .where('kind', '=', 'pay-again')
    .executeTakeFirstOrThrow()
  const values = await openChargeMessageValues({ db: store.db, config }, mail)
  const token = decodeURIComponent(
    typeof values?.['payUrl'] === 'string' ? (values['payUrl'].split('/').at(-1) ?? '') : '',
  )
  expect(await readPayAgain({ ...store, config }, `${token}x`)).toBeUndefined()
  const asked = await readPayAgain({ ...store, config }, token)
  expect(asked).toMatchObject({ amountCents: totalCents, cartId, isPaid: false, isOver: false })
  expect(await payAgain(store, paymentId)).toMatchObject({ reason: 'not-paid' })

  const { clientSecret } = must(await openCharge(store, { cartId, amountCents: totalCents, email: null }))
  await payWithFields(store.sandbox, clientSecret, '5555555555554444')
  const paid = await Promise.all([payAgain(store, paymentId), payAgain(store, paymentId)])
  expect(paid.filter((one) => must(one).isNew)).toHaveLength(1)
  expect(await opensOf(store)).toEqual([])
  expect(await readPayAgain({ ...store, config }, token)).toMatchObject({ isPaid: true })
  await releaseOrder(store, orderId)
  expect((await readOrder(store.db, orderId))?.payment).toMatchObject({ state: 'captured', capturedCents: totalCents })
  await watchCharges(store)
  expect(await broken(store)).toEqual([])
})

test('a lapsed charge is no longer listed once its order was canceled', async () => {
  await using store = await openTestStore(port)
  const [one, other] = [await stuckOrder(store), await stuckOrder(store)]
  later(store, 24 * 7 + 1)
  await store.sandbox.catchUp()
  await watchCharges(store)
  expect(await clearLapsed(store.db)).toBe(0)
  expect(await opensOf(store)).toHaveLength(2)
  must(await cancelAsStaff(store, by, { orderId: one.orderId, reason: 'They called.' }))
  expect(await clearLapsed(store.db)).toBe(1)
  expect(await clearLapsed(store.db)).toBe(0)
  expect(await opensOf(store)).toEqual([['lapsed', other.orderId]])
})

test('the worker completes an interrupted payment by link, and an expired link accepts no payment', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents, paymentId, cartId } = await stuckOrder(store)
  later(store, 24 * 5 + 1)
  // Still authorized, so the request releases it at the bank first.
  must(await askToPayAgain(store, { paymentId, by }))
  expect(await opensOf(store)).toEqual([['lapsed', orderId]])
  const { clientSecret } = must(await openCharge(store, { cartId, amountCents: totalCents, email: null }))
  await payWithFields(store.sandbox, clientSecret, '5555555555554444')
  expect(must(await refreshPayment(store, { cartId }))).toMatchObject({ payment: { state: 'authorized' } })
  expect(await finishPaidAgain(store)).toBe(1)
  expect(await finishPaidAgain(store)).toBe(0)
  expect((await readOrder(store.db, orderId))?.payment?.state).toBe('authorized')

  const other = await stuckOrder(store)
  later(store, 24 * 5 + 1)
  must(await askToPayAgain(store, { paymentId: other.paymentId, by }))
  later(store, 73)
  expect(await payAgain(store, other.paymentId)).toMatchObject({ reason: 'over' })
  // Without a payment the order is canceled, and its charge needs no review.
  await store.db
    .transaction()
    .execute((tx) => cancelWithin(tx, store.clock, { orderId: other.orderId, actor: 'tester', byStaff: true }))
  expect((await opensOf(store)).filter(([, id]) => id === other.orderId)).toEqual([])
  expect(await broken(store)).toEqual([])
})

test('an unresponsive bank shows for 30 minutes, then as overdue, and clears with the response', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, {
    webhookUrl: `http://127.0.0.1:${port + 2}/webhooks`,
    stallSeconds: 3_600,
  })
  const cart = await makeReadyCart(store)
  const { totalCents } = await agreeTo(store, cart)
  const { payment, clientSecret } = must(
    await openCharge(store, { cartId: cart.id, amountCents: totalCents, email: null }),
  )
  const answered = payWithFields(store.sandbox, clientSecret, stalls)
  await eventually(
    'processing',
    async () => must(await refreshPayment(store, { cartId: cart.id }))?.isProcessing || undefined,
  )
  const [open] = await listOpenCharges(store, 10)
  expect(open).toMatchObject({ kind: 'no-answer', amountCents: totalCents, orderId: null, owner: null })
  expect(open?.email).toContain('@')
  expect(open?.due.since(store.clock.now()).total('minutes')).toBeCloseTo(30, 0)
  const about = { paymentId: payment.id, by }
  must(await writeToPayer(store, about))
  expect(await askToPayAgain(store, about)).toMatchObject({ reason: 'not-this-one' })

  later(store, 0.52)
  expect((await listOpenCharges(store, 10)).map(({ due }) => Temporal.Instant.compare(due, store.clock.now()))).toEqual(
    [-1],
  )
  await releaseUnansweredCharges(store)
  expect(await opensOf(store)).toEqual([['no-answer', null]])
  must(await voidUnanswered(store, about))
  expect(await opensOf(store)).toEqual([])
  expect(await voidUnanswered(store, about)).toMatchObject({ reason: 'over' })

  // The bank responds after all, and the late authorization is voided.
  await voidCharge(store, payment.id, 'store')
  later(store, 1)
  await store.sandbox.catchUp()
  const deps = { ...store, rateLimits: createRateLimits({ db: store.db, networkFactor: 1_000 }) }
  for (const { body, headers } of receiver.received) {
    const signature = String(headers['stripe-signature'])
    store.clock.set(Temporal.Instant.fromEpochMilliseconds(Number(/t=(\d+)/.exec(signature)?.[1]) * 1000))
    must(await receiveProviderEvent(deps, fromStripe(body, signature)))
  }
  await answered
  expect(await store.payments.readCharge(payment.providerRef ?? '')).toMatchObject({ value: { state: 'voided' } })
  expect(await opensOf(store)).toEqual([])
})
