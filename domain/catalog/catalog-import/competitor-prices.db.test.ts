/** Competitors' prices from files, with their tires, refusals, and rollback. */
import { expect, test } from 'vitest'
import { listCompetitorPrices, rollBackImport } from './catalog-import.server.ts'
import { openCatalog, snapshot, value } from './catalog-import.testing.ts'

const header = ['mpn', 'brand', 'competitor', 'price', 'seen_on']

test('a tire has each competitor’s latest price until it is too old, and a file can be rolled back', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const tires = await db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'product_line_id')
    .innerJoin('brand', 'brand.id', 'brand_id')
    .select(['item.id', 'brand.name as brand'])
    .orderBy('item.id')
    .limit(2)
    .execute()
  const [tire, twin] = tires
  if (!tire || !twin) throw new Error('The catalog has fewer than two tires.')
  await db.updateTable('item').set({ mpn: 'K-1001' }).where('id', '=', tire.id).execute()
  const today = Temporal.PlainDate.from('2026-11-20')
  const pricesOf = async (maxDays: number) => {
    const prices = await listCompetitorPrices(db, { itemIds: [tire.id], today, maxDays })
    return prices.map(({ competitor, cents, ageDays }) => [competitor, cents, ageDays])
  }
  const row = (competitor: string, price: string, seenOn: string, mpn = 'k 1001') => [
    mpn,
    tire.brand,
    competitor,
    price,
    seenOn,
  ]
  await catalog.bring('competitor-prices', [header, row('Harbor Tire', '124.99', '2026-11-10')])
  expect(await pricesOf(10)).toEqual([['Harbor Tire', 12_499, 10]])
  expect(await pricesOf(9)).toEqual([])
  const before = await snapshot(db)

  const run = await catalog.bring(
    'competitor-prices',
    [
      header,
      row('harbor tire', '119.00', '2026-11-12'),
      row('Prairie Tire', '118.00', '2026-11-19'),
      row('Prairie Tire', '117.00', '2026-11-19'),
      row('Harbor Tire', '99.00', '2999-01-01'),
      row('Harbor Tire', '99.00', '2026-11-19', 'NOT-CARRIED'),
      ['', '', 'Harbor Tire', '99.00', '2026-11-19'],
    ],
    { mode: 'per-row' },
  )
  expect(run).toMatchObject({ state: 'published', refusedCount: 3 })
  expect((await catalog.report(run)).map((line) => line.split(',').slice(0, 2).join(' '))).toEqual([
    '4 competitor',
    '5 seen_on',
    '7 gtin',
  ])
  expect(await pricesOf(30)).toEqual([
    ['Prairie Tire', 11_800, 1],
    ['harbor tire', 11_900, 8],
  ])
  // An older price doesn't replace a newer one.
  await catalog.bring('competitor-prices', [header, row('Harbor Tire', '50.00', '2026-11-01')])
  expect(await pricesOf(30)).toHaveLength(2)
  expect((await pricesOf(30))[1]).toEqual(['harbor tire', 11_900, 8])

  value(await rollBackImport(catalog.deps, { runId: run.id }))
  expect(await snapshot(db)).toBe(before)
})

test('a part number of several tires is refused', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const line = await db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'product_line_id')
    .innerJoin('brand', 'brand.id', 'brand_id')
    .select(['brand_id as id', 'brand.name', 'product_line_id as lineId'])
    .executeTakeFirstOrThrow()
  await db.updateTable('item').set({ mpn: 'SAME-1' }).where('product_line_id', '=', line.lineId).execute()
  const run = await catalog.bring(
    'competitor-prices',
    [header, ['SAME1', line.name, 'Harbor Tire', '99.00', '2026-11-19']],
    { mode: 'per-row' },
  )
  expect(await catalog.report(run)).toEqual(['2,mpn,SAME1,is the part number of several tires,the GTIN'])
})
