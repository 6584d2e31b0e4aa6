/** Orders and shipments: their states, what may happen when, and the words for it. Safe in the browser. */
import type { Level } from '#domain/fitment/fitment.ts'
import { CANCEL_WITHIN_MINUTES, RETURN_WINDOW_DAYS } from '#platform/business-constants.ts'
import type { Transitions } from '#platform/transitions.ts'

export { lookUpAttempts } from './look-up-limits.port.ts'
export {
  bookingText,
  cityLine,
  clockText,
  dayText,
  destinationText,
  holdText,
  timeText,
  vehicleText,
} from './order-labels.ts'

/** `needs-confirmation`: the request was received but is incomplete. `confirmed`: no further action. */
export type OrderState = 'needs-confirmation' | 'confirmed' | 'canceled' | 'returned'

export const orderLife: Transitions<OrderState> = {
  'needs-confirmation': ['confirmed', 'canceled'],
  confirmed: ['canceled', 'returned'],
  canceled: [],
  returned: [],
}

export type ShipmentState = 'processed' | 'pending-pickup' | 'in-transit' | 'delivered' | 'canceled' | 'returned'

export const shipmentLife: Transitions<ShipmentState> = {
  processed: ['pending-pickup', 'canceled'],
  'pending-pickup': ['in-transit', 'canceled'],
  'in-transit': ['delivered', 'returned'],
  delivered: ['returned'],
  canceled: [],
  returned: [],
}

/** The four steps a shopper follows, in the specification's words. */
export const trackingSteps = ['Order Processed', 'Pending Carrier Pickup', 'In Transit', 'Delivered'] as const

const stepOf: Record<ShipmentState, 0 | 1 | 2 | 3 | null> = {
  processed: 0,
  'pending-pickup': 1,
  'in-transit': 2,
  delivered: 3,
  canceled: null,
  returned: null,
}

/** How far along the four steps a shipment is; null when it was canceled or returned. */
export function trackingStep(state: ShipmentState): 0 | 1 | 2 | 3 | null {
  return stepOf[state]
}

/** The fitment verdict the order was placed under, kept as it was said. */
export type OrderVerdict = { vehicleName: string; verdict: Level; sets: { headline: string; lines: string[] }[] }

/** The minutes in which a shopper can cancel without asking anyone (specification, section 9). */
export const cancelMinutes = CANCEL_WITHIN_MINUTES

/**
 * Whether an order may still be canceled by the shopper, or why not. Once it is released its charge is on the way,
 * whatever time it is here.
 */
export function canCancel(
  order: { state: OrderState; cancelUntil: Temporal.Instant; releasedAt: Temporal.Instant | null },
  now: Temporal.Instant,
): { can: true } | { can: false; reason: string } {
  if (order.state === 'canceled') return { can: false, reason: 'This order is canceled already.' }
  if (order.state === 'returned') return { can: false, reason: 'This order was returned.' }
  if (order.releasedAt !== null || Temporal.Instant.compare(now, order.cancelUntil) >= 0)
    return {
      can: false,
      reason: `Orders can be canceled for ${cancelMinutes} minutes after they are placed. You can return unmounted tires within ${RETURN_WINDOW_DAYS} days.`,
    }
  return { can: true }
}

/** The order number as shoppers read and type it: "S-104001". */
export function orderNumber(id: number): string {
  return `S-${id}`
}

/** In characters: nobody types more, and nothing is looked for in more. */
const longestOrderNumber = 60

/** Reads an order number in any usual writing (`S-104001`, `s104001`, `104001`), or undefined. */
export function parseOrderNumber(text: string): number | undefined {
  if (text.length > longestOrderNumber) return undefined
  const digits = /^s? ?-? ?(\d{1,15})$/i.exec(text.replaceAll(/\s+/g, ' ').trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}
