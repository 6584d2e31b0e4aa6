import { expect, test } from 'vitest'
import { accountPrice } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { AccountType } from '#domain/pricing/pricing/pricing.ts'
import { buyerAt, buyerBy } from '#domain/pricing/price-tiers/price-tiers.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { catalogFor, createCatalog, listDeals, listTires, type Catalog, type ListingScope } from './catalog.server.ts'
import { plainQuery } from './catalog.ts'
import { counted } from './catalog.testing.ts'

const inSize: ListingScope = { sizes: [{ front: '225-65r17', rear: '225-65r17' }] }
const byPrice = { ...plainQuery, sort: 'price' as const, pageSize: 96 as const }

async function offersOf(catalog: Catalog, scope: ListingScope) {
  const found = await listTires(catalog, { scope, query: byPrice })
  if (!found.ok) throw new Error(found.reason)
  return found.value
}

/** Sets costs that do not follow the retail prices. */
async function giveCosts(db: Database): Promise<void> {
  await db.updateTable('item').set({ cost_cents: null }).execute()
  await db
    .updateTable('item')
    .set((eb) => ({ cost_cents: eb('retail_cents', '-', eb('id', '%', 5_000)) }))
    .where('retail_cents', '>', 5_000)
    .where('id', '>', 0)
    .execute()
}

test("a listing shows, sorts and filters by its buyer's prices, and retail is unaffected", async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const shared = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  const retail = await offersOf(shared, inSize)
  const cheapest = retail.offers[0]?.items[0]
  const dearest = retail.offers.at(-1)?.items[0]
  if (!cheapest || !dearest) throw new Error('Nothing is sold in the size.')
  const fleet = catalogFor(
    shared,
    buyerBy('Fleet', [
      [
        { kind: 'item', id: dearest.id },
        { kind: 'fixed', amountCents: 3_000 },
      ],
    ]),
  )
  const theirs = await offersOf(fleet, inSize)
  expect(theirs.offers[0]).toMatchObject({
    key: String(dearest.id),
    perTireCents: 3_000,
    prices: [{ account: { type: 'Fleet', unitCents: 3_000 } }],
  })
  expect(theirs.fromCents).toBe(3_000)
  const upTo100 = await listTires(fleet, {
    scope: inSize,
    query: { ...byPrice, filters: { ...plainQuery.filters, price: { min: null, max: 31 } } },
  })
  expect(upTo100).toMatchObject({ ok: true, value: { total: 1 } })
  expect(await offersOf(shared, inSize)).toEqual(retail)
})

test('an account sees a deal only where it lowers its price; members see all of them', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const shared = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  const all = await listDeals(shared)
  const idsFor = async (type: AccountType, cents: number) =>
    (await listDeals(catalogFor(shared, buyerAt(type, cents)))).map(({ promotion: { id } }) => id)
  expect(all.filter(({ offer }) => offer).length).toBeGreaterThan(0)
  expect(await idsFor('Fleet', 1)).toEqual(all.filter(({ offer }) => !offer).map(({ promotion: { id } }) => id))
  for (const type of ['Fleet', 'Retail Member'] as const)
    expect(await idsFor(type, 1_000_000)).toEqual(all.map(({ promotion: { id } }) => id))
})

test('no tire, set or line costs an account more than retail', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const shared = createCatalog({ db: database.db, clock: fixedClock(smallDataMadeAt) })
  const staggered: ListingScope = { sizes: [{ front: '225-65r17', rear: '235-60r18' }] }
  for (const scope of [inSize, staggered, {}]) {
    const retail = await offersOf(shared, scope)
    const costs = new Map(retail.offers.map(({ key, perTireCents }) => [key, perTireCents]))
    expect(costs.size).toBeGreaterThan(0)
    const percent = buyerBy('Partner Program', [[{ kind: 'every-tire' }, { kind: 'percent-off', ratePpm: 60_000 }]])
    const theirs = (await offersOf(catalogFor(shared, percent), scope)).offers
    for (const { key, perTireCents, prices } of theirs) {
      expect(perTireCents, key).toBeLessThanOrEqual(costs.get(key) ?? Infinity)
      // One label for all tires bought together.
      expect(new Set(prices.map(({ label }) => label)).size).toBe(1)
    }
    expect(theirs.some(({ prices: [{ label }] }) => label === null)).toBe(true)
    expect(theirs.some(({ prices: [{ label }] }) => label !== null)).toBe(true)
  }
})

test('accounts with the same price list share cached results', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db, statements } = counted(database.db)
  const shared = createCatalog({ db, clock: fixedClock(smallDataMadeAt) })
  const buyer = buyerAt('Fleet', 9_000)
  const first = await offersOf(catalogFor(shared, buyer), inSize)
  statements()
  const second = await offersOf(catalogFor(shared, buyer), inSize)
  expect(statements()).toBe(0)
  expect(second.offers[0]).toBe(first.offers[0])
})

test.each<[says: string, rules: Parameters<typeof buyerBy>[1]]>([
  [
    'percent off a brand',
    [
      [
        { kind: 'brand', id: 1 },
        { kind: 'percent-off', ratePpm: 200_000 },
      ],
    ],
  ],
  [
    'a price for a size',
    [
      [
        { kind: 'size', slug: '225-65r17' },
        { kind: 'fixed', amountCents: 4_321 },
      ],
    ],
  ],
  ['cost plus', [[{ kind: 'every-tire' }, { kind: 'cost-plus', ratePpm: 20_000, amountCents: 100 }]]],
  [
    'a weaker rule for a size beside a stronger one for all',
    [
      [
        { kind: 'size', slug: '225-65r17' },
        { kind: 'percent-off', ratePpm: 10_000 },
      ],
      [{ kind: 'every-tire' }, { kind: 'cost-plus', ratePpm: 0, amountCents: 50 }],
    ],
  ],
])('a line is priced from its cheapest article under %s', async (_says, rules) => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  await giveCosts(db)
  await db.deleteFrom('promotion').execute()
  const buyer = buyerBy('Fleet', rules)
  const pricing = await buyer.pricing()
  const items = await db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .select([
      'item.id',
      'product_line_id as lineId',
      'brand_id as brandId',
      'size.slug as sizeSlug',
      'retail_cents as retailCents',
      'cost_cents as costCents',
    ])
    .select('fet_cents as fetCents')
    .where('item.active', '=', true)
    .execute()
  const lowest = new Map<string, number>()
  for (const item of items) {
    const cents = ((pricing && accountPrice(pricing, item)?.unitCents) ?? item.retailCents) + item.fetCents
    lowest.set(`line-${item.lineId}`, Math.min(lowest.get(`line-${item.lineId}`) ?? Infinity, cents))
  }
  const shared = createCatalog({ db, clock: fixedClock(smallDataMadeAt) })
  const { offers } = await offersOf(catalogFor(shared, buyer), {})
  expect(offers.length).toBeGreaterThan(10)
  expect(Object.fromEntries(offers.map(({ key, perTireCents }) => [key, perTireCents]))).toEqual(
    Object.fromEntries(offers.map(({ key }) => [key, lowest.get(key)])),
  )
})
