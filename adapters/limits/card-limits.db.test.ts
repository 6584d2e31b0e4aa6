import { expect, test } from 'vitest'
import { cardAttempts } from '#domain/payments/payments/card-limits.port.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createCardLimits } from './card-limits.ts'

test('after five declined cards a cart is blocked for an hour, and another cart is not', async () => {
  await using database = await createTestDatabase()
  const limits = createCardLimits({ db: database.db, networkFactor: 1 })
  const [tried, other] = [newId(), newId()].map((payer) => ({ payer, from: 'here' }))
  for (let count = 1; count < cardAttempts.perPayer; count += 1)
    expect(await limits.countDecline(tried!)).toMatchObject({ ok: true })
  expect(await limits.mayFollow(tried!)).toMatchObject({ ok: true })
  expect(await limits.countDecline(tried!)).toMatchObject({ ok: false })
  const wait = await limits.mayFollow(tried!)
  expect(wait.ok ? 0 : wait.detail.retryAfterSeconds).toSatisfy(
    (seconds: number) => seconds > 3_500 && seconds <= 3_600,
  )
  expect(await limits.mayFollow(other!)).toMatchObject({ ok: true })
})

test('a network that switches carts is blocked after fifteen, and another network is not', async () => {
  await using database = await createTestDatabase()
  const limits = createCardLimits({ db: database.db, networkFactor: 1 })
  const declined = await Promise.all(
    Array.from({ length: cardAttempts.perNetwork }, () => limits.countDecline({ payer: newId(), from: 'here' })),
  )
  expect(declined.some(({ ok }) => !ok)).toBe(true)
  expect(await limits.mayFollow({ payer: newId(), from: 'here' })).toMatchObject({ ok: false })
  expect(await limits.mayFollow({ payer: newId(), from: 'there' })).toMatchObject({ ok: true })
  expect(await limits.mayFollow({ payer: newId(), from: null })).toMatchObject({ ok: true })
})

test('where many shoppers share an address, the network limit is higher, the cart limit is not', async () => {
  await using database = await createTestDatabase()
  const limits = createCardLimits({ db: database.db, networkFactor: 10 })
  const payer = newId()
  for (let count = 0; count < cardAttempts.perNetwork; count += 1)
    await limits.countDecline({ payer: count < cardAttempts.perPayer ? payer : newId(), from: 'office' })
  expect(await limits.mayFollow({ payer: newId(), from: 'office' })).toMatchObject({ ok: true })
  expect(await limits.mayFollow({ payer, from: 'office' })).toMatchObject({ ok: false })
})

test('a decline counts against its cart, its network or both', async () => {
  await using database = await createTestDatabase()
  const limits = createCardLimits({ db: database.db, networkFactor: 1 })
  const payer = newId()
  for (let count = 0; count < cardAttempts.perPayer; count += 1) await limits.countDecline({ payer, from: null })
  expect(await limits.mayFollow({ payer, from: 'anywhere' })).toMatchObject({ ok: false })
})
