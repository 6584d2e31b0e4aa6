import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { lookUpTries, type LookUpLimits } from '#domain/orders/look-up-limits.port.ts'

/**
 * Counts in the memory of this process. With several web processes each counts for itself, so that a guesser gets as many times more tries:
 * still hopeless, and a look-up costs the database nothing but its own statement, also while somebody hammers.
 */
export function createLookUpLimits(): LookUpLimits {
  const duration = lookUpTries.windowMinutes * 60
  const orders = new RateLimiterMemory({ keyPrefix: 'order', points: lookUpTries.perOrder, duration })
  const addresses = new RateLimiterMemory({ keyPrefix: 'address', points: lookUpTries.perAddress, duration })
  return {
    async take({ orderId, from }) {
      const [order, address] = await Promise.all([consume(orders, orderId), consume(addresses, from)])
      return order && address
    },
    async giveBack({ orderId, from }) {
      await Promise.all([orders.reward(orderId), addresses.reward(from)])
    },
  }
}

async function consume(limiter: RateLimiterMemory, key: string | number): Promise<boolean> {
  try {
    await limiter.consume(key)
    return true
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return false
    throw refusal
  }
}
