import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { orderCodeRequests, type OrderCodeLimits } from '#domain/ordering/orders/order-code-limits.port.ts'
import { longerOf } from '#platform/attempts.ts'

export function createOrderCodeLimits({ db, networkFactor }: LimitSettings): OrderCodeLimits {
  const { perOrder, perNetwork, minutes } = orderCodeRequests
  const orders = createSharedLimiter(db, { of: 'code-order', most: perOrder, minutes })
  const networks = createSharedLimiter(db, { of: 'code-network', most: perNetwork * networkFactor, minutes })
  return {
    async take({ orderId, from }) {
      const [order, network] = await Promise.all([orders.take(orderId), networks.take(from)])
      return longerOf(order, network)
    },
  }
}
