/** Changes made by publishing a feed. Over 400 lines: four feeds that share one catalog. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCatalog } from '#domain/catalog/catalog/catalog.server.ts'
import { resumeImport } from './catalog-import.server.ts'
import {
  exportProducts,
  feedOf,
  openCatalog,
  snapshot,
  value,
  withHeader,
  type ProductRow,
} from './catalog-import.testing.ts'

/** A tire from a brand and model that the demo data doesn't have. */
const newTire: ProductRow = {
  sku: 'GRN-1',
  brand: 'Grindle & Co',
  brand_tier: 'mid',
  line: 'Path One',
  category: 'touring-all-season',
  tread: 'all-season',
  m_plus_s: 'yes',
  size: 'P225/65 R17',
  load_index: 102,
  speed: 'h',
  load_class: 'SL',
  max_psi: 51,
  rim_width_min_in: 6,
  rim_width_max_in: 8,
  tread_depth_32nds: 10,
  weight_lb: 26.4,
  utqg_treadwear: 640,
  utqg_traction: 'A',
  utqg_temperature: 'A',
  oldest_dot: '2326',
  price: '129.90',
}
const newColumns = Object.keys(newTire)

test('a price file changes prices only, and counts them', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const items = await db.selectFrom('item').select(['sku', 'retail_cents']).orderBy('id').limit(3).execute()
  const [first, second, third] = items
  const run = await catalog.bring('prices', [
    ['sku', 'price'],
    [first?.sku.toLowerCase(), ((first?.retail_cents ?? 0) + 100) / 100],
    [second?.sku, (second?.retail_cents ?? 0) / 100],
    [third?.sku, ((third?.retail_cents ?? 0) + 1) / 100],
  ])
  expect(run).toMatchObject({
    state: 'published',
    rowCount: 3,
    refusedCount: 0,
    summary: { changes: [{ entity: 'item', action: 'changed', count: 2 }] },
  })
  const after = await db.selectFrom('item').select(['sku', 'retail_cents']).orderBy('id').limit(3).execute()
  expect(after.map(({ retail_cents }, index) => retail_cents - (items[index]?.retail_cents ?? 0))).toEqual([100, 0, 1])
})

test('a price file with costs updates them, one without leaves them', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const read = () =>
    db.selectFrom('item').select(['sku', 'retail_cents', 'cost_cents']).orderBy('id').limit(2).execute()
  const [first, second] = await read()
  await catalog.bring('prices', [
    ['sku', 'price_cents', 'cost'],
    [first?.sku, first?.retail_cents, '55.10'],
    [second?.sku, (second?.retail_cents ?? 0) + 100, ''],
  ])
  expect((await read()).map(({ cost_cents }) => cost_cents)).toEqual([5_510, second?.cost_cents])
  await catalog.bring('prices', [
    ['sku', 'price_cents'],
    [first?.sku, (first?.retail_cents ?? 0) + 100],
  ])
  expect((await read())[0]?.cost_cents).toBe(5_510)
})

test('a listing shows a new price within half a minute', async () => {
  await using catalog = await openCatalog()
  const { cache } = createCatalog({ db: catalog.database.db, clock: catalog.clock })
  const { id, sku, retail_cents } = await catalog.database.db
    .selectFrom('item')
    .select(['id', 'sku', 'retail_cents'])
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const shown = async () => (await cache.itemsByNumber([id]))[0]?.retailCents
  expect(await shown()).toBe(retail_cents)
  await catalog.bring('prices', [
    ['sku', 'price_cents'],
    [sku, retail_cents + 100],
  ])
  expect(await shown()).toBe(retail_cents)
  catalog.clock.set(catalog.clock.now().add({ seconds: 31 }))
  expect(await shown()).toBe(retail_cents + 100)
})

test('reimporting the whole catalog has no effect', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const before = await snapshot(db)
  const run = await catalog.bring('products', withHeader(await exportProducts(db)))
  expect(await catalog.report(run)).toEqual([])
  expect(run).toMatchObject({ state: 'published', rowCount: 1500, summary: { changes: [], warnings: [] } })
  expect(await snapshot(db)).toBe(before)
})

test('a file with one bad row isn’t published, and the report shows the cell', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const before = await snapshot(db)
  const rows = [newTire, { ...newTire, sku: 'GRN-2', size: '225/65R17 102H' }, { ...newTire, sku: 'GRN-1', speed: 'V' }]
  const run = await catalog.bring('products', withHeader(rows, newColumns))
  expect(run).toMatchObject({ state: 'refused', rowCount: 3, refusedCount: 2 })
  expect(await catalog.report(run)).toEqual([
    '3,size,225/65R17 102H,is not a tire size we can read,"a tire size alone, such as 225/65R17, LT275/70R18, 35X12.50R17LT or 11R22.5"',
    '4,sku,GRN-1,is described already in row 2,each SKU once',
  ])
  expect(await snapshot(db)).toBe(before)
  expect(await db.selectFrom('import_product').select('row_no').execute()).toEqual([])
})

test('per row, the good rows are published with their brand, line and size', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const rows = [
    newTire,
    { ...newTire, sku: 'GRN-2', speed: 'XX' },
    { ...newTire, sku: 'GRN-3', size: '225/60R18', load_index: 100 },
  ]
  const run = await catalog.bring('products', withHeader(rows, newColumns), { mode: 'per-row' })
  expect(run).toMatchObject({ state: 'published', refusedCount: 1 })
  const { rows: made } = await sql`
    select item.id, sku, brand.slug, brand.tier, product_line.slug as line, winter, designation, load_index, speed, max_load_lb, ply_rating, oldest_dot_week,
      retail_cents, active
    from item join product_line on product_line.id = product_line_id join brand on brand.id = brand_id join size on size.id = size_id
    where brand.name = 'Grindle & Co' order by item.id`.execute(db)
  const shared = {
    slug: 'grindle-and-co',
    tier: 'mid',
    line: 'path-one',
    winter: false,
    speed: 'H',
    ply_rating: 4,
    oldest_dot_week: '2026-06-01',
  }
  expect(made).toEqual([
    {
      id: 101_501,
      sku: 'GRN-1',
      ...shared,
      designation: '225/65R17',
      load_index: 102,
      max_load_lb: 1874,
      retail_cents: 12_990,
      active: true,
    },
    {
      id: 101_502,
      sku: 'GRN-3',
      ...shared,
      designation: '225/60R18',
      load_index: 100,
      max_load_lb: 1764,
      retail_cents: 12_990,
      active: true,
    },
  ])
})

test('per row, a bad row with the tier of its brand does not fail the other rows of the brand', async () => {
  await using catalog = await openCatalog()
  const rows = [
    { ...newTire, speed: 'XX' },
    { ...newTire, sku: 'GRN-2', brand_tier: null },
    { ...newTire, sku: 'GRN-3', size: '225/60R18', load_index: 100, brand_tier: null },
  ]

  const run = await catalog.bring('products', withHeader(rows, newColumns), { mode: 'per-row' })

  expect(await catalog.report(run)).toEqual([expect.stringMatching(/^2,speed,XX,/)])
  expect(run).toMatchObject({ state: 'published', refusedCount: 1 })
  const brand = catalog.database.db.selectFrom('brand').select('tier').where('slug', '=', 'grindle-and-co')
  expect(await brand.executeTakeFirst()).toEqual({ tier: 'mid' })
})

test('per row, the row that contradicts most rows of its line is refused, even if it is the first', async () => {
  await using catalog = await openCatalog()
  const rows = [
    { ...newTire, tread: 'summer' },
    { ...newTire, sku: 'GRN-2', size: '225/60R18', load_index: 100 },
    { ...newTire, sku: 'GRN-3', size: '235/60R18', load_index: 103 },
  ]

  const run = await catalog.bring('products', withHeader(rows, newColumns), { mode: 'per-row' })

  expect(await catalog.report(run)).toEqual(['2,tread,summer,is not what row 3 says of this line,all-season'])
  expect(run).toMatchObject({ state: 'published', refusedCount: 1 })
})

test('requires confirmation if a brand loses more than a fifth of its tires, regardless of other brands', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const kestrel = await exportProducts(db, 'kestrel')
  const before = await snapshot(db)
  const feed = withHeader(kestrel.slice(0, Math.floor(kestrel.length / 2)))
  const run = await catalog.bring('products', feed)
  const gone = kestrel.length - Math.floor(kestrel.length / 2)
  expect(run).toMatchObject({
    state: 'waiting-for-yes',
    summary: { warnings: [{ kind: 'deactivates', count: gone, of: kestrel.length }] },
  })
  expect(await snapshot(db)).toBe(before)

  const done = value(await resumeImport(catalog.deps, { runId: run.id, source: feedOf(feed), isYes: true }))
  expect(done).toMatchObject({
    state: 'published',
    summary: { changes: [{ entity: 'item', action: 'changed', count: gone }] },
  })
  const sold = await db.selectFrom('item').select('sku').where('active', '=', false).orderBy('id').execute()
  expect(sold.map(({ sku }) => sku)).toEqual(kestrel.slice(-gone).map(({ sku }) => sku))
})

test('a rejected row doesn’t unlist its tire, and a row without a SKU unlists no tires', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const [first, second, ...rest] = await exportProducts(db, 'kestrel')
  const bad = [{ ...first, weight_lb: 'heavy' } as ProductRow, ...rest]
  await catalog.bring('products', withHeader(bad), { mode: 'per-row' })
  const inactive = () => db.selectFrom('item').select('sku').where('active', '=', false).execute()
  expect(await inactive()).toEqual([{ sku: second?.sku }])

  await db.updateTable('item').set({ listed: true }).execute()
  await catalog.bring('products', withHeader([{ ...first, sku: '=1+1' }, ...rest]), { mode: 'per-row' })
  expect(await inactive()).toEqual([])
})

test('a price change above a quarter requires confirmation', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  await db.updateTable('item').set({ retail_cents: 10_000 }).execute()
  const [first, second, third] = await db.selectFrom('item').select('sku').orderBy('id').limit(3).execute()
  const header = ['sku', 'price_cents']
  expect(await catalog.bring('prices', [header, [first?.sku, 12_500], [second?.sku, 7_500]])).toMatchObject({
    state: 'published',
  })
  await db.updateTable('item').set({ retail_cents: 10_000 }).execute()
  const rows = [header, [first?.sku, 12_501], [second?.sku, 7_499], [third?.sku, 10_100]]
  expect(await catalog.bring('prices', rows)).toMatchObject({
    state: 'waiting-for-yes',
    summary: {
      warnings: [
        {
          kind: 'moves-prices',
          count: 2,
          biggest: [
            { sku: first?.sku, fromCents: 10_000, toCents: 12_501 },
            { sku: second?.sku, toCents: 7_499 },
          ],
        },
      ],
    },
  })
  expect(await catalog.bring('prices', rows, { isYes: true })).toMatchObject({
    state: 'published',
    summary: { warnings: [{ count: 2 }] },
  })
})

test('a dry run reports changes without applying them', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const before = await snapshot(db)
  const rows = withHeader([newTire, { ...newTire, sku: 'GRN-2', speed: 'V' }], newColumns)
  const dry = await catalog.bring('products', rows, { isDry: true })
  expect(dry.state).toBe('checked')
  expect(await snapshot(db)).toBe(before)
  expect(await db.selectFrom('import_change').select('id').execute()).toEqual([])
  const run = await catalog.bring('products', rows)
  expect(run.summary).toEqual(dry.summary)
  expect(run.summary.changes).toEqual([
    { entity: 'brand', action: 'created', count: 1 },
    { entity: 'item', action: 'created', count: 2 },
    { entity: 'product_line', action: 'created', count: 1 },
  ])
})

test('a tire with a changed SKU has the same page', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const [first, ...rest] = await exportProducts(db, 'kestrel')
  const { id } = await db
    .selectFrom('item')
    .select('id')
    .where('sku', '=', String(first?.sku))
    .executeTakeFirstOrThrow()
  await catalog.bring('products', withHeader([{ ...first, sku: 'NEW-1' }, ...rest]))
  expect(await db.selectFrom('item').select(['sku', 'active']).where('id', '=', id).executeTakeFirst()).toEqual({
    sku: 'NEW-1',
    active: true,
  })
})

test('refuses indistinguishable tires, within the file and against the catalog', async () => {
  await using catalog = await openCatalog()
  const [first, ...rest] = await exportProducts(catalog.database.db, 'kestrel')
  const run = await catalog.bring('products', withHeader([newTire, { ...newTire, sku: 'GRN-2' }], newColumns))
  expect(await catalog.report(run)).toEqual([
    '3,sku,GRN-2,is the same tire as the one in row 2,"another size, load index, speed, load class or range, sidewall or mark"',
  ])
  const twin = { ...first, sku: 'TWIN-1' } as ProductRow
  const again = await catalog.bring(
    'products',
    withHeader([twin, { ...first, load_index: 101, max_load_lb: 1819 }, ...rest]),
  )
  expect((await catalog.report(again))[0]).toMatch(
    new RegExp(`^2,sku,TWIN-1,"is the same tire as ${first?.sku}, which we have"`),
  )
})

test('refuses contradictory rows of a line, a new tire without a price and a new brand without a tier', async () => {
  await using catalog = await openCatalog()
  const rows = [
    newTire,
    {
      ...newTire,
      sku: 'GRN-2',
      speed: 'V',
      tread: 'winter',
      utqg_treadwear: null,
      utqg_traction: null,
      utqg_temperature: null,
    },
  ]
  const run = await catalog.bring('products', withHeader(rows, newColumns))
  expect(await catalog.report(run)).toEqual(['3,tread,winter,is not what row 2 says of this line,all-season'])
  const bare = await catalog.bring('products', withHeader([{ ...newTire, price: null, brand_tier: null }], newColumns))
  expect(await catalog.report(bare)).toEqual(['2,price,,"is empty, and the tire is new",the price of one tire'])
  const tierless = await catalog.bring('products', withHeader([{ ...newTire, brand_tier: null }], newColumns))
  expect(await catalog.report(tierless)).toEqual([
    '2,brand_tier,,"is empty, and the brand is new","value, mid or premium in one of its rows"',
  ])
})

test('a feed replaces its vehicles’ sizes, except for rejected rows', async () => {
  await using catalog = await openCatalog('empty')
  const { db } = catalog.database
  const header = [
    'year',
    'make',
    'model',
    'trim',
    'class',
    'front_size',
    'front_load_index',
    'front_speed',
    'rear_size',
    'rear_load_index',
    'rear_speed',
    'source',
  ]
  const crv = (trim: string, size: string, index: unknown) => [
    2019,
    'Honda',
    'CR-V',
    trim,
    'suv',
    size,
    index,
    'H',
    null,
    null,
    null,
    'catalog',
  ]
  const listed = async () =>
    (
      await sql<{ text: string }>`
        select concat_ws(' ', year, make_slug, model_slug, trim, front_size, front_load_index, rear_size, rear_load_index, source) as text
        from vehicle join oe_fitment on vehicle_id = vehicle.id order by 1`.execute(db)
    ).rows.map(({ text }) => text)
  await catalog.bring('fitment', [
    header,
    crv('EX', '235/60R18', 103),
    crv('LX', '235/65R17', 104),
    [2020, 'Chevrolet', 'Corvette', 'Base', 'car', '245/35ZR19', 89, 'Y', '305/30ZR20', 99, 'Y', null],
  ])
  expect(await listed()).toEqual([
    '2019 honda cr-v EX 235/60R18 103 235/60R18 103 catalog',
    '2019 honda cr-v LX 235/65R17 104 235/65R17 104 catalog',
    '2020 chevrolet corvette Base 245/35R19 89 305/30R20 99 weak',
  ])
  const run = await catalog.bring('fitment', [header, crv('EX', '235/65R17', 104), crv('LX', '235/55R19', 'x')], {
    mode: 'per-row',
    isYes: true,
  })
  expect(run.summary).toMatchObject({
    warnings: [{ kind: 'removes-fitments', count: 1, of: 1, examples: ['2019 Honda CR-V EX: 235/60R18'] }],
    changes: [
      { entity: 'oe_fitment', action: 'created', count: 1 },
      { entity: 'oe_fitment', action: 'removed', count: 1 },
    ],
  })
  expect(await listed()).toEqual([
    '2019 honda cr-v EX 235/65R17 104 235/65R17 104 catalog',
    '2019 honda cr-v LX 235/65R17 104 235/65R17 104 catalog',
    '2020 chevrolet corvette Base 245/35R19 89 305/30R20 99 weak',
  ])
})

test("a fitment feed's other name for a model refers to that model", async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const names = () =>
    db
      .selectFrom('vehicle')
      .select('model')
      .distinct()
      .where('make_slug', '=', 'ford')
      .where('model', 'like', 'F-250%')
      .execute()
  await catalog.bring('fitment', [
    ['year', 'make', 'model', 'trim', 'class', 'front_size', 'front_load_index', 'front_speed'],
    [2027, 'Ford', 'F-250', 'XL', 'truck', 'LT245/75R17', 121, 'S'],
  ])
  expect(await names()).toEqual([{ model: 'F-250 Super Duty' }])
  expect(
    await db
      .selectFrom('vehicle')
      .select('trim')
      .where('year', '=', 2027)
      .where('model_slug', '=', 'f-250-super-duty')
      .execute(),
  ).toEqual([{ trim: 'XL' }])
})

test('an unknown SKU, a duplicate SKU, or an empty file prevents publishing', async () => {
  await using catalog = await openCatalog()
  const { sku } = await catalog.database.db.selectFrom('item').select('sku').orderBy('id').executeTakeFirstOrThrow()
  const run = await catalog.bring(
    'prices',
    [
      ['sku', 'price'],
      [sku, 100],
      [sku, 101],
      ['NOT-HERE', 1],
    ],
    { isYes: true },
  )
  expect(run.state).toBe('refused')
  expect(await catalog.report(run)).toEqual([
    `3,sku,${sku},has a price already in row 2,each SKU once`,
    '4,sku,NOT-HERE,is not a tire we have,the SKU of a tire that a products feed brought',
  ])
  const empty = await catalog.bring('prices', [['sku', 'price']])
  expect(empty.state).toBe('refused')
  expect(await catalog.report(empty)).toEqual(['2,,,the file has no rows,rows below the header'])
})
