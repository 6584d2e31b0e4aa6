/** The office refund list combines staff refunds and automatic refunds in one paginated list. */
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { readOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { promiseRefund } from '#domain/payments/payments/payments.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { smallDataMadeAt } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { findListedRefund, listRefunds, refundOrder, type RefundQuery } from './refunds.server.ts'

const [port = 0] = await freePorts(3)
/** Everything since the demo data was made. */
const everything: RefundQuery = { tab: 'all', reason: null, bearer: null, from: smallDataMadeAt, until: null }

function goodwill(
  store: TestStore,
  orderId: number,
  amountCents: number,
  why: { reason: 'late' | 'defect'; bearer: 'carrier' | 'maker' },
) {
  const asked = { lines: [], amountCents, note: null, lowerReason: null, hasHandlingFee: false, ...why }
  return refundOrder(store, { ...asked, agreedCents: null, isFresh: true, orderId, actor: desk, key: newId() })
}

async function listed(store: TestStore, query: Partial<RefundQuery> = {}) {
  const { refunds } = await listRefunds(store, { ...everything, ...query }, { after: null, limit: 50 })
  return refunds.map(({ reason, money, amountCents }) => [reason, money, amountCents])
}

test('every refund is listed once with person, reason, cost allocation, and payment status', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  must(await goodwill(store, orderId, 700, { reason: 'late', bearer: 'carrier' }))
  await payOutRefunds(store)
  store.clock.set(store.clock.now().add({ minutes: 1 }))
  must(
    await store.db
      .transaction()
      .execute((tx) => promiseRefund(tx, { orderId, amountCents: 900, key: 'guarantee:1', at: store.clock.now() })),
  )
  const sent = store.clock.now()
  store.clock.set(sent.add({ minutes: 1 }))
  must(await goodwill(store, orderId, 800, { reason: 'defect', bearer: 'maker' }))

  expect(await listed(store)).toEqual([
    ['defect', 'promised', 800],
    ['guarantee', 'promised', 900],
    ['late', 'done', 700],
  ])
  expect(await listed(store, { tab: 'promised' })).toEqual([
    ['defect', 'promised', 800],
    ['guarantee', 'promised', 900],
  ])
  expect(await listed(store, { tab: 'promised', bearer: 'store' })).toEqual([['guarantee', 'promised', 900]])
  expect(await listed(store, { tab: 'draft' })).toEqual([])
  expect(await listed(store, { tab: 'refused' })).toEqual([])
  expect(await listed(store, { reason: 'late' })).toEqual([['late', 'done', 700]])
  expect(await listed(store, { reason: 'guarantee' })).toEqual([['guarantee', 'promised', 900]])
  expect(await listed(store, { bearer: 'maker' })).toEqual([['defect', 'promised', 800]])
  expect(await listed(store, { from: sent, until: sent.add({ seconds: 1 }) })).toEqual([['guarantee', 'promised', 900]])

  const order = await readOrder(store.db, orderId)
  const [first] = (await listRefunds(store, everything, { after: null, limit: 1 })).refunds
  expect(first).toMatchObject({
    orderId,
    by: desk.name,
    customer: `${order?.firstName} ${order?.lastName}`,
    said: null,
  })
})

test('a refund is found by its ID in any list', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  must(await goodwill(store, orderId, 700, { reason: 'late', bearer: 'carrier' }))
  must(
    await store.db
      .transaction()
      .execute((tx) => promiseRefund(tx, { orderId, amountCents: 900, key: 'guarantee:2', at: store.clock.now() })),
  )
  const found = async (tab: RefundQuery['tab']) => {
    const { refunds } = await listRefunds(store, { ...everything, tab }, { after: null, limit: 50 })
    const all = await Promise.all(refunds.map(({ id }) => findListedRefund(store.db, id)))
    return all
      .toSorted((one, other) => (other?.amountCents ?? 0) - (one?.amountCents ?? 0))
      .map((each) => [each?.reason, each?.amountCents, each?.refund?.bearer])
  }
  const expected = [
    ['guarantee', 900, undefined],
    ['late', 700, 'carrier'],
  ]
  expect(await found('all')).toEqual(expected)
  expect(await found('promised')).toEqual(expected)
  expect(await findListedRefund(store.db, newId())).toBeUndefined()
})

test('one-row pages show every refund once, from any list', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  // All at the same time, so the id decides.
  for (const amount of [100, 200, 300])
    must(await goodwill(store, orderId, amount, { reason: 'late', bearer: 'carrier' }))
  for (const amountCents of [400, 500])
    must(
      await store.db
        .transaction()
        .execute((tx) =>
          promiseRefund(tx, { orderId, amountCents, key: `guarantee:${amountCents}`, at: store.clock.now() }),
        ),
    )
  for (const tab of ['all', 'promised'] as const) {
    const seen: number[] = []
    let after: Awaited<ReturnType<typeof listRefunds>>['next'] = null
    do {
      const page = await listRefunds(store, { ...everything, tab }, { after, limit: 1 })
      seen.push(...page.refunds.map(({ amountCents }) => amountCents))
      after = page.next
    } while (after !== null)
    expect(
      seen.toSorted((a, b) => a - b),
      tab,
    ).toEqual([100, 200, 300, 400, 500])
  }
})
