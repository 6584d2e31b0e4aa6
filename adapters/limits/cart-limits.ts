import { LRUCache } from 'lru-cache'
import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { cartAttempts, type CartLimits } from '#domain/cart/cart-limits.port.ts'
import { ok } from '#platform/outcome.ts'

/**
 * So many carts of a network cost no statement: a shopper makes one, and nearly all networks are one household. Each
 * process counts them for itself, so that several processes let a few more pass than the limit says.
 */
const unshared = 5
/** Networks remembered at once. Whoever has more of them than that is not held by a limit per network. */
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
