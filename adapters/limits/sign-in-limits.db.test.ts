import { expect, test } from 'vitest'
import { signInAttempts } from '#domain/customers/accounts/sign-in-limits.port.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createSignInLimits } from './sign-in-limits.ts'

test('limits a network to forty sign-ins in ten minutes with a retry time, without affecting other networks', async () => {
  await using database = await createTestDatabase()
  const limits = createSignInLimits({ db: database.db, networkFactor: 1 })
  const attempts = await Promise.all(Array.from({ length: 60 }, () => limits.take('203.0.113.7')))
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(signInAttempts.count)
  for (const taken of attempts)
    if (!taken.ok)
      expect(taken.detail.retryAfterSeconds).toSatisfy((seconds: number) => seconds > 590 && seconds <= 600)
  expect(await limits.take('203.0.113.8')).toMatchObject({ ok: true })
})
