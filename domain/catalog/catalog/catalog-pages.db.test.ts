import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { type Requirement } from '#domain/catalog/fitment/fitment.ts'
import { parseTire } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { plainQuery } from './catalog.ts'
import {
  createCatalog,
  findItem,
  getHomeRows,
  getProduct,
  groupOffers,
  listDeals,
  listKinds,
  listSizes,
  listTires,
  listUsualSizes,
  type ListingScope,
} from './catalog.server.ts'
import { counted } from './catalog.testing.ts'
import { countOffers } from './listing.server.ts'

/** The day the demo data's promotions start. */
const today = '2026-11-20T12:00:00Z'
const ofSize = (slug: string, filters: Omit<ListingScope, 'sizes'> = {}): ListingScope => ({
  sizes: [{ front: slug, rear: slug }],
  ...filters,
})

async function numberOf(db: Database, query: ReturnType<typeof sql<{ n: number }>>): Promise<number> {
  return (await query.execute(db)).rows[0]?.n ?? Number.NaN
}

test('a product page has the article, its siblings, its reviews and alternatives in its size', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db, statements } = counted(test.db)
  const catalog = createCatalog({ db, clock: fixedClock(today) })
  const input = { brandSlug: 'kestrel', lineSlug: 'alltide-as2' }
  const page = await getProduct(catalog, input)
  if (!page.ok) throw new Error(page.reason)
  const { item, siblings, reviews, similar, price, fromCents } = page.value
  expect(siblings).toHaveLength(
    await numberOf(
      test.db,
      sql`select count(*) as n from item join product_line on product_line.id = product_line_id where slug = 'alltide-as2' and active`,
    ),
  )
  expect(siblings.map(({ rimIn }) => rimIn)).toEqual(siblings.map(({ rimIn }) => rimIn).sort((a, b) => a - b))
  expect(siblings.map(({ itemId }) => itemId)).toContain(item.id)
  expect(fromCents).toBe(Math.min(...siblings.map(({ unitCents }) => unitCents)))
  expect(price.promotions[0]?.headline).toBe('Save $16 a tire on Kestrel Alltide AS2')
  expect(reviews).toHaveLength(3)
  expect(reviews.map(({ helpfulCount }) => helpfulCount)).toEqual(
    reviews.map(({ helpfulCount }) => helpfulCount).sort((a, b) => b - a),
  )
  expect(similar.length).toBeGreaterThan(0)
  expect(similar.every((offer) => offer.items[0].size.slug === item.size.slug && offer.line.id !== item.line.id)).toBe(
    true,
  )
  expect(new Set(similar.map(({ line }) => line.id)).size).toBe(similar.length)

  statements()
  const requirement: Requirement = {
    source: 'placard',
    vehicleClass: 'suv',
    drive: 'awd',
    modelYear: 2021,
    configurations: [{ front: parseTire('225/65R17 102H')!, rear: parseTire('225/65R17 102H')! }],
  }
  const forCar = await getProduct(catalog, { ...input, requirement, vehicleName: 'RAV4' })
  expect(forCar).toMatchObject({
    ok: true,
    value: { item: { size: { slug: '225-65r17' } }, fitment: { verdict: 'fits' } },
  })
  // At most the other size and its state; everything else is cached.
  expect(statements()).toBeLessThanOrEqual(2)

  const asked = siblings[0]!.itemId
  expect(await getProduct(catalog, { ...input, itemId: asked })).toMatchObject({
    ok: true,
    value: { item: { id: asked } },
  })
  expect(await getProduct(catalog, { ...input, itemId: 1 })).toMatchObject({ ok: false, reason: 'item-not-found' })
  expect(await getProduct(catalog, { brandSlug: 'tarn', lineSlug: 'alltide-as2' })).toMatchObject({
    ok: false,
    reason: 'line-not-found',
  })
  expect(await findItem(catalog, asked)).toMatchObject({
    id: asked,
    line: { slug: 'alltide-as2', name: 'Alltide AS2', brand: { name: 'Kestrel' }, tread: 'all-season', mPlusS: true },
  })
  expect(await findItem(catalog, 1)).toBeUndefined()
})

test('a promotion shows from its first to its last second, without another reading', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db, statements } = counted(test.db)
  const clock = fixedClock(today)
  const catalog = createCatalog({ db, clock })
  const page = await getProduct(catalog, { brandSlug: 'kestrel', lineSlug: 'alltide-as2' })
  if (!page.ok) throw new Error(page.reason)
  const { item } = page.value
  await test.db
    .insertInto('promotion')
    .values({
      slug: 'flash',
      name: 'Flash',
      headline: 'A fifth off',
      kind: 'Percentage',
      amount: 20,
      item_id: item.id,
      funded_by: 'store',
      daily: true,
      starts_at: '2026-11-20T12:00:10Z',
      ends_at: '2026-11-20T12:00:20Z',
    })
    .execute()
  catalog.cache.clear()
  const tags = async (at: string) => {
    clock.set(at)
    const shown = await getProduct(catalog, { brandSlug: 'kestrel', lineSlug: 'alltide-as2', itemId: item.id })
    const listed = await listTires(catalog, {
      scope: ofSize(item.size.slug, { brand: 'kestrel' }),
      query: { ...plainQuery, pageSize: 96 },
    })
    return [
      shown.ok && shown.value.price.unitCents,
      listed.ok && listed.value.offers.find(({ key }) => key === String(item.id))?.perTireCents,
    ]
  }
  const before = await tags('2026-11-20T12:00:09Z')
  statements()
  const reduced = item.retailCents - Math.floor(item.retailCents / 5)
  expect(await tags('2026-11-20T12:00:10Z')).toEqual([reduced, reduced])
  expect(await tags('2026-11-20T12:00:20Z')).toEqual(before)
  expect(statements()).toBe(0)
})

test('the home page shows available products with few queries', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db, statements } = counted(test.db)
  const catalog = createCatalog({ db, clock: fixedClock(today) })
  const home = await getHomeRows(catalog)
  expect(statements()).toBeLessThanOrEqual(10)
  await getHomeRows(catalog)
  expect(statements()).toBe(0)

  expect(home.deals).toHaveLength(6)
  expect(new Set(home.deals.map(({ offer }) => offer?.line.id)).size).toBe(6)
  for (const { offer, promotion } of home.deals) {
    expect(offer?.isInStock).toBe(true)
    expect(Temporal.Instant.compare(promotion.endsAt, today)).toBe(1)
  }
  expect(home.brands.map(({ slug }) => slug)).toContain('kestrel')
  expect(home.brands.map(({ name }) => name)).toEqual(home.brands.map(({ name }) => name).sort())
  expect(home.types.map(({ slug }) => slug)).toEqual([
    'all-season',
    'all-weather',
    'summer',
    'winter',
    'highway',
    'all-terrain',
    'mud-terrain',
    'commercial',
    'trailer',
  ])
  for (const { item, fromCents, slug } of home.types)
    expect(item).toMatchObject({ retailCents: fromCents, line: { type: { slug } } })
  expect(home.vehicles).toContainEqual({
    name: '2019 Honda CR-V',
    year: 2019,
    makeSlug: 'honda',
    modelSlug: 'cr-v',
    size: '235/60R18',
  })
  expect(home.reviews).toHaveLength(6)
  expect(new Set(home.reviews.map(({ lineSlug, brandSlug }) => `${brandSlug} ${lineSlug}`)).size).toBe(6)
  for (const { overallHundredths } of home.reviews) expect(overallHundredths).toBeGreaterThanOrEqual(400)

  const [sold] = home.deals
  await test.db
    .deleteFrom('stock')
    .where('item_id', 'in', test.db.selectFrom('item').select('id').where('product_line_id', '=', sold!.offer!.line.id))
    .execute()
  catalog.cache.clear()
  expect((await getHomeRows(catalog)).deals.map(({ offer }) => offer?.line.id)).not.toContain(sold!.offer!.line.id)
})

test('directories list only available products', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: test.db, clock: fixedClock(today) })
  const sizes = await listSizes(catalog)
  expect(sizes).toHaveLength(await numberOf(test.db, sql`select count(distinct size_id) as n from item where active`))
  expect((await listSizes(catalog, 17)).every(({ rimIn }) => rimIn === 17)).toBe(true)
  const { types, categories } = await listKinds(catalog)
  const sum = (kinds: typeof types) => kinds.reduce((all, { lines }) => all + lines, 0)
  expect(sum(types)).toBe(sum(categories))
  for (const { promotion, offer } of await listDeals(catalog))
    expect(offer === null).toBe(promotion.itemId === null && promotion.lineId === null)
})

test('a rim size lists the lines made for it, each from its lowest price there', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db, statements } = counted(test.db)
  const catalog = createCatalog({ db, clock: fixedClock(today) })
  const ask = () => listTires(catalog, { scope: { rimIn: 18 }, query: { ...plainQuery, pageSize: 96, sort: 'price' } })
  const found = await ask()
  if (!found.ok) throw new Error(found.reason)
  expect(statements()).toBeLessThanOrEqual(5)
  await ask()
  expect(statements()).toBe(0)

  const { rows } = await sql<{ line: number; sizes: number; from: number }>`
    select product_line_id as line, count(distinct size_id) as sizes, min(retail_cents) as from
    from item join size on size.id = size_id where rim_in = 18 and active group by 1`.execute(test.db)
  expect(found.value.total).toBe(rows.length)
  for (const { line, sizes, items, prices } of found.value.offers) {
    const expected = rows.find((row) => row.line === line.id)
    // Without its own promotion it is the cheapest article there.
    expect(sizes).toEqual(expected?.sizes)
    expect(items[0].size.rimIn).toBe(18)
    if (prices[0].promotions.length === 0) expect(items[0].retailCents).toBe(expected?.from)
  }
  expect(await listTires(catalog, { scope: { rimIn: 99 }, query: plainQuery })).toMatchObject({
    ok: false,
    reason: 'nothing-there',
    detail: [],
  })
})

test('counts of narrower listings match those listings', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: test.db, clock: fixedClock(today) })
  for (const scope of [ofSize('235-60r18'), { brand: 'kestrel' }, { type: 'all-season' }]) {
    const { brands, types, categories } = await groupOffers(catalog, scope)
    for (const { slug, count } of brands)
      expect(await countOffers(catalog, { ...scope, brand: slug }), slug).toEqual(count)
    for (const { slug, count } of types)
      expect(await countOffers(catalog, { ...scope, type: slug }), slug).toEqual(count)
    for (const { slug, count } of categories)
      expect(await countOffers(catalog, { ...scope, category: slug }), slug).toEqual(count)
  }
  const usual = await listUsualSizes(catalog, { brand: 'kestrel' })
  expect(usual.length).toBeGreaterThan(5)
  for (const { slug } of usual)
    expect(await countOffers(catalog, ofSize(slug, { brand: 'kestrel' }))).toBeGreaterThan(0)
})
