/** Checks files of imports again after staff added a missing category. */
import { expect, test } from 'vitest'
import { tireTypeForm } from '#domain/catalog/catalog/catalog.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import type { FeedKind, ImportMode } from './catalog-import.ts'
import {
  addTireType,
  askImport,
  checkImportAgain,
  findImport,
  isCheckable,
  listUnknownCategories,
  reportOf,
  startImport,
  storeUpload,
  workOnImport,
} from './catalog-import.server.ts'
import { exportProducts, feedOf, openCatalog, value, withHeader, type TestCatalog } from './catalog-import.testing.ts'

type Rows = readonly (readonly unknown[])[]

async function upload({ deps }: TestCatalog, rows: Rows): Promise<string> {
  const id = newId()
  value(await storeUpload(deps, desk, { id, fileName: 'feed.csv', bytes: feedOf(rows).open() }))
  return id
}

async function shown({ deps }: TestCatalog, runId: number) {
  const run = await findImport(deps, runId)
  if (!run) throw new Error('no run')
  return { ...run, seen: run.summary.previewedAt ?? '' }
}

/** Uploads rows and runs the worker up to the preview. */
async function preview(catalog: TestCatalog, kind: FeedKind, rows: Rows, mode: ImportMode = 'all-or-nothing') {
  const uploadId = await upload(catalog, rows)
  const { runId } = value(await startImport(catalog.deps, desk, { uploadId, kind, mode }))
  if (runId === null) throw new Error('the file has other columns')
  await workOnImport(catalog.deps, runId)
  return shown(catalog, runId)
}

/** The first products of the small catalog, with another category. */
async function withCategory(catalog: TestCatalog, category: string, changed = 3): Promise<Rows> {
  const rows = (await exportProducts(catalog.database.db)).slice(0, 3)
  return withHeader(rows.map((row, index) => (index < changed ? { ...row, category } : row)))
}

test('a refused file is checked again after its unknown category was added', async () => {
  await using catalog = await openCatalog('small')
  const { deps } = catalog
  const refused = await preview(catalog, 'products', await withCategory(catalog, 'Vintage Whitewall'))
  expect(refused).toMatchObject({ state: 'refused', refusedCount: 3 })
  expect(await listUnknownCategories(deps, refused.id)).toEqual([{ word: 'Vintage Whitewall', rows: 3 }])
  expect(await isCheckable(deps, refused)).toBe(true)
  value(await checkImportAgain(deps, desk, refused.id))
  await workOnImport(deps, refused.id)
  expect(await shown(catalog, refused.id)).toMatchObject({ state: 'refused', refusedCount: 3, rowCount: 3 })
  const draft = tireTypeForm.parse({ name: 'Vintage whitewall', definition: 'Old.', type: 'summer', version: '0' })
  value(await addTireType(deps, desk, 'categories', draft))
  expect(await listUnknownCategories(deps, refused.id)).toEqual([])
  value(await checkImportAgain(deps, desk, refused.id))
  // The second click.
  value(await checkImportAgain(deps, desk, refused.id))
  await workOnImport(deps, refused.id)
  const checked = await shown(catalog, refused.id)
  expect(checked).toMatchObject({ state: 'waiting-for-yes', refusedCount: 0, rowCount: 3 })
  value(await askImport(deps, desk, { runId: checked.id, act: 'publish', seen: checked.seen, reason: 'Right.' }))
  await workOnImport(deps, checked.id)
  expect(await shown(catalog, checked.id)).toMatchObject({ state: 'published' })
  expect(await checkImportAgain(deps, desk, refused.id)).toMatchObject({ reason: 'not-now' })
})

test('a pending import can be checked again without counting rows twice', async () => {
  await using catalog = await openCatalog('small')
  const { deps } = catalog
  const rows = await withCategory(catalog, 'unlisted word', 1)
  const waiting = await preview(catalog, 'products', rows, 'per-row')
  expect(waiting).toMatchObject({ state: 'waiting-for-yes', refusedCount: 1, rowCount: 3 })
  value(await checkImportAgain(deps, desk, waiting.id))
  expect(
    await askImport(deps, desk, { runId: waiting.id, act: 'publish', seen: waiting.seen, reason: null }),
  ).toMatchObject({ reason: 'not-now' })
  await workOnImport(deps, waiting.id)
  const again = await shown(catalog, waiting.id)
  expect(again).toMatchObject({ state: 'waiting-for-yes', refusedCount: 1, rowCount: 3 })
  expect(await Array.fromAsync(reportOf(deps, waiting.id))).toHaveLength(2)
})

test('the file of a refused import is deleted after a week, and one of customers directly', async () => {
  await using catalog = await openCatalog('small')
  const { deps, clock } = catalog
  const refused = await preview(catalog, 'products', await withCategory(catalog, 'unlisted word'))
  clock.set(clock.now().add({ hours: 24 * 6 }))
  await upload(catalog, [['sku', 'price']])
  expect(await isCheckable(deps, refused)).toBe(true)
  clock.set(clock.now().add({ hours: 25 }))
  await upload(catalog, [['sku', 'price']])
  expect(await isCheckable(deps, refused)).toBe(false)
  expect(await checkImportAgain(deps, desk, refused.id)).toMatchObject({ reason: 'no-file' })
  const customers = await preview(catalog, 'customers', [
    ['email', 'first_name', 'last_name'],
    ['not an email', 'Ada', 'Lane'],
  ])
  expect(customers.state).toBe('refused')
  expect(await isCheckable(deps, customers)).toBe(false)
})
