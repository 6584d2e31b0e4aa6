import { LRUCache } from 'lru-cache'
import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { cartAttempts, type CartLimits } from '#domain/cart/cart-limits.port.ts'
import { ok } from '#platform/outcome.ts'

/**
 * A network's first carts are counted without a statement: a shopper makes one, and nearly every network is one
 * household. Each process counts its own, so several processes allow slightly more than the limit.
 */
const unshared = 5
/** Networks remembered at once. An attacker with more networks is not stopped by a per-network limit anyway. */
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
