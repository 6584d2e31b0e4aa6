/** Suppliers, as managers add, change and retire them. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import {
  closeWarehouse,
  findWarehouse,
  listWarehouses,
  reopenWarehouse,
} from '#domain/supply/delivery/delivery.server.ts'
import { warehouseForm, warehouseStateOf } from '#domain/supply/delivery/delivery.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  addHeldWarehouse,
  addSupplier,
  changeSupplier,
  connectionFinder,
  findSupplier,
  listSuppliers,
  restoreSupplier,
  retireSupplier,
} from './stock.server.ts'
import { supplierForm } from './stock.ts'
import { supplierCost } from './supplier-form.ts'

const [port = 0] = await freePorts(2)
const config = { session: { secret: 'a secret for tests only' } }
const supplierAvailability = {
  refuse: () => null,
  refresh: () => Promise.resolve(),
  findLacking: () => Promise.resolve([]),
}
const typed = { code: 'ridge', name: 'Ridgeway Wholesale', leadDays: '4', paymentDays: '30' }
const wired = {
  networkId: 'RIDGEWAY',
  cxmlUrl: 'https://orders.ridgeway.example/cxml',
  cxmlIdentity: 'STORE-88',
  cxmlSecret: 'secret of ridgeway',
}
const draft = (change: Record<string, string> = {}) => supplierForm.parse({ ...typed, ...change })
const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)

async function newStore() {
  const database = await createTestDatabase({ from: 'new' })
  const clock = fixedClock('2026-11-20T15:00:00Z')
  const deps = { db: database.db, clock, config, supplierAvailability }
  return {
    deps,
    manager: await signInStaff(deps, 'manager'),
    packer: await signInStaff(deps, 'warehouse'),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('a supplier has its terms, and its secret is sealed and stays until another is typed', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  const terms = { ...wired, discount: '12.5', minimumOrder: '$1,500', accountNumber: 'A-17' }
  const { id } = must(await addSupplier(deps, manager, draft(terms)))
  expect(await findSupplier(deps, id)).toMatchObject({
    code: 'RIDGE',
    leadDays: 4,
    discountPpm: 125_000,
    minimumOrderCents: 150_000,
    accountNumber: 'A-17',
    version: 1,
  })
  const { cxmlSecret: _secret, ...rest } = wired
  must(await changeSupplier(deps, manager, id, draft({ ...rest, name: 'Ridgeway', version: '1' })))
  expect((await connectionFinder(deps))('RIDGEWAY')).toEqual({
    protocol: 'cxml',
    url: wired.cxmlUrl,
    identity: 'STORE-88',
    secret: 'secret of ridgeway',
  })
  expect((await connectionFinder({ ...deps, config: { session: { secret: 'another' } } }))('RIDGEWAY')).toBe(
    'unreadable',
  )
  const { rows } = await sql<{ text: string }>`
    select concat(supplier::text, (select string_agg(audit_entry::text, ' ') from audit_entry)) as text from supplier`.execute(
    deps.db,
  )
  expect(rows[0]?.text).not.toContain('secret of ridgeway')
  expect(rows[0]?.text).toContain('supplier.changed')
  must(await changeSupplier(deps, manager, id, draft({ networkId: 'RIDGEWAY', version: '2' })))
  expect((await connectionFinder(deps))('RIDGEWAY')).toBeNull()
  expect(reasonOf(await changeSupplier(deps, manager, id, draft({ ...rest, version: '3' })))).toBe('secret-missing')
})

test('of two simultaneous supplier edits the second gets a conflict', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  const { id } = must(await addSupplier(deps, manager, draft()))
  const answers = await Promise.all(
    ['One', 'Other'].map((name) => changeSupplier(deps, manager, id, draft({ name, version: '1' }))),
  )
  expect(answers.map(reasonOf).toSorted()).toEqual(['changed-meanwhile', 'ok'])
})

test('a code or identity that is taken, and a role without the permission, are refused', async () => {
  await using store = await newStore()
  const { deps, manager, packer } = store
  const both = await Promise.all([addSupplier(deps, manager, draft()), addSupplier(deps, manager, draft())])
  expect(both.map(reasonOf).toSorted()).toEqual(['code-taken', 'ok'])
  must(await addSupplier(deps, manager, draft({ code: 'OTHER', networkId: 'RIDGEWAY' })))
  const taken = draft({ code: 'THIRD', networkId: 'RIDGEWAY' })
  expect(reasonOf(await addSupplier(deps, manager, taken))).toBe('identity-taken')
  expect(reasonOf(await addSupplier(deps, packer, draft({ code: 'FOURTH' })))).toBe('not-allowed')
  expect(reasonOf(await retireSupplier(deps, packer, { id: 1, version: 1 }))).toBe('not-allowed')
  expect(reasonOf(await changeSupplier(deps, manager, 99, draft({ version: '1' })))).toBe('gone')
  expect((await listSuppliers(deps)).map(({ code }) => code)).toEqual(['RIDGE', 'OTHER'])
})

test.for([
  [{ code: 'a b' }, 'code'],
  [{ name: '' }, 'name'],
  [{ leadDays: '181' }, 'leadDays'],
  [{ leadDays: '-1' }, 'leadDays'],
  [{ discount: '100' }, 'discount'],
  [{ minimumOrder: 'much' }, 'minimumOrder'],
  [{ paymentDays: '' }, 'paymentDays'],
  [{ networkId: 'a b' }, 'networkId'],
  [{ ...wired, cxmlUrl: 'ftp://a.example' }, 'cxmlUrl'],
  [{ ...wired, cxmlUrl: 'http://orders.ridgeway.example/cxml' }, 'cxmlUrl'],
  [{ ...wired, cxmlUrl: '' }, 'cxmlUrl'],
  [{ ...wired, cxmlIdentity: '' }, 'cxmlIdentity'],
  [{ ...wired, networkId: '' }, 'networkId'],
  [{ ...wired, cxmlSecret: 'short' }, 'cxmlSecret'],
] as const)('%j is refused at its field', ([change, field]) => {
  const checked = supplierForm.safeParse({ ...typed, ...change })
  expect(checked.error?.issues.map(({ path }) => path[0])).toEqual([field])
})

test('a supplier’s discount is taken off the cost of a tire', () => {
  expect(supplierCost(10_001, 125_000)).toBe(8_751)
  expect(supplierCost(10_001, 0)).toBe(10_001)
})

/** A store with tires that are all held by one supplier. */
async function openSupplied() {
  const store = await openTestStore(port)
  const deps = { ...store, config, supplierAvailability }
  const by = { via: 'command line', name: 'desk' } as const
  const { id } = must(await addSupplier(deps, by, draft()))
  await store.db.updateTable('warehouse').set({ supplier_id: id, pool: 'local' }).execute()
  return { ...deps, by, id }
}

async function unitsAt({ db }: Awaited<ReturnType<typeof openSupplied>>): Promise<number> {
  const { rows } = await sql<{ units: number }>`select sum(on_hand)::int as units from stock`.execute(db)
  return rows[0]?.units ?? 0
}

test('a retired supplier has no stock, and gets no warehouse, until it is taken back', async () => {
  await using store = await openSupplied()
  const { id, by } = store
  must(await retireSupplier(store, by, { id, version: 1 }))
  expect(await unitsAt(store)).toBe(0)
  expect(await findSupplier(store, id)).toMatchObject({ version: 2, retiredAt: store.clock.now() })
  expect((await listWarehouses(store)).every(({ isRetired }) => isRetired)).toBe(true)
  expect(reasonOf(await retireSupplier(store, by, { id, version: 2 }))).toBe('changed-meanwhile')
  const place = {
    code: 'NEW',
    name: 'New dock',
    street: '1 Dock Road',
    zip: '60601',
    cutoff: '16:00',
    supplier: String(id),
  }
  expect(reasonOf(await addHeldWarehouse(store, by, warehouseForm.parse(place)))).toBe('supplier-retired')
  must(await restoreSupplier(store, by, { id, version: 2 }))
  expect(reasonOf(await addHeldWarehouse(store, by, warehouseForm.parse(place)))).toBe('ok')
  expect((await listWarehouses(store)).find(({ code }) => code === 'NEW')).toMatchObject({
    supplierId: id,
    pool: 'local',
    isRetired: false,
  })
})

test('one warehouse of a supplier closes alone, and stays closed when the supplier is retired and restored', async () => {
  await using store = await openSupplied()
  const { id, by } = store
  const manager = await signInStaff(store, 'manager')
  const [first, second] = (await listWarehouses(store)).map((each) => each.id)
  if (first === undefined || second === undefined) throw new Error('The test needs two warehouses.')
  const unitsIn = async (warehouseId: number) => {
    const { rows } = await sql<{ units: number }>`
      select sum(on_hand + closed_units)::int as units from stock where warehouse_id = ${warehouseId}`.execute(store.db)
    return rows[0]?.units ?? 0
  }
  const find = async (warehouseId: number) => {
    const found = await findWarehouse(store, warehouseId)
    if (!found) throw new Error('The warehouse of a test is gone.')
    return found
  }
  const ask = async (warehouseId: number) => ({ id: warehouseId, version: (await find(warehouseId)).version })
  const stateOf = async (warehouseId: number) => warehouseStateOf(await find(warehouseId))

  must(await closeWarehouse(store, manager, { ...(await ask(first)), on: null }))
  expect(await unitsIn(first)).toBe(0)
  expect(await unitsIn(second)).toBeGreaterThan(0)
  expect(await stateOf(first)).toBe('closing')
  const on = store.clock.now().add({ hours: 72 }).toString().slice(0, 10)
  must(await closeWarehouse(store, manager, { ...(await ask(second)), on }))
  store.clock.set(store.clock.now().add({ minutes: 1 }))
  must(await retireSupplier(store, by, { id, version: 1 }))
  for (const one of [first, second]) expect(await stateOf(one)).toBe('retired')
  expect(reasonOf(await reopenWarehouse(store, manager, await ask(first)))).toBe('other-state')
  must(await restoreSupplier(store, by, { id, version: 2 }))
  expect(await stateOf(first)).toBe('closing')
  expect(await stateOf(second)).toBe('open')
  must(await reopenWarehouse(store, manager, await ask(first)))
  expect(await stateOf(first)).toBe('open')
})

test('a supplier is not retired while an order waits for it, whichever comes first', async () => {
  await using store = await openSupplied()
  const { id, by } = store
  await makePlacedOrder(store)
  const before = await unitsAt(store)
  expect(await retireSupplier(store, by, { id, version: 1 })).toMatchObject({
    reason: 'orders-open',
    detail: { count: 1 },
  })
  expect(await unitsAt(store)).toBe(before)
  await store.db.updateTable('purchase_order').set({ state: 'canceled' }).execute()
  const [order, retired] = await Promise.allSettled([
    makePlacedOrder(store),
    retireSupplier(store, by, { id, version: 1 }),
  ])
  const isRetired = retired.status === 'fulfilled' && retired.value.ok
  expect(isRetired).toBe(order.status === 'rejected')
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from purchase_order where state <> 'canceled'`.execute(store.db)
  expect(rows[0]?.open).toBe(isRetired ? 0 : 1)
})
