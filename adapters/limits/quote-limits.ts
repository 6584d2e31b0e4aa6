import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { quoteSends, type QuoteLimits } from '#domain/ordering/quotes/quote-limits.port.ts'

export function createQuoteLimits({ db }: Pick<LimitSettings, 'db'>): QuoteLimits {
  const { perAccount, minutes } = quoteSends
  const limiter = createSharedLimiter(db, { of: 'quote', most: perAccount, minutes })
  return { take: (accountId) => limiter.take(accountId) }
}
