/** How far an order and its parcels are, as the pages after checkout show it. */
import { deliveryTimeText } from '#app/content/constants.server.ts'
import { isPickup } from '#domain/supply/delivery/delivery.ts'
import { isPaidOnDelivery } from '#domain/payments/payments/payments.ts'
import { confirmOrderMessages } from '#content/messages/orders.ts'
import type { StepperStep } from '#app/ui/order-timeline.tsx'
import type { OrderAccess } from '#app/views/orders.server.ts'
import { invoiceText } from '#domain/payments/invoices/invoices.ts'
import {
  clockText,
  dayText,
  destinationText,
  installationState,
  installationTimeText,
  storageText,
  timeText,
  trackingStep,
  trackingSteps,
  type ShipmentState,
} from '#domain/ordering/orders/orders.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'

export type ShipmentView = {
  id: string
  title: string
  /** Null for a shipment that was canceled or returned. */
  steps: StepperStep[] | null
  ended: string | null
  carrier: string | null
  trackingNumber: string | null
  trackingUrl: string | null
  arrival: string
  from: string
  items: string[]
  events: { key: string; time: string; text: string }[]
}

/** The shipments of an order; their contents only for its owner. */
export function shipmentViews(order: OrderView, access: OrderAccess): ShipmentView[] {
  const zone = order.timeZone
  return order.shipments.map((shipment, index) => {
    const at = trackingStep(shipment.state)
    const count = shipment.items.reduce((sum, item) => sum + item.quantity, 0)
    return {
      id: shipment.id,
      title: order.shipments.length > 1 ? `Shipment ${index + 1} of ${order.shipments.length}` : 'Your shipment',
      steps:
        at === null
          ? null
          : trackingSteps.map((title, step) => ({
              title,
              detail: eventTime(shipment.events, title, zone),
              state: step < at || at === 3 ? 'done' : step === at ? 'now' : 'next',
            })),
      ended: at === null ? stateWords[shipment.state] : null,
      carrier: shipment.carrier,
      trackingNumber: shipment.trackingNumber,
      trackingUrl: shipment.trackingUrl,
      arrival: shipment.deliveredAt
        ? `Delivered ${timeText(shipment.deliveredAt, zone)}`
        : order.state === 'needs-confirmation'
          ? confirmOrderMessages.delivery(deliveryTimeText())
          : `Promised by ${dayText(Temporal.PlainDate.from(shipment.promisedOn))}`,
      from: `${shipment.warehouse.city}, ${shipment.warehouse.state}`,
      items:
        access !== 'status'
          ? shipment.items.map((item) => `${item.quantity} ${item.description}`)
          : [countOf(count, 'tire')],
      events: shipment.events
        .map((event, place) => ({
          key: `${shipment.id} ${place}`,
          time: timeText(event.at, zone),
          // Omits a carrier note that only repeats the step.
          text:
            event.note && event.note !== stateWords[event.state]
              ? `${stateWords[event.state]}. ${event.note}`
              : stateWords[event.state],
        }))
        .toReversed(),
    }
  })
}

const stateWords: Record<ShipmentState, string> = {
  processed: trackingSteps[0],
  'pending-pickup': trackingSteps[1],
  'in-transit': trackingSteps[2],
  delivered: trackingSteps[3],
  canceled: 'Canceled',
  returned: 'Returned',
}

function eventTime(events: OrderView['shipments'][number]['events'], title: string, zone: string): string {
  const event = events.find(({ state }) => stateWords[state] === title)
  return event ? timeText(event.at, zone) : ''
}

/** The steps of an order, from placing it to the last one outstanding. */
export function timelineOf(order: OrderView, zone: string): StepperStep[] {
  return order.isService ? serviceTimeline(order, zone) : tiresTimeline(order, zone)
}

function tiresTimeline(order: OrderView, zone: string): StepperStep[] {
  const { payment, invoice } = order
  // What is paid by invoice, or by a lender on delivery, is packed uncharged.
  const isPaidLater = invoice !== null || (payment !== null && isPaidOnDelivery(payment.method))
  const isCharged = isPaidLater ? order.releasedAt !== null : (payment?.capturedCents ?? 0) > 0
  const isThere = order.shipments.every((shipment) => shipment.state === 'delivered')
  const installation = installationState(order)
  const arrived = installation === 'done' || installation === 'none' ? 4 : 3
  const now = !isCharged ? 1 : !isThere ? 2 : arrived
  const steps = [
    { title: 'Order placed', detail: timeText(order.placedAt, zone) },
    { title: isPaidLater ? 'Packed' : 'Charged and packed', detail: packedText(order, isCharged, zone) },
    { title: transitTitle(order, isThere), detail: transitText(order, isThere) },
    ...(installation === 'none'
      ? []
      : [
          {
            title: installation === 'unbooked' || installation === 'missed' ? 'Installation' : 'Installed',
            detail: installation === 'done' ? 'Done' : installationTimeText(order, zone),
          },
        ]),
  ]
  return steps.map((step, index) => ({ ...step, state: index < now ? 'done' : index === now ? 'now' : 'next' }))
}

/**
 * The steps of a confirmed service without tires; null for other orders. Without access to the order they have no
 * amounts, appointments, or storage.
 */
export function serviceSteps(order: OrderView, access: OrderAccess): StepperStep[] | null {
  if (!order.isService || order.state !== 'confirmed') return null
  const steps = serviceTimeline(order, order.timeZone)
  return access === 'status' ? steps.map((step, index) => (index === 0 ? step : { ...step, detail: '' })) : steps
}

/** The steps for a service without tires. */
function serviceTimeline(order: OrderView, zone: string): StepperStep[] {
  const { payment, invoice, cancelUntil, releasedAt } = order
  const isCharged = invoice === null ? (payment?.capturedCents ?? 0) > 0 : releasedAt !== null
  const installation = installationState(order)
  const storage = storageText(order)
  const now = !isCharged ? 1 : installation !== 'done' ? 2 : order.storedSet?.returnedAt ? 4 : 3
  const charged = invoice ? invoiceText(invoice) : `${formatCents(payment?.capturedCents ?? 0)} charged`
  const steps = [
    { title: 'Booked', detail: timeText(order.placedAt, zone) },
    {
      title: invoice ? 'Billed' : 'Charged',
      detail: isCharged ? charged : `From ${clockText(cancelUntil, zone)}`,
    },
    { title: 'At the shop', detail: installation === 'done' ? 'Done' : installationTimeText(order, zone) },
    ...(storage === null ? [] : [{ title: 'In storage', detail: storage }]),
  ]
  return steps.map((step, index) => ({ ...step, state: index < now ? 'done' : index === now ? 'now' : 'next' }))
}

function packedText({ cancelUntil, invoice, payment }: OrderView, isCharged: boolean, zone: string): string {
  if (!isCharged) return `From ${clockText(cancelUntil, zone)}, when canceling ends`
  if (payment && isPaidOnDelivery(payment.method)) return 'The lender pays on delivery'
  return invoice ? invoiceText(invoice) : `${formatCents(payment?.capturedCents ?? 0)} charged`
}

function transitTitle({ fulfillment, warehousePickup, pickup }: OrderView, isThere: boolean): string {
  if (isThere) return isPickup(fulfillment) ? 'Picked up' : 'Delivered'
  return warehousePickup || pickup?.heldSince ? 'Ready to pick up' : 'On the way'
}

/** "To Halsted Tire, by Tue, Nov 24": the day on which the last parcel is promised, until all are there. */
function transitText(order: OrderView, isThere: boolean): string {
  const place = destinationText(order).replace(/^at /, order.warehousePickup ? 'At ' : 'To ')
  const last = order.shipments
    .map((shipment) => shipment.promisedOn)
    .toSorted()
    .at(-1)
  return last && !isThere ? `${place}, by ${dayText(Temporal.PlainDate.from(last))}` : place
}
