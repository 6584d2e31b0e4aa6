/** Licensed size lists next to the open one. */
import { expect, test } from 'vitest'
import { findVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { fitmentText } from '#domain/catalog/vehicles/vehicles.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { listSizeLists, removeSizeList, rollBackImport } from './catalog-import.server.ts'
import { importLock } from './runs.sql.server.ts'
import { openCatalog, snapshot, value, type TestCatalog } from './catalog-import.testing.ts'

const header = ['year', 'make', 'model', 'trim', 'class', 'front_size', 'front_load_index', 'front_speed', 'source', 'list', 'license', 'listed_on'] // prettier-ignore
const crv = (size: string, load: number, speed: string, list: readonly string[] = ['', '', '']) => [
  2019, 'Honda', 'CR-V', 'EX', 'suv', size, load, speed, 'catalog', ...list,
] // prettier-ignore
const licensed = ['SizeData', 'Contract 17, this store only', '2026-10-05']

/** The options of the CR-V EX as the finder has them. */
async function options({ deps }: TestCatalog): Promise<string[]> {
  const found = value(await findVehicle(deps, { year: 2019, makeSlug: 'honda', modelSlug: 'cr-v', trimSlug: 'ex' }))
  return found.kind === 'known'
    ? []
    : found.trims[0].fitments.map((option) => `${fitmentText(option)} ${option.source} ${option.list?.name ?? 'open'}`)
}

test('sizes from a licensed list and the open list are combined by the stricter value', async () => {
  await using catalog = await openCatalog('empty')
  const { db } = catalog.database
  await catalog.bring('fitment', [header, crv('235/60R18', 103, 'H')])
  expect(await options(catalog)).toEqual(['235/60R18 103H catalog open'])
  const before = await snapshot(db)

  const run = await catalog.bring('fitment', [header, crv('235/60R18', 102, 'V', licensed)])
  expect(run).toMatchObject({
    state: 'published',
    summary: {
      changes: [
        { entity: 'oe_fitment', action: 'created', count: 1 },
        { entity: 'size_list', action: 'created', count: 1 },
      ],
    },
  })
  expect(await options(catalog)).toEqual(['235/60R18 103V catalog SizeData'])

  // The next file replaces the licensed sizes, so that the lists disagree.
  const next = await catalog.bring('fitment', [header, crv('235/65R17', 104, 'H', licensed)], { isYes: true })
  expect(await options(catalog)).toEqual(['235/65R17 104H weak SizeData', '235/60R18 103H weak open'])
  await catalog.bring('fitment', [header, crv('235/65R17', 104, 'H')], { isYes: true })
  expect(await options(catalog)).toEqual(['235/65R17 104H catalog SizeData'])

  value(await rollBackImport(catalog.deps, {}))
  value(await rollBackImport(catalog.deps, { runId: next.id }))
  value(await rollBackImport(catalog.deps, { runId: run.id }))
  expect(await snapshot(db)).toBe(before)
})

test('a list has one license and date per file, and can’t be named like the open list', async () => {
  await using catalog = await openCatalog('empty')
  const run = await catalog.bring('fitment', [
    header,
    crv('235/60R18', 103, 'H', licensed),
    crv('235/65R17', 104, 'H', ['SizeData', 'Contract 18', '2026-10-05']),
    crv('235/55R19', 101, 'H', ['Open', 'None', '2026-10-05']),
    crv('225/65R17', 102, 'H', ['SizeData', '', '']),
    crv('225/65R18', 102, 'H', ['', 'Contract 17', '']),
  ])
  expect((await catalog.report(run)).map((line) => line.split(',').slice(0, 4).join(','))).toEqual([
    '3,list,SizeData,has another license or date in row 2',
    '4,list,Open,is the name of the open list',
    '5,license,,is empty and the row has a list',
    '5,listed_on,,is empty and the row has a list',
    '6,license,Contract 17,has no list',
  ])
})

test('a removed list leaves no sizes, and rolling back its files restores none', async () => {
  await using catalog = await openCatalog('empty')
  const { deps } = catalog
  const { db } = catalog.database
  await catalog.bring('fitment', [header, crv('235/60R18', 103, 'H')])
  const before = await snapshot(db)
  const touring = [2019, 'Honda', 'CR-V', 'Touring', 'suv', '235/55R19', 101, 'V', 'catalog', ...licensed]
  const first = await catalog.bring('fitment', [header, crv('235/60R18', 107, 'V', licensed), touring])
  await catalog.bring('fitment', [header, crv('235/65R17', 104, 'H', licensed)], { isYes: true })
  const other = ['FitBase', 'Contract 18', '2026-11-21']
  const next = await catalog.bring('fitment', [header, crv('235/60R18', 103, 'H', other)])
  const lists = () =>
    listSizeLists(deps).then((all) => all.map(({ slug, vehicles, sizes }) => `${slug} ${vehicles} ${sizes}`))
  expect(await lists()).toEqual(['fitbase 1 1', 'sizedata 2 2', 'open 1 1'])

  const removal = { slug: 'sizedata', listedOn: '2026-10-05', reason: 'The contract ended.' }
  expect(await removeSizeList(deps, desk, { ...removal, slug: 'none' })).toMatchObject({ reason: 'not-found' })
  expect(await removeSizeList(deps, desk, { ...removal, slug: 'open' })).toMatchObject({ reason: 'open-list' })
  expect(await removeSizeList(deps, desk, { ...removal, listedOn: '2026-10-04' })).toMatchObject({
    reason: 'changed-meanwhile',
  })
  const clerk = await signInStaff(deps, 'catalog')
  expect(await removeSizeList(deps, clerk, removal)).toMatchObject({ reason: 'not-allowed' })
  const running = await deps.pool.connect()
  await running.query(`select pg_advisory_lock(${importLock})`)
  expect(await removeSizeList(deps, desk, removal)).toMatchObject({ reason: 'import-running' })
  await running.query(`select pg_advisory_unlock(${importLock})`)
  running.release()
  expect(await lists()).toHaveLength(3)

  value(await removeSizeList(deps, desk, removal))
  expect(await lists()).toEqual(['fitbase 1 1', 'open 1 1'])
  expect(await options(catalog)).toEqual(['235/60R18 103H catalog FitBase'])
  expect((await db.selectFrom('vehicle').select('trim').execute()).map(({ trim }) => trim)).toEqual(['EX'])
  const act = await db.selectFrom('audit_entry').selectAll().where('act', '=', 'size-list.removed').executeTakeFirst()
  expect(act).toMatchObject({ subject: 'SizeData', reason: 'The contract ended.' })

  value(await rollBackImport(deps, { runId: next.id }))
  value(await rollBackImport(deps, {}))
  value(await rollBackImport(deps, { runId: first.id }))
  expect(await snapshot(db)).toBe(before)
})
