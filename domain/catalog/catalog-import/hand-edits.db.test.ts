/** Brands, models and tires that staff add and change by hand. */
import { expect, test } from 'vitest'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import {
  addBrand,
  addLine,
  addTire,
  changeBrand,
  changeLine,
  changeTire,
  findBrandCells,
  findLineCells,
  findTireCells,
  retireBrand,
  retireLine,
} from './catalog-import.server.ts'
import {
  exportProducts,
  openCatalog,
  setBelowMap,
  value,
  withHeader,
  type ProductRow,
  type TestCatalog,
} from './catalog-import.testing.ts'
import { lockPublishing } from './publish.sql.server.ts'
import { tireFields, type Cells, type TireField } from './tire-fields.ts'

const empty = Object.fromEntries(tireFields.map((field) => [field, ''])) as Cells<TireField>
const tire: Cells<TireField> = {
  ...empty,
  sku: 'GRN-1',
  size: '225/65R17',
  load_index: '102',
  speed: 'H',
  load_class: 'SL',
  max_psi: '51',
  rim_width_min_in: '6',
  rim_width_max_in: '8',
  tread_depth_32nds: '10',
  weight_lb: '26.4',
  sidewall: 'BSW',
  run_flat: 'no',
  price: '129.90',
}
const model = {
  line: 'Path One',
  category: 'touring-all-season',
  tread: 'all-season',
  line_warranty_miles: '65000',
  m_plus_s: 'yes',
  three_peak: 'no',
  ev: 'no',
}
const typed = <Typed extends object>(
  cells: Typed,
  more: { mark?: string; accepts?: boolean; isHidden?: boolean } = {},
) => ({
  cells,
  mark: '',
  accepts: false,
  isHidden: false,
  ...more,
})
const brand = { brand: 'Grindle & Co', brand_tier: 'mid', about: '' }

async function addAll({ deps }: TestCatalog, cells = tire) {
  const brandId = value(await addBrand(deps, deps.by, typed(brand))).id
  const lineId = value(await addLine(deps, deps.by, brandId, typed(model))).id
  const { id } = value(await addTire(deps, deps.by, lineId, typed(cells)))
  return { brandId, lineId, id }
}

const rowOf = ({ database: { db } }: TestCatalog, id: number) =>
  db.selectFrom('item').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const markOf = async ({ deps }: TestCatalog, id: number) => (await findTireCells(deps, id))?.mark ?? ''

test('a tire added with its brand and model is for sale, and its form shows the entered values', async () => {
  await using catalog = await openCatalog()
  const cells = { ...tire, cost: '80', map: '60.00', gtin: '036000291452', mpn: 'P1-22565', origin_country: 'US' }
  const { brandId, lineId, id } = await addAll(catalog, cells)
  expect(await rowOf(catalog, id)).toMatchObject({
    active: true,
    by_hand: true,
    retail_cents: 12_990,
    cost_cents: 8_000,
    map_cents: 6_000,
    gtin: '036000291452',
  })
  const filled = { ply_rating: '4', max_load_lb: '1874', measured_width_mm: '225', measured_diameter_mm: '724.3' }
  expect((await findTireCells(catalog.deps, id))?.cells).toEqual({ ...cells, ...filled, cost: '80.00', fet: '0.00' })
  expect((await findLineCells(catalog.deps, lineId))?.cells).toEqual(model)
  expect((await findBrandCells(catalog.deps, brandId))?.cells).toEqual({ brand: 'Grindle & Co', brand_tier: 'mid' })
  const log = await catalog.database.db.selectFrom('audit_entry').select(['act', 'subject']).orderBy('id').execute()
  expect(log.slice(-3)).toEqual([
    { act: 'brand.added', subject: 'Grindle & Co' },
    { act: 'line.added', subject: 'Grindle & Co Path One' },
    { act: 'item.added', subject: 'GRN-1' },
  ])
})

test('names, SKUs, GTINs and descriptions that are taken are refused', async () => {
  await using catalog = await openCatalog()
  const { deps } = catalog
  const { brandId, lineId } = await addAll(catalog, { ...tire, gtin: '036000291452' })
  const reasonOf = (done: { ok: boolean; reason?: string }) => done.reason
  expect(reasonOf(await addBrand(deps, deps.by, typed({ ...brand, brand: 'GRINDLE and CO' })))).toBe('name-taken')
  expect(reasonOf(await addLine(deps, deps.by, brandId, typed({ ...model, line: 'PATH ONE' })))).toBe('name-taken')
  const add = async (more: Partial<typeof tire>) =>
    reasonOf(await addTire(deps, deps.by, lineId, typed({ ...tire, ...more })))
  expect(await add({ size: '205/55R16', load_index: '91' })).toBe('sku-taken')
  expect(await add({ sku: 'GRN-2' })).toBe('same-tire')
  expect(await add({ sku: 'GRN-2', speed: 'V', gtin: '0036000291452' })).toBe('gtin-taken')
  expect(await add({ sku: 'GRN-2', speed: 'V', weight_lb: 'heavy' })).toBe('invalid')
  expect(await add({ sku: 'GRN-2', speed: 'V' })).toBeUndefined()
  expect(reasonOf(await addLine(deps, deps.by, 99_999, typed(model)))).toBe('not-found')
  expect(reasonOf(await addTire(deps, deps.by, 99_999, typed(tire)))).toBe('not-found')
})

test('of two concurrent tire edits the second is shown the change, and the log has only changed fields', async () => {
  await using catalog = await openCatalog()
  const { deps } = catalog
  const { id } = await addAll(catalog)
  const before = await findTireCells(deps, id)
  const cells = before?.cells as typeof tire
  const change = (more: Partial<typeof tire>) =>
    changeTire(deps, deps.by, id, typed({ ...cells, ...more }, { mark: before?.mark ?? '' }))
  const done = await Promise.all([change({ weight_lb: '27' }), change({ price: '131' })])
  expect(done.map((each) => (each.ok ? 'saved' : each.reason)).toSorted()).toEqual(['changed-meanwhile', 'saved'])
  expect(await change({ weight_lb: '28' })).toMatchObject({ reason: 'changed-meanwhile' })
  const entry = await catalog.database.db
    .selectFrom('audit_entry')
    .select(['before', 'after'])
    .where('act', '=', 'item.changed')
    .executeTakeFirstOrThrow()
  const weight = { before: { weight_lb: '26.4' }, after: { weight_lb: '27' } }
  const price = { before: { price: '129.90' }, after: { price: '131.00' } }
  expect([weight, price]).toContainEqual(entry)
})

test('a price far from the last one or below a raised minimum is saved only when it is accepted by someone who may', async () => {
  await using catalog = await openCatalog()
  const { deps } = catalog
  const { id } = await addAll(catalog, { ...tire, price: '100', map: '80' })
  const clerk = await signInStaff(deps, 'catalog')
  const change = async (by: typeof deps.by, more: Partial<typeof tire>, accepts = false) => {
    const { cells, mark } = (await findTireCells(deps, id)) ?? { cells: {}, mark: '' }
    return changeTire(deps, by, id, typed({ ...(cells as typeof tire), ...more }, { mark, accepts }))
  }
  const far = { reason: 'needs-yes', detail: ['The price changes by more than 25%: $100.00 to $240.00'] }
  expect(await change(clerk, { price: '240' })).toMatchObject(far)
  expect((await rowOf(catalog, id)).retail_cents).toBe(10_000)
  expect(await change(clerk, { price: '240' }, true)).toMatchObject({ reason: 'needs-publisher' })
  expect(await change(deps.by, { price: '240' }, true)).toMatchObject({ ok: true })
  expect(await change(clerk, { map: '' })).toMatchObject({ reason: 'map-not-allowed' })
  expect(await change(deps.by, { map: '250' })).toMatchObject({
    reason: 'needs-yes',
    detail: ['Sold below the minimum: GRN-1 at $240.00, minimum $250.00'],
  })
  expect(await change(deps.by, { map: '250' }, true)).toMatchObject({ ok: true })
  // What is below the minimum already doesn't prevent other changes.
  expect(await change(clerk, { weight_lb: '30' })).toMatchObject({ ok: true })
  expect(await change(await signInStaff(deps, 'support'), { price: '90' })).toMatchObject({ reason: 'not-allowed' })
})

test('a price below its minimum is refused, or saved by stores that show such prices in the cart', async () => {
  await using catalog = await openCatalog()
  const { deps } = catalog
  const { lineId, id } = await addAll(catalog, { ...tire, price: '100', map: '80' })
  const clerk = await signInStaff(deps, 'catalog')
  const change = async (more: Partial<typeof tire>) => {
    const { cells, mark } = (await findTireCells(deps, id)) ?? { cells: {}, mark: '' }
    return changeTire(deps, clerk, id, typed({ ...(cells as typeof tire), ...more }, { mark, accepts: true }))
  }
  const below = { sku: 'GRN-1', priceCents: 7_900, mapCents: 8_000, cause: 'retail', name: null }
  expect(await change({ price: '79' })).toMatchObject({ reason: 'below-map', detail: below })
  expect((await rowOf(catalog, id)).retail_cents).toBe(10_000)
  expect(await change({ price: '80' })).toMatchObject({ ok: true })
  const other = { ...tire, sku: 'GRN-2', speed: 'V', price: '79', map: '80' }
  expect(await addTire(deps, deps.by, lineId, typed(other))).toMatchObject({ reason: 'below-map' })

  await setBelowMap(catalog, 'price-in-cart')
  expect(await change({ price: '79' })).toMatchObject({ ok: true })
  expect(await rowOf(catalog, id)).toMatchObject({ retail_cents: 7_900, map_cents: 8_000 })
  const { after } = await deps.db
    .selectFrom('audit_entry')
    .select('after')
    .where('act', '=', 'item.changed')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(after).toEqual({ price: '79.00', accepted: 'Shown in the cart: GRN-1 at $79.00, minimum $80.00' })

  // A price that is raised, but not to the minimum, follows the setting too.
  await setBelowMap(catalog, 'refuse')
  expect(await change({ price: '79.50' })).toMatchObject({ reason: 'below-map' })
})

test('a retired brand or model takes its tires off sale, also new ones, and gives them back', async () => {
  await using catalog = await openCatalog()
  const { deps } = catalog
  const { brandId, lineId, id } = await addAll(catalog)
  const isActive = async (of = id) => (await rowOf(catalog, of)).active
  const retire = async (of: 'brand' | 'line', isRetired: boolean) =>
    value(
      of === 'brand'
        ? await retireBrand(deps, deps.by, { id: brandId, isRetired, reason: 'Discontinued.' })
        : await retireLine(deps, deps.by, { id: lineId, isRetired, reason: 'Discontinued.' }),
    )
  await retire('line', true)
  await retire('brand', true)
  const late = value(await addTire(deps, deps.by, lineId, typed({ ...tire, sku: 'GRN-2', speed: 'V' }))).id
  expect({ first: await isActive(), late: await isActive(late) }).toEqual({ first: false, late: false })
  await retire('brand', false)
  expect(await isActive()).toBe(false)
  await retire('line', false)
  await retire('line', false)
  expect({ first: await isActive(), late: await isActive(late) }).toEqual({ first: true, late: true })
})

test('a tire that is added while its model is retired is off sale', async () => {
  await using catalog = await openCatalog()
  const { deps } = catalog
  const { lineId } = await addAll(catalog)
  const skus = ['GRN-2', 'GRN-3', 'GRN-4']
  const speeds = ['V', 'W', 'T']
  await Promise.all([
    ...skus.map((sku, index) =>
      addTire(deps, deps.by, lineId, typed({ ...tire, sku, speed: speeds[index] ?? '' })).then(value),
    ),
    retireLine(deps, deps.by, { id: lineId, isRetired: true, reason: 'Discontinued.' }),
  ])
  const rows = await catalog.database.db
    .selectFrom('item')
    .select('active')
    .where('product_line_id', '=', lineId)
    .execute()
  expect(rows.map(({ active }) => active)).toEqual([false, false, false, false])
})

test('names keep their address, and a model with graded tires can’t become a winter model', async () => {
  await using catalog = await openCatalog()
  const { deps } = catalog
  const grades = { utqg_treadwear: '500', utqg_traction: 'A', utqg_temperature: 'A' }
  const { brandId, lineId } = await addAll(catalog, { ...tire, ...grades })
  const brandMark = (await findBrandCells(deps, brandId))?.mark ?? ''
  const rename = (name: string, mark = brandMark) =>
    changeBrand(deps, deps.by, brandId, typed({ ...brand, brand: name }, { mark }))
  expect(await rename('Grindle Tires')).toMatchObject({ reason: 'other-address' })
  expect(await rename('GRINDLE & CO')).toMatchObject({ ok: true })
  expect(await rename('Grindle and Co')).toMatchObject({ reason: 'changed-meanwhile' })
  const change = async (more: Partial<typeof model>) =>
    changeLine(
      deps,
      deps.by,
      lineId,
      typed({ ...model, ...more }, { mark: (await findLineCells(deps, lineId))?.mark ?? '' }),
    )
  expect(await change({ tread: 'winter' })).toMatchObject({ reason: 'graded', detail: 1 })
  expect(await change({ line: 'Other' })).toMatchObject({ reason: 'other-address' })
  expect(await change({ category: 'no-such' })).toMatchObject({ reason: 'invalid' })
  expect(await change({ line_warranty_miles: '70000' })).toMatchObject({ ok: true })
})

test('a brand feed doesn’t unlist a manually added tire until it has listed it once', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const { id } = await addAll(catalog, { ...tire, gtin: '036000291452' })
  const { sku, speed, ...rest } = (await exportProducts(db, 'grindle-and-co'))[0] ?? {}
  const other = { ...rest, sku: 'GRN-9', speed: 'V' }
  const bring = (rows: ProductRow[]) => catalog.bring('products', withHeader(rows), { isYes: true })
  expect(await bring([other])).toMatchObject({ state: 'published' })
  expect(await rowOf(catalog, id)).toMatchObject({ active: true, by_hand: true })
  expect(await bring([other, { ...rest, sku: sku ?? '', speed: speed ?? '' }])).toMatchObject({ state: 'published' })
  expect(await rowOf(catalog, id)).toMatchObject({ active: true, by_hand: false, gtin: '036000291452' })
  await bring([other])
  expect((await rowOf(catalog, id)).active).toBe(false)
})

test('a GTIN of another tire, and the same in two rows, are refused in a file', async () => {
  await using catalog = await openCatalog()
  await addAll(catalog, { ...tire, gtin: '036000291452' })
  const [row] = await exportProducts(catalog.database.db, 'grindle-and-co')
  const columns = [...Object.keys(row ?? {}), 'gtin']
  const rows = [
    { ...row, sku: 'GRN-7', speed: 'V', gtin: '036000291452' },
    { ...row, sku: 'GRN-8', speed: 'W', gtin: '4006381333931' },
    { ...row, sku: 'GRN-9', speed: 'T', gtin: '4006381333931' },
  ]
  const run = await catalog.bring('products', withHeader(rows, columns), { isYes: true, mode: 'per-row' })
  expect(await catalog.report(run)).toEqual([
    '2,gtin,036000291452,"is the GTIN of GRN-1, which we have",the number of this tire alone',
    '4,gtin,4006381333931,is also the GTIN in row 3,the number of this tire alone',
  ])
})

test('rejects edits while an import is publishing', async () => {
  await using catalog = await openCatalog()
  const { deps } = catalog
  const { db } = catalog.database
  const { id } = await addAll(catalog)
  const mark = await markOf(catalog, id)
  await db.transaction().execute(async (tx) => {
    await lockPublishing(tx)
    expect(await changeTire(deps, deps.by, id, typed({ ...tire, weight_lb: '30' }, { mark }))).toMatchObject({
      reason: 'import-running',
    })
  })
})
