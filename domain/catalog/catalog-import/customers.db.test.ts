/** Tests the import of Shopify and WooCommerce customers. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  findCustomerByEmail,
  listCustomerNotes,
  selectImportedDetails,
} from '#domain/customers/customers/customers.server.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { newId, newTimedId } from '#platform/ids.ts'
import {
  askImport,
  eraseStagedCustomers,
  findImport,
  findUploadColumns,
  listRefusedRows,
  rollBackImport,
  selectDifference,
  startImport,
  storeUpload,
  workOnImport,
} from './catalog-import.server.ts'
import { openCatalog, textFeed, value, type TestCatalog } from './catalog-import.testing.ts'

const fixture = (name: string) => readFile(new URL(`fixtures/${name}-customers.csv`, import.meta.url))

/** Uploads a file, matches its columns as guessed, and reads it up to the preview. */
async function preview({ deps }: TestCatalog, content: Buffer, by: Actor = desk) {
  const uploadId = newId()
  value(await storeUpload(deps, by, { id: uploadId, fileName: 'customers.csv', bytes: textFeed(content).open() }))
  const offered = await findUploadColumns(deps, by, { uploadId, kind: 'customers' })
  const sources = offered?.guessed ?? {}
  const { runId } = value(await startImport(deps, by, { uploadId, kind: 'customers', mode: 'per-row', sources }))
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

const customerOf = async ({ deps }: TestCatalog, email: string) => {
  const found = await findCustomerByEmail(deps, email)
  return found && { ...found, details: await selectImportedDetails(deps.db, found.ids) }
}

test('customers of Shopify are added, and the report and the preview name rows instead of people', async () => {
  await using catalog = await openCatalog()
  const { run, sources } = await preview(catalog, await fixture('shopify'))
  expect(sources).toMatchObject({
    email: { column: 'email' },
    street: { column: 'default address address1' },
    state: { column: 'default address province code' },
    consent: { column: 'accepts email marketing' },
  })
  expect(run).toMatchObject({
    state: 'waiting-for-yes',
    rowCount: 4,
    refusedCount: 1,
    summary: { difference: [{ kind: 'new-customer', count: 3 }] },
  })
  expect(await customerOf(catalog, 'nadia.ferrell@example.com')).toBeUndefined()
  expect(await listRefusedRows(catalog.deps, { runId: run.id, count: 10 })).toMatchObject([
    { rowNo: 4, column: 'email', value: '', problem: 'is not an email address' },
  ])
  const rows = await selectDifference(catalog.deps.db, run.id, { after: null, limit: 10, perKind: 10 })
  expect(rows.map(({ what }) => what)).toEqual(['Row 2', 'Row 3', 'Row 5'])

  expect(await publish(catalog, run.id)).toMatchObject({ state: 'published' })
  const nadia = await customerOf(catalog, 'nadia.ferrell@example.com')
  expect(nadia).toMatchObject({
    name: 'Nadia Ferrell',
    phone: '3125550187',
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    // The export has no date of the consent.
    details: [{ street: '418 W Wrightwood Ave, Apt 2', consentedAt: null }],
  })
  expect(await listCustomerNotes(catalog.deps, nadia?.ids ?? [])).toMatchObject([
    { body: 'Tags: fleet, repeat\nPrefers Saturday mornings.\nRides with studded tires.', author: `Import ${run.id}` },
  ])
  expect(await customerOf(catalog, 'lone.email@example.com')).toMatchObject({ name: null, phone: null })
  expect(await catalog.deps.db.selectFrom('import_customer').select('row_no').execute()).toEqual([])
  expect(await rollBackImport(catalog.deps, { runId: run.id })).toMatchObject({ reason: 'not-published' })
})

test('consent of WooCommerce customers counts with its date, and passwords are not read', async () => {
  await using catalog = await openCatalog()
  const { run, sources } = await preview(catalog, await fixture('woocommerce'))
  expect(Object.values(sources)).not.toContainEqual({ column: 'user_pass' })
  expect(await publish(catalog, run.id)).toMatchObject({ state: 'published' })
  expect(await customerOf(catalog, 'priya.lindqvist@example.com')).toMatchObject({
    phone: '3125550163',
    details: [{ consentedAt: Temporal.Instant.from('2023-04-02T15:20:11Z') }],
  })
  expect(await customerOf(catalog, 'marco.bell@example.com')).toMatchObject({
    zip: '60540',
    state: 'IL',
    details: [{ consentedAt: null }],
  })
})

test('existing data wins, and importing the same file again has no effect', async () => {
  await using catalog = await openCatalog()
  const { db, clock } = catalog.deps
  const at = clock.now()
  await db
    .insertInto('customer')
    .values({
      id: newTimedId(),
      email: 'Nadia.Ferrell@example.com',
      name: 'N. Ferrell',
      phone: null,
      created_at: at,
      active_at: at,
    })
    .execute()
  const first = await preview(catalog, await fixture('shopify'))
  expect(first.run.summary.difference).toEqual(
    expect.arrayContaining([
      { kind: 'known-customer', count: 1 },
      { kind: 'new-customer', count: 2 },
    ]),
  )
  await publish(catalog, first.run.id)
  const merged = await customerOf(catalog, 'nadia.ferrell@example.com')
  expect(merged).toMatchObject({
    email: 'Nadia.Ferrell@example.com',
    name: 'N. Ferrell',
    phone: '3125550187',
    city: 'Chicago',
  })
  const everything = async () => [
    await db.selectFrom('customer').selectAll().orderBy('id').execute(),
    await db.selectFrom('customer_note').selectAll().orderBy('id').execute(),
    await db.selectFrom('customer_import').selectAll().orderBy('customer_id').execute(),
  ]
  const before = await everything()
  const second = await preview(catalog, await fixture('shopify'))
  expect(second.run.summary.difference).toEqual([{ kind: 'known-customer', count: 3 }])
  await publish(catalog, second.run.id)
  expect(await everything()).toEqual(before)
})

test('an email that comes twice in a file is refused the second time, and erasing a person deletes their waiting row', async () => {
  await using catalog = await openCatalog()
  const { run } = await preview(
    catalog,
    Buffer.from('email,first_name\nann@example.com,Ann\nANN@example.com,Anna\nbo@example.com,Bo\n'),
  )
  expect(run).toMatchObject({ state: 'waiting-for-yes', rowCount: 3, refusedCount: 1 })
  await catalog.deps.db.transaction().execute((tx) => eraseStagedCustomers(tx, ['ann@example.com']))
  // The preview was of two customers.
  expect(await publish(catalog, run.id)).toMatchObject({
    state: 'waiting-for-yes',
    answer: { reason: 'different-now' },
  })
  expect(await publish(catalog, run.id)).toMatchObject({ state: 'published' })
  expect(await customerOf(catalog, 'ann@example.com')).toBeUndefined()
  expect(await customerOf(catalog, 'bo@example.com')).toMatchObject({ name: 'Bo' })
})

test('customers are imported only by staff who may add them', async () => {
  await using catalog = await openCatalog()
  const clerk = await signInStaff(catalog.deps, 'catalog')
  const uploadId = newId()
  const bytes = textFeed('email\nann@example.com\n').open()
  value(await storeUpload(catalog.deps, clerk, { id: uploadId, fileName: 'customers.csv', bytes }))
  expect(
    await startImport(catalog.deps, clerk, {
      uploadId,
      kind: 'customers',
      mode: 'per-row',
      sources: { email: { column: 'email' } },
    }),
  ).toMatchObject({ reason: 'not-allowed' })
})
