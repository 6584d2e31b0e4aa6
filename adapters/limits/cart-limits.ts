import { LRUCache } from 'lru-cache'
import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { cartAttempts, type CartLimits } from '#domain/payments/cart/cart-limits.port.ts'
import { ok } from '#platform/outcome.ts'

/**
 * Counts a network's first carts in memory. A shopper creates one cart, and almost every network is one household. Each
 * process has its own count, so several processes allow slightly more than the limit.
 */
const unshared = 5
/** The number of networks to remember. A per-network limit can't stop an attacker with more networks. */
const mostRemembered = 20_000

export function createCartLimits({ db, networkFactor }: LimitSettings): CartLimits {
  const { count, minutes } = cartAttempts
  const limiter = createSharedLimiter(db, { of: 'cart', most: count * networkFactor - unshared, minutes })
  const seen = new LRUCache<string, number>({ max: mostRemembered, ttl: minutes * 60_000, noUpdateTTL: true })
  return {
    take(from) {
      const made = seen.get(from) ?? 0
      if (made >= unshared) return limiter.take(from)
      seen.set(from, made + 1)
      return Promise.resolve(ok(undefined))
    },
  }
}
