/** Which requests the store's objectives are about, by route pattern. */
import { TIMES_WITHIN_MS, type CountedObjective } from '#domain/operations/health/health.ts'

/** Where orders are placed, over pages, the API and the protocols of agents. */
const placing = new Set([
  'POST /checkout/order-summary',
  'POST /api/orders',
  'POST /ucp/checkout-sessions/:id/complete',
])
/** Routes that return shops' available times. */
const times = new Set([
  'GET /book-service',
  'GET /book-time',
  'GET /api/cart/shops',
  'GET /api/cart/shops/:shopId/times',
  'GET /checkout/shipping',
])

/**
 * Undefined for a request not covered by an objective. A refusal counts as success; only our own errors violate an
 * objective.
 */
export function objectiveOf({
  method,
  route,
  status,
  ms,
}: {
  method: string
  route: string
  status: number
  ms: number
}): { name: CountedObjective; isKept: boolean } | undefined {
  const asked = `${method} ${route}`
  if (placing.has(asked)) return { name: 'orders', isKept: status < 500 }
  if (times.has(asked)) return { name: 'times', isKept: status < 500 && ms <= TIMES_WITHIN_MS }
  return undefined
}
