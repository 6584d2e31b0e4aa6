/** Closing a warehouse with its open work. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import {
  addWarehouse,
  closeDueWarehouse,
  closeWarehouse,
  findWarehouse,
  finishClosing,
  listWarehouses,
  planDelivery,
  readOpenWork,
  reopenWarehouse,
} from '#domain/supply/delivery/delivery.server.ts'
import { warehouseForm, warehouseStateOf } from '#domain/supply/delivery/delivery.ts'
import { adjustStock, createStockOrder, transferStock } from '#domain/supply/stock/stock.server.ts'
import { makeParcel } from '#domain/ordering/parcels/parcels.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { previewReallocation, reallocateParcels } from './orders.server.ts'
import { orderOf, pass } from './staff-acts.testing.ts'

const [port = 0] = await freePorts(2)
const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)

/** A store with one order to ship from one of its warehouses. */
async function openWithParcel() {
  const store = await openTestStore(port)
  const manager = await signInStaff(store, 'manager')
  const parcel = await makeParcel(store)
  const order = await orderOf(store, parcel.orderId)
  const id = order.shipments[0]?.warehouse.id ?? 0
  const version = async () => (await findWarehouse(store, id))?.version ?? 0
  const state = async () => {
    const found = await findWarehouse(store, id)
    return found && warehouseStateOf(found)
  }
  return { ...store, store, manager, parcel, id, version, state }
}

/** Units for sale and off sale. */
async function unitsOf({ db }: Pick<TestStore, 'db'>, itemId: number, warehouseId: number) {
  const { rows } = await sql<{ sale: number; closed: number }>`
    select on_hand as sale, closed_units as closed from stock where item_id = ${itemId} and warehouse_id = ${warehouseId}`.execute(
    db,
  )
  return rows[0] ?? { sale: 0, closed: 0 }
}

test('stops promises and sales from a closing warehouse, and moves its orders to another warehouse', async () => {
  const open = await openWithParcel()
  await using store = open.store
  const { manager, parcel, id } = open
  const before = await unitsOf(store, parcel.itemId, id)
  // The demo has packages there too.
  const others = (await readOpenWork(store, id)).parcels - 1
  must(await closeWarehouse(store, manager, { id, version: await open.version(), on: null }))
  expect(await open.state()).toBe('closing')
  expect(await unitsOf(store, parcel.itemId, id)).toEqual({ sale: 0, closed: before.sale })
  const plan = await planDelivery(store, { lines: [{ itemId: parcel.itemId, quantity: 1 }], zip: '60614' })
  expect(plan.ok && plan.value.shipments.map(({ warehouseId }) => warehouseId)).not.toContain(id)
  expect(await readOpenWork(store, id)).toMatchObject({ parcels: others + 1, holds: 0 })
  expect(reasonOf(await finishClosing(store, manager, { id, version: await open.version() }))).toBe('still-open')
  const order = { key: newId(), supplier: 1, warehouse: id, expectedOn: null, add: [], note: null }
  expect(reasonOf(await createStockOrder(store, manager, order))).toBe('not-ours')

  const planned = (await previewReallocation(store, id)).find((each) => each.id === parcel.id)
  const other = planned?.to?.id ?? 0
  expect(other).not.toBe(id)
  const there = await unitsOf(store, parcel.itemId, other)
  const moves = [{ shipmentId: parcel.id, to: other }]
  const both = await Promise.all([1, 2].map(() => reallocateParcels(store, manager, { warehouseId: id, moves })))
  expect(both.map(reasonOf).toSorted()).toEqual(['nothing-moved', 'ok'])
  const moved = await orderOf(store, parcel.orderId)
  expect(moved.shipments[0]?.warehouse.id).toBe(other)
  expect(moved.shipments[0]?.expectedOn).toBe(planned?.to?.arrivesOn)
  const { ship_by: shipsBy } = await store.db
    .selectFrom('shipment')
    .select('ship_by')
    .where('id', '=', parcel.id)
    .executeTakeFirstOrThrow()
  const target = await findWarehouse(store, other)
  expect(
    shipsBy
      ?.toZonedDateTimeISO(target?.timeZone ?? 'UTC')
      .toPlainTime()
      .toString(),
  ).toBe(`${target?.cutoff}:00`)
  const quantity = planned?.items[0]?.quantity ?? 0
  expect(await unitsOf(store, parcel.itemId, other)).toMatchObject({ sale: there.sale - quantity })
  // The order's previous units are still on the shelf.
  expect(await unitsOf(store, parcel.itemId, id)).toEqual({ sale: 0, closed: before.sale + quantity })
  expect(await readOpenWork(store, id)).toMatchObject({ parcels: others })

  const transfer = { itemId: parcel.itemId, units: 1, note: null, by: manager }
  must(await transferStock(store, { ...transfer, fromId: id, toId: other, key: newId() }))
  expect(reasonOf(await transferStock(store, { ...transfer, fromId: other, toId: id, key: newId() }))).toBe('closing')
  must(await reopenWarehouse(store, manager, { id, version: await open.version() }))
  expect(await unitsOf(store, parcel.itemId, id)).toEqual({ sale: before.sale + quantity - 1, closed: 0 })
})

test('closes a warehouse without stock, and resumes closing if units return', async () => {
  const open = await openWithParcel()
  await using store = open.store
  const { manager, parcel, id: other } = open
  const dock = { code: 'DOCK', name: 'Dock', street: '1 Dock Road', zip: '60436', cutoff: '16:00' }
  const { id } = must(await addWarehouse(store, manager, warehouseForm.parse(dock)))
  const version = async () => (await findWarehouse(store, id))?.version ?? 0
  const { itemId } = parcel
  const find = (key: string) =>
    adjustStock(store, { itemId, warehouseId: id, reason: 'found', units: 4, note: null, key, by: manager })
  must(await find(newId()))
  must(await closeWarehouse(store, manager, { id, version: await version(), on: null }))
  const damaged = {
    itemId,
    warehouseId: id,
    reason: 'damaged',
    units: 1,
    note: null,
    key: newId(),
    by: manager,
  } as const
  must(await adjustStock(store, damaged))
  expect(await unitsOf(store, itemId, id)).toEqual({ sale: 0, closed: 3 })
  expect(reasonOf(await finishClosing(store, manager, { id, version: await version() }))).toBe('still-open')
  const moved = { itemId, fromId: id, toId: other, units: 3, note: null, key: newId(), by: manager }
  must(await transferStock(store, moved))
  must(await finishClosing(store, manager, { id, version: await version() }))
  const stateOf = async () =>
    (await listWarehouses(store)).flatMap((each) => (each.id === id ? [warehouseStateOf(each)] : []))
  expect(await stateOf()).toEqual(['closed'])
  must(await find(newId()))
  expect(await stateOf()).toEqual(['closing'])
  expect(await unitsOf(store, itemId, id)).toEqual({ sale: 0, closed: 4 })
})

test('starts a scheduled closing on its local day, unless canceled', async () => {
  const open = await openWithParcel()
  await using store = open.store
  const { id } = open
  let manager = open.manager
  const zone = (await findWarehouse(store, id))?.timeZone ?? 'UTC'
  const today = store.clock.now().toZonedDateTimeISO(zone).toPlainDate()
  const close = async (on: string) =>
    reasonOf(await closeWarehouse(store, manager, { id, version: await open.version(), on }))
  expect(await close(today.toString())).toBe('day-out-of-range')
  expect(await close(today.add({ days: 366 }).toString())).toBe('day-out-of-range')
  expect(await close(today.add({ days: 3 }).toString())).toBe('ok')
  await closeDueWarehouse(store, id)
  expect(await open.state()).toBe('scheduled')
  const { rows } = await sql<{ at: Temporal.Instant }>`
    select run_at as at from graphile_worker.jobs where key = ${`close-warehouse:${id}`}`.execute(store.db)
  expect(rows[0]?.at.toZonedDateTimeISO(zone).toPlainDate().toString()).toBe(today.add({ days: 3 }).toString())
  pass(store, { hours: 72 })
  manager = await signInStaff(store, 'manager')
  await closeDueWarehouse(store, id)
  expect(await open.state()).toBe('closing')
  must(await reopenWarehouse(store, manager, { id, version: await open.version() }))
  expect(await close(today.add({ days: 9 }).toString())).toBe('ok')
  must(await reopenWarehouse(store, manager, { id, version: await open.version() }))
  pass(store, { hours: 200 })
  await closeDueWarehouse(store, id)
  expect(await open.state()).toBe('open')
})

test('rejects the second of two concurrent closings, and closings by support', async () => {
  const open = await openWithParcel()
  await using store = open.store
  const { manager, id } = open
  const asked = { id, version: await open.version(), on: null }
  const support = await signInStaff(store, 'support')
  expect(reasonOf(await closeWarehouse(store, support, asked))).toBe('not-allowed')
  const both = await Promise.all([1, 2].map(() => closeWarehouse(store, manager, asked)))
  expect(both.map(reasonOf).toSorted()).toEqual(['changed-meanwhile', 'ok'])
  expect(reasonOf(await closeWarehouse(store, manager, { ...asked, id: 999 }))).toBe('gone')
})

test('concurrent orders are listed as open work or ship from another warehouse', async () => {
  const open = await openWithParcel()
  await using store = open.store
  const { manager, parcel, id } = open
  for (let round = 0; round < 3; round += 1) {
    const before = (await readOpenWork(store, id)).parcels
    const version = await open.version()
    await Promise.allSettled([
      makePlacedOrder(store, { itemId: parcel.itemId, fulfillment: 'home' }),
      closeWarehouse(store, manager, { id, version, on: null }),
    ])
    expect(await open.state()).toBe('closing')
    const { rows } = await sql<{ sale: number; parcels: number }>`
      select (select sum(on_hand)::int from stock where warehouse_id = ${id}) as sale,
        (select count(*)::int from shipment where warehouse_id = ${id} and state in ('processed', 'pending-pickup')) as parcels`.execute(
      store.db,
    )
    expect(rows[0]?.sale).toBe(0)
    expect((await readOpenWork(store, id)).parcels).toBe(rows[0]?.parcels)
    expect(rows[0]?.parcels).toBeGreaterThanOrEqual(before)
    must(await reopenWarehouse(store, manager, { id, version: await open.version() }))
  }
})
