import { expect, test } from 'vitest'
import { counting } from '#domain/supply/delivery/delivery.testing.ts'
import { createDatabase } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { lookUpAttempts } from '#domain/ordering/orders/look-up-limits.port.ts'
import { createLookUpLimits } from './look-up-limits.ts'
import { forgetOldAttempts } from './shared-limiter.ts'

test('an order allows five wrong attempts in total, from any network', async () => {
  await using database = await createTestDatabase()
  const limits = createLookUpLimits({ db: database.db, networkFactor: 1 })
  const attempts = await Promise.all(
    Array.from({ length: 8 }, (_, index) => limits.take({ orderId: 104_001, from: `203.0.113.${index}` })),
  )
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(lookUpAttempts.perOrder)
  expect(await limits.take({ orderId: 104_002, from: '203.0.113.1' })).toMatchObject({ ok: true })
})

test('a network address gets thirty wrong attempts, over all orders', async () => {
  await using database = await createTestDatabase()
  const limits = createLookUpLimits({ db: database.db, networkFactor: 1 })
  const attempts = await Promise.all(
    Array.from({ length: 40 }, (_, index) => limits.take({ orderId: index + 1, from: '203.0.113.1' })),
  )
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(lookUpAttempts.perAddress)
})

test('correct attempts do not count', async () => {
  await using database = await createTestDatabase()
  const limits = createLookUpLimits({ db: database.db, networkFactor: 1 })
  for (let index = 0; index < 20; index++) {
    expect(await limits.take({ orderId: 104_001, from: '203.0.113.1' })).toMatchObject({ ok: true })
    await limits.giveBack({ orderId: 104_001, from: '203.0.113.1' })
  }
})

test('two web processes share one allowance', async () => {
  await using database = await createTestDatabase()
  const other = createDatabase(database.url, { size: 2 })
  const processes = [
    createLookUpLimits({ db: database.db, networkFactor: 1 }),
    createLookUpLimits({ db: other, networkFactor: 1 }),
  ]
  const attempt = { orderId: 104_001, from: '203.0.113.1' }
  const attempts = await Promise.all(Array.from({ length: 8 }, (_, index) => processes[index % 2]!.take(attempt)))
  await other.destroy()
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(lookUpAttempts.perOrder)
})

test('an expired window allows the full number again, and is deleted', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const limits = createLookUpLimits({ db, networkFactor: 1 })
  const attempt = { orderId: 104_001, from: '203.0.113.1' }
  for (let index = 0; index <= lookUpAttempts.perOrder; index++) await limits.take(attempt)
  expect(await limits.take(attempt)).toMatchObject({ ok: false })
  await db.updateTable('attempt_count').set({ expire: 1 }).execute()
  expect(await limits.take(attempt)).toMatchObject({ ok: true })

  const ends = (await db.selectFrom('attempt_count').select('expire').orderBy('expire').execute()).map(
    ({ expire }) => expire,
  )
  expect(ends).toHaveLength(2)
  await forgetOldAttempts(db, Temporal.Instant.fromEpochMilliseconds(ends[0]!))
  expect(await db.selectFrom('attempt_count').select('key').execute()).toHaveLength(2)
  await forgetOldAttempts(db, Temporal.Instant.fromEpochMilliseconds(ends[1]! + 1))
  expect(await db.selectFrom('attempt_count').select('key').execute()).toEqual([])
})

test('repeated attempts beyond the limit are refused without looking up the order', async () => {
  await using database = await createTestDatabase()
  const { count, db } = counting(database.db)
  const limits = createLookUpLimits({ db, networkFactor: 1 })
  const attempt = { orderId: 104_001, from: '203.0.113.1' }
  for (let index = 0; index < 2 * lookUpAttempts.perOrder; index++) await limits.take(attempt)
  const before = count()
  expect(await limits.take(attempt)).toMatchObject({ ok: false })
  expect(count() - before).toBe(1)
})
