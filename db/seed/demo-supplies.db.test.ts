import { expect, test } from 'vitest'
import { listAudit } from '#domain/kernel/staff/staff.server.ts'
import { findTireStock, listPurchaseOrders, listStock } from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderStates, type PurchaseOrderState } from '#domain/supply/stock/stock.ts'
import { listPromotions } from '#domain/catalog/promotions/promotions.server.ts'
import { createTestDatabase, smallDataMadeAt as now } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'

test('the demo has suppliers with stock, a purchase order in each state, adjustments and a draft of a promotion', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: { now: () => now } }
  const counts: Record<string, number> = {}
  for (const state of purchaseOrderStates)
    counts[state] = (await listPurchaseOrders(deps, { state, before: null })).orders.length
  expect(counts).toEqual({ held: 1, released: 2, accepted: 3, rejected: 1, canceled: 1 } satisfies Record<
    PurchaseOrderState,
    number
  >)

  for (const pool of ['on-hand', 'local', 'nationwide'] as const)
    expect((await listStock(deps, { words: [], pool }, 0)).tires, pool).toHaveLength(50)
  const { entries } = await listAudit(deps, {
    actor: null,
    act: 'stock.adjusted',
    subject: null,
    from: null,
    until: null,
    before: null,
  })
  expect(entries).toHaveLength(6)
  const [latest] = entries
  const tires = await listStock(deps, { words: [String(latest?.subject)], pool: null }, 0)
  const tire = await findTireStock(deps, tires.tires[0]?.itemId ?? 0)
  expect(tire?.adjustments).toMatchObject([{ reason: 'count', changeUnits: 3 }])

  const { promotions } = await listPromotions(deps, { state: 'draft', after: null })
  expect(promotions.map(({ name }) => name)).toEqual(['New Year'])
  expect((await verify(deps.db, now)).map(({ name, examples }) => ({ name, examples }))).toEqual([])
})
