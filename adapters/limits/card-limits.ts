import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { cardAttempts, type CardLimits, type CardAttempt } from '#domain/payments/payments/card-limits.port.ts'
import { ok } from '#platform/outcome.ts'
import { longerOf } from '#platform/attempts.ts'

export function createCardLimits({ db, networkFactor }: LimitSettings): CardLimits {
  const { perPayer, perNetwork, minutes } = cardAttempts
  const payers = createSharedLimiter(db, { of: 'card-payer', most: perPayer, minutes })
  const networks = createSharedLimiter(db, { of: 'card-network', most: perNetwork * networkFactor, minutes })

  async function mayFollow({ payer, from }: CardAttempt) {
    return longerOf(...(await Promise.all([payers.look(payer), from === null ? ok(undefined) : networks.look(from)])))
  }

  return {
    mayFollow,
    async countDecline(tried) {
      await Promise.all([payers.take(tried.payer), tried.from === null ? undefined : networks.take(tried.from)])
      return mayFollow(tried)
    },
  }
}
