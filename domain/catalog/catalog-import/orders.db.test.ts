/** Tests the import of past orders of Shopify and WooCommerce. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { deletePastOrders, selectPastOrders } from '#domain/customers/customers/customers.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import {
  askImport,
  eraseStagedCustomers,
  findImport,
  findUploadColumns,
  listRefusedRows,
  rollBackImport,
  startImport,
  storeUpload,
  workOnImport,
} from './catalog-import.server.ts'
import { openCatalog, textFeed, value, type TestCatalog } from './catalog-import.testing.ts'

const fixture = (name: string) => readFile(new URL(`fixtures/${name}-orders.csv`, import.meta.url))

/** Uploads a file, matches its columns as guessed, and reads it up to the preview. */
async function preview({ deps }: TestCatalog, content: Buffer) {
  const uploadId = newId()
  value(await storeUpload(deps, desk, { id: uploadId, fileName: 'orders.csv', bytes: textFeed(content).open() }))
  const sources = (await findUploadColumns(deps, desk, { uploadId, kind: 'orders' }))?.guessed ?? {}
  const { runId } = value(await startImport(deps, desk, { uploadId, kind: 'orders', mode: 'per-row', sources }))
  await workOnImport(deps, runId ?? 0)
  const run = await findImport(deps, runId ?? 0)
  if (!run) throw new Error('no run')
  return { run, sources }
}

async function publish({ deps }: TestCatalog, runId: number) {
  const seen = (await findImport(deps, runId))?.summary.previewedAt ?? ''
  value(await askImport(deps, desk, { runId, act: 'publish', seen, reason: null }))
  await workOnImport(deps, runId)
  return findImport(deps, runId)
}

test('orders of Shopify are stored with their lines, and replaced when imported again', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.deps
  const { run, sources } = await preview(catalog, await fixture('shopify'))
  expect(sources).toMatchObject({ store: { text: 'Shopify' }, number: { column: 'name' }, total: { column: 'total' } })
  expect(run).toMatchObject({
    rowCount: 6,
    refusedCount: 2,
    summary: { difference: [{ kind: 'new-order', count: 3 }] },
  })
  expect(await listRefusedRows(catalog.deps, { runId: run.id, count: 10 })).toMatchObject([
    { rowNo: 5, column: 'currency', value: '' },
    { rowNo: 6, column: 'currency', value: '' },
  ])
  expect(await publish(catalog, run.id)).toMatchObject({ state: 'published' })
  expect(await selectPastOrders(db, ['NADIA.ferrell@example.com'], 10)).toMatchObject([
    {
      store: 'Shopify',
      number: '#1001',
      placedAt: Temporal.Instant.from('2024-03-02T15:14:03Z'),
      phone: '3125550187',
      name: 'Nadia Ferrell',
      totalCents: 69_760,
      status: 'paid, fulfilled',
      lines: [
        { sku: 'TIRE-4411', quantity: 4, priceCents: 15_000 },
        { sku: null, name: 'TPMS service kit', quantity: 4, priceCents: 1_000 },
      ],
    },
  ])
  expect(await selectPastOrders(db, ['owen.prather@example.com'], 10)).toMatchObject([
    { number: '#1002', status: 'canceled, refunded, unfulfilled' },
  ])
  expect(await db.selectFrom('import_order').select('row_no').execute()).toEqual([])
  expect(await rollBackImport(catalog.deps, { runId: run.id })).toMatchObject({ reason: 'not-published' })

  const changed = (await fixture('shopify'))
    .toString()
    .replace('#1001,Nadia.Ferrell@example.com,paid', '#1001,Nadia.Ferrell@example.com,partially_refunded')
  const again = await preview(catalog, Buffer.from(changed))
  expect(again.run.summary.difference).toEqual([{ kind: 'known-order', count: 3 }])
  await publish(catalog, again.run.id)
  const orders = await selectPastOrders(db, ['nadia.ferrell@example.com'], 10)
  expect(orders).toMatchObject([{ status: 'partially refunded, fulfilled' }])
  expect(orders[0]?.lines).toHaveLength(2)

  await db
    .transaction()
    .execute((tx) => deletePastOrders(tx, { emails: ['nadia.ferrell@example.com'], phones: ['3125550187'] }))
  expect(await db.selectFrom('past_order').select('number').execute()).toEqual([{ number: '#1002' }])
})

test('orders of WooCommerce are read from one row per item', async () => {
  await using catalog = await openCatalog()
  const { run, sources } = await preview(catalog, await fixture('woocommerce'))
  expect(sources).toMatchObject({ store: { text: 'WooCommerce' }, line_price: { column: 'item_price' } })
  await publish(catalog, run.id)
  expect(await selectPastOrders(catalog.deps.db, ['priya.lindqvist@example.com'], 10)).toMatchObject([
    { number: '812', totalCents: 61_200, status: 'completed', lines: [{ priceCents: 14_000 }, { priceCents: 1_000 }] },
  ])
})

test('10,000 orders are imported, a reused number is refused, and waiting rows are erased with their person', async () => {
  await using catalog = await openCatalog()
  const header = 'store,number,placed_at,total,email,line_name,line_quantity,line_price'
  const rows = Array.from({ length: 10_000 }, (_, no) =>
    [1, 2].map((line) => `Old,${no},2024-01-01,20.00,p${no}@example.com,Tire ${line},1,10.00`).join('\n'),
  )
  const reused = 'Old,5,2024-02-02,99.00,other@example.com,Tire,1,99.00'
  const { run } = await preview(catalog, Buffer.from([header, ...rows, reused].join('\n')))
  // With the reused number, the rows of the order that has it are refused.
  expect(run).toMatchObject({
    rowCount: 20_001,
    refusedCount: 3,
    summary: { difference: [{ kind: 'new-order', count: 9_999 }] },
  })
  await catalog.deps.db.transaction().execute((tx) => eraseStagedCustomers(tx, ['p7@example.com']))
  await publish(catalog, run.id)
  expect(await publish(catalog, run.id)).toMatchObject({ state: 'published' })
  expect(await selectPastOrders(catalog.deps.db, ['p7@example.com', 'p5@example.com'], 10)).toEqual([])
  expect(await selectPastOrders(catalog.deps.db, ['p9999@example.com'], 10)).toMatchObject([{ lines: [{}, {}] }])
})

test('past orders are imported only by staff who may add customers', async () => {
  await using catalog = await openCatalog()
  const clerk = await signInStaff(catalog.deps, 'catalog')
  const uploadId = newId()
  const bytes = textFeed('store,number,placed_at,total\nOld,1,2024-01-01,1.00\n').open()
  value(await storeUpload(catalog.deps, clerk, { id: uploadId, fileName: 'orders.csv', bytes }))
  expect(await startImport(catalog.deps, clerk, { uploadId, kind: 'orders', mode: 'per-row' })).toMatchObject({
    reason: 'not-allowed',
  })
})
