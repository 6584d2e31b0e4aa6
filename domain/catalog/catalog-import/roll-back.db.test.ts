import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import type { FeedKind } from './catalog-import.ts'
import { rollBackImport } from './catalog-import.server.ts'
import {
  exportProducts,
  openCatalog,
  snapshot,
  value,
  withHeader,
  type ProductRow,
  type TestCatalog,
} from './catalog-import.testing.ts'

const priceHeader = ['sku', 'price_cents']

async function skus(catalog: TestCatalog, count: number): Promise<string[]> {
  const rows = await catalog.database.db.selectFrom('item').select('sku').orderBy('id').limit(count).execute()
  return rows.map(({ sku }) => sku)
}

test('a rollback restores everything, and a run cannot be rolled back twice', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const before = await snapshot(db)
  const kestrel = await exportProducts(db, 'kestrel')
  const [first, second] = kestrel
  const rewritten = kestrel.at(-1)?.line
  const changed: ProductRow[] = [
    { ...first, weight_lb: 99.5, oe_mark: 'K1', tread_depth_32nds: 7, price_cents: 12_345 },
    ...kestrel
      .slice(2)
      .map((row) =>
        row.line === rewritten ? { ...row, line_about: 'Other words.', line_warranty_miles: 61_000 } : row,
      ),
    {
      ...second,
      sku: 'NEW-1',
      size: '225/70R17',
      line: 'Alltide Next',
      line_about: '',
      measured_width_mm: null,
      measured_diameter_mm: null,
    },
  ]
  const run = await catalog.bring('products', withHeader(changed), { isYes: true })
  expect(await catalog.report(run)).toEqual([])
  expect(run.summary.changes?.map(({ entity, action }) => `${entity} ${action}`)).toEqual([
    'item changed',
    'item created',
    'product_line changed',
    'product_line created',
    'size created',
  ])
  expect(await snapshot(db)).not.toBe(before)

  const taken = value(await rollBackImport(catalog.deps, {}))
  expect(taken).toMatchObject({ run: { id: run.id, state: 'rolled-back' }, kept: 0 })
  expect(await snapshot(db)).toBe(before)
  expect(await rollBackImport(catalog.deps, { runId: run.id })).toMatchObject({
    ok: false,
    reason: 'not-published',
    detail: { state: 'rolled-back' },
  })

  // The number of a rolled-back tire is not reused.
  const again = await catalog.bring('products', withHeader([...kestrel, { ...first, sku: 'NEW-2', oe_mark: 'K2' }]))
  expect(again.state).toBe('published')
  expect(await db.selectFrom('item').select('id').where('sku', '=', 'NEW-2').executeTakeFirst()).toEqual({
    id: 101_502,
  })
})

test('refuses a rollback if a later run or a manual edit changed the same rows', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const [one, two, three] = await skus(catalog, 3)
  const price = async (sku: string | undefined, by: number) => {
    const { retail_cents } = await db
      .selectFrom('item')
      .select('retail_cents')
      .where('sku', '=', String(sku))
      .executeTakeFirstOrThrow()
    return [sku, retail_cents + by]
  }
  const first = await catalog.bring('prices', [priceHeader, await price(one, 10), await price(two, 10)])
  const second = await catalog.bring('prices', [priceHeader, await price(two, 20), await price(three, 20)])
  expect(await rollBackImport(catalog.deps, { runId: first.id })).toMatchObject({
    ok: false,
    reason: 'changed-since',
    detail: { laterRuns: [{ runId: second.id, rows: 1 }], otherwise: { count: 0 } },
  })
  value(await rollBackImport(catalog.deps, { runId: second.id }))

  const { id } = await db
    .updateTable('item')
    .set({ retail_cents: 4_321 })
    .where('sku', '=', String(one))
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await rollBackImport(catalog.deps, { runId: first.id })).toMatchObject({
    ok: false,
    reason: 'changed-since',
    detail: { laterRuns: [], otherwise: { count: 1, examples: [`item ${id}`] } },
  })
  const { retail_cents } = await db
    .selectFrom('item')
    .select('retail_cents')
    .where('sku', '=', String(two))
    .executeTakeFirstOrThrow()
  expect((await price(two, 0))[1]).toBe(retail_cents)
})

test('a tire in a cart is taken off sale, not deleted', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const kestrel = await exportProducts(db, 'kestrel')
  const [first] = kestrel
  const made = [
    ...kestrel,
    { ...first, sku: 'NEW-1', oe_mark: 'K1', line: 'Alltide Next' },
    { ...first, sku: 'NEW-2', oe_mark: 'K2', line: 'Alltide Next' },
  ]
  await catalog.bring('products', withHeader(made))
  const { id } = await db.selectFrom('item').select('id').where('sku', '=', 'NEW-1').executeTakeFirstOrThrow()
  const cartId = newId()
  const at = catalog.clock.now()
  await db.insertInto('cart').values({ id: cartId, created_at: at, updated_at: at }).execute()
  await db
    .insertInto('cart_line')
    .values({ cart_id: cartId, item_id: id, axle: 'all', quantity: 4, seen_unit_cents: 10_000, added_at: at })
    .execute()

  // The line stays with its tire.
  expect(value(await rollBackImport(catalog.deps, {})).kept).toBe(2)
  expect(await db.selectFrom('item').select(['id', 'active']).where('sku', 'like', 'NEW-%').execute()).toEqual([
    { id, active: false },
  ])
})

test('refuses to roll back a new tire before the later run that stocked it', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const before = await snapshot(db)
  const kestrel = await exportProducts(db, 'kestrel')
  const products = await catalog.bring(
    'products',
    withHeader([...kestrel, { ...kestrel[0], sku: 'NEW-1', oe_mark: 'K1' }]),
  )
  const stock = await catalog.bring('stock', [
    ['sku', 'warehouse', 'on_hand'],
    ['NEW-1', 'JOL', 8],
  ])
  expect(await rollBackImport(catalog.deps, { runId: products.id })).toMatchObject({
    reason: 'changed-since',
    detail: { laterRuns: [{ runId: stock.id, rows: 1 }] },
  })
  value(await rollBackImport(catalog.deps, {}))
  value(await rollBackImport(catalog.deps, {}))
  expect(await snapshot(db)).toBe(before)
})

test('importing anything and rolling it back restores the catalog exactly', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const before = await snapshot(db)
  const products = await exportProducts(db, 'kestrel')
  const { rows: vehicles } = await sql<ProductRow>`
    select year, make, model, trim, vclass as class, drive, front_size, front_load_index, front_speed, rear_size, rear_load_index, rear_speed, source
    from vehicle join oe_fitment on vehicle_id = vehicle.id where make_slug = 'honda' order by oe_fitment.id limit 40`.execute(
    db,
  )
  const edit = fc.record({
    row: fc.nat(),
    what: fc.constantFrom('drop', 'new', 'load', 'price', 'line', 'bad'),
    number: fc.integer({ min: 1, max: 60 }),
  })
  const feed = fc.record({
    kind: fc.constantFrom<FeedKind>('products', 'prices', 'stock', 'fitment'),
    edits: fc.array(edit, { minLength: 1, maxLength: 12 }),
    mode: fc.constantFrom('all-or-nothing' as const, 'per-row' as const),
  })
  await fc.assert(
    fc.asyncProperty(feed, async ({ kind, edits, mode }) => {
      const run = await catalog.bring(kind, rowsFor(kind, edits, { products, vehicles }), { mode, isYes: true })
      if (run.state === 'published') value(await rollBackImport(catalog.deps, {}))
      else expect(run.state).toBe('refused')
      expect(await snapshot(db)).toBe(before)
    }),
    { numRuns: Number(process.env.SEEDS ?? 3) * 4, endOnFailure: true },
  )
})

type Edit = { row: number; what: 'drop' | 'new' | 'load' | 'price' | 'line' | 'bad'; number: number }

function rowsFor(
  kind: FeedKind,
  edits: readonly Edit[],
  known: { products: readonly ProductRow[]; vehicles: readonly ProductRow[] },
): unknown[][] {
  const rows = [...(kind === 'fitment' ? known.vehicles : known.products)]
  for (const { row, what, number } of edits) {
    const at = row % rows.length
    const present = rows[at] ?? {}
    if (what === 'drop' && rows.length > 1) rows.splice(at, 1)
    else if (kind === 'fitment') rows.push(editedFitment(present, what, number))
    else if (what === 'new') rows.push({ ...present, sku: `NEW-${number}`, oe_mark: `K${number}` })
    else rows[at] = editedProduct(present, what, number)
  }
  if (kind === 'products') return withHeader(rows)
  if (kind === 'fitment') return withHeader(rows, Object.keys(known.vehicles[0] ?? {}))
  const there = rows.filter(({ sku }) => !String(sku).startsWith('NEW-'))
  if (kind === 'prices') return withHeader(there, ['sku', 'price_cents'])
  return [
    ['sku', 'warehouse', 'on_hand'],
    ...there.slice(0, 30).flatMap(({ sku }, index) => [
      [sku, 'JOL', index],
      [sku, 'KNT', index % 3],
    ]),
  ]
}

function editedProduct(row: ProductRow, what: Edit['what'], number: number): ProductRow {
  if (what === 'load') return { ...row, weight_lb: number, oldest_dot: null }
  if (what === 'price') return { ...row, price_cents: number * 100 }
  if (what === 'line')
    return {
      ...row,
      line: `Line ${number % 3}`,
      line_about: '',
      line_warranty_miles: null,
      size: `2${number % 10}5/65R17`,
      measured_width_mm: null,
      measured_diameter_mm: null,
    }
  return { ...row, tread: 'square' }
}

function editedFitment(row: ProductRow, what: Edit['what'], number: number): ProductRow {
  if (what === 'new') return { ...row, trim: `Trim ${number}` }
  if (what === 'load') return { ...row, front_load_index: number, rear_size: '255/35R19' }
  return { ...row, front_size: what === 'bad' ? 'round' : '225/65R17' }
}
