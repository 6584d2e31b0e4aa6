/** Simultaneous orders for tires that their supplier also sells elsewhere. */
import { expect, test } from 'vitest'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { agreeTo, makeReadyCart, payByCard } from '#domain/ordering/checkout/checkout.testing.ts'
import { readOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { countOwnStock, openSupplied } from './availability.testing.ts'

const [port = 0] = await freePorts(3)

test('a supplier that sells out between the review, the order, and the charge is never oversold', async () => {
  await using store = await openSupplied(port)
  await store.answer(24)
  await store.supplierAvailability.refresh([store.itemId])
  const reviewed = []
  for (let no = 1; no <= 6; no += 1) {
    const cart = await makeReadyCart(store, {
      itemId: store.itemId,
      fulfillment: 'home',
      email: `race-${no}@example.com`,
    })
    const { totalCents, ...input } = await agreeTo(store, cart)
    await payByCard(store, cart.id, totalCents)
    reviewed.push(input)
  }
  // The supplier sells ten units between the review and the orders.
  await store.answer(14)
  store.pass(61)
  const placed = await Promise.all(reviewed.map((input) => placeOrder(store, input)))
  const orderIds = placed.flatMap((outcome) => (outcome.ok ? [outcome.value.orderId] : []))
  expect(orderIds).toHaveLength(3)
  expect(await store.units()).toBe(2)

  // It sells seven more before the charges, and our warehouse gets enough for one order.
  store.pass(31 * 60)
  await store.answer(7)
  await countOwnStock(store, 4)
  await Promise.allSettled([...orderIds, ...orderIds].map((orderId) => releaseOrder(store, orderId)))
  const sold = await Promise.all(
    orderIds.map(async (orderId) => {
      const order = await readOrder(store.db, orderId)
      if (order?.payment?.state !== 'captured') return 'not charged'
      return order.shipments.every(({ warehouse }) => warehouse.id === store.warehouseId) ? 'supplier' : 'ours'
    }),
  )
  expect(sold.toSorted()).toEqual(['not charged', 'ours', 'supplier'])
  const { units } = await store.db
    .selectFrom('purchase_order')
    .innerJoin('purchase_order_line as line', 'line.purchase_order_id', 'purchase_order.id')
    .select((eb) => eb.fn.sum<string>('line.quantity').as('units'))
    .where('purchase_order.order_id', 'in', orderIds)
    .where('purchase_order.state', '=', 'released')
    .executeTakeFirstOrThrow()
  // Of the seven units that it has, one order's four.
  expect(Number(units)).toBe(4)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
