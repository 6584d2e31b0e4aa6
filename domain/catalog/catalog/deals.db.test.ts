import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { DAILY_DEAL_MAX_PPM } from '#platform/business-constants.ts'
import {
  createCatalog,
  dealsAlike,
  findDeal,
  findRebate,
  listDeals,
  listDealsDuring,
  listRebates,
} from './catalog.server.ts'
import { saleOf } from './catalog.ts'

const now = smallDataMadeAt
const catalogAt = (db: Database, at = now) => createCatalog({ db, clock: fixedClock(at) })

const deal = {
  slug: 'test-deal',
  name: 'Test deal',
  headline: 'Save',
  kind: 'Percentage',
  amount: DAILY_DEAL_MAX_PPM / 10_000,
  funded_by: 'store',
  daily: true,
  starts_at: '2026-11-20T05:00:00Z',
  ends_at: '2026-11-21T05:00:00Z',
}

async function refusalOf(statement: Promise<unknown>): Promise<string | undefined> {
  return statement.then(
    () => undefined,
    (error: unknown) => violatedConstraint(error),
  )
}

test('the schema limits a daily deal to 20% off and one day', async () => {
  await using database = await createTestDatabase()
  const insert = (change: Partial<typeof deal>) =>
    refusalOf(
      database.db
        .insertInto('promotion')
        .values({ ...deal, ...change })
        .execute(),
    )
  expect(await insert({})).toBeUndefined()
  // The day clocks are set back.
  expect(
    await insert({ slug: 'long-day', starts_at: '2026-11-01T04:00:00Z', ends_at: '2026-11-02T05:00:00Z' }),
  ).toBeUndefined()
  const limit = 'promotion_daily_at_most_a_fifth'
  expect(await insert({ slug: 'a', amount: deal.amount + 1 })).toBe(limit)
  expect(await insert({ slug: 'b', kind: 'Flat Amount', amount: 500 })).toBe(limit)
  expect(await insert({ slug: 'c', kind: 'Buy3Get1', amount: 0 })).toBe(limit)
  expect(await insert({ slug: 'd', ends_at: '2026-11-21T06:00:01Z' })).toBe(limit)
  expect(await insert({ slug: 'e', amount: deal.amount + 1, daily: false })).toBeUndefined()
  expect(
    await refusalOf(database.db.updateTable('promotion').set({ daily: true }).where('slug', '=', 'e').execute()),
  ).toBe(limit)
  for (const slug of ['black-friday-sale', 'cyber-monday-sale', 'kestrel-60-rebate'])
    expect(await insert({ slug, daily: false })).toBe('promotion_slug_is_free')
})

test('a rebate has one subject and one way to claim it, and no claim date before the purchase', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const brand = await db.selectFrom('brand').select('id').orderBy('id').executeTakeFirstOrThrow()
  const line = await db.selectFrom('product_line').select('id').orderBy('id').executeTakeFirstOrThrow()
  const rebate = {
    slug: 'test-rebate',
    name: 'Test',
    amount_cents: 5_000,
    units: 4,
    paid_as: 'check',
    brand_id: brand.id as number | null,
    product_line_id: null as number | null,
    form_url: null as string | null,
    mail_to: 'Here' as string | null,
    starts_at: '2026-11-01T04:00:00Z',
    ends_at: '2026-12-01T05:00:00Z',
    last_claim_on: '2026-12-31',
  }
  const insert = (change: Partial<typeof rebate>) =>
    refusalOf(
      db
        .insertInto('rebate')
        .values({ ...rebate, ...change })
        .execute(),
    )
  expect(await insert({ product_line_id: line.id })).toMatch(/check/)
  expect(await insert({ brand_id: null })).toMatch(/check/)
  expect(await insert({ form_url: 'https://maker.example/form' })).toMatch(/check/)
  expect(await insert({ mail_to: null, form_url: 'javascript:alert(1)' })).toMatch(/form_url/)
  expect(await insert({ last_claim_on: '2026-11-30' })).toMatch(/check/)
  expect(await insert({ slug: 'test' })).toMatch(/slug/)
  expect(await insert({})).toBeUndefined()
})

test('a rebate never changes the price', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const tags = async () => {
    const prices = await catalogAt(db).cache.prices()
    const items = await catalogAt(db).cache.itemsOfLine('kestrel', 'alltide-as2')
    return {
      prices: items.map((item) => prices.priceOf(item).unitCents),
      rebates: items.map((item) => prices.rebateOf(item)?.amountCents),
    }
  }
  const before = await tags()
  expect(new Set(before.rebates)).toEqual(new Set([6_000]))
  await db.deleteFrom('rebate').execute()
  const after = await tags()
  expect(after.prices).toEqual(before.prices)
  expect(new Set(after.rebates)).toEqual(new Set([undefined]))
})

test('deals run from their first moment to just before their last', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const midnight = Temporal.Instant.from('2026-11-21T05:00:00Z')
  const daily = async (at: Temporal.Instant) =>
    (await listDeals(catalogAt(db, at))).flatMap(({ promotion }) => (promotion.daily ? [promotion.slug] : []))
  const [today, tomorrow] = [await daily(midnight.subtract({ microseconds: 1 })), await daily(midnight)]
  expect(today.length).toBeGreaterThan(0)
  expect(tomorrow.length).toBeGreaterThan(0)
  expect(today.every((slug) => slug.startsWith('daily-2026-11-20'))).toBe(true)
  expect(tomorrow.every((slug) => slug.startsWith('daily-2026-11-21'))).toBe(true)

  const slug = today[0] ?? ''
  const stateAt = async (at: Temporal.Instant) => (await findDeal(catalogAt(db, at), slug))?.state
  expect(await stateAt(Temporal.Instant.from('2026-11-20T04:59:59Z'))).toBe('coming')
  expect(await stateAt(midnight.subtract({ microseconds: 1 }))).toBe('running')
  expect(await stateAt(midnight)).toBe('ended')
  expect(await findDeal(catalogAt(db), 'never-was')).toBeUndefined()
})

test('a deal page lists its tires at the deal price', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const catalog = catalogAt(database.db)
  const found = await findDeal(catalog, 'kestrel-alltide-as2-16-off')
  expect(found).toMatchObject({
    state: 'running',
    subject: { brand: { slug: 'kestrel' }, line: { slug: 'alltide-as2' }, size: null },
  })
  expect(found?.count).toBeGreaterThan(0)
  for (const { prices } of (found?.models ?? []).flatMap(({ offer, others }) => [offer, ...others]))
    expect(prices[0].promotions.map(({ slug }) => slug)).toContain('kestrel-alltide-as2-16-off')
  // The versions in a size count as one entry, so the count is the model's number of sizes.
  const { rows } = await sql<{ sizes: number; items: number }>`
    select count(distinct size_id) as sizes, count(*) as items from item
    join product_line line on line.id = product_line_id where line.slug = 'alltide-as2' and active`.execute(database.db)
  expect(rows[0]?.items).toBeGreaterThan(Number(rows[0]?.sizes))
  expect(found?.count).toBe(Number(rows[0]?.sizes))
  const sizes = found?.models.map(({ offer }) => offer.items[0].size.slug)
  expect(new Set(sizes).size).toBe(sizes?.length)
  // An upcoming deal shows its future price.
  const coming = await database.db
    .selectFrom('promotion')
    .select('slug')
    .where('daily', '=', true)
    .where('starts_at', '>', now.add({ hours: 48 }))
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const offer = (await findDeal(catalog, coming.slug))?.models[0]?.offer
  expect(offer?.prices[0].wasCents).toBeGreaterThan(offer?.prices[0].unitCents ?? Infinity)
})

test('an expired deal suggests deals on the same brand, then the same kind of tire', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const item = await db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'product_line_id')
    .select(['item.id'])
    .where('line.slug', '=', 'alltide-as2')
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('promotion')
    .values({
      ...deal,
      slug: 'was-once',
      item_id: item.id,
      starts_at: '2026-11-18T05:00:00Z',
      ends_at: '2026-11-19T05:00:00Z',
    })
    .execute()
  const catalog = catalogAt(db)
  const over = await findDeal(catalog, 'was-once')
  expect(over).toMatchObject({ state: 'ended', models: [] })
  const [first] = over ? await dealsAlike(catalog, over.subject) : []
  expect(first?.subject).toMatchObject({ brand: { slug: 'kestrel' }, line: { slug: 'alltide-as2' } })
})

test('a rebate can be claimed after its purchase period, and then expires', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const [rebate] = (await listRebates(catalogAt(db))).filter(({ rebate: { slug } }) => slug === 'kestrel-60-rebate')
  if (!rebate) throw new Error('The seed has no rebate on Kestrel.')
  const { startsAt, endsAt, claimBy } = rebate.rebate
  const lastMoment = Temporal.PlainDate.from(claimBy)
    .toZonedDateTime('America/New_York')
    .add({ days: 1 })
    .toInstant()
    .subtract({ nanoseconds: 1 })
  const stateAt = async (at: Temporal.Instant) => (await findRebate(catalogAt(db, at), 'kestrel-60-rebate'))?.state
  expect(await stateAt(startsAt.subtract({ nanoseconds: 1 }))).toBe('coming')
  expect(await stateAt(startsAt)).toBe('running')
  expect(await stateAt(endsAt)).toBe('claimable')
  expect(await stateAt(lastMoment)).toBe('claimable')
  expect(await stateAt(lastMoment.add({ nanoseconds: 1 }))).toBe('ended')
})

test('a sale shows upcoming deals before it starts, and current ones after', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const sale = saleOf('black-friday-sale', now)
  const [starts, ends] = [sale.starts.toInstant(), sale.ends.toInstant()]
  const slugs = async (at: Temporal.Instant) =>
    (await listDealsDuring(catalogAt(db, at), starts, ends)).map(({ promotion }) => promotion.slug)
  const before = await slugs(now)
  for (const day of ['2026-11-27', '2026-11-28', '2026-11-29'])
    expect(before.some((slug) => slug.startsWith(`daily-${day}`))).toBe(true)
  expect(before.some((slug) => slug.startsWith('daily-2026-11-30'))).toBe(false)
  const saturday = await slugs(starts.add({ hours: 30 }))
  expect(saturday.filter((slug) => slug.startsWith('daily')).every((slug) => slug.startsWith('daily-2026-11-28'))).toBe(
    true,
  )
  const { rows } = await sql<{
    slug: string
  }>`select slug from promotion where not daily and starts_at < ${ends} and ends_at > ${starts}`.execute(db)
  for (const { slug } of rows) expect(before).toContain(slug)
})
