import { expect, test } from 'vitest'
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { counting } from '#domain/supply/delivery/delivery.testing.ts'
import { createDatabase } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createRateLimits, forgetOldAttempts } from './rate-limits.ts'

test('an order allows five wrong attempts in total, from any network', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits(database)
  const attempts = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      limits.take('order-lookup', { order: 104_001, network: `203.0.113.${index}` }),
    ),
  )
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(rateLimits['order-lookup'].counts.order)
  expect(await limits.take('order-lookup', { order: 104_002, network: '203.0.113.1' })).toMatchObject({ ok: true })
})

test('a network address gets thirty wrong attempts, over all orders', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits(database)
  const attempts = await Promise.all(
    Array.from({ length: 40 }, (_, index) => limits.take('order-lookup', { order: index + 1, network: '203.0.113.1' })),
  )
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(rateLimits['order-lookup'].counts.network)
})

test('correct attempts do not count', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits(database)
  for (let index = 0; index < 20; index++) {
    expect(await limits.take('order-lookup', { order: 104_001, network: '203.0.113.1' })).toMatchObject({ ok: true })
    await limits.giveBack('order-lookup', { order: 104_001, network: '203.0.113.1' })
  }
})

test('two web processes share one allowance', async () => {
  await using database = await createTestDatabase()
  const other = createDatabase(database.url, { size: 2 })
  const processes = [createRateLimits(database), createRateLimits({ db: other, networkFactor: 1 })]
  const attempt = { order: 104_001, network: '203.0.113.1' }
  const attempts = await Promise.all(
    Array.from({ length: 8 }, (_, index) => processes[index % 2]!.take('order-lookup', attempt)),
  )
  await other.destroy()
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(rateLimits['order-lookup'].counts.order)
})

test('an expired window allows the full number again, and is deleted', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const limits = createRateLimits({ db })
  const attempt = { order: 104_001, network: '203.0.113.1' }
  for (let index = 0; index <= rateLimits['order-lookup'].counts.order; index++)
    await limits.take('order-lookup', attempt)
  expect(await limits.take('order-lookup', attempt)).toMatchObject({ ok: false })
  await db.updateTable('attempt_count').set({ expire: 1 }).execute()
  expect(await limits.take('order-lookup', attempt)).toMatchObject({ ok: true })

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
  const limits = createRateLimits({ db })
  const attempt = { order: 104_001, network: '203.0.113.1' }
  for (let index = 0; index < 2 * rateLimits['order-lookup'].counts.order; index++)
    await limits.take('order-lookup', attempt)
  const before = count()
  expect(await limits.take('order-lookup', attempt)).toMatchObject({ ok: false })
  expect(count() - before).toBe(1)
})

test('limits an order to five emailed codes an hour across all channels', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits(database)
  const asked = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      limits.take('order-code', { order: 104_001, network: `203.0.113.${index}` }),
    ),
  )
  expect(asked.filter(({ ok }) => ok)).toHaveLength(rateLimits['order-code'].counts.order)
  for (const taken of asked)
    if (!taken.ok)
      expect(taken.detail.retryAfterSeconds).toSatisfy((seconds: number) => seconds > 3_500 && seconds <= 3_600)
  expect(await limits.take('order-code', { order: 104_002, network: '203.0.113.1' })).toMatchObject({ ok: true })
})

test('limits a network to twenty codes an hour across all orders', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits(database)
  const asked = await Promise.all(
    Array.from({ length: 25 }, (_, index) => limits.take('order-code', { order: index + 1, network: '203.0.113.1' })),
  )
  expect(asked.filter(({ ok }) => ok)).toHaveLength(rateLimits['order-code'].counts.network)
  expect(await limits.take('order-code', { order: 99, network: '203.0.113.2' })).toMatchObject({ ok: true })
})

test('after five declined cards a cart is blocked for an hour, and another cart is not', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits(database)
  const [tried, other] = [newId(), newId()].map((payer) => ({ payer, network: 'here' }))
  for (let count = 1; count < rateLimits['card-decline'].counts.payer; count += 1)
    expect(await limits.take('card-decline', tried!)).toMatchObject({ ok: true })
  expect(await limits.look('card-decline', tried!)).toMatchObject({ ok: true })
  await limits.take('card-decline', tried!)
  const wait = await limits.look('card-decline', tried!)
  expect(wait.ok ? 0 : wait.detail.retryAfterSeconds).toSatisfy(
    (seconds: number) => seconds > 3_500 && seconds <= 3_600,
  )
  expect(await limits.look('card-decline', other!)).toMatchObject({ ok: true })
})

test('a network that switches carts is blocked after fifteen, and another network is not', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits(database)
  await Promise.all(
    Array.from({ length: rateLimits['card-decline'].counts.network }, () =>
      limits.take('card-decline', { payer: newId(), network: 'here' }),
    ),
  )
  expect(await limits.look('card-decline', { payer: newId(), network: 'here' })).toMatchObject({ ok: false })
  expect(await limits.look('card-decline', { payer: newId(), network: 'there' })).toMatchObject({ ok: true })
  expect(await limits.look('card-decline', { payer: newId(), network: null })).toMatchObject({ ok: true })
})

test('where many shoppers share an address, the network limit is higher, the cart limit is not', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits({ db: database.db, networkFactor: 10 })
  const payer = newId()
  for (let count = 0; count < rateLimits['card-decline'].counts.network; count += 1)
    await limits.take('card-decline', {
      payer: count < rateLimits['card-decline'].counts.payer ? payer : newId(),
      network: 'office',
    })
  expect(await limits.look('card-decline', { payer: newId(), network: 'office' })).toMatchObject({ ok: true })
  expect(await limits.look('card-decline', { payer, network: 'office' })).toMatchObject({ ok: false })
})

test('a decline counts against its cart, its network or both', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits(database)
  const payer = newId()
  for (let count = 0; count < rateLimits['card-decline'].counts.payer; count += 1)
    await limits.take('card-decline', { payer, network: null })
  expect(await limits.look('card-decline', { payer, network: 'anywhere' })).toMatchObject({ ok: false })
})

test('a network address may write five reviews an hour, and can still vote', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits(database)
  const attempts = await Promise.all(Array.from({ length: 8 }, () => limits.take('review', { network: '203.0.113.7' })))
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(rateLimits.review.counts.network)
  expect(await limits.take('review-vote', { network: '203.0.113.7' })).toMatchObject({ ok: true })
  expect(await limits.take('review', { network: '203.0.113.8' })).toMatchObject({ ok: true })
})

test('limits a network to forty sign-ins in ten minutes with a retry time, without affecting other networks', async () => {
  await using database = await createTestDatabase()
  const limits = createRateLimits(database)
  const attempts = await Promise.all(
    Array.from({ length: 60 }, () => limits.take('sign-in', { network: '203.0.113.7' })),
  )
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(rateLimits['sign-in'].counts.network)
  for (const taken of attempts)
    if (!taken.ok)
      expect(taken.detail.retryAfterSeconds).toSatisfy((seconds: number) => seconds > 590 && seconds <= 600)
  expect(await limits.take('sign-in', { network: '203.0.113.8' })).toMatchObject({ ok: true })
})
