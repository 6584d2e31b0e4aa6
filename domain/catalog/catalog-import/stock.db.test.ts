import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { smallDataMadeAt } from '#tests/support/database.ts'
import { findImport, resumeImport, rollBackImport } from './catalog-import.server.ts'
import { feedOf, openCatalog, snapshot, value, type TestCatalog } from './catalog-import.testing.ts'

const header = ['sku', 'warehouse', 'on_hand', 'as_of']
const minutesAgo = (minutes: number) => smallDataMadeAt.subtract({ minutes }).toString()

type Ordered = { sku: string; code: string; itemId: number; warehouseId: number; quantity: number; orderId: number }

/** Makes all sample orders released long ago or canceled. */
async function settleOrders({ database: { db } }: TestCatalog): Promise<void> {
  await sql`update sales_order set released_at = released_at - interval '60 days', cancel_until = cancel_until - interval '60 days'`.execute(
    db,
  )
  await sql`update sales_order set state = 'canceled' where released_at is null`.execute(db)
  // The tests below take orders back from `canceled`, which no shopper can.
  await sql`alter table sales_order disable trigger sales_order_life`.execute(db)
}

/** A sample order placed ten minutes ago, with twenty minutes left to cancel; all others are settled. */
async function recentOrder(catalog: TestCatalog): Promise<Ordered> {
  const { db } = catalog.database
  const { rows } = await sql<Ordered>`
    select sku, code, item.id as "itemId", warehouse.id as "warehouseId", stock_allocation.quantity, sales_order.id as "orderId"
    from stock_allocation join order_line using (order_id, line_no) join sales_order on sales_order.id = order_id
    join item on item.id = item_id join warehouse on warehouse.id = warehouse_id
    join stock on stock.item_id = item.id and stock.warehouse_id = warehouse.id
    where sales_order.state = 'confirmed' order by order_id, line_no, warehouse.id limit 1`.execute(db)
  const [order] = rows
  if (!order) throw new Error('The demo has no order.')
  await settleOrders(catalog)
  await sql`update sales_order set placed_at = ${minutesAgo(10)}, cancel_until = ${minutesAgo(-20)}, released_at = null where id = ${order.orderId}`.execute(
    db,
  )
  return order
}

async function onHand(
  { database: { db } }: TestCatalog,
  { itemId, warehouseId }: Ordered,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('stock')
    .select('on_hand')
    .where('item_id', '=', itemId)
    .where('warehouse_id', '=', warehouseId)
    .executeTakeFirst()
  return row?.on_hand
}

test('a count is reduced by units promised since the warehouse last learned of orders', async () => {
  await using catalog = await openCatalog()
  const order = await recentOrder(catalog)
  const { sku, code, quantity } = order
  // Counted before the order, during its canceling window, and without a time.
  for (const asOf of [minutesAgo(60), minutesAgo(5), '']) {
    expect(await catalog.bring('stock', [header, [sku, code, 30, asOf]])).toMatchObject({ state: 'published' })
    expect(await onHand(catalog, order)).toBe(30 - quantity)
  }
  // Fewer than promised, so the stock is zero and never negative.
  await catalog.bring('stock', [header, [sku, code, quantity - 1, minutesAgo(5)]])
  expect(await onHand(catalog, order)).toBe(0)
  // A canceled order returned its units, and a released one is already known to the warehouse.
  await sql`update sales_order set state = 'canceled' where id = ${order.orderId}`.execute(catalog.database.db)
  await catalog.bring('stock', [header, [sku, code, 30, minutesAgo(5)]])
  expect(await onHand(catalog, order)).toBe(30)
  await sql`update sales_order set state = 'confirmed', cancel_until = ${minutesAgo(7)}, released_at = ${minutesAgo(6)} where id = ${order.orderId}`.execute(
    catalog.database.db,
  )
  await catalog.bring('stock', [header, [sku, code, 31, minutesAgo(5)]])
  expect(await onHand(catalog, order)).toBe(31)
})

test('an order that takes units during an import is counted once', async () => {
  await using catalog = await openCatalog()
  const order = await recentOrder(catalog)
  const { db } = catalog.database
  const wanted = { item_id: order.itemId, warehouse_id: order.warehouseId }
  await db.updateTable('stock').set({ on_hand: 50 }).where('item_id', '=', order.itemId).execute()
  await sql`update sales_order set state = 'canceled' where id = ${order.orderId}`.execute(db)

  const takes = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  // The order takes its units first and becomes visible at commit, as when placing one.
  const placing = db.transaction().execute(async (tx) => {
    await sql`update stock set on_hand = on_hand - ${order.quantity} where item_id = ${wanted.item_id} and warehouse_id = ${wanted.warehouse_id}`.execute(
      tx,
    )
    await sql`update sales_order set state = 'confirmed' where id = ${order.orderId}`.execute(tx)
    taken.resolve()
    await takes.promise
  })
  await taken.promise
  const importing = catalog.bring('stock', [header, [order.sku, order.code, 30, '']])
  await untilBlocked(catalog)
  takes.resolve()
  await placing
  await importing
  expect(await onHand(catalog, order)).toBe(30 - order.quantity)
})

async function untilBlocked({ database: { db } }: TestCatalog): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    )
    if (rows[0]?.waiting === 1) return
  }
}

test('a rollback doesn’t restore sold units', async () => {
  await using catalog = await openCatalog()
  const order = await recentOrder(catalog)
  const { db } = catalog.database
  await sql`update sales_order set state = 'canceled' where id = ${order.orderId}`.execute(db)
  await db.updateTable('stock').set({ on_hand: 10 }).where('item_id', '=', order.itemId).execute()
  const take = (units: number) =>
    sql`update stock set on_hand = on_hand - ${units} where item_id = ${order.itemId} and warehouse_id = ${order.warehouseId}`.execute(
      db,
    )

  await catalog.bring('stock', [header, [order.sku, order.code, 30, '']])
  await take(4)
  value(await rollBackImport(catalog.deps, {}))
  expect(await onHand(catalog, order)).toBe(6)
  // More were sold than there had been.
  await catalog.bring('stock', [header, [order.sku, order.code, 30, '']])
  await take(28)
  value(await rollBackImport(catalog.deps, {}))
  expect(await onHand(catalog, order)).toBe(0)
})

test('a count that empties more than a fifth of stocked tires requires confirmation', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  await settleOrders(catalog)
  await db.deleteFrom('stock').execute()
  const items = await db.selectFrom('item').select(['id', 'sku']).orderBy('sku').limit(10).execute()
  const [here, there] = await db.selectFrom('warehouse').select(['id', 'code']).orderBy('id').limit(2).execute()
  if (!here || !there) throw new Error('The demo has two warehouses.')
  await db
    .insertInto('stock')
    .values(items.map(({ id }) => ({ item_id: id, warehouse_id: here.id, on_hand: 5 })))
    .execute()
  const [first, second, third] = items.map(({ sku }) => sku)
  const bring = (rows: (string | number | undefined)[][], options = {}) =>
    catalog.bring('stock', [header.slice(0, 3), ...rows], options)
  const emptied = [first, second, third].map((sku) => [sku, here.code, 0])

  const before = await snapshot(db)
  const run = await bring(emptied)
  expect(run).toMatchObject({
    state: 'waiting-for-yes',
    summary: { warnings: [{ kind: 'empties-stock', count: 3, of: 10, examples: [first, second, third] }] },
  })
  expect(await snapshot(db)).toBe(before)
  const done = value(
    await resumeImport(catalog.deps, { runId: run.id, source: feedOf([header.slice(0, 3), ...emptied]), isYes: true }),
  )
  expect(done).toMatchObject({
    state: 'published',
    summary: { warnings: [{ kind: 'empties-stock' }], changes: [{ entity: 'stock', count: 3 }] },
  })

  await db.updateTable('stock').set({ on_hand: 5 }).execute()
  // A fifth is allowed, and moving to another warehouse is no loss.
  expect(await bring(emptied.slice(1))).toMatchObject({ state: 'published' })
  expect(await bring([...emptied.slice(1), ...emptied.slice(1).map(([sku]) => [sku, there.code, 5])])).toMatchObject({
    state: 'published',
  })
  expect(await bring([...emptied, [third, there.code, 0]], { isDry: true })).toMatchObject({
    state: 'checked',
    summary: { warnings: [] },
  })
})

test('an interrupted slice import resumes, and so does its interrupted rollback', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const { rows: counts } = await sql<{ id: number; sku: string; code: string; on_hand: number }>`
    select item.id, sku, code, (on_hand + 1) as on_hand from stock join item on item.id = item_id join warehouse on warehouse.id = warehouse_id order by item_id, code`.execute(
    db,
  )
  expect(counts.length).toBeGreaterThan(6_000)
  await settleOrders(catalog)
  const before = await snapshot(db)
  const rows = [header.slice(0, 3), ...counts.map(({ sku, code, on_hand }) => [sku, code, on_hand])]

  // The third slice fails, which leaves the same state as a crash.
  const inThird = counts[4_500]?.id ?? 0
  await failing(catalog, 'before update on stock', `new.item_id = ${inThird}`)
  await expect(catalog.bring('stock', rows)).rejects.toThrow('crash')
  const [run] = await db.selectFrom('import_run').select(['id', 'state', 'published_to']).execute()
  expect(run).toMatchObject({ state: 'publishing', published_to: 4_001 })
  await sql`drop trigger crash on stock`.execute(db)
  const runId = run?.id ?? 0
  await expect(
    catalog.bring('prices', [
      ['sku', 'price'],
      ['X', 1],
    ]),
  ).rejects.toThrow('refused: half-done')
  const done = value(await resumeImport(catalog.deps, { runId, source: feedOf(rows), isYes: false }))
  expect(done).toMatchObject({
    state: 'published',
    summary: { changes: [{ entity: 'stock', action: 'changed', count: counts.length }] },
  })
  const after = await sql<{ sum: number }>`select sum(on_hand)::int as sum from stock`.execute(db)
  expect(after.rows[0]?.sum).toBe(counts.reduce((sum, { on_hand }) => sum + on_hand, 0))

  await failing(catalog, 'before update on import_change', `new.id = ${inThird}`)
  await expect(rollBackImport(catalog.deps, {})).rejects.toThrow('crash')
  expect(await findImport(catalog.deps, runId)).toMatchObject({ state: 'rolling-back' })
  const undone = await sql<{ count: number }>`select count(*)::int as count from import_change where undone`.execute(db)
  expect(undone.rows[0]?.count).toBe(4_000)
  await sql`drop trigger crash on import_change`.execute(db)
  expect(value(await rollBackImport(catalog.deps, {}))).toMatchObject({ run: { id: runId, state: 'rolled-back' } })
  expect(await snapshot(db)).toBe(before)
})

/** Makes statements fail that touch a row of this kind. */
async function failing({ database: { db } }: TestCatalog, when: string, condition: string): Promise<void> {
  await sql
    .raw(
      `create or replace function crash() returns trigger language plpgsql as $$
        begin if ${condition} then raise exception 'crash'; end if; return new; end $$;
      create trigger crash ${when} for each row execute function crash()`,
    )
    .execute(db)
}

test('refuses counts that are old, in the future, or of an unknown warehouse', async () => {
  await using catalog = await openCatalog()
  const { sku } = await catalog.database.db.selectFrom('item').select('sku').orderBy('id').executeTakeFirstOrThrow()
  const run = await catalog.bring('stock', [
    header,
    [sku, 'JOL', 4, smallDataMadeAt.subtract({ hours: 169 }).toString()],
    [sku, 'KNT', 4, smallDataMadeAt.add({ minutes: 6 }).toString()],
    [sku, 'FON', 4, '2026-11-20 06:00'],
    [sku, 'ZZZ', 4.5, ''],
    [sku, 'MDT', 4, '2026-11-20T06:00:00-05:00'],
    [sku, 'MDT', 5, ''],
  ])
  expect((await catalog.report(run)).map((line) => line.split(',', 2).join(' '))).toEqual([
    '2 as_of',
    '3 as_of',
    '4 as_of',
    '5 warehouse',
    '5 on_hand',
    '7 sku',
  ])
})
