/** The demo's pressure sensors, with stock in every warehouse of the store. */
import type { PoolClient } from 'pg'
import { addPart, countPart } from '#domain/supply/parts/parts.server.ts'
import { partForm } from '#domain/supply/parts/parts.ts'
import { accepted, byDemo, depsAt } from './seed-transaction.ts'
import { warehouses } from './warehouses.ts'

const unitsEach = 60

const sensors = [
  { sku: 'HS-315-R', name: 'Sense 315', frequency: '315', valve: 'rubber', price: '34.99', cost: '18.50' },
  { sku: 'HS-433-R', name: 'Sense 433', frequency: '433', valve: 'rubber', price: '34.99', cost: '18.50' },
  { sku: 'HS-433-M', name: 'Sense 433 Metal', frequency: '433', valve: 'metal', price: '41.99', cost: '23.00' },
  { sku: 'HS-UNI-R', name: 'Sense Universal', frequency: 'both', valve: 'rubber', price: '44.99', cost: '25.40' },
]

/** Adds the parts as of `now`, as the store's forms do. */
export async function loadParts(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const deps = depsAt(client, now)
  const own = warehouses.filter(({ supplierId }) => supplierId === null)
  for (const sensor of sensors) {
    const draft = partForm.parse({ kind: 'tpms-sensor', brand: 'Halden', sale: 'on', ...sensor })
    accepted('A part', await addPart(deps, byDemo, draft))
    for (const { id: warehouse } of own)
      accepted('Its stock', await countPart(deps, byDemo, sensor.sku, { warehouse, units: unitsEach, seen: null }))
  }
}
