/** Tire types and categories that staff add, change, order and retire. */
import { expect, test } from 'vitest'
import { installReferenceData } from '#db/reference/reference-data.ts'
import { createCatalog, listKinds, suggest } from '#domain/catalog/catalog/catalog.server.ts'
import { tireTypeForm } from '#domain/catalog/catalog/catalog.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import {
  addBrand,
  addLine,
  addTireType,
  changeLine,
  changeTireType,
  findLineCells,
  listTireTypes,
  retireTireType,
  type TireTypeLevel,
} from './catalog-import.server.ts'
import { exportProducts, openCatalog, value, type TestCatalog } from './catalog-import.testing.ts'
import { lockPublishing } from './publish.sql.server.ts'

const typed = { name: 'Vintage whitewall', definition: 'For old cars.', type: 'summer', version: '0', after: 'spare' }
const draftOf = (more: Partial<Record<string, string>> = {}) => tireTypeForm.parse({ ...typed, after: '', ...more })

async function findKind({ deps }: TestCatalog, level: TireTypeLevel, slug: string) {
  const found = (await listTireTypes(deps))[level].find((each) => each.slug === slug)
  if (!found) throw new Error(slug)
  return found
}

const change = (catalog: TestCatalog, level: TireTypeLevel, slug: string, more: Partial<Record<string, string>>) =>
  findKind(catalog, level, slug).then(({ name, definition, audience, version, ...rest }) =>
    changeTireType(catalog.deps, catalog.deps.by, level, {
      slug,
      draft: draftOf({
        name,
        definition,
        audience,
        version: String(version),
        type: 'type' in rest ? String(rest.type) : '',
        ...more,
      }),
    }),
  )

const setRetired = ({ deps }: TestCatalog, level: TireTypeLevel, slug: string, isRetired = true) =>
  retireTireType(deps, deps.by, level, { slug, isRetired, reason: 'Not sold any more.' })

test('a category is added where staff want it, and models can be of it', async () => {
  await using catalog = await openCatalog('small')
  const { deps } = catalog
  const first = (await listTireTypes(deps)).categories.map(({ slug }) => slug)
  const added = value(await addTireType(deps, deps.by, 'categories', draftOf({ after: first[1] ?? '' })))
  expect(added).toEqual({ slug: 'vintage-whitewall' })
  const { categories } = await listTireTypes(deps)
  expect(categories.map(({ slug }) => slug)).toEqual(first.toSpliced(2, 0, 'vintage-whitewall'))
  const brand = value(await addBrand(deps, deps.by, { cells: { brand: 'Grindle', brand_tier: 'mid', about: '' } }))
  const cells = {
    line: 'Old One',
    category: 'vintage-whitewall',
    tread: 'summer' as const,
    line_warranty_miles: '',
    m_plus_s: 'no',
    three_peak: 'no',
    ev: 'no',
  }
  value(await addLine(deps, deps.by, brand.id, { cells }))
  expect(await findKind(catalog, 'categories', 'vintage-whitewall')).toMatchObject({ models: 1, tires: 0 })
})

test('a taken name, an unknown type and a full store are refused', async () => {
  await using catalog = await openCatalog('small')
  const { deps } = catalog
  const add = (more: Partial<Record<string, string>>, level: TireTypeLevel = 'categories') =>
    addTireType(deps, deps.by, level, draftOf(more))
  expect(await add({ name: 'studless WINTER!' })).toMatchObject({ reason: 'name-taken' })
  expect(await add({ name: 'winter' }, 'types')).toMatchObject({ reason: 'name-taken' })
  expect(await add({ type: 'none' })).toMatchObject({ reason: 'type-gone' })
  expect(await add({ after: 'none' })).toMatchObject({ reason: 'order-gone' })
  const known = (await listTireTypes(deps)).types.length
  for (let count = known; count < 60; count++) value(await add({ name: `Type ${count}` }, 'types'))
  expect(await add({ name: 'One more' }, 'types')).toMatchObject({
    reason: 'too-many',
    detail: { level: 'types', count: 60 },
  })
})

test('names, order and descriptions that staff change are what shoppers and searches see', async () => {
  await using catalog = await openCatalog('small')
  const { deps } = catalog
  const before = createCatalog({ db: deps.db, clock: deps.clock })
  const first = (await listKinds(before)).types.at(-1)?.slug ?? ''
  value(
    await change(catalog, 'types', first, {
      name: 'Rollabouts',
      definition: 'They roll.',
      audience: 'For all.',
      placed: 'x',
    }),
  )
  const shown = createCatalog({ db: deps.db, clock: deps.clock })
  const { types } = await listKinds(shown)
  expect(types[0]).toMatchObject({ slug: first, name: 'Rollabouts', definition: 'They roll.', audience: 'For all.' })
  expect(await suggest(shown, 'rollabouts')).toContainEqual(expect.objectContaining({ label: 'Rollabouts' }))
  // An update of the release leaves it as it is.
  await deps.db
    .updateTable('reference_data')
    .set({ version: '0'.repeat(64) })
    .execute()
  await installReferenceData(catalog.database.url)
  expect((await listTireTypes(deps)).types[0]).toMatchObject({ slug: first, name: 'Rollabouts' })
})

test('rejects the later of two concurrent edits, and ignores an unchanged form', async () => {
  await using catalog = await openCatalog('small')
  const { deps } = catalog
  value(await change(catalog, 'categories', 'studless-winter', { name: 'Ice and snow', version: '1' }))
  expect(await change(catalog, 'categories', 'studless-winter', { name: 'Snow', version: '1' })).toMatchObject({
    reason: 'changed-meanwhile',
  })
  const acts = () => deps.db.selectFrom('audit_entry').select('act').where('act', 'like', 'category.%').execute()
  expect(await acts()).toHaveLength(1)
  value(await change(catalog, 'categories', 'studless-winter', {}))
  expect(await acts()).toHaveLength(1)
  expect(await findKind(catalog, 'categories', 'studless-winter')).toMatchObject({ name: 'Ice and snow', version: 2 })
})

test('a category with tires for sale is not retired, and a retired one takes no models', async () => {
  await using catalog = await openCatalog('small')
  const { deps } = catalog
  const used = (await listTireTypes(deps)).categories.find(({ tires }) => tires > 0)
  expect(await setRetired(catalog, 'categories', used?.slug ?? '')).toMatchObject({
    reason: 'in-use',
    detail: { level: 'categories', count: used?.tires },
  })
  value(await addTireType(deps, deps.by, 'categories', draftOf()))
  value(await setRetired(catalog, 'categories', 'vintage-whitewall'))
  const line = await deps.db.selectFrom('product_line').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
  const { cells, mark } = (await findLineCells(deps, line.id))!
  const move = { cells: { ...cells, category: 'vintage-whitewall' }, mark }
  expect(await changeLine(deps, deps.by, line.id, move)).toMatchObject({
    reason: 'invalid',
    detail: { category: expect.stringContaining('This is not a category of this store.') },
  })
  // So does the database.
  const forced = await deps.db
    .updateTable('product_line')
    .set({ category_slug: 'vintage-whitewall' })
    .where('id', '=', line.id)
    .execute()
    .catch((error: unknown) => violatedConstraint(error))
  expect(forced).toBe('product_line_category_in_use')
  value(await setRetired(catalog, 'categories', 'vintage-whitewall', false))
  value(await changeLine(deps, deps.by, line.id, move))
})

test('feeds can update models in a retired category, but can’t add any', async () => {
  await using catalog = await openCatalog('small')
  const { deps } = catalog
  const [row] = await exportProducts(deps.db)
  if (!row) throw new Error('no rows')
  const header = Object.keys(row)
  await deps.db.updateTable('category').set({ retired: true }).where('slug', '=', String(row.category)).execute()
  const kept = await catalog.bring('products', [header, Object.values(row)], { isYes: true })
  expect(kept.refusedCount).toBe(0)
  const other = { ...row, sku: 'OTHER-1', line: 'Another line', gtin: '', mpn: '' }
  const refused = await catalog.bring('products', [header, Object.values(other)], { isYes: true })
  expect(refused).toMatchObject({ state: 'refused', refusedCount: 1 })
  const [problem] = await deps.db.selectFrom('import_problem').selectAll().execute()
  expect(problem).toMatchObject({ column_name: 'category', problem: 'is retired' })
})

test('a type with categories in use is not retired, and a retired one takes no categories', async () => {
  await using catalog = await openCatalog('small')
  const { deps } = catalog
  expect(await setRetired(catalog, 'types', 'winter')).toMatchObject({ reason: 'in-use' })
  value(await addTireType(deps, deps.by, 'types', draftOf({ name: 'Vintage' })))
  value(await setRetired(catalog, 'types', 'vintage'))
  expect(await addTireType(deps, deps.by, 'categories', draftOf({ type: 'vintage' }))).toMatchObject({
    reason: 'type-gone',
  })
  const forced = await deps.db
    .updateTable('category')
    .set({ type_slug: 'vintage' })
    .where('slug', '=', 'studless-winter')
    .execute()
    .catch((error: unknown) => violatedConstraint(error))
  expect(forced).toBe('category_tire_type_in_use')
})

test('edits require the permission and no running import', async () => {
  await using catalog = await openCatalog('small')
  const { deps } = catalog
  const support = await signInStaff(deps, 'support')
  expect(await addTireType(deps, support, 'categories', draftOf())).toMatchObject({ reason: 'not-allowed' })
  await deps.db.transaction().execute(async (tx) => {
    await lockPublishing(tx)
    expect(await addTireType(deps, deps.by, 'categories', draftOf())).toMatchObject({ reason: 'import-running' })
  })
})
