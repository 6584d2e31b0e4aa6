/** Tests imports in the office (uploading, previewing, publishing as shown, rolling back, and discarding). */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { installReferenceData } from '#db/reference/reference-data.ts'
import { describeLine, findOfficeLine, hideItem } from '#domain/catalog/catalog/catalog.server.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { maxUploadBytes } from './catalog-import.ts'
import {
  askImport,
  discardImport,
  findImport,
  reportOf,
  resumeImport,
  rollBackImport,
  selectDifference,
  startImport,
  storeUpload,
  workOnImport,
} from './catalog-import.server.ts'
import {
  exportProducts,
  feedOf,
  openCatalog,
  value,
  withHeader,
  type ProductRow,
  type TestCatalog,
} from './catalog-import.testing.ts'

type Rows = readonly (readonly unknown[])[]

async function upload(catalog: TestCatalog, rows: Rows, by: Actor = desk): Promise<string> {
  const id = newId()
  value(await storeUpload(catalog.deps, by, { id, fileName: 'C:\\feeds\\prices.csv', bytes: feedOf(rows).open() }))
  return id
}

/** Uploads rows and runs the worker up to the preview. */
async function preview(
  catalog: TestCatalog,
  kind: 'prices' | 'products' | 'stock',
  rows: Rows,
  mode = 'all-or-nothing',
) {
  const uploadId = await upload(catalog, rows)
  const { runId } = value(
    await startImport(catalog.deps, desk, { uploadId, kind, mode: mode === 'per-row' ? 'per-row' : 'all-or-nothing' }),
  )
  if (runId === null) throw new Error('the file has other columns')
  await workOnImport(catalog.deps, runId)
  return shown(catalog, runId)
}

async function shown(catalog: TestCatalog, runId: number) {
  const run = await findImport(catalog.deps, runId)
  if (!run) throw new Error('no run')
  return { ...run, seen: run.summary.previewedAt ?? '' }
}

async function publish(catalog: TestCatalog, { id, seen }: { id: number; seen: string }) {
  value(await askImport(catalog.deps, desk, { runId: id, act: 'publish', seen, reason: 'New list.' }))
  await workOnImport(catalog.deps, id)
  return shown(catalog, id)
}

const pricesOf = (catalog: TestCatalog, count: number) =>
  catalog.database.db.selectFrom('item').select(['sku', 'retail_cents']).orderBy('id').limit(count).execute()
const priceFile = (items: readonly { sku: string; retail_cents: number }[], factor: number): Rows => [
  ['sku', 'price_cents'],
  ...items.map(({ sku, retail_cents }) => [sku, Math.round(retail_cents * factor)]),
]
const acts = (catalog: TestCatalog) =>
  catalog.database.db
    .selectFrom('audit_entry')
    .select(['act', 'actor', 'subject', 'reason'])
    .where('act', 'like', 'import.%')
    .orderBy('id')
    .execute()

test('an uploaded file waits with its changes and publishes exactly those', async () => {
  await using catalog = await openCatalog()
  const items = await pricesOf(catalog, 3)
  const waiting = await preview(catalog, 'prices', priceFile(items, 1.5))
  expect(waiting).toMatchObject({
    state: 'waiting-for-yes',
    fileName: 'prices.csv',
    startedBy: 'desk',
    summary: {
      changes: [{ entity: 'item', action: 'changed', count: 3 }],
      difference: [{ kind: 'price-up', count: 3 }],
      warnings: [{ kind: 'moves-prices', count: 3 }],
    },
  })
  expect(await pricesOf(catalog, 3)).toEqual(items)
  const rows = await selectDifference(catalog.deps.db, waiting.id, { after: null, limit: 10, perKind: 10 })
  expect(new Set(rows.map(({ kind, what }) => `${kind} ${what}`))).toEqual(
    new Set(items.map(({ sku }) => `price-up ${sku}`)),
  )
  expect(await publish(catalog, waiting)).toMatchObject({ state: 'published', asked: null, answer: null })
  expect((await pricesOf(catalog, 3)).map(({ retail_cents }) => retail_cents)).toEqual(
    items.map(({ retail_cents }) => Math.round(retail_cents * 1.5)),
  )
  expect(await acts(catalog)).toEqual([
    { act: 'import.uploaded', actor: 'desk', subject: `import ${waiting.id}`, reason: null },
    { act: 'import.published', actor: 'desk', subject: `import ${waiting.id}`, reason: 'New list.' },
  ])
  const { parts } = await catalog.database.db
    .selectFrom('import_upload_part')
    .select((eb) => eb.fn.countAll<number>().as('parts'))
    .executeTakeFirstOrThrow()
  expect(parts).toBe(0)
})

test('a products file names new tires, those it takes off sale and those it changes', async () => {
  await using catalog = await openCatalog()
  const [first, second, third, ...rest] = await exportProducts(catalog.database.db)
  const changed = [
    { ...first, price_cents: Number(first?.price_cents) - 100 },
    { ...second, sku: 'NEW-1', oe_mark: 'ZZ9' },
    third ?? {},
  ]
  const waiting = await preview(catalog, 'products', withHeader([...changed, ...rest]))
  expect(waiting.summary.difference).toEqual([
    { kind: 'gone', count: 1 },
    { kind: 'new', count: 1 },
    { kind: 'price-down', count: 1 },
  ])
  const rows = await selectDifference(catalog.deps.db, waiting.id, { after: null, limit: 10, perKind: 10 })
  expect(rows.map(({ kind, what }) => [kind, what])).toEqual([
    ['gone', String(second?.sku)],
    ['new', 'NEW-1'],
    ['price-down', String(first?.sku)],
  ])
  expect(await publish(catalog, waiting)).toMatchObject({ state: 'published' })
})

test('a run waits again with new changes if the catalog changed after the preview', async () => {
  await using catalog = await openCatalog()
  const items = await pricesOf(catalog, 3)
  const waiting = await preview(catalog, 'prices', priceFile(items, 1.1))
  await catalog.bring('prices', priceFile(items.slice(0, 1), 0.8), { isYes: true })
  const again = await publish(catalog, waiting)
  expect(again).toMatchObject({
    state: 'waiting-for-yes',
    asked: null,
    answer: { reason: 'different-now' },
    summary: { warnings: [{ kind: 'moves-prices', count: 1 }] },
  })
  expect(await askImport(catalog.deps, desk, { runId: again.id, act: 'publish', seen: '', reason: 'x' })).toMatchObject(
    {
      reason: 'shown-another',
    },
  )
  expect(await publish(catalog, again)).toMatchObject({ state: 'published', answer: null })
})

test('a yes on the command line covers the warnings that were shown, and no others', async () => {
  await using catalog = await openCatalog()
  const items = await pricesOf(catalog, 3)
  const waiting = await catalog.bring('prices', priceFile(items.slice(0, 2), 1.5))
  expect(waiting.state).toBe('waiting-for-yes')
  await catalog.bring('prices', priceFile(items.slice(0, 1), 1.2))
  const yes = () => resumeImport(catalog.deps, { runId: waiting.id, source: feedOf([]), isYes: true })
  expect(value(await yes())).toMatchObject({ state: 'waiting-for-yes' })
  expect(value(await yes())).toMatchObject({ state: 'published' })
})

test('publishes stock even if an order changed the counts after the preview', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const { sku, code } = await db
    .selectFrom('stock')
    .innerJoin('item', 'item.id', 'item_id')
    .innerJoin('warehouse', 'warehouse.id', 'warehouse_id')
    .select(['sku', 'code'])
    .where('on_hand', '>', 0)
    .executeTakeFirstOrThrow()
  const waiting = await preview(catalog, 'stock', [
    ['sku', 'warehouse', 'on_hand'],
    [sku, code, 5_000],
  ])
  expect(waiting.summary.difference).toEqual([{ kind: 'stock-up', count: 1 }])
  await sql`update stock set on_hand = on_hand - 1 where on_hand > 0`.execute(db)
  expect(await publish(catalog, waiting)).toMatchObject({ state: 'published' })
})

test('a warning needs a reason, and a preview that was shown', async () => {
  await using catalog = await openCatalog()
  const waiting = await preview(catalog, 'prices', priceFile(await pricesOf(catalog, 1), 2))
  const ask = (seen: string, reason: string | null) =>
    askImport(catalog.deps, desk, { runId: waiting.id, act: 'publish', seen, reason })
  expect(await ask(waiting.seen, null)).toMatchObject({ reason: 'no-reason' })
  expect(await ask('2020-01-01T00:00:00Z', 'x')).toMatchObject({ reason: 'shown-another' })
  expect(
    await askImport(catalog.deps, desk, { runId: waiting.id, act: 'roll-back', seen: '', reason: null }),
  ).toMatchObject({ reason: 'not-now' })
  const unknown: Actor = { via: 'office', name: 'eve@example.com', sessionId: newId(), networkKey: 'n' }
  expect(
    await askImport(catalog.deps, unknown, { runId: waiting.id, act: 'publish', seen: waiting.seen, reason: 'x' }),
  ).toMatchObject({ reason: 'not-allowed' })
  expect(await discardImport(catalog.deps, unknown, { runId: waiting.id, reason: null })).toMatchObject({
    reason: 'not-allowed',
  })
})

test('a role revoked before publishing prevents it', async () => {
  await using catalog = await openCatalog()
  const items = await pricesOf(catalog, 2)
  const waiting = await preview(catalog, 'prices', priceFile(items, 1.01))
  value(await askImport(catalog.deps, desk, { runId: waiting.id, act: 'publish', seen: waiting.seen, reason: null }))
  // As if requested by a person with a session that has ended since.
  await sql`update import_run set asked = jsonb_set(asked, '{by}', ${JSON.stringify({ via: 'office', name: 'eve@example.com', sessionId: newId(), networkKey: 'n' })}::jsonb)`.execute(
    catalog.database.db,
  )
  await workOnImport(catalog.deps, waiting.id)
  expect(await shown(catalog, waiting.id)).toMatchObject({
    state: 'waiting-for-yes',
    answer: { reason: 'not-allowed' },
  })
  expect(await pricesOf(catalog, 2)).toEqual(items)
})

test('rolling back names the later runs, and works once they are rolled back', async () => {
  await using catalog = await openCatalog()
  const items = await pricesOf(catalog, 2)
  const first = await publish(catalog, await preview(catalog, 'prices', priceFile(items, 1.1)))
  const second = await publish(catalog, await preview(catalog, 'prices', priceFile(items.slice(1), 1.2)))
  const rollBack = async (runId: number) => {
    value(await askImport(catalog.deps, desk, { runId, act: 'roll-back', seen: '', reason: 'Wrong file.' }))
    await workOnImport(catalog.deps, runId)
    return shown(catalog, runId)
  }
  expect(await rollBack(first.id)).toMatchObject({
    state: 'published',
    asked: null,
    answer: { reason: 'changed-since', laterRuns: [{ runId: second.id, rows: 1 }], otherwise: 0 },
  })
  expect(await rollBack(second.id)).toMatchObject({ state: 'rolled-back' })
  expect(await rollBack(first.id)).toMatchObject({ state: 'rolled-back', answer: null })
  expect(await pricesOf(catalog, 2)).toEqual(items)
  expect((await acts(catalog)).filter(({ act }) => act === 'import.rolled-back')).toHaveLength(2)
})

test('a discarded run leaves no rows and no file, and is over', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const waiting = await preview(catalog, 'prices', priceFile(await pricesOf(catalog, 2), 1.1))
  value(await discardImport(catalog.deps, desk, { runId: waiting.id, reason: 'Wrong file.' }))
  value(await discardImport(catalog.deps, desk, { runId: waiting.id, reason: 'Wrong file.' }))
  expect(await shown(catalog, waiting.id)).toMatchObject({ state: 'discarded' })
  for (const table of ['import_price', 'import_upload_part'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  expect(
    await askImport(catalog.deps, desk, { runId: waiting.id, act: 'publish', seen: waiting.seen, reason: null }),
  ).toMatchObject({ reason: 'not-now' })
  expect((await acts(catalog)).map(({ act }) => act)).toEqual(['import.uploaded', 'import.discarded'])
})

test('the same form starts one run, and only its uploader can start it', async () => {
  await using catalog = await openCatalog()
  const uploadId = await upload(catalog, priceFile(await pricesOf(catalog, 1), 1.1))
  const other: Actor = { via: 'command line', name: 'other' }
  const start = (by: Actor) => startImport(catalog.deps, by, { uploadId, kind: 'prices', mode: 'all-or-nothing' })
  expect(await start(other)).toMatchObject({ reason: 'no-file' })
  const runs = await Promise.all(Array.from({ length: 20 }, () => start(desk)))
  expect(new Set(runs.map((run) => value(run).runId)).size).toBe(1)
})

test('a file that is too large, empty, or incomplete leaves no data', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  async function* endless() {
    for (;;) yield Buffer.alloc(4 * 1024 * 1024)
  }
  async function* broken() {
    yield Buffer.from('sku')
    throw new Error('gone')
  }
  const store = (bytes: AsyncIterable<Uint8Array>) =>
    storeUpload(catalog.deps, desk, { id: newId(), fileName: 'a.csv', bytes })
  expect(maxUploadBytes % (4 * 1024 * 1024)).toBe(0)
  expect(await store(endless())).toMatchObject({ reason: 'too-large' })
  expect(await store(feedOf([]).open())).toMatchObject({ reason: 'empty' })
  await expect(store(broken())).rejects.toThrow('gone')
  for (const table of ['import_upload', 'import_upload_part'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
})

test('a refused file ends with its rows and reasons', async () => {
  await using catalog = await openCatalog()
  const refusedRun = await preview(catalog, 'prices', [
    ['sku', 'price'],
    ['NOT-OURS', '100.00'],
  ])
  expect(refusedRun.state).toBe('refused')
  const report = (await Array.fromAsync(reportOf(catalog.deps, refusedRun.id))).join('')
  expect(report).toContain('2,sku,NOT-OURS,is not a tire we have')
})

test('staff edits survive an import and its rollback', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const products = await exportProducts(db)
  const [first] = products
  const { id, product_line_id: lineId } = await db
    .selectFrom('item')
    .select(['id', 'product_line_id'])
    .where('sku', '=', String(first?.sku))
    .executeTakeFirstOrThrow()
  const facts = () =>
    db
      .selectFrom('item')
      .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
      .select(['item.active', 'item.listed', 'line.about', 'line.feed_about'])
      .where('item.id', '=', id)
      .executeTakeFirstOrThrow()
  const before = await facts()
  const line = await findOfficeLine(catalog.deps, lineId)
  value(await hideItem(catalog.deps, desk, { itemId: id, isHidden: true, reason: 'Recalled.' }))
  value(await describeLine(catalog.deps, desk, { lineId, about: 'Our words.', mark: line?.mark ?? '' }))

  const told = products.map((row) => (row.line === first?.line ? { ...row, line_about: 'Words of the feed.' } : row))
  const run = await catalog.bring('products', withHeader(told), { isYes: true })
  expect(run.state).toBe('published')
  expect(await facts()).toEqual({
    active: false,
    listed: true,
    about: 'Our words.',
    feed_about: 'Words of the feed.',
  })
  // Edited after the import, so the rollback restores the feed's data but not the staff's.
  value(await hideItem(catalog.deps, desk, { itemId: id, isHidden: false, reason: 'Over.' }))
  value(await rollBackImport(catalog.deps, { runId: run.id }))
  expect(await facts()).toEqual({ ...before, about: 'Our words.' })
})

test('a store with reference data only publishes its first products, which are refused without it', async () => {
  await using demo = await openCatalog()
  const products = (await exportProducts(demo.database.db))
    .slice(0, 5)
    .map((row): ProductRow => ({ ...row, brand_tier: 'mid' }))
  const file = withHeader(products, Object.keys(products[0] ?? {}))
  await using store = await openCatalog('empty')
  const refused = await preview(store, 'products', file)
  expect(refused.state).toBe('refused')
  expect((await store.report(refused))[0]).toContain('category')

  await installReferenceData(store.database.url)
  const waiting = await preview(store, 'products', file)
  expect(await store.report(waiting)).toEqual([])
  expect(waiting.state).toBe('waiting-for-yes')
  expect((await publish(store, waiting)).state).toBe('published')
  const { db } = store.database
  expect(await db.selectFrom('item').select('sku').orderBy('sku').execute()).toEqual(
    products.map(({ sku }) => ({ sku })).toSorted((a, b) => (String(a.sku) < String(b.sku) ? -1 : 1)),
  )
})
