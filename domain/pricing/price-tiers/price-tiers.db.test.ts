import { expect, test } from 'vitest'
import { accountDeps, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { endGrant, findGrant, grantType, readPriceTier, type NewGrant } from './price-tiers.server.ts'
import { retailPriceTier } from './price-tiers.ts'

const noon = Temporal.Instant.from('2026-11-20T17:00:00Z')
const clockAt = (now: Temporal.Instant) => ({ clock: fixedClock(now) })

async function newAccount(db: Database): Promise<string> {
  return (await signInAs(accountDeps(db))).accountId
}

test('an account buys at retail until it is granted a type, and after that ends', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const accountId = await newAccount(db)
  expect(await readPriceTier(db, accountId, noon)).toEqual(retailPriceTier)
  const until = noon.add({ hours: 48 })
  await grantType(
    { db, ...clockAt(noon) },
    { accountId, type: 'EPP', how: 'invitation', until, by: 'Sam of personnel' },
  )
  expect(await readPriceTier(db, accountId, noon)).toMatchObject({ accountType: 'EPP', priceListId: null })
  expect(await findGrant(db, accountId, noon)).toEqual({
    type: 'EPP',
    how: 'invitation',
    since: noon,
    until,
    by: 'Sam of personnel',
    reason: null,
  })
  expect(await readPriceTier(db, accountId, until.subtract({ milliseconds: 1 }))).toMatchObject({ accountType: 'EPP' })
  expect(await readPriceTier(db, accountId, until)).toEqual(retailPriceTier)
})

test('another type replaces the first, which stays on record', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const accountId = await newAccount(db)
  const give = (type: 'Fleet' | 'WholeSale', at: Temporal.Instant) =>
    grantType({ db, ...clockAt(at) }, { accountId, type, how: 'staff', until: null, by: 'Sam' })
  await give('Fleet', noon)
  await give('WholeSale', noon.add({ hours: 1 }))
  expect(await readPriceTier(db, accountId, noon)).toMatchObject({ accountType: 'Fleet' })
  expect(await readPriceTier(db, accountId, noon.add({ hours: 1 }))).toMatchObject({ accountType: 'WholeSale' })
  await give('Fleet', noon.add({ hours: 1 }))
  expect(await readPriceTier(db, accountId, noon.add({ hours: 1 }))).toMatchObject({ accountType: 'Fleet' })
})

test('a type is ended only for accounts that still have it', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const accountId = await newAccount(db)
  await grantType(
    { db, ...clockAt(noon) },
    { accountId, type: 'Retail Member', how: 'purchase', until: null, by: 'membership' },
  )
  const later = noon.add({ hours: 1 })
  await endGrant({ db, ...clockAt(later) }, { accountId, type: 'Fleet' })
  expect(await readPriceTier(db, accountId, later)).toMatchObject({ accountType: 'Retail Member' })
  await endGrant({ db, ...clockAt(later) }, { accountId, type: 'Retail Member' })
  expect(await readPriceTier(db, accountId, later)).toEqual(retailPriceTier)
})

test('a paid type returns when its replacement ends, until its paid end', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const accountId = await newAccount(db)
  const hours = (count: number) => noon.add({ hours: count })
  const give = (at: Temporal.Instant, grant: Pick<NewGrant, 'type' | 'how' | 'until'>) =>
    grantType({ db, ...clockAt(at) }, { accountId, by: 'test', ...grant })
  const take = (at: Temporal.Instant, type: NewGrant['type']) => endGrant({ db, ...clockAt(at) }, { accountId, type })
  const typeAt = async (at: Temporal.Instant) => (await readPriceTier(db, accountId, at)).accountType

  await give(noon, { type: 'Retail Member', how: 'purchase', until: hours(100) })
  await give(hours(1), { type: 'Fleet', how: 'invitation', until: null })
  await take(hours(2), 'Fleet')
  expect(await findGrant(db, accountId, hours(2))).toMatchObject({
    type: 'Retail Member',
    how: 'purchase',
    since: hours(2),
    until: hours(100),
  })
  expect(await typeAt(hours(100))).toBe('Retail')

  // It does not return if refunded while replaced, if it has ended by then, or if it was not paid for.
  await give(hours(3), { type: 'Fleet', how: 'invitation', until: null })
  await take(hours(4), 'Retail Member')
  await take(hours(5), 'Fleet')
  expect(await typeAt(hours(5))).toBe('Retail')
  await give(hours(6), { type: 'Retail Member', how: 'purchase', until: hours(8) })
  await give(hours(7), { type: 'Partner Program', how: 'invitation', until: hours(90) })
  await give(hours(7), { type: 'Fleet', how: 'invitation', until: null })
  await take(hours(9), 'Fleet')
  expect(await typeAt(hours(9))).toBe('Retail')
})

test('two simultaneous grants leave one type', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const accountId = await newAccount(db)
  await Promise.all(
    (['Fleet', 'EPP', 'WholeSale', 'Partner Program'] as const).map((type) =>
      db
        .transaction()
        .execute((tx) =>
          grantType({ db: tx, ...clockAt(noon) }, { accountId, type, how: 'staff', until: null, by: 'Sam' }),
        ),
    ),
  )
  const { count } = await db
    .selectFrom('account_grant')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(1)
})

test('the database refuses two types at one time', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const accountId = await newAccount(db)
  const row = (id: string, type: string) => ({
    id,
    account_id: accountId,
    type,
    how: 'staff',
    granted_by: 'Sam',
    starts_at: noon,
  })
  await db.insertInto('account_grant').values(row('00000000-0000-4000-8000-000000000001', 'Fleet')).execute()
  await expect(
    db.insertInto('account_grant').values(row('00000000-0000-4000-8000-000000000002', 'EPP')).execute(),
  ).rejects.toThrow('account_grant_one_at_a_time')
})

test("a type's list comes with its version, which every rule change raises", async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const accountId = await newAccount(db)
  await grantType({ db, ...clockAt(noon) }, { accountId, type: 'Fleet', how: 'staff', until: null, by: 'Sam' })
  const { id } = await db
    .insertInto('price_list')
    .values({ slug: 'fleet', name: 'Fleet', account_type: 'Fleet' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await readPriceTier(db, accountId, noon)).toMatchObject({ priceListId: id, priceListVersion: 1 })
  await db
    .insertInto('price_rule')
    .values({ price_list_id: id, kind: 'percent-off', rate_ppm: 80_000, starts_at: noon })
    .execute()
  expect(await readPriceTier(db, accountId, noon)).toMatchObject({ priceListVersion: 2 })
  await db.updateTable('price_rule').set({ rate_ppm: 90_000 }).execute()
  await db.deleteFrom('price_rule').execute()
  expect(await readPriceTier(db, accountId, noon)).toMatchObject({ priceListVersion: 4 })
})
