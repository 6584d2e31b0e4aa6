/**
 * Orders with two charges, because a more expensive edit was paid. Every kind of refund handles both, and the ledger
 * balances.
 */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { readCancelable } from '#domain/ordering/cancellations/cancellations.server.ts'
import { cancel } from '#domain/ordering/cancellations/cancellations.testing.ts'
import {
  answerDelay,
  cancelAsStaff,
  receiveCarrierEvent,
  releaseOrder,
  shipOrder,
  tellOfDelays,
} from '#domain/ordering/orders/orders.server.ts'
import { booksOf, dana, orderOf, pass } from '#domain/ordering/orders/staff-acts.testing.ts'
import {
  approveGuarantee,
  fileGuaranteeRequest,
  guaranteeForm,
} from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { decideRefund, giveBackAll, readRefundable, refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import { countReports, readReports } from '#domain/operations/reports/reports.server.ts'
import { daysOfMonth } from '#domain/operations/reports/reports.ts'
import {
  inspectTire,
  listOrderReturns,
  openReturn,
  previewRefundOfReturn,
  receiveTires,
  refundReturn,
} from '#domain/ordering/returns/returns.server.ts'
import { asked, openReturnsStore, scanBy, sender, type ReturnsStore } from '#domain/ordering/returns/returns.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { chargesOf, makeChargedTwice } from './order-changes.testing.ts'

const [port = 0] = await freePorts(3)

async function expectSound({ db, clock }: ReturnsStore): Promise<void> {
  expect((await verify(db, clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
}

/** What of each charge went back, once everything that is promised is paid out. */
async function paidBack(store: ReturnsStore, orderId: number): Promise<number[]> {
  await expectSound(store)
  await payOutRefunds(store)
  await expectSound(store)
  return (await chargesOf(store, orderId)).map(({ refunded }) => refunded)
}

/** Returns the difference between ledger and provider in the monthly cash report, excluding demo orders. */
async function cashDifference(store: ReturnsStore): Promise<unknown> {
  await countReports(store)
  const period = daysOfMonth(Temporal.PlainYearMonth.from('2026-11'))
  const filter = { state: null, shopId: null, accountType: null }
  const { columns, total } = (await readReports(store, { period, comparison: 'month', filter })).reports.cash
  return total[columns.findIndex(({ label }) => label === 'Difference')]
}

const money = { hasHandlingFee: false, lowerReason: null, reason: 'late', bearer: 'store', note: null } as const

function refund(
  store: ReturnsStore,
  orderId: number,
  what: { lines: { lineNo: number; units: number }[]; amountCents: number | null },
) {
  const form = { ...money, ...what, orderId, actor: dana, key: newId(), agreedCents: null, isFresh: true }
  return refundOrder(store, form)
}

/** A second person approves amounts above the threshold. */
async function approveDrafts(store: ReturnsStore): Promise<void> {
  const drafts = await store.db.selectFrom('order_refund').select('id').where('state', '=', 'draft').execute()
  const actor = { via: 'command line', name: 'lee' } as const
  for (const { id } of drafts) must(await decideRefund(store, { refundId: id, decision: 'approved', actor }))
}

test('canceled before it ships, both charges go back whole, and cash agrees with the provider', async () => {
  await using store = await openReturnsStore(port)
  const before = await cashDifference(store)
  const { orderId, charges } = await makeChargedTwice(store)
  expect(charges).toHaveLength(2)
  must(await cancelAsStaff(store, dana, { orderId, reason: 'They changed their mind.' }))
  expect(await paidBack(store, orderId)).toEqual(charges)
  expect(await booksOf(store, orderId)).toEqual({})
  expect(await cashDifference(store)).toBe(before)
})

test('unit refunds use the first charge before the second, down to zero', async () => {
  await using store = await openReturnsStore(port)
  const before = await cashDifference(store)
  const { orderId, charges } = await makeChargedTwice(store)
  const { lines } = (await readRefundable(store.db, orderId)) ?? { lines: [] }
  for (const { lineNo, quantity } of lines.filter(({ netCents }) => netCents > 0))
    for (let unit = 0; unit < quantity; unit += 1)
      must(await refund(store, orderId, { lines: [{ lineNo, units: 1 }], amountCents: null }))
  await approveDrafts(store)
  expect(await paidBack(store, orderId)).toEqual(charges)
  expect(await booksOf(store, orderId)).toEqual({})
  expect(await refund(store, orderId, { lines: [], amountCents: 1 })).toMatchObject({ ok: false })
  expect(await cashDifference(store)).toBe(before)
})

test('a refund that takes the rest of one charge and a part of the other is one refund', async () => {
  await using store = await openReturnsStore(port)
  const { orderId, charges } = await makeChargedTwice(store)
  const [first = 0] = charges
  must(await refund(store, orderId, { lines: [], amountCents: first - 100 }))
  must(await refund(store, orderId, { lines: [], amountCents: 350 }))
  expect(await paidBack(store, orderId)).toEqual([first, 250])
  expect(await booksOf(store, orderId)).toMatchObject({ refunds: first + 250 })
  // The first of one charge, then the rest of it and a part of the other.
  const refunds = await store.db
    .selectFrom('charge_refund')
    .innerJoin('payment', 'payment.id', 'charge_refund.payment_id')
    .select('charge_refund.key')
    .where('payment.order_id', '=', orderId)
    .execute()
  expect(refunds).toHaveLength(3)
})

test('canceled by line, the tires that are left keep their price, and the last one ends the order', async () => {
  await using store = await openReturnsStore(port)
  const { orderId, charges } = await makeChargedTwice(store)
  must(await cancel(store, orderId, [{ lineNo: 1, units: 1 }]))
  must(await cancel(store, orderId, [{ lineNo: 1, units: 2 }]))
  const half = await paidBack(store, orderId)
  expect(half[0]).toBeGreaterThan(0)
  expect((await orderOf(store, orderId)).booking).toMatchObject({ state: 'confirmed' })
  must(await cancel(store, orderId, [{ lineNo: 1, units: 1 }]))
  expect(await paidBack(store, orderId)).toEqual(charges)
  expect(await booksOf(store, orderId)).toEqual({})
  const order = await orderOf(store, orderId)
  expect(order).toMatchObject({ state: 'canceled', booking: { state: 'canceled' } })
  expect(await readCancelable(store, order)).toEqual([])
})

test('lines canceled before the second charge is captured are refunded from it after capture', async () => {
  await using store = await openReturnsStore(port)
  const { orderId, charges } = await makeChargedTwice(store, { isReleased: false })
  expect((await chargesOf(store, orderId)).map(({ state }) => state)).toEqual(['captured', 'authorized'])
  expect(await cancelAsStaff(store, dana, { orderId, reason: 'They called.' })).toMatchObject({
    reason: 'not-possible',
  })
  must(await cancel(store, orderId, [{ lineNo: 1, units: 4 }]))
  await expectSound(store)
  await releaseOrder(store, orderId)
  expect(await paidBack(store, orderId)).toEqual(charges)
  expect(await booksOf(store, orderId)).toEqual({})
})

test('canceled because it is late, both charges go back', async () => {
  await using store = await openReturnsStore(port)
  const before = await cashDifference(store)
  const { orderId, charges } = await makeChargedTwice(store)
  for (const { id } of (await orderOf(store, orderId)).shipments) await shipOrder(store, { orderId, shipmentId: id })
  pass(store, { hours: 24 * 9 })
  await tellOfDelays(store)
  must(await answerDelay({ ...store, giveBackAll }, { orderId, answer: 'cancel', actor: 'shopper' }))
  expect(await paidBack(store, orderId)).toEqual(charges)
  expect(await booksOf(store, orderId)).toEqual({})
  expect(await cashDifference(store)).toBe(before)
})

test('a price guarantee uses the rest of the first charge, then the second', async () => {
  await using returns = await openReturnsStore(port)
  const store = { ...returns, rateLimits: createRateLimits(returns) }
  const { orderId, charges } = await makeChargedTwice(store)
  const [first = 0] = charges
  must(await refund(store, orderId, { lines: [], amountCents: first - 100 }))
  const offer = { competitor: 'Other Tires', link: 'https://othertires.com/alltide', price: '20.00', shipping: '1' }
  const form = guaranteeForm.parse({ ...offer, seenOn: '11/20/2026', orderNumber: `S-${orderId}` })
  const { id } = must(await fileGuaranteeRequest(store, form, { isOwn: true, networkKey: 'network-1', file: null }))
  must(await approveGuarantee(store, { id, differenceCents: 1_000, by: desk }))
  expect(await paidBack(store, orderId)).toEqual([first, 900])
})

test('a return after delivery refunds both charges in full', async () => {
  await using store = await openReturnsStore(port)
  const { orderId, charges } = await makeChargedTwice(store)
  for (const { id } of (await orderOf(store, orderId)).shipments) {
    await shipOrder(store, { orderId, shipmentId: id })
    const trackingNumber = (await orderOf(store, orderId)).shipments.find((one) => one.id === id)?.trackingNumber ?? ''
    must(await receiveCarrierEvent(scanBy(store, { id: `there ${id}`, trackingNumber, state: 'delivered' }), '', ''))
  }
  must(await openReturn(store, { ...asked, orderId }, sender))
  const [back] = await listOrderReturns(store.db, orderId)
  const id = back?.id ?? 0
  const tireNos = back?.tires.map(({ tireNo }) => tireNo) ?? []
  must(await receiveTires(store, dana, { id, tireNos }))
  const found = { finding: '10/32 in', dot: null, isDotMatch: true, refusal: null, photo: null }
  for (const tireNo of tireNos) must(await inspectTire(store, dana, { id, tireNo, outcome: 'restock', ...found }))
  const [view] = await listOrderReturns(store.db, orderId)
  if (!view) throw new Error('The return of a test is gone.')
  const order = await orderOf(store, orderId)
  const { refundCents } = await previewRefundOfReturn(store.db, { view, order, feeReason: 'our-mistake' })
  must(
    await refundReturn(store, dana, {
      id,
      feeReason: 'our-mistake',
      reorderId: null,
      agreedCents: refundCents,
      isFresh: true,
    }),
  )
  await approveDrafts(store)
  const [first = 0, second = 0] = await paidBack(store, orderId)
  expect(first + second).toBe(refundCents)
  expect(first).toEqual(charges[0])
  expect(second).toBeGreaterThan(0)
})
