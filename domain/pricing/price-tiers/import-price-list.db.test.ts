import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { findCatalogIds } from '#domain/catalog/catalog/catalog.server.ts'
import { importPriceList } from './price-tiers.server.ts'

const always = { percent: '', amount: '', starts: '2027-01-01', ends: '' }

test('imports a price list file by slug, size, and SKU in one transaction', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const item = await db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'product_line_id')
    .innerJoin('brand', 'brand.id', 'brand_id')
    .select(['item.id', 'sku', 'brand.slug as brand', 'product_line.slug as line'])
    .orderBy('item.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const records = [
    { ...always, scope: 'every-tire', target: '', kind: 'percent-off', percent: '5' },
    { ...always, scope: 'brand', target: item.brand, kind: 'percent-off', percent: '6' },
    { ...always, scope: 'line', target: `${item.brand}/${item.line}`, kind: 'cost-plus', percent: '7', amount: '1.00' },
    { ...always, scope: 'size', target: '225/65R17', kind: 'percent-off', percent: '8' },
    { ...always, scope: 'item', target: item.sku, kind: 'fixed', amount: '99.00' },
  ]
  const rulesOf = async () => {
    const list = await db.selectFrom('price_list').selectAll().where('slug', '=', 'acme').executeTakeFirst()
    const rules = await db
      .selectFrom('price_rule')
      .select(['item_id', 'kind', 'rate_ppm', 'amount_cents'])
      .where('price_list_id', '=', list?.id ?? 0)
      .orderBy('id')
      .execute()
    return { type: list?.account_type, rules }
  }
  expect(await importPriceList({ db, findCatalogIds }, { slug: 'acme', type: null, records })).toEqual({
    ok: true,
    value: { rules: 5 },
  })
  expect(await rulesOf()).toMatchObject({
    type: null,
    rules: [
      { rate_ppm: 50_000 },
      { rate_ppm: 60_000 },
      { kind: 'cost-plus', amount_cents: 100 },
      { rate_ppm: 80_000 },
      { item_id: item.id, amount_cents: 9_900 },
    ],
  })

  const before = await rulesOf()
  const wrong = await importPriceList(
    { db, findCatalogIds },
    {
      slug: 'acme',
      type: null,
      records: [...records, { ...always, scope: 'brand', target: 'nobody', kind: 'fixed', amount: '1' }],
    },
  )
  expect(wrong).toEqual({ ok: false, reason: 'faults', detail: ['Line 7: there is no brand nobody.'] })
  expect(await rulesOf()).toEqual(before)
  const twice = ['225/65R17', '225-65r17', '225/65r17'].map((target) => ({
    ...always,
    scope: 'size',
    target,
    kind: 'percent-off',
    percent: '8',
  }))
  expect(await importPriceList({ db, findCatalogIds }, { slug: 'acme', type: null, records: twice })).toEqual({
    ok: false,
    reason: 'faults',
    detail: [3, 4].map((line) => `Line ${line}: line 2 is for the same tires on some of the same days.`),
  })
  expect(await rulesOf()).toEqual(before)

  expect(
    await importPriceList({ db, findCatalogIds }, { slug: 'acme', type: 'Fleet', records: records.slice(0, 1) }),
  ).toMatchObject({
    ok: true,
  })
  expect(await rulesOf()).toMatchObject({ type: 'Fleet', rules: [{ rate_ppm: 50_000 }] })
  expect(await db.selectFrom('price_list').select('slug').where('account_type', '=', 'Fleet').execute()).toEqual([
    { slug: 'acme' },
  ])
})
