/** Brand catalogs as ACES files, with their codes, updates, and rollbacks. */
import { expect, test } from 'vitest'
import { acesFile, type TestApplication, type TestFile } from './aces.testing.ts'
import { rollBackImport } from './catalog-import.server.ts'
import { openCatalog, snapshot, textFeed, value, type TestCatalog } from './catalog-import.testing.ts'
import type { ImportRequest } from './catalog-import.server.ts'

const codes = [
  ['kind', 'code', 'year', 'make', 'model', 'name'],
  ['base-vehicle', 5911, 2019, 'Honda', 'CR-V', ''],
  ['base-vehicle', 5912, 2020, 'Honda', 'CR-V', ''],
  ['make', 59, '', '', '', 'Honda'],
  ['model', 744, '', '', '', 'CR-V'],
  ['submodel', 20, '', '', '', 'EX'],
  ['position', 22, '', '', '', 'Front'],
  ['position', 30, '', '', '', 'Rear'],
  ['position', 104, '', '', '', 'Spare'],
] as const

const yearsMakeModel = '<Years from="2019" to="2021"/><Make id="59"/><Model id="744"/>'

/** A catalog with codes, and three items of one brand. */
async function openBrand(): Promise<TestCatalog & { brand: string; skus: string[]; bringFile: BringFile }> {
  const catalog = await openCatalog()
  const items = await catalog.database.db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'product_line_id')
    .innerJoin('brand', 'brand.id', 'brand_id')
    .select(['item.id', 'sku', 'brand.name as brand'])
    .orderBy('brand.id')
    .orderBy('item.id')
    .limit(3)
    .execute()
  const brand = items[0]?.brand ?? ''
  // The file names parts by SKU.
  await catalog.database.db
    .updateTable('item')
    .set({ mpn: null })
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .execute()
  await catalog.bring('vehicle-codes', [...codes, ['brand', 'BBSV', '', '', '', brand]])
  return {
    ...catalog,
    [Symbol.asyncDispose]: () => catalog[Symbol.asyncDispose](),
    brand,
    skus: items.map(({ sku }) => sku),
    bringFile: (applications, file, options) =>
      catalog.bring('brand-fitment', [], { source: textFeed(acesFile(applications, file)), ...options }),
  }
}

type BringFile = (
  applications: readonly TestApplication[],
  file?: TestFile,
  options?: Partial<ImportRequest>,
) => ReturnType<TestCatalog['bring']>

async function listed({ database: { db } }: TestCatalog): Promise<string[]> {
  const rows = await db
    .selectFrom('brand_fitment as fitted')
    .innerJoin('item', 'item.id', 'item_id')
    .innerJoin('brand_catalog as source', 'source.id', 'catalog_id')
    .select(['sku', 'first_year', 'last_year', 'make_slug', 'model_slug', 'submodel_slug', 'axle', 'quantity', 'terms'])
    .select(['company', 'transferred_on'])
    .orderBy('fitted.id')
    .execute()
  return rows.map((row) => Object.values(row).join(' '))
}

test('a catalog lists its items for vehicles by codes, with position and conditions', async () => {
  await using catalog = await openBrand()
  const [first = '', second = ''] = catalog.skus
  const run = await catalog.bringFile([
    { part: first },
    // Part numbers are compared by their letters and digits.
    {
      part: first.toLowerCase().replaceAll('-', ' '),
      vehicle: yearsMakeModel,
      more: '<Position id="22"/>',
      quantity: 2,
    },
    { part: second, more: '<SubModel id="20"/><Note>With 18 in. wheels</Note><Position id="30"/>' },
    { part: second, vehicle: '<Years from="2018" to="2018"/><Make id="1">Honda</Make><Model id="2">CR-V</Model>' },
    { part: 'NOT-CARRIED' },
    { part: first },
  ])
  expect(await catalog.report(run)).toEqual([])
  expect(run).toMatchObject({ state: 'published', rowCount: 6, refusedCount: 0 })
  expect(run.summary.changes).toEqual([
    { entity: 'brand_catalog', action: 'created', count: 1 },
    { entity: 'brand_fitment', action: 'created', count: 4 },
  ])
  expect(await listed(catalog)).toEqual([
    `${first} 2019 2019 honda cr-v  any 4  Sunder & Vale 2026-10-05`,
    `${first} 2019 2021 honda cr-v  front 2  Sunder & Vale 2026-10-05`,
    `${second} 2019 2019 honda cr-v ex rear 4 With 18 in. wheels Sunder & Vale 2026-10-05`,
    `${second} 2018 2018 honda cr-v  any 4  Sunder & Vale 2026-10-05`,
  ])
})

test('the report names each application with an unknown code, and the good ones are published', async () => {
  await using catalog = await openBrand()
  const [first = ''] = catalog.skus
  const applications = [
    { part: first },
    { part: first, vehicle: '<BaseVehicle id="99"/>' },
    { part: first, vehicle: '<Years from="2019" to="2019"/><Make id="98"/><Model id="744"/>' },
    { part: first, vehicle: '<Years from="2019" to="2019"/><Make id="59"/><Model id="97"/>' },
    { part: first, more: '<SubModel id="96"/>' },
    { part: first, more: '<Position id="95"/>' },
    { part: first, more: '<Position id="104"/>' },
    { part: first, vehicle: '<EquipmentBase id="7"/>' },
    { part: first, quantity: 0 },
  ]
  expect(await catalog.bringFile(applications)).toMatchObject({ state: 'refused', refusedCount: 8 })
  expect(await listed(catalog)).toEqual([])
  const run = await catalog.bringFile(applications, {}, { mode: 'per-row' })
  expect(run).toMatchObject({ state: 'published', rowCount: 9, refusedCount: 8 })
  expect((await catalog.report(run)).map((line) => line.split(',').slice(0, 4).join(','))).toEqual([
    '3,base_vehicle,99,is not a known vehicle',
    '4,make,98,is not a known make',
    '5,model,97,is not a known model',
    '6,submodel,96,is not a known submodel',
    '7,position,95,is not a position of a tire',
    '8,position,104,is not a position of a tire',
    '9,equipment,EquipmentBase,is not about a road vehicle',
    '10,quantity,0,is not a whole number in that range',
  ])
  expect(await listed(catalog)).toHaveLength(1)
  expect(await catalog.bringFile([{ part: first }], { header: { BrandAAIAID: 'BBXX' } })).toMatchObject({
    state: 'refused',
  })
  const named = await catalog.bringFile([{ part: first }], { header: { BrandAAIAID: '', Company: catalog.brand } })
  expect(named).toMatchObject({ state: 'published' })
})

test('a full file replaces its brand’s vehicles, an update adds and removes some, and both can be rolled back', async () => {
  await using catalog = await openBrand()
  const { db } = catalog.database
  const [first = '', second = '', third = ''] = catalog.skus
  const empty = await snapshot(db)
  await catalog.bringFile([{ part: first }, { part: second }, { part: third }])
  const full = await listed(catalog)
  const fullSnapshot = await snapshot(db)

  const dated = { header: { SubmissionType: 'UPDATE', TransferDate: '2026-11-02' } }
  const update = await catalog.bringFile(
    [
      { action: 'D', part: second },
      { part: second, vehicle: '<BaseVehicle id="5912"/>' },
    ],
    dated,
    { isYes: true },
  )
  expect(update.state).toBe('published')
  expect(await listed(catalog)).toEqual([
    `${first} 2019 2019 honda cr-v  any 4  Sunder & Vale 2026-11-02`,
    `${third} 2019 2019 honda cr-v  any 4  Sunder & Vale 2026-11-02`,
    `${second} 2020 2020 honda cr-v  any 4  Sunder & Vale 2026-11-02`,
  ])
  const vain = await catalog.bringFile(
    [
      { action: 'D', part: second },
      { action: 'D', part: first, vehicle: '<BaseVehicle id="5912"/>' },
      { part: first, vehicle: '<BaseVehicle id="5912"/>' },
    ],
    dated,
  )
  expect(await catalog.report(vain)).toEqual([
    '2,action,D,removes an application that isn’t stored,"each change once, in files in their order"',
    '3,action,D,removes an application that isn’t stored,"each change once, in files in their order"',
  ])

  // A file that removes many vehicles must be confirmed. Items with a refused row don't change.
  const short = [{ part: first }, { part: third, vehicle: '<BaseVehicle id="99"/>' }]
  const waiting = await catalog.bringFile(short, {}, { mode: 'per-row' })
  expect(waiting).toMatchObject({
    state: 'waiting-for-yes',
    summary: {
      warnings: [{ kind: 'removes-brand-fitments', count: 1, of: 3, examples: [`${second}: 2020-2020 honda cr-v`] }],
    },
  })

  value(await rollBackImport(catalog.deps, { runId: update.id }))
  expect(await listed(catalog)).toEqual(expect.arrayContaining(full))
  expect(await snapshot(db)).toBe(fullSnapshot)
  value(await rollBackImport(catalog.deps, {}))
  expect(await snapshot(db)).toBe(empty)
})

test('codes are corrected by the next file, stay without it, and are explained once', async () => {
  await using catalog = await openBrand()
  const { db } = catalog.database
  const before = await snapshot(db)
  const run = await catalog.bring('vehicle-codes', [
    ['kind', 'code', 'name'],
    ['position', 22, 'Front Left'],
    ['position', 31, 'Rear Left'],
  ])
  expect(run).toMatchObject({
    state: 'published',
    summary: {
      changes: [
        { entity: 'vehicle_code', action: 'changed', count: 1 },
        { entity: 'vehicle_code', action: 'created', count: 1 },
      ],
    },
  })
  const twice = await catalog.bring('vehicle-codes', [
    ['kind', 'code', 'name'],
    ['position', 31, 'Rear Left'],
    ['position', 31, 'Rear Right'],
    ['base-vehicle', 7, 'CR-V'],
    ['model', 'x y', 'CR-V'],
  ])
  expect((await catalog.report(twice)).map((line) => line.split(',').slice(0, 4).join(','))).toEqual([
    '3,code,31,is explained already in row 2',
    '4,year,,is empty',
    '4,make,,is empty',
    '4,model,,is empty',
    '5,code,x y,is not a code',
  ])
  value(await rollBackImport(catalog.deps, { runId: run.id }))
  expect(await snapshot(db)).toBe(before)
})
