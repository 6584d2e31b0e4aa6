/** States, transitions and terms for orders and shipments. Safe in the browser. */
import type { Level, StatedRequirement } from '#domain/catalog/fitment/fitment.ts'
import { bookingCan, noticeText, type Booking } from '#domain/scheduling/booking/booking.ts'
import {
  CANCEL_WITHIN_MINUTES,
  DAMAGE_REPORT_BUSINESS_DAYS,
  RETURN_HANDLING_FEE_CENTS,
  RETURN_WINDOW_DAYS,
} from '#platform/business-constants.ts'
import type { Transitions } from '#platform/transitions.ts'
import { countOf } from '#platform/count-text.ts'

export {
  lateMinutes,
  type AppointmentReply,
  type LateMinutes,
  type ReplyInput,
  type ReplyKind,
} from './appointment-replies.ts'
export { maxReallocated, reallocationForm, type NotMoved, type PlannedParcel } from './reallocation.ts'
export { financedText } from './financed-words.ts'
export type { WorkOrder } from './work-order.ts'
export type { UnshippedPart } from './unshipped-part.ts'
export {
  counterCarrier,
  mostWrongCodes,
  pickupStates,
  pickupStateWords,
  wrongCodeMinutes,
  type PickupState,
} from './warehouse-counter.ts'
export { delayWords } from './delay-words.ts'
export {
  installationState,
  installationStates,
  installationTimeText,
  timesOpening,
  timesOpeningText,
  type InstallationState,
} from './installation.ts'
export { codeAccessMinutes, orderCodeLife, parseOrderCode } from './order-code.ts'
export {
  fulfillmentNames,
  fulfillments,
  officeTabNames,
  officeTabs,
  orderStatus,
  type OfficeTab,
  type OrderStatus,
} from './office-list.ts'
export { mailTires, unitsByLine } from './mail-tires.ts'
export { confirmationReasons, confirmWithinHours, rulesThatAsk } from './confirmation-rules.ts'
export { orderProgress, progressWords, type OrderProgress } from './order-progress.ts'
export {
  storageOf,
  storageReminderDays,
  storageText,
  storedSetStateLabels,
  storedSetStates,
  type StoredSet,
} from './stored-sets.ts'
export {
  bookingText,
  cityLine,
  clockText,
  dayText,
  destinationText,
  holdText,
  pickupLines,
  refundSentence,
  serviceText,
  timeText,
  vehicleText,
} from './order-labels.ts'
export {
  canActOn,
  canStaffCancel,
  isStaffOrderAct,
  noLines,
  staffOrderActs,
  whyNoLines,
  type ActFacts,
  type NoLines,
  type StaffOrderAct,
} from './staff-acts.ts'

/** `needs-confirmation`: the request was received but is incomplete. `confirmed`: no further action. */
export type OrderState = 'needs-confirmation' | 'confirmed' | 'canceled' | 'returned'

/** What changes the stored state of an order. `question`: staff ask the shopper to confirm it. */
export type OrderMove = 'confirm' | 'question' | 'cancel' | 'return'

/** Actions on an order. A released or shipped order stays confirmed; `released_at` and its parcels have the details. */
export type OrderAct = OrderMove | 'release' | 'ship'

/**
 * The order state machine, with each state's allowed actions and resulting states. The trigger `sales_order_life` has
 * the same moves.
 */
export const orderLife: Readonly<Record<OrderState, Readonly<Partial<Record<OrderAct, OrderState>>>>> = {
  'needs-confirmation': { confirm: 'confirmed', cancel: 'canceled' },
  confirmed: {
    question: 'needs-confirmation',
    release: 'confirmed',
    ship: 'confirmed',
    cancel: 'canceled',
    return: 'returned',
  },
  canceled: {},
  returned: {},
}

/** The state of an order after `act`; undefined where that may not be done to it. */
export function nextOrderState(from: OrderState, act: OrderAct): OrderState | undefined {
  return orderLife[from][act]
}

/** Returns the states that allow `act`, for the `where state in (…)` of its query. */
export function orderStatesFor(act: OrderAct): OrderState[] {
  return (Object.keys(orderLife) as OrderState[]).filter((from) => nextOrderState(from, act) !== undefined)
}

export type ShipmentState = 'processed' | 'pending-pickup' | 'in-transit' | 'delivered' | 'canceled' | 'returned'

/**
 * The parcel state machine, defined only by states, because the carrier reports a parcel's state rather than the
 * action. The trigger `shipment_life` has the same moves.
 */
export const shipmentLife: Transitions<ShipmentState> = {
  processed: ['pending-pickup', 'canceled'],
  'pending-pickup': ['in-transit', 'canceled'],
  'in-transit': ['delivered', 'returned'],
  delivered: ['returned'],
  canceled: [],
  returned: [],
}

/** Whether a parcel may go from one state to another. */
export function mayShipmentMove(from: ShipmentState, to: ShipmentState): boolean {
  return shipmentLife[from].includes(to)
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

/** Returns the tracking step of a shipment; null if canceled or returned. */
export function trackingStep(state: ShipmentState): 0 | 1 | 2 | 3 | null {
  return stepOf[state]
}

/** The fitment result as shown when the order was placed. */
export type OrderVerdict = {
  vehicleName: string
  verdict: Level
  sets: {
    headline: string
    lines: string[]
    /** Missing from orders that were written without them, as are the others below. */
    verdict?: Level
    conditions?: { code: string }[]
    ruleBook?: string
    rules?: string[]
    requirement?: StatedRequirement
  }[]
}

/**
 * The business terms an order was placed under, which never change for that order. Days are counted from delivery,
 * money is per tire.
 */
export type OrderTerms = {
  /** In which a shopper can cancel without contacting anyone. */
  cancelMinutes: number
  returnDays: number
  returnFeeCents: number
  /** Business days in which damage and missing tires are reported. */
  damageDays: number
}

/** The terms of an order as long as staff have set no others (specification, section 9). */
export const standardOrderTerms: OrderTerms = {
  cancelMinutes: CANCEL_WITHIN_MINUTES,
  returnDays: RETURN_WINDOW_DAYS,
  returnFeeCents: RETURN_HANDLING_FEE_CENTS,
  damageDays: DAMAGE_REPORT_BUSINESS_DAYS,
}

/** Whether an order has waited for its shopper's confirmation as long as it may at `now`. */
export function isUnanswered(
  { state, confirmBy }: { state: OrderState; confirmBy: Temporal.Instant | null },
  now: Temporal.Instant,
): boolean {
  return state === 'needs-confirmation' && confirmBy !== null && Temporal.Instant.compare(now, confirmBy) >= 0
}

/** What of an order decides whether its shopper may cancel it. */
type CancelFacts = {
  state: OrderState
  cancelUntil: Temporal.Instant
  releasedAt: Temporal.Instant | null
  terms?: OrderTerms
  /** Whether it is a service without tires, with its appointment. */
  isService: boolean
  booking: Pick<Booking, 'state' | 'start' | 'noticeMinutes'> | null
}

/** Until when the shopper may cancel an order; for a service, until the notice before its appointment at least. */
export function lastToCancel({ cancelUntil, isService, booking }: CancelFacts): Temporal.Instant {
  if (!isService || booking?.state !== 'confirmed') return cancelUntil
  const notice = booking.start.subtract({ minutes: booking.noticeMinutes })
  return Temporal.Instant.compare(notice, cancelUntil) > 0 ? notice : cancelUntil
}

/**
 * Whether the shopper may still cancel an order, or why not. A released order's charge is in progress, regardless of
 * the local time. An order that requires confirmation can't be released, so it can be canceled until it is confirmed.
 * A service without tires has no parcels, so it can be canceled until its appointment can no longer be moved.
 */
export function canCancel(order: CancelFacts, now: Temporal.Instant): { can: true } | { can: false; reason: string } {
  if (nextOrderState(order.state, 'cancel') === undefined)
    return {
      can: false,
      reason: order.state === 'canceled' ? 'This order is canceled already.' : 'This order was returned.',
    }
  if (order.state === 'needs-confirmation') return { can: true }
  if (order.isService) return canCancelService(order, now)
  const { terms = standardOrderTerms } = order
  if (order.releasedAt !== null || Temporal.Instant.compare(now, order.cancelUntil) >= 0)
    return {
      can: false,
      reason: `Orders can be canceled for ${countOf(terms.cancelMinutes, 'minute')} after they are placed. You can return unmounted tires within ${countOf(terms.returnDays, 'day')}.`,
    }
  return { can: true }
}

function canCancelService(order: CancelFacts, now: Temporal.Instant): { can: true } | { can: false; reason: string } {
  const { booking, cancelUntil, releasedAt } = order
  if (booking?.state === 'done') return { can: false, reason: 'The work is done.' }
  if (booking?.state === 'no-show')
    return { can: false, reason: 'You missed the appointment. Call us, or book another time.' }
  const isInWindow = releasedAt === null && Temporal.Instant.compare(now, cancelUntil) < 0
  if (isInWindow || booking?.state !== 'confirmed' || bookingCan.cancelAsShopper(booking, now).can) return { can: true }
  const when = booking.noticeMinutes === 0 ? 'its time' : `${noticeText(booking.noticeMinutes)} before its time`
  return { can: false, reason: `A service can be canceled here until ${when}. Call the shop.` }
}

export { isVinChecked, readAnyVin, readVin } from '#domain/catalog/vehicles/vehicles.ts'
export { missingInPacket, packetWords, readPacket, type FleetPacket } from './fleet-packet.ts'
