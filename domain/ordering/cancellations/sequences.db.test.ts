/** Cancellations, shipments, refunds and returns of orders in two parcels, in any order: the books and invariants hold. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makePlacedOrder, must, pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { receiveCarrierEvent, releaseOrder, shipOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderProgress } from '#domain/ordering/orders/orders.ts'
import { dana, orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { readRefundable, refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import {
  inspectTire,
  listOrderReturns,
  openReturn,
  previewRefundOfReturn,
  receiveTires,
  refundReturn,
} from '#domain/ordering/returns/returns.server.ts'
import { asked, openReturnsStore, scanBy, sender, type ReturnsStore } from '#domain/ordering/returns/returns.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { cancel } from './cancellations.testing.ts'
import { openInventory } from '#tests/support/inventory.ts'

const [port = 0] = await freePorts(3)

/** An order of four tires in two parcels of two, past its window; released unless said otherwise. */
async function placeSplit(store: ReturnsStore, { isReleased = true } = {}): Promise<number> {
  const itemId = await pickTire(store)
  const rows = await store.db
    .selectFrom('stock')
    .select('warehouse_id')
    .where('item_id', '=', itemId)
    .orderBy('on_hand', 'desc')
    .execute()
  for (const [index, { warehouse_id: warehouseId }] of rows.entries())
    await store.db
      .updateTable('stock')
      .set({ on_hand: index < 2 ? 2 : 0 })
      .where('item_id', '=', itemId)
      .where('warehouse_id', '=', warehouseId)
      .execute()
  const { orderId } = await makePlacedOrder(store, { itemId, fulfillment: 'home' })
  await store.db.updateTable('stock').set({ on_hand: 50 }).where('item_id', '=', itemId).execute()
  await openInventory(store.db)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  if (isReleased) await releaseOrder(store, orderId)
  return orderId
}

/** Announces one parcel and has it arrive. */
async function deliver(store: ReturnsStore, orderId: number, index: number): Promise<void> {
  const before = (await orderOf(store, orderId)).shipments[index]
  if (before) await shipOrder(store, { orderId, shipmentId: before.id })
  const parcel = (await orderOf(store, orderId)).shipments[index]
  if (!parcel?.trackingNumber || parcel.state === 'canceled') return
  const there = { id: `there ${parcel.id}`, trackingNumber: parcel.trackingNumber, state: 'delivered' as const }
  must(await receiveCarrierEvent(scanBy(store, there), '', ''))
}

/** A shopper returns the order's tires, and the office receives and refunds them. */
async function giveBackByReturn(store: ReturnsStore, orderId: number, quantity: number): Promise<void> {
  await openReturn(store, { ...asked, orderId, lines: [{ lineNo: 1, quantity }] }, sender)
  for (const { id, tires } of await listOrderReturns(store.db, orderId)) {
    const tireNos = tires.map(({ tireNo }) => tireNo)
    await receiveTires(store, dana, { id, tireNos })
    const found = { finding: '10/32 in', dot: null, isDotMatch: true, refusal: null, photo: null }
    for (const tireNo of tireNos) await inspectTire(store, dana, { id, tireNo, outcome: 'restock', ...found })
    const view = (await listOrderReturns(store.db, orderId)).find((one) => one.id === id)
    if (!view?.tires.some(({ state }) => state === 'accepted')) continue
    const order = await orderOf(store, orderId)
    const { refundCents } = await previewRefundOfReturn(store.db, { view, order, feeReason: 'due' })
    await refundReturn(store, dana, { id, feeReason: 'due', reorderId: null, agreedCents: refundCents, isFresh: true })
  }
}

async function refundRandomly(store: ReturnsStore, orderId: number, pick: number): Promise<void> {
  const { lines } = (await readRefundable(store.db, orderId)) ?? { lines: [] }
  const line = lines[pick % Math.max(1, lines.length)]
  const isGoodwill = pick % 2 === 0
  await refundOrder(store, {
    orderId,
    actor: dana,
    key: newId(),
    lines: line && !isGoodwill ? [{ lineNo: line.lineNo, units: 1 }] : [],
    amountCents: isGoodwill ? (pick % 900) + 1 : null,
    hasHandlingFee: false,
    lowerReason: null,
    reason: 'late',
    bearer: 'carrier',
    note: null,
    agreedCents: null,
    isFresh: true,
  })
}

const broken = async ({ db, clock }: ReturnsStore) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

test('an order with a shipped and a canceled package continues, and ends as returned after a full return', async () => {
  await using store = await openReturnsStore(port)
  const kept = await placeSplit(store)
  await deliver(store, kept, 0)
  expect(await cancel(store, kept, [{ lineNo: 1, units: 3 }])).toMatchObject({ detail: { most: 2 } })
  must(await cancel(store, kept, [{ lineNo: 1, units: 2 }]))
  const after = await orderOf(store, kept)
  expect(after.state).toBe('confirmed')
  expect(orderProgress(after)).toBe('delivered')
  expect(after.shipments.map(({ state }) => state).toSorted()).toEqual(['canceled', 'delivered'])
  await giveBackByReturn(store, kept, 2)
  expect((await orderOf(store, kept)).state).toBe('returned')

  const first = await placeSplit(store)
  await deliver(store, first, 0)
  await giveBackByReturn(store, first, 2)
  expect((await orderOf(store, first)).state).toBe('confirmed')
  must(await cancel(store, first, [{ lineNo: 1, units: 2 }]))
  expect((await orderOf(store, first)).state).toBe('returned')
  await payOutRefunds(store)
  expect(await broken(store)).toEqual([])
})

const steps = fc.array(
  fc.record({ act: fc.constantFrom('cancel', 'deliver', 'release', 'refund', 'return', 'pay'), pick: fc.nat(9_999) }),
  { minLength: 4, maxLength: 9 },
)

test('random sequences never refund more than was captured or a unit twice, and every balance holds', async () => {
  await using store = await openReturnsStore(port)
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (acts, isReleased) => {
      const orderId = await placeSplit(store, { isReleased })
      for (const { act, pick } of acts) {
        if (act === 'cancel') await cancel(store, orderId, [{ lineNo: 1, units: (pick % 4) + 1 }])
        else if (act === 'release') await releaseOrder(store, orderId)
        else if (act === 'deliver' && (await orderOf(store, orderId)).payment?.state === 'captured')
          await deliver(store, orderId, pick % 2)
        else if (act === 'refund') await refundRandomly(store, orderId, pick)
        else if (act === 'return') await giveBackByReturn(store, orderId, (pick % 2) + 1)
        else if (act === 'pay') await payOutRefunds(store)
      }
      await releaseOrder(store, orderId)
      await payOutRefunds(store)
      const { payment } = await orderOf(store, orderId)
      expect(payment?.refundedCents).toBeLessThanOrEqual(payment?.capturedCents ?? 0)
      expect(await broken(store)).toEqual([])
    }),
    { numRuns: Number(process.env['LAW_RUNS'] ?? 0) >= 10_000 ? 60 : 8 },
  )
}, 240_000)
