/**
 * An order's progress as shown to people, derived from the order, its parcels, appointment and payments and never
 * stored. Pages, API and office all use `orderProgress`. Safe in the browser.
 */
import type { BookingState } from '#domain/scheduling/booking/booking.ts'
import type { OrderState, ShipmentState } from './orders.ts'

/** Labels for the steps, in the order in which an order completes them. */
export const progressWords = {
  placed: 'Placed',
  'needs-confirmation': 'Needs confirming',
  confirmed: 'Confirmed',
  processing: 'Processing',
  'pending-pickup': 'Pending pickup',
  'in-transit': 'In transit',
  delivered: 'Delivered',
  installed: 'Installed',
  booked: 'Booked',
  done: 'Done',
  canceled: 'Canceled',
  'return-requested': 'Return requested',
  returned: 'Returned',
  refunded: 'Refunded',
} as const

export type OrderProgress = keyof typeof progressWords

/** What of an order its progress follows from. */
export type ProgressFacts = {
  state: OrderState
  confirmBy: Temporal.Instant | null
  releasedAt: Temporal.Instant | null
  shipments: readonly { state: ShipmentState }[]
  booking: { state: BookingState } | null
  payment: { capturedCents: number; refundedCents: number } | null
  /** Whether a return is requested but not completed. */
  isReturnRequested?: boolean
  /** Whether it is a service without tires. */
  isService?: boolean
}

/**
 * How far an order is. With several parcels, the one least far on its way decides, since the order is complete only
 * with it; canceled and returned parcels count only if there is no other. `confirmed` is an order that required
 * confirmation and got it; `placed` never required it. Both end at the release. A service without tires is `booked`
 * after that, until the work is `done`.
 */
export function orderProgress(order: ProgressFacts): OrderProgress {
  if (order.state === 'needs-confirmation') return 'needs-confirmation'
  if (order.state === 'canceled' || order.state === 'returned') return isPaidBack(order) ? 'refunded' : order.state
  if (order.isReturnRequested) return 'return-requested'
  if (order.releasedAt === null) return order.confirmBy === null ? 'placed' : 'confirmed'
  if (order.isService) return order.booking?.state === 'done' ? 'done' : 'booked'
  const slowest = slowestParcel(order.shipments)
  if (slowest === 'delivered') return order.booking?.state === 'done' ? 'installed' : 'delivered'
  return slowest
}

/** Everything that was taken from the card went back to it. */
function isPaidBack({ payment }: ProgressFacts): boolean {
  return payment !== null && payment.capturedCents > 0 && payment.refundedCents >= payment.capturedCents
}

const onTheirWay = { processed: 'processing', 'pending-pickup': 'pending-pickup', 'in-transit': 'in-transit' } as const

function slowestParcel(
  shipments: ProgressFacts['shipments'],
): 'processing' | 'pending-pickup' | 'in-transit' | 'delivered' | 'returned' | 'canceled' {
  const states = new Set(shipments.map(({ state }) => state))
  for (const state of ['processed', 'pending-pickup', 'in-transit'] as const)
    if (states.has(state)) return onTheirWay[state]
  if (states.has('delivered')) return 'delivered'
  if (states.has('returned')) return 'returned'
  return states.has('canceled') ? 'canceled' : 'processing'
}
