import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { testEmails, type TestEmailLimits } from '#domain/messaging/messages/test-email-limits.port.ts'

export function createTestEmailLimits({ db }: Pick<LimitSettings, 'db'>): TestEmailLimits {
  const limiter = createSharedLimiter(db, { of: 'test-email', most: testEmails.count, minutes: testEmails.minutes })
  return { take: (email) => limiter.take(email) }
}
