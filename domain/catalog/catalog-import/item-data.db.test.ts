/** Item data of manufacturers as PIES files, with their effect, refusals, and rollbacks. */
import { expect, test } from 'vitest'
import { rollBackImport, type ImportRequest } from './catalog-import.server.ts'
import { openCatalog, snapshot, textFeed, value, type TestCatalog } from './catalog-import.testing.ts'
import { piesFile, type TestFile, type TestItem } from './pies.testing.ts'

type Tire = { id: number; sku: string; mpn: string; gtin: string | null; brand: string; line: number }
type BringFile = (
  items: readonly TestItem[],
  file?: TestFile,
  options?: Partial<ImportRequest>,
) => ReturnType<TestCatalog['bring']>

const [gtin, otherGtin, thirdGtin] = ['012345678905', '036000291452', '614141000036'] as const

/** A catalog with four tires by the brand BBSV, and one by another brand. */
async function openBrand(): Promise<TestCatalog & { tires: Tire[]; foreign: Tire; bringFile: BringFile }> {
  const catalog = await openCatalog()
  const { db } = catalog.database
  const all = await db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'product_line_id')
    .innerJoin('brand', 'brand.id', 'brand_id')
    .select(['item.id', 'sku', 'mpn', 'gtin', 'brand.name as brand', 'product_line_id as line'])
    .orderBy('product_line_id')
    .orderBy('item.id')
    .execute()
  const named = all.map((tire) => ({ ...tire, mpn: tire.mpn ?? tire.sku }))
  const tires = named.slice(0, 4)
  const foreign = named.find(({ brand }) => brand !== tires[0]?.brand)
  if (!foreign) throw new Error('The catalog has one brand.')
  await catalog.bring('vehicle-codes', [
    ['kind', 'code', 'name'],
    ['brand', 'BBSV', tires[0]?.brand],
  ])
  return {
    ...catalog,
    [Symbol.asyncDispose]: () => catalog[Symbol.asyncDispose](),
    tires,
    foreign,
    bringFile: (items, file, options) =>
      catalog.bring('item-data', [], { source: textFeed(piesFile(items, file)), ...options }),
  }
}

const stored = ({ database: { db } }: TestCatalog, id: number) =>
  db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'product_line_id')
    .select(['gtin', 'mpn', 'weight_lb', 'origin_country', 'feed_about'])
    .where('item.id', '=', id)
    .executeTakeFirstOrThrow()

test('a file updates tires by part number and GTIN, and can be rolled back', async () => {
  await using catalog = await openBrand()
  const { db } = catalog.database
  const [first, second, third] = catalog.tires
  if (!first || !second || !third) throw new Error('The catalog has fewer than three tires.')
  const about = 'Quiet on the highway &amp; sure on wet roads.'
  const before = await snapshot(db)
  const untouched = await stored(catalog, third.id)
  const original = await stored(catalog, second.id)
  const country =
    '<ExtendedInformation><ExtendedProductInformation MaintenanceType="A" EXPICode="CTO">TH</ExtendedProductInformation></ExtendedInformation>'

  const run = await catalog.bringFile([
    // Part numbers are compared by their letters and digits.
    { part: first.mpn.toLowerCase().replaceAll('-', ' '), gtin, pounds: 26.44, about, more: country },
    { part: second.mpn, about },
    { maintenance: 'D', part: third.mpn, gtin: thirdGtin, pounds: 99 },
    { part: 'NOT-CARRIED', pounds: 30 },
  ])
  expect(await catalog.report(run)).toEqual([])
  expect(run).toMatchObject({ state: 'published', rowCount: 4, refusedCount: 0 })
  expect(run.summary.changes).toEqual([
    { entity: 'item', action: 'changed', count: 1 },
    { entity: 'product_line', action: 'changed', count: 1 },
  ])
  expect(await stored(catalog, first.id)).toEqual({
    gtin,
    mpn: first.mpn.toLowerCase().replaceAll('-', ' '),
    weight_lb: 26.4,
    origin_country: 'TH',
    feed_about: 'Quiet on the highway & sure on wet roads.',
  })
  expect(await stored(catalog, second.id)).toEqual({
    ...original,
    mpn: second.mpn,
    feed_about: 'Quiet on the highway & sure on wet roads.',
  })
  expect(await stored(catalog, third.id)).toMatchObject({ gtin: untouched.gtin, weight_lb: untouched.weight_lb })

  // With its GTIN, the tire gets another part number, also in a file that has only a brand's name.
  const renumbered = await catalog.bringFile(
    [{ part: 'NEW-100', gtin, more: `<BrandLabel>${first.brand}</BrandLabel>` }],
    {
      header: { BrandOwnerAAIAID: '' },
    },
  )
  expect(renumbered.state).toBe('published')
  expect(await stored(catalog, first.id)).toMatchObject({ gtin, mpn: 'NEW-100', weight_lb: 26.4 })

  value(await rollBackImport(catalog.deps, { runId: renumbered.id }))
  value(await rollBackImport(catalog.deps, { runId: run.id }))
  expect(await snapshot(db)).toBe(before)
})

test('each item that contradicts the catalog or another item is refused with its line and field', async () => {
  await using catalog = await openBrand()
  const { db } = catalog.database
  const [first, second, third, fourth] = catalog.tires
  if (!first || !second || !third || !fourth) throw new Error('The catalog has fewer than four tires.')
  await db.updateTable('item').set({ mpn: 'DUP-1' }).where('id', 'in', [third.id, fourth.id]).execute()
  await db.updateTable('item').set({ gtin }).where('id', '=', first.id).execute()
  await db.updateTable('item').set({ gtin: otherGtin }).where('id', '=', catalog.foreign.id).execute()
  const before = await snapshot(db)
  const items: TestItem[] = [
    { part: first.mpn, pounds: 31 },
    { part: first.mpn, brand: 'BBYY' },
    { part: 'P-1', gtin: otherGtin },
    { part: second.mpn, gtin },
    { part: 'P-2', gtin },
    { part: 'P-3', gtin: thirdGtin },
    { part: 'P-4', gtin: thirdGtin },
    { part: 'P 3' },
    { part: 'P-5', gtin: '012345678906' },
    { part: '', pounds: 1 },
    { part: 'dup 1' },
  ]
  const problems = [
    '3,brand_code,BBYY,is not a brand of the store (line 6)',
    `4,gtin,${otherGtin},"is the GTIN of ${catalog.foreign.sku}, a tire of another brand (line 7)"`,
    `5,part,${second.mpn},"is the part number of ${second.sku}, and the GTIN is of another tire (line 8)"`,
    '6,part,P-2,is described already in row 2 (line 9)',
    `8,gtin,${thirdGtin},is described already in row 7 (line 11)`,
    '9,part,P 3,is described already in row 7 (line 12)',
    '10,gtin,00012345678906,has a wrong check digit (line 13)',
    '11,part,,is empty (line 14)',
    '12,part,dup 1,is the part number of several tires (line 15)',
  ]
  const whole = await catalog.bringFile(items)
  expect(whole).toMatchObject({ state: 'refused', refusedCount: 9 })
  const lines = (await catalog.report(whole)).map(
    (line) => problems.find((problem) => line.startsWith(problem)) ?? line,
  )
  expect(lines).toEqual(problems)
  expect(await snapshot(db)).toBe(before)

  const run = await catalog.bringFile(items, {}, { mode: 'per-row' })
  expect(run).toMatchObject({ state: 'published', refusedCount: 9 })
  expect(await stored(catalog, first.id)).toMatchObject({ gtin, weight_lb: 31 })
  expect(run.summary.changes).toEqual([{ entity: 'item', action: 'changed', count: 1 }])
})

test('a file that breaks the structure is refused, even where good rows are published', async () => {
  await using catalog = await openBrand()
  const [first] = catalog.tires
  const before = await snapshot(catalog.database.db)
  for (const [items, file, problem] of [
    [[{ part: first?.mpn ?? '', pounds: 31 }], { count: 2 }, '3,,,"the trailer counts 2 items, and the file has 1"'],
    [[{ part: first?.mpn ?? '', pounds: 31, more: '<Kits>' }], {}, '2,,,the XML can’t be read at line 5'],
  ] satisfies [TestItem[], TestFile, string][]) {
    const run = await catalog.bringFile(items, file, { mode: 'per-row', isYes: true })
    expect(run.state).toBe('refused')
    expect((await catalog.report(run)).join('\n')).toContain(problem)
    expect(await snapshot(catalog.database.db)).toBe(before)
  }
})

test('different descriptions within a model are not imported', async () => {
  await using catalog = await openBrand()
  const [first, second] = catalog.tires
  const { feed_about } = await stored(catalog, first?.id ?? 0)
  const run = await catalog.bringFile([
    { part: first?.mpn ?? '', about: 'In 16 inches' },
    { part: second?.mpn ?? '', about: 'In 17 inches' },
  ])
  expect(run.state).toBe('published')
  expect(await stored(catalog, first?.id ?? 0)).toMatchObject({ feed_about })
})

test('a minimum advertised price is set by its code, previewed, confirmed above the price, and rolled back', async () => {
  await using catalog = await openBrand()
  const { db } = catalog.database
  const [first, second] = catalog.tires
  if (!first || !second) throw new Error('The catalog has fewer than two tires.')
  const prices = (cents: number) =>
    `<Prices><Pricing MaintenanceType="A" PriceType="ADV"><Price UOM="PE">${(cents / 100).toFixed(2)}</Price></Pricing></Prices>`
  const minimum = (id: number) =>
    db
      .selectFrom('item')
      .select(['map_cents as cents', 'map_set_at as at', 'map_version as version', 'retail_cents as retail'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const { retail, cents: before } = await minimum(first.id)
  const low = { part: first.mpn, more: prices(Math.floor(retail / 2)) }
  // Without its code, the type means nothing to the store.
  await catalog.bringFile([low])
  expect((await minimum(first.id)).cents).toBe(before)

  await catalog.bring('vehicle-codes', [
    ['kind', 'code', 'name'],
    ['price-type', 'ADV', 'MAP'],
  ])
  const run = await catalog.bringFile([low, { part: second.mpn }])
  expect(run).toMatchObject({ state: 'published', summary: { changes: [{ entity: 'item', count: 1 }] } })
  const set = await minimum(first.id)
  expect(set).toMatchObject({ cents: Math.floor(retail / 2), at: catalog.clock.now() })
  expect((await minimum(second.id)).at).toBeNull()
  const again = await catalog.bringFile([low])
  expect(again.summary.changes).toEqual([])
  expect(await minimum(first.id)).toEqual(set)

  const above = [{ part: first.mpn, more: prices(retail + 100) }]
  const waiting = await catalog.bringFile(above)
  expect(waiting).toMatchObject({
    state: 'waiting-for-yes',
    summary: { warnings: [{ kind: 'raises-minimums', count: 1, examples: [expect.stringContaining(first.sku)] }] },
  })
  expect(await minimum(first.id)).toEqual(set)
  const confirmed = await catalog.bringFile(above, {}, { isYes: true })
  expect(confirmed.state).toBe('published')
  expect((await minimum(first.id)).version).toBeGreaterThan(set.version)

  value(await rollBackImport(catalog.deps, { runId: confirmed.id }))
  const restored = await minimum(first.id)
  expect(restored).toMatchObject({ cents: set.cents, at: set.at })
  // A form that was filled with the other price is rejected.
  expect(restored.version).toBeGreaterThan(set.version + 1)
})
