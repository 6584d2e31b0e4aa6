/** What one process sells is read again by every other, at its next look. */
import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { returnStock, takeStock } from '#domain/supply/delivery/stock.sql.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createCatalog, forgetOldStockChanges, watchCatalog } from './catalog.server.ts'
import { unitsOf } from './items.ts'

const clock = fixedClock('2026-11-20T12:00:00Z')

type Stocked = { itemId: number; warehouseId: number; units: number; size: string; brand: string; line: string }

/** Tires with one warehouse that has enough for an order of four, but few enough that pages show the count. */
async function fewLeft(db: Database, count: number): Promise<Stocked[]> {
  const { rows } = await sql<Stocked>`
    select distinct on (item.id) item.id as "itemId", warehouse_id as "warehouseId", on_hand as units, size.slug as size, brand.slug as brand, product_line.slug as line
    from stock join item on item.id = item_id join size on size.id = size_id join product_line on product_line.id = product_line_id
    join brand on brand.id = brand_id where on_hand between 4 and 30 and active order by item.id limit ${count}`.execute(
    db,
  )
  return rows
}

const forNoCart = { cartId: null, at: Temporal.Instant.from('2026-11-20T16:00:00Z') }

function take(db: Database, { itemId, warehouseId }: Stocked, quantity = 4): Promise<boolean> {
  return db.transaction().execute((tx) => takeStock(tx, [{ warehouseId, items: [{ itemId, quantity }] }], forNoCart))
}

function give(db: Database, { itemId, warehouseId }: Stocked, quantity: number): Promise<void> {
  return db
    .transaction()
    .execute((tx) =>
      returnStock(
        tx,
        sql`select ${itemId}::int as item_id, ${warehouseId}::smallint as warehouse_id, ${quantity}::int as quantity`,
      ),
    )
}

/** A process with a catalog and a watch that has polled once. */
async function openProcess(db: Database) {
  const catalog = createCatalog({ db, clock })
  const watch = watchCatalog(db, catalog)
  const outdated: string[] = []
  const names = new Set<string>()
  watch.onChange((isOutdated) => outdated.push(...[...names].filter(isOutdated)))
  await watch.read()
  return { catalog, watch, outdated, names }
}

async function unitsIn(catalog: ReturnType<typeof createCatalog>, { size, itemId }: Stocked): Promise<number> {
  const items = (await catalog.cache.itemsOfSizes([size])).get(size) ?? []
  const item = items.find(({ id }) => id === itemId)
  return item ? unitsOf(item) : Number.NaN
}

test('units sold and returned by one process show in another at its next look, by size, line and article', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const [tire, other] = await fewLeft(test.db, 2)
  const { catalog, watch } = await openProcess(test.db)
  const narrowed = catalog.narrowed([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const before = await unitsIn(catalog, tire!)
  const lineUnits = async () => {
    const items = await catalog.cache.itemsOfLine(tire!.brand, tire!.line)
    return unitsOf(items.find(({ id }) => id === tire!.itemId)!)
  }
  const itemUnits = async () => unitsOf((await catalog.cache.itemsByNumber([tire!.itemId]))[0]!)
  expect(await lineUnits()).toEqual(before)
  expect(await itemUnits()).toEqual(before)
  const ofNarrowed = await unitsIn(narrowed, tire!)
  const untouched = await catalog.cache.itemsByNumber([other!.itemId])

  expect(await take(test.db, tire!)).toBe(true)
  expect(await unitsIn(catalog, tire!)).toBe(before) // Nobody looked yet.
  await watch.read()
  expect(await unitsIn(catalog, tire!)).toBe(before - 4)
  expect(await lineUnits()).toBe(before - 4)
  expect(await itemUnits()).toBe(before - 4)
  if (!Number.isNaN(ofNarrowed)) expect(await unitsIn(narrowed, tire!)).toBe(before - 4)
  expect(await catalog.cache.itemsByNumber([other!.itemId])).toBe(untouched)

  await give(test.db, tire!, 4)
  await watch.read()
  expect(await unitsIn(catalog, tire!)).toBe(before)
})

test('a change that was written first and committed last is seen all the same', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  await using second = withEnd(createDatabase(test.url, { size: 1 }))
  const [early, late] = await fewLeft(test.db, 2)
  const { catalog, watch } = await openProcess(test.db)
  const before = await unitsIn(catalog, early!)
  const isWritten = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const slow = second.db.transaction().execute(async (tx) => {
    await takeStock(
      tx,
      [{ warehouseId: early!.warehouseId, items: [{ itemId: early!.itemId, quantity: 4 }] }],
      forNoCart,
    )
    isWritten.resolve()
    await mayCommit.promise
  })
  await isWritten.promise
  await take(test.db, late!)
  await watch.read()
  expect(await unitsIn(catalog, early!)).toBe(before)
  mayCommit.resolve()
  await slow
  await watch.read()
  expect(await unitsIn(catalog, early!)).toBe(before - 4)
})

test('data read during a stock change isn’t cached', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const [tire] = await fewLeft(test.db, 1)
  const { catalog, watch } = await openProcess(test.db)
  const asked = unitsIn(catalog, tire!)
  await take(test.db, tire!)
  await watch.read()
  const found = await asked
  expect([tire!.units, found]).toContain(found)
  const rows = await test.db.selectFrom('stock').select('on_hand').where('item_id', '=', tire!.itemId).execute()
  expect(await unitsIn(catalog, tire!)).toBe(rows.reduce((sum, { on_hand: units }) => sum + units, 0))
})

test('a stock change sends one notification per affected view, and a bulk change sends one in total', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const [tire] = await fewLeft(test.db, 1)
  const { watch, outdated, names } = await openProcess(test.db)
  for (const name of [
    `size ${tire!.size}`,
    'size none',
    `line ${tire!.brand} ${tire!.line}`,
    'lines on 17',
    'items 0',
    '/a-page',
  ])
    names.add(name)
  await take(test.db, tire!)
  await watch.read()
  expect(outdated.splice(0)).toEqual([`size ${tire!.size}`, `line ${tire!.brand} ${tire!.line}`, 'lines on 17'])
  await watch.read()
  expect(outdated).toEqual([])

  // A change between two quantities above a cart line's limit doesn't change any page.
  await give(test.db, tire!, 400)
  await watch.read()
  outdated.splice(0)
  await take(test.db, tire!, 100)
  await watch.read()
  expect(outdated).toEqual([])

  // As an import does.
  await sql`update stock set on_hand = on_hand + 1 where item_id in (select id from item order by id limit 600)`.execute(
    test.db,
  )
  await watch.read()
  expect(outdated).toEqual([...names])
  const rows = await test.db.selectFrom('stock_change').select('item_id').orderBy('id', 'desc').limit(1).execute()
  expect(rows).toEqual([{ item_id: null }])
})

test('changes are forgotten after a quarter of an hour', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const [tire] = await fewLeft(test.db, 1)
  await take(test.db, tire!)
  const count = async () => (await test.db.selectFrom('stock_change').select('id').execute()).length
  await forgetOldStockChanges(test.db, Temporal.Now.instant())
  expect(await count()).toBeGreaterThan(0)
  await forgetOldStockChanges(test.db, Temporal.Now.instant().add({ minutes: 16 }))
  expect(await count()).toBe(0)
})

function withEnd(db: Database) {
  return { db, [Symbol.asyncDispose]: () => db.destroy() }
}
