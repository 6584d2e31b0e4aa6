import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { reviewAttempts } from '#domain/aftercare/reviews/review-limits.port.ts'
import { createReviewLimits } from './review-limits.ts'

test('a network address may write five reviews an hour, and can still vote', async () => {
  await using database = await createTestDatabase()
  const limits = createReviewLimits({ db: database.db, networkFactor: 1 })
  const attempts = await Promise.all(Array.from({ length: 8 }, () => limits.take('review', '203.0.113.7')))
  expect(attempts.filter(({ ok }) => ok)).toHaveLength(reviewAttempts.review.count)
  expect(await limits.take('vote', '203.0.113.7')).toMatchObject({ ok: true })
  expect(await limits.take('review', '203.0.113.8')).toMatchObject({ ok: true })
})
