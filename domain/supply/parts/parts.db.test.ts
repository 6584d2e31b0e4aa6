/** Tests parts in the back office, with their stock and file. */
import { expect, test } from 'vitest'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { ok } from '#platform/outcome.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  addPart,
  changePart,
  countPart,
  findPart,
  importParts,
  listParts,
  listPartsForSale,
  planParts,
  returnPartUnits,
  takePartUnits,
} from './parts.server.ts'
import { partColumns, partForm, partValues } from './parts.ts'

const clock = fixedClock('2026-12-01T15:00:00Z')
const typed = {
  kind: 'tpms-sensor',
  sku: 'T-1',
  brand: 'Test',
  name: 'One',
  price: '30',
  sale: 'on',
  frequency: '315',
  valve: 'rubber',
}
const draft = (change: Record<string, string> = {}) => partForm.parse({ ...typed, ...change })

async function open() {
  const database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock }
  const [catalog, manager, support] = [
    await signInStaff(deps, 'catalog'),
    await signInStaff(deps, 'manager'),
    await signInStaff(deps, 'support'),
  ]
  const warehouses = await listWarehouses(deps)
  const [own, other] = warehouses.filter(({ supplierId }) => supplierId === null)
  const supplied = warehouses.find(({ supplierId }) => supplierId !== null)
  if (!own || !other || !supplied) throw new Error('The demo has no warehouses.')
  return {
    deps,
    catalog,
    manager,
    support,
    own,
    other,
    supplied,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('a part is added, changed at its version, counted, and then for sale', async () => {
  await using store = await open()
  const { deps, catalog, manager, support, own, supplied } = store
  expect(await addPart(deps, support, draft())).toMatchObject({ reason: 'not-allowed' })
  expect(await addPart(deps, catalog, draft())).toEqual(ok({ sku: 'T-1' }))
  expect(await addPart(deps, catalog, draft())).toMatchObject({ reason: 'sku-taken' })
  expect(await changePart(deps, catalog, 'T-1', draft({ version: '2' }))).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await changePart(deps, catalog, 'T-2', draft({ version: '1' }))).toMatchObject({ reason: 'gone' })
  expect(await changePart(deps, support, 'T-1', draft({ version: '1' }))).toMatchObject({ reason: 'not-allowed' })
  expect(await changePart(deps, catalog, 'T-1', draft({ price: '31', version: '1' }))).toEqual(ok(null))
  const isForSale = async () => (await listPartsForSale(deps)).some(({ sku }) => sku === 'T-1')
  expect(await isForSale()).toBe(false)

  const count = (warehouse: number, units: number, seen: number | null, by = manager) =>
    countPart(deps, by, 'T-1', { warehouse, units, seen })
  expect(await count(own.id, 5, 0, support)).toMatchObject({ reason: 'not-allowed' })
  expect(await count(supplied.id, 5, 0)).toMatchObject({ reason: 'not-our-warehouse' })
  expect(await count(own.id, 5, 1)).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await count(own.id, 5, 0)).toEqual(ok(null))
  expect(await isForSale()).toBe(true)
  const found = await findPart(deps, 'T-1')
  expect(found?.part).toMatchObject({ priceCents: 3100, version: 2, units: 5 })
  expect(found?.stock.find(({ warehouseId }) => warehouseId === own.id)?.units).toBe(5)
  expect(found?.stock.map(({ warehouseId }) => warehouseId)).not.toContain(supplied.id)
  await changePart(deps, catalog, 'T-1', draft({ sale: 'off', version: '2' }))
  expect(await isForSale()).toBe(false)
})

test('a file adds and changes parts, or no part if a row has an error', async () => {
  await using store = await open()
  const { deps, catalog, support } = store
  const columns = Object.keys(partColumns)
  const file = (...rows: Record<string, string>[]) =>
    [Object.values(partColumns), ...rows.map((row) => columns.map((key) => row[key] ?? ''))]
      .map((cells) => cells.join(','))
      .join('\n')
  const send = (...rows: Record<string, string>[]) => importParts(deps, catalog, file(...rows))
  expect(await importParts(deps, support, file(typed))).toMatchObject({ reason: 'not-allowed' })
  expect(await send(typed, { ...typed, sku: 'T-2', valve: 'steel' })).toMatchObject({
    reason: 'faults',
    detail: ['Line 3, Valve: Choose one from the list.'],
  })
  expect(await send(typed, { ...typed, name: 'Two' })).toMatchObject({
    detail: ['Line 3, SKU: Line 2 has the same one.'],
  })
  expect(await findPart(deps, 'T-1')).toBeUndefined()
  expect(await send(typed, { ...typed, sku: 'T-2', cost: '12.50' })).toEqual(ok({ added: 2, changed: 0 }))
  const listed = await listParts(deps, { kind: null, after: null })
  const exported = listed.parts.map(partValues)
  expect(await send(...exported)).toEqual(ok({ added: 0, changed: 0 }))
  expect(await send({ ...typed, price: '29', version: '1' })).toEqual(ok({ added: 0, changed: 1 }))
  expect(await send({ ...typed, price: '28', version: '1' })).toMatchObject({
    detail: ['Line 2, Version: This part was changed after the export. Export the file again.'],
  })
  expect((await findPart(deps, 'T-1'))?.part.priceCents).toBe(2900)
})

test('the first warehouse with enough units packs a part, and no more than it has', async () => {
  await using store = await open()
  const { deps, catalog, manager, own, other } = store
  await addPart(deps, catalog, draft())
  await countPart(deps, manager, 'T-1', { warehouse: own.id, units: 3, seen: null })
  await countPart(deps, manager, 'T-1', { warehouse: other.id, units: 4, seen: null })
  const partId = (await findPart(deps, 'T-1'))?.part.id ?? 0
  const plan = (quantity: number) =>
    planParts(deps.db, { parts: [{ partId, quantity }], warehouseIds: [own.id, other.id] })
  expect(await plan(3)).toEqual({ packed: [{ partId, warehouseId: own.id, quantity: 3 }], lacking: [] })
  const { packed } = await plan(4)
  expect(packed).toEqual([{ partId, warehouseId: other.id, quantity: 4 }])
  expect(await plan(5)).toEqual({ packed: [], lacking: [partId] })
  const take = () => deps.db.transaction().execute((tx) => takePartUnits(tx, packed))
  expect(await take()).toBe(true)
  expect(await take()).toBe(false)
  await deps.db.transaction().execute((tx) => returnPartUnits(tx, packed))
  expect((await findPart(deps, 'T-1'))?.part.units).toBe(7)
})
