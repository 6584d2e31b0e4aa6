/** Prices of a supplier's tire with its freight. */
import { expect, test } from 'vitest'
import { makePlacedOrder } from '#domain/ordering/checkout/checkout.testing.ts'
import { openSupplied, type Supplied } from '#domain/supply/stock/availability.testing.ts'
import { findSupplier } from '#domain/supply/stock/stock.server.ts'
import { verify } from '#tests/support/invariants.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { previewPrices } from './price-rules.server.ts'

const [port = 0] = await freePorts(3)

/** The preview of cost plus 20%, with a minimum margin of 10%, for the supplier's tires. */
async function previewOf(store: Supplied) {
  const rule = {
    brandId: null,
    supplierId: store.id,
    markupPpm: 200_000,
    addCents: 0,
    marginFloorPpm: 100_000,
    raisesToMap: false,
    competitorDays: null,
    competitorBeatPpm: 0,
    competitorBeatCents: 0,
    endingCents: null,
    version: 0,
  }
  const { changes, withFreight, lowestMarginPpm, largest } = await previewPrices(store, { id: null, rule })
  return { changes, withFreight, lowestMarginPpm, cents: largest.map(({ toCents }) => toCents) }
}

test('a supplier’s freight is in the price, the margin, and the recorded cost', async () => {
  await using store = await openSupplied(port)
  await store.answer(12)
  await store.supplierAvailability.refresh([store.itemId])
  expect(await previewOf(store)).toEqual({ changes: 1, withFreight: 0, lowestMarginPpm: 166_666, cents: [7_380] })
  await store.charge('8.50')
  expect(await previewOf(store)).toEqual({ changes: 1, withFreight: 1, lowestMarginPpm: 166_666, cents: [8_400] })
  expect(await findSupplier(store, store.id)).toMatchObject({ freightCents: 850 })

  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home', itemId: store.itemId })
  await store.charge('20')
  const line = await store.db
    .selectFrom('order_line')
    .select(['unit_cost_cents as cost', 'unit_freight_cents as freight'])
    .where('order_id', '=', orderId)
    .where('kind', '=', 'tire')
    .executeTakeFirst()
  expect(line).toEqual({ cost: 7_000, freight: 850 })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
