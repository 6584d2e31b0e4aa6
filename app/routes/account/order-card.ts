/** An order in the account's list, in words. */
import { paths } from '#content/paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  bookingText,
  canCancel,
  clockText,
  dayText,
  installationState,
  installationTimeText,
  lastToCancel,
  timeText,
  trackingStep,
  trackingSteps,
} from '#domain/ordering/orders/orders.ts'
import type { OrderInList } from '#domain/ordering/orders/orders.server.ts'
import { formatCents } from '#platform/money.ts'

export type OrderCard = {
  id: number
  number: string
  placed: string
  total: string
  poNumber: string | null
  placedBy: string | null
  state: string
  /** The link to confirm the order. Null if it doesn't need confirmation. */
  confirmHref: string | null
  /** When and where the tires are installed; null if they are not, or no longer will be. */
  appointment: string | null
  tires: string[]
  href: string
  /** Null when it is too late to cancel. */
  cancelHref: string | null
  cancelUntil: string
  /** The link to the fleet work order details, or null if the order doesn't need them. */
  packetHref: string | null
}

/** Returns the order's list entry at `now` with its status and actions. */
export function orderCard(order: OrderInList, now: Temporal.Instant): OrderCard {
  const zone = order.timeZone
  const href = paths.trackResult(order.id)
  const isUnconfirmed = order.state === 'needs-confirmation'
  return {
    id: order.id,
    number: orderNumber(order.id),
    placed: timeText(order.placedAt, zone),
    total: formatCents(order.totalCents),
    poNumber: order.poNumber,
    placedBy: order.placedBy,
    state: stateText(order),
    confirmHref: isUnconfirmed ? paths.confirmOrder(order.id) : null,
    appointment: appointmentText(order),
    tires: order.tires,
    href,
    cancelHref: canCancel(order, now).can ? `${href}#cancel` : null,
    packetHref: null,
    cancelUntil:
      isUnconfirmed || order.isService ? timeText(lastToCancel(order), zone) : clockText(order.cancelUntil, zone),
  }
}

function appointmentText(order: OrderInList): string | null {
  const { booking, shop, timeZone } = order
  const state = installationState(order)
  if (!booking || !shop || state === 'none') return null
  if (state === 'done')
    return `${order.isService ? 'Done' : 'Installed'} ${timeText(booking.start, timeZone)}, ${shop.name}`
  if (state === 'booked')
    return `${order.isService ? 'At' : 'To be installed at'} ${shop.name} ${bookingText(booking, timeZone)}`
  return `${shop.name}: ${installationTimeText(order, timeZone)}`
}

/** Returns the status of the order's slowest package. */
export function stateText({
  state,
  shipments,
  isService,
  booking,
}: Pick<OrderInList, 'state' | 'shipments'> & Partial<Pick<OrderInList, 'isService' | 'booking'>>): string {
  if (state === 'canceled') return 'Canceled'
  if (state === 'returned') return 'Returned'
  if (state === 'needs-confirmation') return 'Please confirm your order'
  if (isService) return booking?.state === 'done' ? 'Done' : 'Booked'
  const steps = shipments.map((shipment) => trackingStep(shipment.state)).filter((step) => step !== null)
  const step = steps.length > 0 ? Math.min(...steps) : 0
  const last = shipments
    .map(({ promisedOn }) => promisedOn)
    .toSorted()
    .at(-1)
  const promise = step < 3 && last ? `, promised by ${dayText(Temporal.PlainDate.from(last))}` : ''
  return `${trackingSteps[step] ?? trackingSteps[0]}${promise}`
}
