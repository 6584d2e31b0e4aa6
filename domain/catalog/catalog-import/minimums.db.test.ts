/** Tests that imports and rollbacks apply the store's rule for prices below a minimum advertised price, tire by tire. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findMapPrice, latestMapVersion } from '#domain/catalog/catalog/catalog.server.ts'
import { setMinimumPrice, setMinimumPrices } from '#domain/catalog/promotions/promotions.server.ts'
import { changeSettings } from '#domain/kernel/settings/settings.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { readConfig } from '#platform/config.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { smallDataMadeAt } from '#tests/support/database.ts'
import {
  askImport,
  findImport,
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
  setBelowMap,
  value,
  withHeader,
  type TestCatalog,
} from './catalog-import.testing.ts'
import { planBelowMinimum } from './minimums.sql.server.ts'
import { mergePrices, stagedPrices } from './publish-prices.sql.server.ts'

const header = ['sku', 'price']

/** Three tires at $100.00 without promotions; the first has a minimum of $99.00. */
async function openPriced(): Promise<TestCatalog & { skus: [string, string, string] }> {
  const catalog = await openCatalog()
  const { db } = catalog.database
  await db.deleteFrom('promotion').execute()
  await db.updateTable('item').set({ retail_cents: 10_000 }).execute()
  const items = await db.selectFrom('item').select('sku').where('active', '=', true).orderBy('id').limit(3).execute()
  const skus = items.map(({ sku }) => sku) as [string, string, string]
  await setMinimum(catalog, skus[0], 9_900)
  return { ...catalog, skus }
}

async function setMinimum({ deps }: TestCatalog, sku: string, mapCents: number, acceptsBelow = false) {
  return setMinimumPrices(deps, desk, { prices: [{ sku, mapCents }], acceptsBelow })
}

async function pricesOf({ database: { db } }: TestCatalog, skus: readonly string[]): Promise<number[]> {
  const rows = await db.selectFrom('item').select('retail_cents').where('sku', 'in', skus).orderBy('id').execute()
  return rows.map((row) => row.retail_cents)
}

async function preview(catalog: TestCatalog, rows: readonly (readonly unknown[])[]): Promise<number> {
  const id = newId()
  value(await storeUpload(catalog.deps, desk, { id, fileName: 'prices.csv', bytes: feedOf(rows).open() }))
  const { runId } = value(
    await startImport(catalog.deps, desk, { uploadId: id, kind: 'prices', mode: 'all-or-nothing' }),
  )
  await workOnImport(catalog.deps, runId ?? 0)
  return runId ?? 0
}

test('one of two simultaneous edits of a minimum wins, and setting it by list replaces any version', async () => {
  await using catalog = await openPriced()
  const { deps, skus, database } = catalog
  const { id } = await database.db.selectFrom('item').select('id').where('sku', '=', skus[0]).executeTakeFirstOrThrow()
  const saved = async () => (await findMapPrice(deps, id)) ?? expect.unreachable('no tire')
  const { version, mapCents } = await saved()
  expect(mapCents).toBe(9_900)
  const set = (price: number | null, read: number) =>
    setMinimumPrice(deps, desk, id, { price, version: read, acceptsBelow: false })
  const answers = await Promise.all([set(9_800, version), set(9_700, version)])
  const lost = answers.filter(({ ok: isSaved }) => !isSaved)
  expect(lost).toMatchObject([{ reason: 'changed-meanwhile' }])
  expect((await saved()).mapCents).toBe(answers[0].ok ? 9_800 : 9_700)
  const read = await saved()
  value(await setMinimum(catalog, skus[0], 9_600))
  expect(await set(null, read.version)).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await set(20_000, (await saved()).version)).toMatchObject({ reason: 'below-minimum' })
  value(await set(null, (await saved()).version))
  expect((await saved()).mapCents).toBeNull()
  expect(await setMinimumPrice(deps, desk, 999_999, { price: 1, version: 1, acceptsBelow: false })).toMatchObject({
    reason: 'gone',
  })
})

test('setting many minimums leaves out the tires that were set since, and sets the others', async () => {
  await using catalog = await openPriced()
  const { deps, skus, database } = catalog
  const [first, second, third] = skus
  const seen = await latestMapVersion(database.db)
  value(await setMinimum(catalog, second, 9_500))
  const set = (mapCents: number, version: number) =>
    setMinimumPrices(deps, desk, { prices: skus.map((sku) => ({ sku, mapCents })), acceptsBelow: false, seen: version })
  const saved = value(await set(9_000, seen))
  expect(saved.changed).toEqual([{ sku: second, mapCents: 9_500 }])
  const minimums = async () => {
    const items = database.db.selectFrom('item').select(['sku', 'map_cents']).where('sku', 'in', skus).orderBy('id')
    return (await items.execute()).map(({ map_cents }) => map_cents)
  }
  expect(await minimums()).toEqual([9_000, 9_500, 9_000])
  const entry = database.db.selectFrom('audit_entry').select('after').where('act', '=', 'map-prices.set')
  expect((await entry.orderBy('id', 'desc').executeTakeFirst())?.after).toEqual({
    prices: `${first} $90.00, ${third} $90.00`,
  })
  // With two concurrent forms, each tire is set by one.
  const both = await Promise.all([set(8_000, saved.version), set(7_000, saved.version)])
  expect(both.map((answer) => value(answer).changed.length)).toEqual(expect.arrayContaining([0, 3]))
  expect(new Set(await minimums()).size).toBe(1)
})

test('a price below its minimum isn’t published, and the other rows of the file are', async () => {
  await using catalog = await openPriced()
  const { skus } = catalog
  const [first, second, third] = skus
  const rows = [header, [second, 90], [first, 98.99], [third, 110]]
  const belowMap = { isRefused: true, count: 1, examples: [`Row 3: ${first} at $98.99, minimum $99.00`] }
  expect(await catalog.bring('prices', rows, { isDry: true })).toMatchObject({
    state: 'checked',
    summary: { belowMap, changes: [{ entity: 'item', action: 'changed', count: 2 }] },
  })
  expect(await pricesOf(catalog, skus)).toEqual([10_000, 10_000, 10_000])
  expect(await catalog.bring('prices', rows)).toMatchObject({
    state: 'published',
    refusedCount: 0,
    summary: { belowMap, warnings: [] },
  })
  expect(await pricesOf(catalog, skus)).toEqual([10_000, 9_000, 11_000])
})

test('a store that shows prices in the cart publishes a price below its minimum without a confirmation', async () => {
  await using catalog = await openPriced()
  const { skus } = catalog
  const [first, second] = skus
  await setBelowMap(catalog, 'price-in-cart')
  expect(await catalog.bring('prices', [header, [first, 98.99], [second, 90]])).toMatchObject({
    state: 'published',
    summary: { belowMap: { isRefused: false, count: 1, examples: [`Row 2: ${first} at $98.99, minimum $99.00`] } },
  })
  expect(await pricesOf(catalog, skus)).toEqual([9_899, 9_000, 10_000])
  // An unchanged price isn't listed.
  const { summary } = await catalog.bring('prices', [header, [first, 98.99]])
  expect(summary.belowMap).toBeUndefined()
})

test('a price that a promotion lowers below its minimum isn’t published', async () => {
  await using catalog = await openPriced()
  const { skus } = catalog
  const [first, second] = skus
  await setMinimum(catalog, first, 9_700)
  await catalog.database.db
    .insertInto('promotion')
    .values({
      slug: 'two-dollars',
      name: 'Two dollars off',
      headline: 'Two dollars off',
      kind: 'Flat Amount',
      amount: 200,
      funded_by: 'store',
      starts_at: smallDataMadeAt.add({ hours: 24 }),
      ends_at: smallDataMadeAt.add({ hours: 48 }),
    })
    .execute()
  const { summary } = await catalog.bring('prices', [header, [first, 98.99], [second, 98.99]])
  expect(summary.belowMap?.examples).toEqual([
    `Row 2: ${first} at $96.99 with promotion Two dollars off, minimum $97.00`,
  ])
  expect(await pricesOf(catalog, skus)).toEqual([10_000, 9_899, 10_000])
})

test('a products feed publishes everything but a price below its minimum', async () => {
  await using catalog = await openPriced()
  const { db } = catalog.database
  const all = await exportProducts(db, 'kestrel')
  const [tire] = all
  const sku = String(tire?.sku)
  await setMinimum(catalog, sku, 9_900)
  const rows = all.map((row) => (row === tire ? { ...row, price_cents: 9_800, max_psi: 47 } : row))
  const run = await catalog.bring('products', withHeader(rows))
  expect(run).toMatchObject({
    state: 'published',
    refusedCount: 0,
    summary: { belowMap: { isRefused: true, count: 1 } },
  })
  const item = await db
    .selectFrom('item')
    .select(['retail_cents', 'max_psi', 'active'])
    .where('sku', '=', sku)
    .execute()
  expect(item).toEqual([{ retail_cents: 10_000, max_psi: 47, active: true }])
})

test('a preview lists prices below their minimum, and is made again if a minimum was set since', async () => {
  await using catalog = await openPriced()
  const { deps, skus } = catalog
  const [first, second] = skus
  const runId = await preview(catalog, [header, [first, 98.99], [second, 90]])
  const difference = async () =>
    (await selectDifference(deps.db, runId, { after: null, limit: 20, perKind: 20 })).map(
      ({ kind, what, becomes }) => `${kind}: ${what}, ${becomes}`,
    )
  expect(await difference()).toEqual([
    `below-map: Row 2: ${first}, $98.99, minimum $99.00`,
    `price-down: ${second}, 90.00`,
  ])
  const publish = async () => {
    const seen = (await findImport(deps, runId))?.summary.previewedAt ?? ''
    value(await askImport(deps, desk, { runId, act: 'publish', seen, reason: null }))
    await workOnImport(deps, runId)
    return findImport(deps, runId)
  }
  value(await setMinimum(catalog, second, 9_100))
  expect(await publish()).toMatchObject({ state: 'waiting-for-yes', answer: { reason: 'different-now' } })
  expect(await difference()).toEqual([
    `below-map: Row 2: ${first}, $98.99, minimum $99.00`,
    `below-map: Row 3: ${second}, $90.00, minimum $91.00`,
  ])
  await setBelowMap(catalog, 'price-in-cart')
  expect(await publish()).toMatchObject({ state: 'waiting-for-yes', answer: { reason: 'different-now' } })
  expect(await publish()).toMatchObject({ state: 'published', summary: { belowMap: { isRefused: false, count: 2 } } })
  expect(await difference()).toContain(`price-in-cart: Row 3: ${second}, $90.00, minimum $91.00`)
  expect(await pricesOf(catalog, skus)).toEqual([9_899, 9_000, 10_000])
})

test.for([
  { rule: 'refuse', isRefused: true, restored: [10_500, 10_000, 10_000] },
  { rule: 'price-in-cart', isRefused: false, restored: [10_000, 10_000, 10_000] },
] as const)('a rollback restores the prices that the rule allows: $rule', async ({ rule, isRefused, restored }) => {
  await using catalog = await openPriced()
  const { deps, skus } = catalog
  const [first, second] = skus
  await setBelowMap(catalog, rule)
  const run = await catalog.bring('prices', [header, [first, 105], [second, 105]])
  value(await setMinimum(catalog, first, 10_300))
  const belowMap = { isRefused, count: 1, examples: [`${first} at $100.00, minimum $103.00`] }
  expect(value(await rollBackImport(deps, { runId: run.id }))).toMatchObject({
    run: { state: 'rolled-back', answer: { reason: 'below-minimum', ...belowMap } },
    belowMap,
  })
  expect(await pricesOf(catalog, skus)).toEqual(restored)
})

test('a minimum that is being set applies to a price that is published at the same time', async () => {
  await using catalog = await openPriced()
  const { deps, skus } = catalog
  const second = skus[1]
  const held = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const setting = deps.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('item')
      .set({ map_cents: 9_500, map_set_at: smallDataMadeAt })
      .where('sku', '=', second)
      .execute()
    holding.resolve()
    await held.promise
  })
  await holding.promise
  const importing = catalog.bring('prices', [header, [second, 94]])
  await untilBlocked(catalog)
  held.resolve()
  await setting
  expect(await importing).toMatchObject({ state: 'published', summary: { belowMap: { isRefused: true, count: 1 } } })
  expect(await pricesOf(catalog, skus)).toEqual([10_000, 10_000, 10_000])
})

test('a minimum that is set while a lower price is published is compared with this price', async () => {
  await using catalog = await openPriced()
  const { deps, skus } = catalog
  const second = skus[1]
  const dry = await catalog.bring('prices', [header, [second, 100]])
  await deps.db
    .insertInto('import_price')
    .values({ run_id: dry.id, row_no: 2, refused: false, sku: second, retail_cents: 9_400 })
    .execute()
  const published = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const publishing = deps.db.transaction().execute(async (tx) => {
    await planBelowMinimum(tx, stagedPrices(dry.id), smallDataMadeAt)
    await mergePrices(tx, dry.id)
    holding.resolve()
    await published.promise
  })
  await holding.promise
  const setting = setMinimum(catalog, second, 9_500)
  await untilBlocked(catalog)
  published.resolve()
  await publishing
  expect(await setting).toMatchObject({ reason: 'below-minimum', detail: { count: 1, tires: [{ priceCents: 9_400 }] } })
})

async function untilBlocked({ database: { db } }: TestCatalog): Promise<void> {
  await eventually('a blocked transaction', async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0 || undefined
  })
}

test('the rule for prices below a minimum can’t change while an import applies it', async () => {
  await using catalog = await openPriced()
  const { db } = catalog.database
  const configured = readConfig({ DATABASE_URL: 'postgres://nobody@localhost/none' })
  if (!configured.ok) throw new Error('The configuration of tests is wrong.')
  const { store } = configured.value
  const input = {
    name: store.name,
    phone: store.phone,
    email: store.email,
    returnAddress: store.address,
    accentColor: null,
    darkColor: null,
    refundAlone: 75_000,
    dailyAlone: 500_000,
    discountAlone: 300_000,
    quoteMarginFloor: 100_000,
    noShowPay: 1_500,
    payHoldHours: 46,
    payDisputeDays: 7,
    payAlone: 10_000,
    belowMap: 'price-in-cart' as const,
    removeLogo: '' as const,
    seen: 0,
  }
  const allow = () => changeSettings({ ...catalog.deps, configured: store }, desk, { input, file: null })
  const during = await db.transaction().execute(async (tx) => {
    await planBelowMinimum(tx, stagedPrices(1), catalog.deps.clock.now())
    return allow()
  })
  expect(during).toMatchObject({ ok: false, reason: 'prices-changing' })
  expect(await allow()).toMatchObject({ ok: true, value: { changed: 1 } })
})
