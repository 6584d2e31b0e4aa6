import { expect, test } from 'vitest'
import { fixedClock } from '#platform/clock.testing.ts'
import { planDeliveries, planDelivery, warehousePromises } from './delivery.server.ts'
import { regionOfZip } from './regions.ts'
import { counting, losAngeles, makeItem, makeWarehouse, makeZip } from './delivery.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'

const clock = fixedClock('2026-11-20T16:00:00Z')

async function ground() {
  const database = await createTestDatabase()
  const { db } = database
  await makeZip(db)
  await makeZip(db, losAngeles)
  await makeZip(db, {
    zip: '09009',
    city: 'APO',
    state: 'AE',
    region: 'MILITARY',
    zip_type: 'MILITARY',
    latitude: null,
    longitude: null,
  })
  await makeItem(db, { id: 7 })
  await makeItem(db, { id: 8 })
  await makeWarehouse(db, {
    id: 1,
    stock: [
      [7, 3],
      [8, 0],
    ],
  })
  await makeWarehouse(db, {
    id: 2,
    ...losAngeles,
    stock: [
      [7, 8],
      [8, 2],
    ],
  })
  return { ...database, deps: { db, clock } }
}

test('plans a cart from one warehouse if possible, split otherwise', async () => {
  await using shop = await ground()
  const whole = await planDelivery(shop.deps, { lines: [{ itemId: 7, quantity: 4 }], zip: '60614' })
  expect(whole).toMatchObject({
    ok: true,
    value: { shipments: [{ warehouseId: 2, items: [{ itemId: 7, quantity: 4 }] }] },
  })

  const split = await planDelivery(shop.deps, {
    lines: [
      { itemId: 7, quantity: 6 },
      { itemId: 7, quantity: 5 },
    ],
    zip: '60614',
  })
  expect(split).toMatchObject({
    ok: true,
    value: {
      shipments: [
        { warehouseId: 2, items: [{ quantity: 8 }] },
        { warehouseId: 1, items: [{ quantity: 3 }] },
      ],
    },
  })
})

test('rejects undeliverable items with the missing quantities', async () => {
  await using shop = await ground()
  const lines = [{ itemId: 8, quantity: 4 }]
  expect(await planDelivery(shop.deps, { lines, zip: '60614' })).toEqual({
    ok: false,
    reason: 'out-of-stock',
    detail: [{ itemId: 8, wanted: 4, available: 2 }],
  })
  expect(await planDelivery(shop.deps, { lines, zip: '00000' })).toMatchObject({ ok: false, reason: 'zip-not-found' })
  expect(await planDelivery(shop.deps, { lines, zip: '09009' })).toMatchObject({ ok: false, reason: 'military' })
})

test('plans several ZIPs in one query, each with its own dates', async () => {
  await using shop = await ground()
  const counted = counting(shop.db)
  const plans = await planDeliveries(
    { db: counted.db, clock },
    { lines: [{ itemId: 7, quantity: 4 }], zips: ['60614', '90001', '00000'] },
  )
  expect(counted.count()).toBe(1)
  expect([...plans].map(([zip, plan]) => [zip, plan.ok ? plan.value.arrivesOn.toString() : plan.reason])).toEqual([
    ['60614', '2026-11-27'],
    ['90001', '2026-11-24'],
    ['00000', 'zip-not-found'],
  ])
})

test('each warehouse has its promise for a ZIP', async () => {
  await using shop = await ground()
  const promises = await warehousePromises(shop.deps, { zip: '60614' })
  expect(promises.ok && [...promises.value].map(([id, promise]) => [id, promise.arrivesOn.toString()])).toEqual([
    [1, '2026-11-24'],
    [2, '2026-11-27'],
  ])
})

test('each ZIP code is in its region', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const zips = await database.db.selectFrom('zip').select(['zip', 'region']).where('region', '<>', 'MILITARY').execute()
  expect(zips.length).toBeGreaterThan(30_000)
  expect(zips.filter(({ zip, region }) => regionOfZip(zip) !== region)).toEqual([])
})
