/**
 * Lender-financed orders are funded after fulfillment, as reported by the lender's server, once, and less canceled
 * amounts.
 */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cancel } from '#domain/ordering/cancellations/cancellations.testing.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import {
  agreeTo,
  booksOf,
  makeFinancedCart,
  makeFinancedOrder,
  makeReadyCart,
  must,
  openApplication,
  openTestStore,
  pickTire,
  pressAtLender,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import {
  payOutRefund,
  promiseRefund,
  receiveProviderEvent,
  refreshPayment,
  voidCharge,
} from '#domain/payments/payments/payments.server.ts'
import { finishJob, moveJob, readJob } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { receiveTires, technicianOf, wholeInput } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { startReceiver, type Received } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { moveShipment } from './order-life.sql.server.ts'
import { cancelOrder, readOrder, releaseOrder, settleFinancedOrder, type OrderView } from './orders.server.ts'
import { moveParcels } from './orders.testing.ts'
import { orderOf } from './staff-acts.testing.ts'
import { openInventory } from '#tests/support/inventory.ts'

const [port = 0] = await freePorts(3)
const lenderUrl = `http://127.0.0.1:${port + 2}/webhooks/payments/lender`

/** The application of a page, as the lender has it. */
async function applicationOf(store: TestStore, page: string) {
  return must(withDetail(await store.financing.read(page.split('/').at(-1) ?? '')))
}

function withDetail<Answer extends { ok: boolean }>(answer: Answer) {
  return answer as Answer & { detail: unknown }
}

/** The half hour passes, and the order is released. */
async function release(store: TestStore, orderId: number): Promise<void> {
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
}

async function paymentOf(store: TestStore, orderId: number): Promise<NonNullable<OrderView['payment']>> {
  const order = await readOrder(store.db, orderId)
  if (!order?.payment) throw new Error('The order of a test has no charge.')
  return order.payment
}

async function waitingJobs(store: TestStore, orderId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select task_identifier as name from graphile_worker.jobs where key in ('settle-financed:' || ${orderId}::text, 'release-order:' || ${orderId}::text) order by 1`.execute(
    store.db,
  )
  return rows.map(({ name }) => name)
}

test('signed, placed and confirmed; released without a capture; paid with the last parcel, once', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents, page } = await makeFinancedOrder(store, { fulfillment: 'home' })
  expect(await waitingJobs(store, orderId)).toEqual(['release-order', 'settle-financed'])
  await settleFinancedOrder(store, orderId)
  await settleFinancedOrder(store, orderId)
  expect(await applicationOf(store, page)).toMatchObject({ state: 'confirmed', deliveredCents: 0 })

  await release(store, orderId)
  await settleFinancedOrder(store, orderId)
  const order = await orderOf(store, orderId)
  expect(order.releasedAt).not.toBeNull()
  expect(order.payment).toMatchObject({ state: 'authorized', capturedCents: 0 })
  expect(await booksOf(store.db, orderId)).not.toHaveProperty('cash')
  expect(await verify(store.db, store.clock.now())).toEqual([])

  await moveParcels(store, orderId, 'delivered', store.clock.now())
  await Promise.allSettled([settleFinancedOrder(store, orderId), settleFinancedOrder(store, orderId)])
  await settleFinancedOrder(store, orderId)
  expect(await applicationOf(store, page)).toMatchObject({ state: 'delivered', deliveredCents: totalCents })
  expect(await paymentOf(store, orderId)).toMatchObject({ state: 'captured', capturedCents: totalCents })
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: totalCents })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('two parcels are paid for one after the other', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  // Two of the four come from another warehouse.
  await store.db.updateTable('stock').set({ on_hand: 2 }).where('item_id', '=', itemId).execute()
  await openInventory(store.db)
  const { orderId, totalCents, page } = await makeFinancedOrder(store, { fulfillment: 'home', itemId })
  await settleFinancedOrder(store, orderId)
  await release(store, orderId)
  const [parcel, ...others] = (await orderOf(store, orderId)).shipments
  expect(others).toHaveLength(1)
  for (const to of ['pending-pickup', 'in-transit', 'delivered'] as const)
    await store.db.transaction().execute((tx) =>
      moveShipment(tx, parcel?.id ?? '', to, {
        actor: 'carrier',
        at: store.clock.now(),
        note: null,
        tracking: { carrier: 'Test', trackingNumber: 'T-1' },
      }),
    )
  await settleFinancedOrder(store, orderId)
  const { deliveredCents } = await applicationOf(store, page)
  expect(deliveredCents).toBeGreaterThan(0)
  expect(deliveredCents).toBeLessThan(totalCents)
  expect(await paymentOf(store, orderId)).toMatchObject({ state: 'authorized', capturedCents: deliveredCents })
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: deliveredCents })
  await moveParcels(store, orderId, 'delivered', store.clock.now())
  await settleFinancedOrder(store, orderId)
  expect(await paymentOf(store, orderId)).toMatchObject({ state: 'captured', capturedCents: totalCents })
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: totalCents })
})

test('canceling within the window ends the contract without a balance', async () => {
  await using store = await openTestStore(port)
  const { orderId, page } = await makeFinancedOrder(store, { fulfillment: 'home' })
  await settleFinancedOrder(store, orderId)
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  must(await voidCharge(store, (await paymentOf(store, orderId)).id, 'store'))
  await settleFinancedOrder(store, orderId)
  expect(await applicationOf(store, page)).toMatchObject({ state: 'canceled' })
  expect(await booksOf(store.db, orderId)).toEqual({})
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a tire canceled before delivery comes off the contract, and the lender pays for the rest', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents, page } = await makeFinancedOrder(store, { fulfillment: 'home' })
  await settleFinancedOrder(store, orderId)
  await release(store, orderId)
  must(await cancel(store, orderId, [{ lineNo: 1, units: 1 }]))
  expect(await waitingJobs(store, orderId)).toContain('settle-financed')
  await settleFinancedOrder(store, orderId)
  await settleFinancedOrder(store, orderId)
  const { canceledCents } = await applicationOf(store, page)
  expect(canceledCents).toBeGreaterThan(0)
  expect(await verify(store.db, store.clock.now())).toEqual([])

  await moveParcels(store, orderId, 'delivered', store.clock.now())
  await settleFinancedOrder(store, orderId)
  expect(await applicationOf(store, page)).toMatchObject({
    state: 'delivered',
    deliveredCents: totalCents - canceledCents,
    givenBackCents: 0,
  })
  expect(await paymentOf(store, orderId)).toMatchObject({
    state: 'captured',
    capturedCents: totalCents,
    refundedCents: canceledCents,
  })
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: totalCents - canceledCents })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('canceling every tire one by one delivers and pays for no tires', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents, page } = await makeFinancedOrder(store, { fulfillment: 'home' })
  await settleFinancedOrder(store, orderId)
  await release(store, orderId)
  for (const units of [1, 3]) {
    must(await cancel(store, orderId, [{ lineNo: 1, units }]))
    await settleFinancedOrder(store, orderId)
    await releaseOrder(store, orderId)
  }
  expect(await applicationOf(store, page)).toMatchObject({ state: 'terminated', canceledCents: totalCents })
  expect(await paymentOf(store, orderId)).toMatchObject({ refundedCents: totalCents })
  expect(await booksOf(store.db, orderId)).not.toHaveProperty('cash')
})

test('a crash after any step is made good by the next run', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents, page } = await makeFinancedOrder(store, { fulfillment: 'home' })
  /** The lender does it, and its answer never arrives. */
  const lost = (name: 'confirm' | 'deliver') => ({
    ...store,
    financing: {
      ...store.financing,
      [name]: async (input: never) => {
        await store.financing[name](input)
        return { ok: false, reason: 'unavailable', message: 'lost' }
      },
    },
  })
  await expect(settleFinancedOrder(lost('confirm') as TestStore, orderId)).rejects.toThrow('lost')
  await settleFinancedOrder(store, orderId)
  expect((await applicationOf(store, page)).state).toBe('confirmed')
  await release(store, orderId)
  await moveParcels(store, orderId, 'delivered', store.clock.now())
  await expect(settleFinancedOrder(lost('deliver') as TestStore, orderId)).rejects.toThrow('lost')
  expect(await booksOf(store.db, orderId)).not.toHaveProperty('cash')
  await settleFinancedOrder(store, orderId)
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: totalCents })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test.each(['low', 'decline', 'expire', 'review', 'cancel'] as const)(
  '%s: there is no money, nothing can be placed, and cart, time and price stay',
  async (person) => {
    await using store = await openTestStore(port)
    const cart = await makeReadyCart(store)
    const { totalCents, ...input } = await agreeTo(store, cart)
    const page = await openApplication(store, cart, 'loan')
    if (person !== 'cancel') await pressAtLender(store, page, { act: 'apply', person })
    await pressAtLender(store, page, { act: person === 'cancel' ? 'cancel' : 'sign' })
    const status = must(await refreshPayment(store, { cartId: cart.id }))
    expect(status).toMatchObject({
      failure: {
        low: expect.stringMatching(/^We're sorry, the payment/) as string,
        decline: 'Your credit application was not accepted',
        expire: expect.stringMatching(/^We're sorry, the payment/) as string,
        review: null,
        cancel: null,
      }[person],
      isProcessing: person === 'review',
    })
    expect(status?.payment.state).toBe(
      { low: 'failed', decline: 'failed', expire: 'failed', review: 'pending', cancel: 'voided' }[person],
    )
    expect((await placeOrder(store, input)).ok).toBe(false)
    const after = await readCart(store, cart.id)
    expect(after).toMatchObject({
      orderId: null,
      shopId: cart.shopId,
      lines: cart.lines.map(({ itemId }) => ({ itemId })),
    })
    expect((await agreeTo(store, after ?? cart)).totalCents).toBe(totalCents)
    // The shopper can open another application immediately.
    const again = await openApplication(store, cart, 'loan')
    await pressAtLender(store, again, { act: 'apply', person: 'approve' })
    await pressAtLender(store, again, { act: 'sign' })
    must(await refreshPayment(store, { cartId: cart.id }))
    must(await placeOrder(store, input))
  },
)

test('a review decision arrives only by webhook and counts once, even repeated or reordered', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { financingUrl: lenderUrl })
  const deps = { ...store, rateLimits: createRateLimits(store) }
  const pass = async (received: readonly Received[]) => {
    for (const { body, headers } of received)
      must(
        await receiveProviderEvent(deps, {
          provider: 'lender',
          body,
          header: (name) => String(headers[name] ?? ''),
        }),
      )
  }
  const cart = await makeReadyCart(store)
  const { totalCents, ...input } = await agreeTo(store, cart)
  const page = await openApplication(store, cart, 'lease')
  await pressAtLender(store, page, { act: 'apply', person: 'review' })
  must(await refreshPayment(store, { cartId: cart.id }))
  const review = `${store.sandbox.origin}/lender/${page.split('/').at(-1)}/review`
  await pressAtLender(store, review, { answer: 'approve' })
  await store.sandbox.catchUp()
  await pass([...receiver.received, ...receiver.received].reverse())
  const { orderId } = must(await placeOrder(store, input))
  expect(await paymentOf(store, orderId)).toMatchObject({ state: 'authorized', amountCents: totalCents })
})

test('a signature counts without the browser’s return, but a return without a signature doesn’t', async () => {
  await using store = await openTestStore(port)
  const { page, totalCents: _, ...input } = await makeFinancedCart(store, { method: 'loan' })
  expect((await applicationOf(store, page)).state).toBe('signed')
  must(await placeOrder(store, input))
  const cart = await makeReadyCart(store, { openingAt: 1 })
  const unsigned = await agreeTo(store, cart)
  await openApplication(store, cart, 'loan')
  must(await refreshPayment(store, { cartId: cart.id }))
  expect(await placeOrder(store, unsigned)).toMatchObject({ ok: false, reason: 'payment-not-authorized' })
})

test('installed tires are paid when the job is finished, and later refunds go to the lender', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents, page } = await makeFinancedOrder(store, { method: 'lease' })
  await settleFinancedOrder(store, orderId)
  await release(store, orderId)
  const portal = {
    ...store,
    config: {
      session: { secret: 'a secret for tests only' },
      store: { name: 'Sidewall', phone: '(800) 555-0100' },
      demo: true,
    },
  }
  const { booking, shop } = await orderOf(store, orderId)
  const bookingId = booking?.id ?? ''
  store.clock.set(booking?.start ?? store.clock.now())
  const by = await technicianOf(portal, shop?.id ?? 0)
  await receiveTires(portal, by, bookingId)
  await settleFinancedOrder(store, orderId)
  // The tires are at the shop, and not yet on the car.
  expect(await booksOf(store.db, orderId)).not.toHaveProperty('cash')
  must(await moveJob(portal as never, by, { bookingId, to: 'arrived' }))
  must(await moveJob(portal as never, by, { bookingId, to: 'in-bay' }))
  const job = await readJob(portal as never, { shopId: by.shopId, bookingId })
  if (!job) throw new Error('The job of a test is gone.')
  must(await finishJob(portal, by, { bookingId, input: wholeInput(job) }))
  await settleFinancedOrder(store, orderId)
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: totalCents })

  const at = store.clock.now()
  must(
    await store.db.transaction().execute((tx) => promiseRefund(tx, { orderId, amountCents: 1_000, key: 'test:1', at })),
  )
  const { id } = await store.db
    .selectFrom('charge_refund')
    .select('id')
    .where('key', '=', 'test:1')
    .executeTakeFirstOrThrow()
  await payOutRefund(store, id)
  await payOutRefund(store, id)
  expect(await applicationOf(store, page)).toMatchObject({ givenBackCents: 1_000, canceledCents: 0 })
  expect(await paymentOf(store, orderId)).toMatchObject({ state: 'captured', refundedCents: 1_000 })
})
