import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { lookUpAttempts, type LookUpLimits } from '#domain/ordering/orders/look-up-limits.port.ts'
import { longerOf } from '#platform/attempts.ts'

export function createLookUpLimits({ db, networkFactor }: LimitSettings): LookUpLimits {
  const { perOrder, perAddress, windowMinutes: minutes } = lookUpAttempts
  const orders = createSharedLimiter(db, { of: 'order', most: perOrder, minutes })
  const addresses = createSharedLimiter(db, { of: 'address', most: perAddress * networkFactor, minutes })
  return {
    async take({ orderId, from }) {
      const [order, address] = await Promise.all([orders.take(orderId), addresses.take(from)])
      return longerOf(order, address)
    },
    async giveBack({ orderId, from }) {
      await Promise.all([orders.giveBack(orderId), addresses.giveBack(from)])
    },
  }
}
