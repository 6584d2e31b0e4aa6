import { createSharedLimiter } from '#adapters/limits/shared-limiter.ts'
import { lookUpTries, type LookUpLimits } from '#domain/orders/look-up-limits.port.ts'
import type { Database } from '#platform/db.ts'

export function createLookUpLimits(db: Database): LookUpLimits {
  const { perOrder, perAddress, windowMinutes: minutes } = lookUpTries
  const orders = createSharedLimiter(db, { of: 'order', most: perOrder, minutes })
  const addresses = createSharedLimiter(db, { of: 'address', most: perAddress, minutes })
  return {
    async take({ orderId, from }) {
      const [order, address] = await Promise.all([orders.take(orderId), addresses.take(from)])
      if (order.ok || address.ok) return order.ok ? address : order
      return order.detail.retryAfterSeconds > address.detail.retryAfterSeconds ? order : address
    },
    async giveBack({ orderId, from }) {
      await Promise.all([orders.giveBack(orderId), addresses.giveBack(from)])
    },
  }
}
