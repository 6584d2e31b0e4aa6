/** Tests inventory at moving average cost, with the ledger entries of each movement, and concurrent movements. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { makePlacedOrder, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { cancelAsStaff } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { booksOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { makeParcel } from '#domain/ordering/parcels/parcels.testing.ts'
import { openCatalog, value } from '#domain/catalog/catalog-import/catalog-import.testing.ts'
import { rollBackImport } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { openInventory } from '#tests/support/inventory.ts'
import { verify } from '#tests/support/invariants.ts'
import { openWithSentOrder } from './receiving.testing.ts'
import { adjustStock, findTireStock, selectReceiptLines, transferStock } from './stock.server.ts'
import type { AdjustmentReason } from './stock.ts'

const [port = 0] = await freePorts(2)

/** The tire's units and value, and the balances of the inventory accounts in cents. */
async function inventoryOf({ db }: { db: Database }, itemId: number) {
  const { rows } = await sql<{ account: string; cents: number }>`
    select account, sum(amount_cents) as cents from ledger_entry where inventory_movement_id is not null group by account`.execute(
    db,
  )
  const balance = Object.fromEntries(rows.map(({ account, cents }) => [account, cents]))
  const found = await findTireStock({ db }, itemId)
  return {
    units: found?.inventory.units ?? 0,
    cents: found?.inventory.valueCents ?? 0,
    inventory: balance.inventory ?? 0,
    sold: balance['cost-of-goods-sold'] ?? 0,
    uninvoiced: balance['goods-received-not-invoiced'] ?? 0,
    adjusted: balance['inventory-adjustments'] ?? 0,
  }
}

type Inventory = Awaited<ReturnType<typeof inventoryOf>>

function change(before: Inventory, after: Inventory): Partial<Inventory> {
  const names = Object.keys(after) as (keyof Inventory)[]
  return Object.fromEntries(
    names.flatMap((name) => (after[name] === before[name] ? [] : [[name, after[name] - before[name]]])),
  )
}

/** Runs an act, and returns what it changed. */
async function changeBy(store: { db: Database }, itemId: number, act: () => Promise<unknown>) {
  const before = await inventoryOf(store, itemId)
  await act()
  return change(before, await inventoryOf(store, itemId))
}

const shareOf = ({ units, cents }: Inventory, part: number) => Math.round((cents * part) / units)

function adjust(
  store: TestStore,
  place: { itemId: number; warehouseId: number },
  reason: AdjustmentReason,
  units: number,
) {
  return adjustStock(store, { ...place, reason, units, note: null, key: newId(), by: desk })
}

test('a delivery comes in at the order’s cost, once, and moves the average', async () => {
  await using store = await openWithSentOrder(port)
  const before = await inventoryOf(store, store.itemId)
  expect(before.cents).toBeGreaterThan(0)
  const key = newId()
  const changed = await changeBy(store, store.itemId, () =>
    Promise.all([1, 2, 3].map(() => store.receive({ units: '12', damaged: '1', reason: 'Torn' }, { key }))),
  )
  expect(changed).toEqual({ units: 12, cents: 96_000, inventory: 96_000, uninvoiced: -96_000 })
  const after = await inventoryOf(store, store.itemId)
  const place = { itemId: store.itemId, warehouseId: store.warehouse }
  const lost = await changeBy(store, store.itemId, async () => must(await adjust(store, place, 'lost', 1)))
  const cost = Math.round((before.cents + 96_000) / (before.units + 12))
  expect(shareOf(after, 1)).toBe(cost)
  expect(lost).toEqual({ units: -1, cents: -cost, inventory: -cost, adjusted: cost })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('the cost of a delivery’s units includes its freight to the cent, without damaged units', async () => {
  await using store = await openWithSentOrder(port)
  const none = { damaged: '2', reason: 'Torn', freight: '10' }
  expect(await store.receive({ units: '0', ...none })).toMatchObject({ ok: false, reason: 'freight-without-units' })
  const changed = await changeBy(store, store.itemId, async () =>
    must(await store.receive({ units: '7', damaged: '2', reason: 'Torn', freight: '100.01' })),
  )
  expect(changed).toEqual({ units: 7, cents: 66_001, inventory: 66_001, uninvoiced: -66_001 })
  expect(await selectReceiptLines(store.db, store.id)).toMatchObject([{ receivedUnits: 7, freightCents: 10_001 }])
  expect(await verify(store.db, store.clock.now())).toEqual([])
  await store.db.updateTable('stock_receipt_line').set({ freight_cents: 10_000 }).execute()
  expect(await verify(store.db, store.clock.now())).toMatchObject([
    { name: 'delivery-at-cost-with-freight', broken: 1 },
  ])
})

test('adjustments move their share, transfers nothing, and the last unit takes the rest', async () => {
  await using store = await openWithSentOrder(port)
  const { itemId, warehouse } = store
  const place = { itemId, warehouseId: warehouse }
  const byAdjusting = (reason: AdjustmentReason, units: number) =>
    changeBy(store, itemId, async () => must(await adjust(store, place, reason, units)))
  await sql`update inventory_value set value_cents = 10001 where item_id = ${itemId}`.execute(store.db)
  let at = await inventoryOf(store, itemId)
  let cents = shareOf(at, 2)
  expect(await byAdjusting('damaged', 2)).toEqual({ units: -2, cents: -cents, inventory: -cents, adjusted: cents })
  at = await inventoryOf(store, itemId)
  cents = shareOf(at, 3)
  expect(await byAdjusting('returned', 3)).toEqual({ units: 3, cents, inventory: cents, sold: -cents })
  at = await inventoryOf(store, itemId)
  cents = shareOf(at, 1)
  expect(await byAdjusting('found', 1)).toEqual({ units: 1, cents, inventory: cents, adjusted: -cents })
  const toId = store.warehouses.find(({ id }) => id !== warehouse)?.id ?? 0
  const move = { itemId, fromId: warehouse, toId, units: 1, note: null, key: newId(), by: desk }
  expect(await changeBy(store, itemId, async () => must(await transferStock(store, move)))).toEqual({})
  at = await inventoryOf(store, itemId)
  const { places = [] } = (await findTireStock(store, itemId)) ?? {}
  const emptied = await changeBy(store, itemId, async () => {
    for (const { warehouseId, supplier } of places)
      if (supplier === null) must(await adjust(store, { itemId, warehouseId }, 'count', 0))
  })
  expect(emptied).toEqual({ units: -at.units, cents: -at.cents, inventory: -at.cents, adjusted: at.cents })
  expect(await inventoryOf(store, itemId)).toMatchObject({ units: 0, cents: 0 })
})

test('cost of goods sold is entered once, when the parcel leaves, and a canceled order moves nothing', async () => {
  await using store = await openTestStore(port)
  const { orderId, itemId } = await makeParcel(store)
  const before = await inventoryOf(store, itemId)
  expect((await booksOf(store, orderId))['cost-of-goods-sold']).toBeUndefined()
  const cents = shareOf(before, 4)
  const shipped = await changeBy(store, itemId, async () => {
    await moveParcels(store, orderId, 'delivered')
    await moveParcels(store, orderId, 'delivered')
  })
  expect(shipped).toEqual({ units: -4, cents: -cents, inventory: -cents, sold: cents })
  expect(await booksOf(store, orderId)).toMatchObject({ 'cost-of-goods-sold': cents, inventory: -cents })
  const canceled = await changeBy(store, itemId, async () => {
    const other = await makeParcel(store)
    expect(other.itemId).toBe(itemId)
    must(await cancelAsStaff(store, desk, { orderId: other.orderId, reason: 'Ordered twice' }))
  })
  expect(canceled).toEqual({})
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a supplier’s parcel is cost of goods sold at the supplier’s price and freight, and never inventory', async () => {
  await using store = await openTestStore(port)
  await store.db
    .insertInto('supplier')
    .values({ id: 91, code: 'RIDGE', name: 'Ridgeway Wholesale', discount_ppm: 100_000, freight_cents: 325 })
    .execute()
  await store.db.updateTable('warehouse').set({ supplier_id: 91, pool: 'nationwide' }).execute()
  await openInventory(store.db)
  const { orderId, itemId } = await makeSupplied(store)
  const { unit_cost_cents: cost } = await store.db
    .selectFrom('order_line')
    .select('unit_cost_cents')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'tire')
    .executeTakeFirstOrThrow()
  const { cost_cents: listed } = await store.db
    .selectFrom('item')
    .select('cost_cents')
    .where('id', '=', itemId)
    .executeTakeFirstOrThrow()
  const unit = (listed ?? 0) - Math.round((listed ?? 0) / 10) + 325
  expect(unit).toBeGreaterThan(325)
  expect(cost).toBe(unit)
  const shipped = await changeBy(store, itemId, () => moveParcels(store, orderId, 'in-transit'))
  expect(shipped).toEqual({ sold: 4 * unit, uninvoiced: -4 * unit })
})

async function makeSupplied(store: TestStore) {
  const itemId = await anyTire(store)
  return { ...(await makePlacedOrder(store, { fulfillment: 'home', itemId })), itemId }
}

function anyTire({ db }: TestStore): Promise<number> {
  return db
    .selectFrom('stock')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .select('item.id')
    .where('on_hand', '>=', 12)
    .where('item.active', '=', true)
    .where('item.cost_cents', 'is not', null)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
    .then(({ id }) => id)
}

test('an unknown cost counts as zero with a note, until a delivery has a cost', async () => {
  await using store = await openWithSentOrder(port)
  const { itemId, db } = store
  await sql`update item set cost_cents = null where id = ${itemId}`.execute(db)
  await db.transaction().execute(async (tx) => {
    await sql`delete from ledger_entry where inventory_movement_id is not null`.execute(tx)
    await sql`truncate inventory_value, inventory_movement_line`.execute(tx)
  })
  await openInventory(db)
  const place = { itemId, warehouseId: store.warehouse }
  expect(await changeBy(store, itemId, async () => must(await adjust(store, place, 'found', 2)))).toEqual({ units: 2 })
  const before = await inventoryOf(store, itemId)
  expect(before.cents).toBe(0)
  const lines = await db
    .selectFrom('inventory_movement_line')
    .select(['units', 'uncosted_units'])
    .where('item_id', '=', itemId)
    .execute()
  expect(lines).toEqual([
    { units: before.units - 2, uncosted_units: before.units - 2 },
    { units: 2, uncosted_units: 2 },
  ])
  expect(
    (await db.selectFrom('ledger_entry').select('reason').where('reason', 'like', 'opening stock%').execute())[0]
      ?.reason,
  ).toBe(`opening stock (cost unknown: ${before.units - 2})`)
  must(await store.receive({ units: '10' }))
  expect(await inventoryOf(store, itemId)).toMatchObject({ units: before.units + 10, cents: 80_000 })
})

test('deliveries, sales, and counts of a tire at the same time lose no cent', async () => {
  await using store = await openWithSentOrder(port)
  const { itemId } = store
  const place = { itemId, warehouseId: store.warehouse }
  const parcels = [
    await makeParcel(store, { fulfillment: 'home', itemId }),
    await makeParcel(store, { fulfillment: 'home', itemId }),
  ]
  await sql`update warehouse set supplier_id = null, branch = null, pool = 'on-hand'`.execute(store.db)
  await openInventory(store.db)
  const before = await inventoryOf(store, itemId)
  const results = await Promise.allSettled([
    store.receive({ units: '5' }),
    store.receive({ units: '7' }),
    ...parcels.map(({ orderId }) => moveParcels(store, orderId, 'in-transit')),
    adjust(store, place, 'lost', 1),
    adjust(store, place, 'found', 3),
  ])
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
  const after = await inventoryOf(store, itemId)
  expect(after.units - before.units).toBe(12 - 8 - 1 + 3)
  expect(after.uninvoiced - before.uninvoiced).toBe(-96_000)
  const moved = change(before, after)
  expect(moved.cents).toBe(moved.inventory)
  expect((moved.inventory ?? 0) + (moved.sold ?? 0) + (moved.uninvoiced ?? 0) + (moved.adjusted ?? 0)).toBe(0)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('an import enters the units it changes, and its rollback reverses them', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const { rows } = await sql<{ sku: string; itemId: number; code: string; units: number }>`
    select sku, item.id as "itemId", code, on_hand as units from stock join item on item.id = item_id join warehouse on warehouse.id = warehouse_id
    where pool = 'on-hand' and on_hand > 4 and cost_cents is not null and not exists (select from order_line where order_line.item_id = item.id)
    order by item.id limit 1`.execute(db)
  const [tire] = rows
  if (!tire) throw new Error('The demo has no stock.')
  const before = await inventoryOf({ db }, tire.itemId)
  const cents = shareOf(before, 10)
  const header = ['sku', 'warehouse', 'on_hand', 'as_of']
  const imported = await changeBy({ db }, tire.itemId, () =>
    catalog.bring('stock', [header, [tire.sku, tire.code, tire.units + 10, '']]),
  )
  expect(imported).toEqual({ units: 10, cents, inventory: cents, adjusted: -cents })
  value(await rollBackImport(catalog.deps, {}))
  expect(await inventoryOf({ db }, tire.itemId)).toEqual(before)
})

test('the migration enters the stock of an existing store at the catalog’s cost', async () => {
  await using store = await openTestStore(port)
  await store.db.transaction().execute(async (tx) => {
    await sql`delete from ledger_entry where inventory_movement_id is not null`.execute(tx)
    await sql`truncate inventory_value, inventory_movement_line`.execute(tx)
    await sql`delete from inventory_movement`.execute(tx)
  })
  const migration = await readFile('db/migrations/20261211010000_inventory-value.sql', 'utf8')
  await sql.raw(migration.slice(migration.indexOf("select count_inventory('opening'"))).execute(store.db)
  const { rows } = await sql<{ cents: number; units: number }>`
    select sum(on_hand * coalesce(cost_cents, 0)) as cents, sum(on_hand)::int as units
    from stock join item on item.id = item_id join warehouse on warehouse.id = warehouse_id
    where pool = 'on-hand' and item_id = ${await anyTire(store)} and not exists (
      select from order_line join shipment using (order_id) where order_line.item_id = item.id and shipment.state in ('processed', 'pending-pickup'))`.execute(
    store.db,
  )
  expect(await inventoryOf(store, await anyTire(store))).toMatchObject({ cents: rows[0]?.cents, units: rows[0]?.units })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
