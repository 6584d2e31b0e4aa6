/** The office order list's tabs, and each order's status with its next relevant time. */
import type { Fulfillment } from '#domain/supply/delivery/delivery.ts'
import type { OrderState, ShipmentState } from './orders.ts'
import { storeDay } from '#platform/store-zone.ts'

export const officeTabs = [
  'all',
  'needs-action',
  'to-confirm',
  'fit-check',
  'cancel-window',
  'to-ship',
  'late',
  'in-transit',
  'at-shop',
  'done-today',
  'delivered',
  'canceled',
] as const
export type OfficeTab = (typeof officeTabs)[number]

export const officeTabNames: Readonly<Record<OfficeTab, string>> = {
  all: 'All',
  'needs-action': 'Needs action',
  'to-confirm': 'To confirm',
  'fit-check': 'Fit check',
  'cancel-window': 'Cancel window',
  'to-ship': 'To ship',
  late: 'Late',
  'in-transit': 'In transit',
  'at-shop': 'At shop',
  'done-today': 'Done today',
  delivered: 'Delivered',
  canceled: 'Canceled',
}

export const fulfillments = [
  'shop',
  'mobile',
  'home',
  'carrier-pickup',
  'warehouse-pickup',
] as const satisfies readonly Fulfillment[]

export const fulfillmentNames: Readonly<Record<Fulfillment, string>> = {
  shop: 'Shop',
  mobile: 'Mobile van',
  home: 'Home delivery',
  'carrier-pickup': 'Carrier pickup',
  'warehouse-pickup': 'Warehouse pickup',
}

/** An order as its status is decided. */
export type OrderProgress = {
  state: OrderState
  cancelUntil: Temporal.Instant
  confirmBy: Temporal.Instant | null
  releasedAt: Temporal.Instant | null
  shipments: readonly { state: ShipmentState; promisedOn: string }[]
  /** The end of its confirmed or finished appointment, if it has one. */
  appointmentEnd: Temporal.Instant | null
  /** Whether a person still has to check how its tires fit. */
  awaitsFitCheck?: boolean
  /** Whether it is a service without tires. */
  isService?: boolean
}

export type OrderStatus =
  | { at: 'canceled' | 'returned' | 'delivered' | 'at-shop' | 'done' | 'unbooked' }
  | { at: 'to-confirm' | 'cancel-window'; until: Temporal.Instant }
  /** Placed with an unknown fit, which a person has to check before the tires ship. */
  | { at: 'fit-check' }
  /** Past its cancel window, and not charged yet. */
  | { at: 'to-charge'; since: Temporal.Instant }
  | { at: 'to-ship' | 'in-transit'; promisedOn: string }
  | { at: 'late'; days: number }

const open: readonly ShipmentState[] = ['processed', 'pending-pickup', 'in-transit']

/** Returns an order's status at `now`. A parcel is late once the store's day is past the promised one. */
export function orderStatus(order: OrderProgress, now: Temporal.Instant): OrderStatus {
  const status = statusOf(order, now)
  const isToCheck = order.awaitsFitCheck && (status.at === 'to-charge' || status.at === 'to-ship')
  return isToCheck ? { at: 'fit-check' } : status
}

function statusOf(order: OrderProgress, now: Temporal.Instant): OrderStatus {
  if (order.state === 'canceled' || order.state === 'returned') return { at: order.state }
  if (order.state === 'needs-confirmation') return { at: 'to-confirm', until: order.confirmBy ?? order.cancelUntil }
  if (order.releasedAt === null)
    return Temporal.Instant.compare(now, order.cancelUntil) < 0
      ? { at: 'cancel-window', until: order.cancelUntil }
      : { at: 'to-charge', since: order.cancelUntil }
  return shippedStatus(order, now)
}

function shippedStatus({ shipments, appointmentEnd, isService }: OrderProgress, now: Temporal.Instant): OrderStatus {
  const underway = shipments.filter(({ state }) => open.includes(state))
  const [first] = underway.map(({ promisedOn }) => promisedOn).toSorted()
  if (first !== undefined) {
    const days = Temporal.PlainDate.from(first).until(storeDay(now)).days
    if (days > 0) return { at: 'late', days }
    const isInTransit = underway.every(({ state }) => state === 'in-transit')
    return { at: isInTransit ? 'in-transit' : 'to-ship', promisedOn: first }
  }
  // The shop declined the service, or the customer didn't come.
  if (isService && appointmentEnd === null) return { at: 'unbooked' }
  const isAhead = appointmentEnd !== null && Temporal.Instant.compare(now, appointmentEnd) < 0
  return { at: isAhead ? 'at-shop' : isService ? 'done' : 'delivered' }
}
