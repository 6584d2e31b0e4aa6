import { expect, test } from 'vitest'
import { accountDeps, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { counted } from '#domain/catalog/catalog/catalog.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createBuyer, createPriceLists, grantType } from './price-tiers.server.ts'

const noon = Temporal.Instant.from('2026-11-20T17:00:00Z')

test("a buyer's list is read once per version, and changes with its dates without another reading", async () => {
  await using database = await createTestDatabase()
  const { accountId } = await signInAs(accountDeps(database.db))
  const clock = fixedClock(noon)
  await grantType({ db: database.db, clock }, { accountId, type: 'EPP', how: 'staff', until: null, by: 'Sam' })
  const { id } = await database.db
    .insertInto('price_list')
    .values({ slug: 'epp', name: 'Staff', account_type: 'EPP' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const week = noon.add({ hours: 168 })
  const rule = { price_list_id: id, kind: 'percent-off', starts_at: noon }
  await database.db
    .insertInto('price_rule')
    .values({ ...rule, rate_ppm: 100_000, ends_at: week })
    .execute()

  const { db, statements } = counted(database.db)
  const priceLists = createPriceLists(db)
  const rates = async () => {
    const pricing = await createBuyer({ db, clock, priceLists }, async () => accountId).pricing()
    return [...(pricing?.list?.rules.values() ?? [])].map(({ formula }) =>
      formula.kind === 'percent-off' ? formula.ratePpm : null,
    )
  }
  expect(await rates()).toEqual([100_000])
  expect(statements()).toBe(2) // The price tier, and the rules of the list.
  expect(await rates()).toEqual([100_000])
  expect(statements()).toBe(1)
  clock.set(week)
  expect(await rates()).toEqual([])
  expect(statements()).toBe(1)
  await database.db
    .insertInto('price_rule')
    .values({ ...rule, rate_ppm: 50_000, starts_at: week })
    .execute()
  expect(await rates()).toEqual([50_000])
  expect(statements()).toBe(2)
})

test('rules of one scope never overlap in time, and each has the fields of its kind', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const { id } = await db
    .insertInto('price_list')
    .values({ slug: 'fleet', name: 'Fleet', account_type: 'Fleet' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const add = (values: {
    kind?: string
    rate_ppm?: number
    amount_cents?: number
    starts_at?: Temporal.Instant
    ends_at?: Temporal.Instant
  }) =>
    db
      .insertInto('price_rule')
      .values({ price_list_id: id, kind: 'percent-off', starts_at: noon, ...values })
      .execute()
  await add({ rate_ppm: 80_000, ends_at: noon.add({ hours: 24 }) })
  await expect(add({ rate_ppm: 90_000, starts_at: noon.add({ hours: 23 }) })).rejects.toThrow(
    'price_rule_one_at_a_time',
  )
  await add({ rate_ppm: 90_000, starts_at: noon.add({ hours: 24 }) })
  const later = noon.subtract({ hours: 48 })
  await expect(add({ kind: 'fixed', starts_at: later, ends_at: later.add({ hours: 1 }) })).rejects.toThrow(
    'price_rule_amounts',
  )
  await expect(add({ amount_cents: 100, starts_at: later, ends_at: later.add({ hours: 1 }) })).rejects.toThrow(
    'price_rule_amounts',
  )
  await expect(add({ kind: 'cost-plus', starts_at: later, ends_at: later.add({ hours: 1 }) })).rejects.toThrow(
    'price_rule_amounts',
  )
})
