import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { installReferenceData } from '#db/reference/reference-data.ts'
import { inviteStaff } from '#domain/kernel/staff/staff.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { systemClock } from '#platform/clock.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { seed } from './seed.ts'

const now = Temporal.Instant.from('2026-11-20T15:00:00Z')

test('the small demo loads completely, and only once', async () => {
  await using database = await createTestDatabase()
  const { db, url } = database
  const lines: string[] = []
  await seed(url, { scale: 'small', now, log: (line) => void lines.push(line) })
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from zip) as zips, (select count(*) from item) as items, (select count(*) from shop) as shops, (select count(*) from review) as reviews,
      (select count(*) from line_rating) as ratings, (select count(*) from promotion) as promotions,
      (select count(*) from product_line where not exists (select from item where product_line_id = product_line.id)) as empty_lines`.execute(
    db,
  )
  expect(rows[0]).toMatchObject({ zips: 42_744, items: 1_500, shops: 157, empty_lines: 0 })
  expect(rows[0]?.reviews).toBeGreaterThan(700)
  expect(rows[0]?.ratings).toBeGreaterThan(100)
  expect(rows[0]?.promotions).toBeGreaterThan(300)

  const thin = await db
    .selectFrom('size')
    .innerJoin('item', 'item.size_id', 'size.id')
    .where((eb) => eb.exists(eb.selectFrom('oe_fitment').select('id').whereRef('front_size', '=', 'size.designation')))
    .where((eb) =>
      eb.exists(eb.selectFrom('stock').select('item_id').whereRef('item_id', '=', 'item.id').where('on_hand', '>=', 4)),
    )
    .groupBy('designation')
    .having((eb) => eb.fn.countAll(), '<', 8)
    .select('designation')
    .execute()
  expect(thin).toEqual([])

  // Identity columns continue, and seeding again has no effect.
  const brand = await db
    .insertInto('brand')
    .values({ slug: 'new', name: 'New', tier: 'mid', about: '', wordmark: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(brand.id).toBe(18)
  await seed(url, { scale: 'default', now, log: (line) => void lines.push(line) })
  expect(lines.at(-1)).toBe('Demo data is there (small)')
  expect(
    (
      await db
        .selectFrom('item')
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  ).toBe(1_500)
})

test('two concurrent seeds create one data set', async () => {
  await using database = await createTestDatabase()
  const { db, url } = database
  await Promise.all([
    seed(url, { scale: 'empty', now, log: () => {} }),
    seed(url, { scale: 'empty', now, log: () => {} }),
  ])
  const { rows } = await sql<{ runs: number; brands: number; vehicles: number }>`
    select (select count(*) from seed_run) as runs, (select count(*) from brand) as brands, (select count(*) from vehicle) as vehicles`.execute(
    db,
  )
  expect(rows[0]).toMatchObject({ runs: 1, brands: 0 })
  expect(rows[0]?.vehicles).toBeGreaterThan(12_000)
})

test('doesn’t modify the database of a store with staff', async () => {
  await using database = await createTestDatabase()
  const { db, url } = database
  await installReferenceData(url)
  const invited = await inviteStaff({ db, clock: systemClock }, desk, {
    email: 'oona@example.com',
    role: 'owner',
    lastDay: null,
  })
  expect(invited.ok).toBe(true)
  const said: string[] = []
  await seed(url, { scale: 'small', now, log: (line) => said.push(line) })
  expect(said).toEqual(['The database already has data. Skipping demo data'])
  expect(await db.selectFrom('brand').select('id').execute()).toEqual([])
})
