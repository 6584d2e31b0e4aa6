import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { type Requirement } from '#domain/catalog/fitment/fitment.ts'
import { parseTire } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { plainQuery } from './catalog.ts'
import { createCatalog, listTires, sizePairsOf, type ListingScope } from './catalog.server.ts'
import { counted } from './catalog.testing.ts'
import { countOffers } from './listing.server.ts'

/** The day the demo data's promotions start. */
const today = '2026-11-20T12:00:00Z'
const ofSize = (slug: string, filters: Omit<ListingScope, 'sizes'> = {}): ListingScope => ({
  sizes: [{ front: slug, rear: slug }],
  ...filters,
})

function itemsInSize(db: Database): Promise<number> {
  return numberOf(
    db,
    sql`select count(*) as n from item join size on size.id = size_id where size.slug = '225-65r17' and active`,
  )
}

async function numberOf(db: Database, query: ReturnType<typeof sql<{ n: number }>>): Promise<number> {
  return (await query.execute(db)).rows[0]?.n ?? Number.NaN
}

test('a size is read once per half minute, for everyone and every filter', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db, statements } = counted(test.db)
  const clock = fixedClock(today)
  const catalog = createCatalog({ db, clock })
  const list = (filters = plainQuery.filters) =>
    listTires(catalog, { scope: ofSize('225-65r17'), query: { ...plainQuery, filters } })

  const inTable = await itemsInSize(test.db)
  const all = await Promise.all(Array.from({ length: 20 }, () => list()))
  expect(statements()).toBe(4) // The state of the items, the items, active promotions, and rebates.
  for (const listing of all) expect(listing).toMatchObject({ ok: true, value: { total: inTable } })
  await list({ ...plainQuery.filters, brand: ['kestrel'], snow: true })
  await countOffers(catalog, ofSize('225-65r17', { brand: 'kestrel' }))
  expect(statements()).toBe(0)

  // With another size added, only that one is read.
  await listTires(catalog, {
    scope: {
      sizes: [
        { front: '225-65r17', rear: '225-65r17' },
        { front: '225-60r18', rear: '225-60r18' },
        { front: '245-35r19', rear: '305-30r20' },
      ],
    },
    query: plainQuery,
  })
  expect(statements()).toBe(2)
  clock.set('2026-11-20T12:00:31Z')
  await list()
  expect(statements()).toBe(2) // Whether anything was written, and the promotions.
  clock.set('2026-11-20T12:05:00Z')
  await list()
  expect(statements()).toBe(2) // Nothing was.
})

test('results for one place, vehicle or brand are not shown for another', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: test.db, clock: fixedClock(today) })
  const places = [1_000, 2_000].map((cents) => () => cents)
  const list = async (over: Partial<Parameters<typeof listTires>[1]>) => {
    const listing = await listTires(catalog, { scope: ofSize('225-65r17'), query: plainQuery, ...over })
    return listing.ok ? listing.value : undefined
  }
  for (const totalOf of [...places, ...places])
    expect((await list({ totalOf }))?.offers.every(({ totalCents }) => totalCents === totalOf())).toBe(true)
  expect((await list({}))?.offers.every(({ totalCents }) => totalCents === null)).toBe(true)

  const requirements = ['225/65R17 102H', '225/65R17 120H'].map((tire): Requirement => ({
    ...corvette,
    configurations: [{ front: parseTire(tire)!, rear: parseTire(tire)! }],
  }))
  const refused = []
  for (const requirement of [...requirements, ...requirements]) refused.push((await list({ requirement }))?.notFitting)
  expect(refused.slice(2)).toEqual(refused.slice(0, 2))
  expect(refused[0]).toBeLessThan(refused[1] ?? 0)

  const brands = ['kestrel', 'tarn']
  for (const brand of [...brands, ...brands])
    expect((await list({ scope: ofSize('225-65r17', { brand }) }))?.names.brand?.slug).toBe(brand)
})

test('changes appear within half a minute, or immediately after a cache clear', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(today)
  const catalog = createCatalog({ db: test.db, clock })
  const total = () => countOffers(catalog, ofSize('225-65r17'))
  const takeOne = () =>
    sql`update item set listed = false where id = (select min(item.id) from item join size on size.id = size_id where size.slug = '225-65r17' and active)`.execute(
      test.db,
    )

  const inTable = await itemsInSize(test.db)
  expect(await total()).toBe(inTable)
  await takeOne()
  expect(await total()).toBe(inTable)
  clock.set('2026-11-20T12:00:31Z')
  expect(await total()).toBe(inTable - 1)
  await takeOne()
  catalog.cache.clear()
  expect(await total()).toBe(inTable - 2)
})

test('an entry in use is refreshed before it expires, and unchanged objects stay the same', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  let [asked, answered] = [0, 0]
  const db = test.db.withPlugin({
    transformQuery: ({ node }) => ((asked += 1), node),
    transformResult: ({ result }) => ((answered += 1), Promise.resolve(result)),
  })
  const clock = fixedClock(today)
  const { cache } = createCatalog({ db, clock })
  const read = async () => (await cache.itemsOfSizes(['225-65r17'])).get('225-65r17') ?? []
  const readAt = (time: string) => (clock.set(`2026-11-20T${time}Z`), read())

  const first = await read()
  expect(await readAt('12:00:19')).toBe(first)
  expect(asked).toBe(2)
  // A refresh requests the state, and reads the changes since.
  expect(await readAt('12:00:21')).toEqual(first)
  expect(await read()).toEqual(first)
  await expect.poll(() => answered).toBe(3)
  expect(await readAt('12:00:40')).toBe(first)
  expect(await readAt('12:00:42')).toBe(first)
  await expect.poll(() => answered).toBe(4)
  expect(await readAt('12:01:01')).toBe(first)
  expect(asked).toBe(4)

  await test.db.updateTable('item').set({ retail_cents: 10_100 }).where('id', '=', first[1]!.id).execute()
  expect(await readAt('12:01:05')).toBe(first)
  await expect.poll(() => answered).toBe(6)
  const second = await read()
  expect(second[1]?.retailCents).toBe(10_100)
  expect(second.map((item, index) => item === first[index])).toEqual(first.map((_, index) => index !== 1))
  expect(second[1]?.line).toBe(first[1]?.line)

  // Stock, reviews and names are in other tables, and are part of the state too.
  for (const [table, time] of [
    ['stock', '12:01:26'],
    ['line_rating', '12:01:47'],
    ['brand', '12:02:08'],
  ] as const) {
    const before = answered
    await sql`update ${sql.table(table)} set ${sql.raw({ stock: 'on_hand = on_hand', line_rating: 'review_count = review_count', brand: 'name = name' }[table])}`.execute(
      test.db,
    )
    expect(await readAt(time)).toBe(second)
    await expect.poll(() => answered).toBe(before + 2)
    expect(await read()).toBe(second)
  }

  await sql`alter table item rename to item_away`.execute(test.db)
  expect(await readAt('12:02:30')).toBe(second)
  await expect(readAt('12:03:30')).rejects.toThrow()
  await sql`alter table item_away rename to item`.execute(test.db)
  expect(await read()).toEqual(second)
})

test('a reading in progress when the cache is cleared is not kept', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db, statements } = counted(test.db)
  const catalog = createCatalog({ db, clock: fixedClock(today) })
  await catalog.cache.promotions()
  statements()
  const before = catalog.cache.itemsOfLine('kestrel', 'alltide-as2')
  catalog.cache.clear()
  await before
  await catalog.cache.itemsOfLine('kestrel', 'alltide-as2')
  expect(statements()).toBe(2)
})

test('a failed reading is not cached', async () => {
  await using test = await createTestDatabase({ from: 'empty' })
  const catalog = createCatalog({ db: test.db, clock: fixedClock(today) })
  await sql`alter table item rename to item_away`.execute(test.db)
  await expect(catalog.cache.itemsOfSizes(['225-65r17'])).rejects.toThrow()
  await sql`alter table item_away rename to item`.execute(test.db)
  expect(await catalog.cache.itemsOfSizes(['225-65r17'])).toEqual(new Map([['225-65r17', []]]))
})

test('lists what the tables hold', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db } = test
  const catalog = createCatalog({ db, clock: fixedClock(today) })
  const size = await listTires(catalog, { scope: ofSize('225-65r17'), query: plainQuery })
  if (!size.ok) throw new Error(size.reason)
  const { rows } = await sql<{ value: string; count: number }>`
    select b.slug as value, count(*) from item i join size s on s.id = i.size_id join product_line l on l.id = i.product_line_id join brand b on b.id = l.brand_id
    where s.slug = '225-65r17' and i.active group by b.id order by b.name`.execute(db)
  expect(
    size.value.facets.find(({ name }) => name === 'brand')?.options.map(({ value, count }) => ({ value, count })),
  ).toEqual(rows)
  expect(size.value).toMatchObject({
    total: await itemsInSize(db),
    inScope: await itemsInSize(db),
    names: { sizes: [{ front: '225/65R17', rear: '225/65R17' }], brand: null },
  })
  expect(size.value.picks).toHaveLength(5)

  const [offer] = size.value.offers
  const row = await db
    .selectFrom('item')
    .select(['sku', 'retail_cents', 'load_index', 'oldest_dot_week'])
    .where('id', '=', offer!.items[0].id)
    .executeTakeFirstOrThrow()
  const stock = await db
    .selectFrom('stock')
    .select(['warehouse_id', 'on_hand'])
    .where('item_id', '=', offer!.items[0].id)
    .where('on_hand', '>', 0)
    .orderBy('warehouse_id')
    .execute()
  expect(offer!.items[0]).toMatchObject({
    sku: row.sku,
    retailCents: row.retail_cents,
    loadIndex: row.load_index,
    oldestDotWeek: row.oldest_dot_week,
    stock: stock.map((at) => [at.warehouse_id, at.on_hand]),
  })
})

test('a brand, type or category across sizes shows its lines, from their lowest price', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const { db } = test
  const catalog = createCatalog({ db, clock: fixedClock(today) })
  for (const scope of [
    { brand: 'kestrel' },
    { type: 'all-season' },
    { category: 'studless-winter' },
    { brand: 'tarn', type: 'winter' },
  ]) {
    const lines = await listTires(catalog, { scope, query: { ...plainQuery, pageSize: 96 } })
    if (!lines.ok) throw new Error(lines.reason)
    expect(lines.value.total).toBe(
      await numberOf(
        db,
        sql`
        select count(distinct l.id) as n from item i join product_line l on l.id = i.product_line_id join brand b on b.id = l.brand_id join category c on c.slug = l.category_slug
        where i.active and (${scope.brand ?? null}::text is null or b.slug = ${scope.brand ?? null}) and (${scope.type ?? null}::text is null or c.type_slug = ${scope.type ?? null})
          and (${scope.category ?? null}::text is null or c.slug = ${scope.category ?? null})`,
      ),
    )
    for (const offer of lines.value.offers) {
      const line = await db
        .selectFrom('item')
        .select((eb) => [eb.fn.min('retail_cents').as('from'), eb.fn.count<number>('size_id').distinct().as('sizes')])
        .where('product_line_id', '=', offer.line.id)
        .where('active', '=', true)
        .executeTakeFirstOrThrow()
      expect(offer.sizes).toBe(line.sizes)
      // Promotions only lower it.
      expect(offer.perTireCents).toBeLessThanOrEqual(line.from)
    }
  }
})

const corvette: Requirement = {
  source: 'catalog',
  vehicleClass: 'car',
  drive: 'rwd',
  make: 'Chevrolet',
  modelYear: 2020,
  configurations: [{ front: parseTire('245/35ZR19 89Y')!, rear: parseTire('305/30ZR20 99Y')! }],
}

test('a staggered vehicle gets sets of one line, front and rear in their own sizes', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: test.db, clock: fixedClock(today) })
  const sets = await listTires(catalog, {
    scope: { sizes: sizePairsOf(corvette) },
    query: plainQuery,
    requirement: corvette,
    vehicleName: 'Corvette',
  })
  if (!sets.ok) throw new Error(sets.reason)
  expect(sets.value.total).toBeGreaterThan(3)
  for (const { items, line } of sets.value.offers) {
    expect(items.map(({ size }) => size.designation)).toEqual(['245/35R19', '305/30R20'])
    expect(items.every((item) => item.line.id === line.id)).toBe(true)
  }
  expect(sets.value.offers[0]?.fitment).toMatchObject({
    verdict: 'fits_with_conditions',
    text: 'Factory size for your Corvette; confirm it once on your door label',
    factorySize: 'Factory size for your Corvette',
  })
})

test('an empty listing names the closest nonempty ones', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const catalog = createCatalog({ db: test.db, clock: fixedClock(today) })
  const alternatives = async (scope: ListingScope) => {
    const listing = await listTires(catalog, { scope, query: plainQuery })
    if (listing.ok) throw new Error('There is something.')
    return listing.detail.map(({ place: { size, brand, type }, count }) => ({ size, brand, type, count }))
  }
  const narrowed = await alternatives(ofSize('225-65r17', { brand: 'kestrel', type: 'mud-terrain' }))
  expect(narrowed).toEqual([
    {
      size: '225-65r17',
      brand: 'kestrel',
      type: undefined,
      count: await countOffers(catalog, ofSize('225-65r17', { brand: 'kestrel' })),
    },
  ])
  // A size without tires yet, and one on a separate rim.
  await test.db
    .insertInto('size')
    .values([
      {
        designation: '215/60R17',
        slug: '215-60r17',
        kind: 'P',
        section_width_mm: 215,
        aspect: 60,
        rim_in: 17,
        overall_diameter_mm: 689.8,
      },
      {
        designation: '195/50R25',
        slug: '195-50r25',
        kind: 'P',
        section_width_mm: 195,
        aspect: 50,
        rim_in: 25,
        overall_diameter_mm: 830,
      },
    ])
    .execute()
  const near = await alternatives(ofSize('215-60r17'))
  expect(near.map(({ size }) => size).slice(0, 2)).toEqual(['215-55r17', '225-50r17'])
  for (const { size, count } of near) expect(count).toBe(await countOffers(catalog, ofSize(size!)))
  expect(await alternatives(ofSize('195-50r25'))).toEqual([])
  expect(await alternatives({ brand: 'nobody' })).toEqual([])
})
