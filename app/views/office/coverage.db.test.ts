import { expect, test } from 'vitest'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { losAngeles, makeItem, makeWarehouse, makeZip } from '#domain/supply/delivery/delivery.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { readCoverage, uncoveredText } from './coverage.server.ts'

test('coverage ranks warehouses with tires by arrival, without those that are closed or don’t ship there', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await makeZip(db)
  await makeZip(db, { ...losAngeles, zip: '90012' })
  await makeZip(db, { zip: '99501', city: 'Anchorage', state: 'AK', region: 'AK', latitude: 61.2, longitude: -149.9 })
  await makeItem(db, { id: 7 })
  await makeWarehouse(db, { id: 1, stock: [[7, 3]], unserved_zones: ['AK'] })
  await makeWarehouse(db, { id: 2, ...losAngeles, stock: [[7, 8]] })
  await makeWarehouse(db, { id: 3, ...losAngeles })
  // A Friday before the cut-off.
  const deps = { db, clock: fixedClock('2026-11-20T16:00:00Z') }
  const rows = await readCoverage(deps, await listWarehouses(deps))
  const of = (zone: string) => rows.find((row) => row.zone === zone)
  expect(of('Midwest')).toMatchObject({ first: 'Warehouse 1', second: 'Warehouse 2', arrives: '2 business days' })
  expect(of('West')).toMatchObject({ first: 'Warehouse 2', second: 'Warehouse 1', arrives: '2 business days' })
  expect(of('Alaska')).toMatchObject({ first: 'Warehouse 2', second: null, arrives: '7 business days' })
  expect(of('Hawaii')).toMatchObject({ first: null, second: null, arrives: null })
  expect(uncoveredText(rows)).toBe('South and East, Hawaii, and Territories')
  expect(uncoveredText(rows.filter(({ first }) => first !== null))).toBeNull()
})
