import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { textRequests, type TextLimits } from '#domain/messaging/texts/text-limits.port.ts'
import { longerOf } from '#platform/attempts.ts'

export function createTextLimits({ db, networkFactor }: LimitSettings): TextLimits {
  const { perAccount, perNetwork, minutes } = textRequests
  const accounts = createSharedLimiter(db, { of: 'text-account', most: perAccount, minutes })
  const networks = createSharedLimiter(db, { of: 'text-network', most: perNetwork * networkFactor, minutes })
  return {
    async take({ accountId, from }) {
      const [account, network] = await Promise.all([accounts.take(accountId), networks.take(from)])
      return longerOf(account, network)
    },
  }
}
