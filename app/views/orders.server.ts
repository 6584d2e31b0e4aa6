/** Shared by the pages after checkout: who may see how much of an order, and how it is shown. */
import type { RouterContextProvider } from 'react-router'
import { shopContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { measure, orderSeen } from '#app/server/measure.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import type { StepperStep } from '#app/ui/order-timeline.tsx'
import { creditRows, summaryRows, type SummaryRow } from '#app/ui/order-summary.tsx'
import type { FitTone } from '#app/ui/tire-facts.tsx'
import type { PictureRef } from '#app/ui/tire-picture.tsx'
import { calendarLinks } from '#domain/booking/booking.server.ts'
import { findItem } from '#domain/catalog/catalog.server.ts'
import type { Level } from '#domain/fitment/fitment.ts'
import {
  bookingText,
  canCancel,
  cityLine,
  clockText,
  dayText,
  destinationText,
  timeText,
  trackingStep,
  trackingSteps,
  vehicleText,
  type ShipmentState,
} from '#domain/orders/orders.ts'
import {
  cancelOrder,
  opensOrder,
  orderAccessOf,
  orderAppointment,
  readOrder,
  receiptKey,
  showsOrder,
  type OrderView,
} from '#domain/orders/orders.server.ts'
import { invoiceText } from '#domain/invoices/invoices.ts'
import { pictureDataOf, pictureKey } from '#pictures/pictures.ts'
import { phoneText } from '#platform/phone-text.ts'
import { formatCents } from '#platform/money.ts'
import type { Shop } from '#shop'

/** `own`: everything. `read`: everything, but no actions. `status`: its progress only, and no personal data. */
export type OrderAccess = 'own' | 'read' | 'status'

export type ShipmentView = {
  id: string
  title: string
  /** Null for a shipment that was canceled or returned. */
  steps: StepperStep[] | null
  ended: string | null
  carrier: string | null
  trackingNumber: string | null
  arrival: string
  from: string
  items: string[]
  events: { key: string; time: string; text: string }[]
}

export type AppointmentView = {
  shop: string
  time: string
  place: string
  phone: string
  directions: string | null
  calendar: { label: string; href: string }[]
}

export type OwnOrderView = {
  firstName: string
  email: string
  steps: StepperStep[]
  appointment: AppointmentView | null
  shipTo: string[]
  vehicle: string | null
  verdict: { tone: FitTone; headline: string }[]
  /** `review` links to reviewing tires that have arrived. */
  tires: { text: string; picture: PictureRef; review: string | null }[]
  rows: SummaryRow[]
  /** The heading of the amounts: a canceled order is not paid for. */
  amounts: string
  payment: string
  poNumber: string | null
  receipt: string
  track: string
  /** Null if there is nothing left to cancel. */
  cancel: { can: true; until: string; consequence: string } | { can: false; reason: string } | null
}

export const fitTones: Record<Level, FitTone> = {
  fits: 'yes',
  fits_with_conditions: 'conditions',
  unknown: 'unknown',
  does_not_fit: 'no',
}

type FoundOrder = { shop: Shop; order: OrderView; access: OrderAccess; key: string | undefined }

/**
 * Returns the order an address refers to (`?order=` with `key` from an email or `look` from an order lookup, the
 * browser that placed it or opened it with an emailed code, its account, or the company it was placed for), as far as
 * the visitor may see it; undefined without such access, whether or not the order exists.
 */
export async function findOrder(
  context: Readonly<RouterContextProvider>,
  orderId: number,
  query: URLSearchParams,
): Promise<FoundOrder | undefined> {
  const shop = context.get(shopContext)
  const visitor = context.get(visitorContext)
  const { secret } = shop.config.session
  const now = shop.clock.now()
  const key = query.get('key')
  const isKeyRight = opensOrder(secret, key, orderId, now)
  const isOwn =
    isKeyRight ||
    visitor.orderIds.includes(orderId) ||
    visitor.orderKeys.some((kept) => opensOrder(secret, kept, orderId, now))
  const access = isOwn
    ? 'own'
    : ((await accessOfAccount(context, orderId)) ??
      (showsOrder(secret, query.get('look'), orderId, now) ? 'status' : undefined))
  const order = access && (await readOrder(shop.db, orderId))
  return access && order && { shop, order, access, key: isKeyRight && key ? key : undefined }
}

/** The same, or a 404 that does not disclose whether the order exists. */
export async function requireOrder(
  context: Readonly<RouterContextProvider>,
  orderId: number,
  query: URLSearchParams,
): Promise<FoundOrder> {
  const found = await findOrder(context, orderId, query)
  if (!found) throw new Response(null, { status: 404 })
  return found
}

async function accessOfAccount(
  context: Readonly<RouterContextProvider>,
  orderId: number,
): Promise<'own' | 'read' | undefined> {
  const signedIn = await context.get(signedInContext)()
  return signedIn && orderAccessOf(context.get(shopContext), signedIn.accountId, orderId)
}

/** The same, for pages that show everything. */
export async function requireOwnOrder(
  context: Readonly<RouterContextProvider>,
  orderId: number,
  query: URLSearchParams,
): Promise<{ shop: Shop; order: OrderView; access: 'own' | 'read'; key: string | undefined }> {
  const { access, ...found } = await requireOrder(context, orderId, query)
  if (access === 'status') throw new Response(null, { status: 404 })
  return { ...found, access }
}

/** Parses the order number in an address; returns 0, which no order has, if it is invalid. */
export function orderIdOf(text: string | null | undefined): number {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : 0
}

/**
 * Cancels the order the address refers to and shows the page again, or returns the reason it can no longer be canceled.
 */
export async function cancelFromPage(
  context: Readonly<RouterContextProvider>,
  url: URL,
): Promise<Response | { reason: string }> {
  const { shop, order, access } = await requireOwnOrder(
    context,
    orderIdOf(url.searchParams.get('order')),
    url.searchParams,
  )
  if (access === 'read') throw new Response(null, { status: 403 })
  const canceled = await cancelOrder(shop, { orderId: order.id, actor: 'shopper' })
  if (canceled.ok) measure(context, () => orderSeen('refund', order))
  if (canceled.ok) return seeOther(url.pathname + url.search)
  if (canceled.reason === 'order-not-found') throw new Response(null, { status: 404 })
  return { reason: canceled.detail.reason }
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
      arrival: shipment.deliveredAt
        ? `Delivered ${timeText(shipment.deliveredAt, zone)}`
        : `Promised by ${dayText(Temporal.PlainDate.from(shipment.promisedOn))}`,
      from: `${shipment.warehouse.city}, ${shipment.warehouse.state}`,
      items:
        access !== 'status'
          ? shipment.items.map((item) => `${item.quantity} ${item.description}`)
          : [`${count} ${count === 1 ? 'tire' : 'tires'}`],
      events: shipment.events
        .map((event, place) => ({
          key: `${shipment.id} ${place}`,
          time: timeText(event.at, zone),
          // A carrier note that only repeats the step adds nothing.
          text:
            event.note && event.note !== stateWords[event.state]
              ? `${stateWords[event.state]}. ${event.note}`
              : stateWords[event.state],
        }))
        .toReversed(),
    }
  })
}

/**
 * Everything about an order, for its owner. `key` goes into the links if it opened the page; a read-only viewer gets no
 * actions.
 */
export async function ownOrderView(
  shop: Pick<Shop, 'config' | 'clock' | 'catalog'>,
  { order, access, key }: { order: OrderView; access: 'own' | 'read'; key: string | undefined },
): Promise<OwnOrderView> {
  const zone = order.timeZone
  const until = clockText(order.cancelUntil, zone)
  const cancellation =
    access === 'read' || order.state === 'canceled' || order.state === 'returned'
      ? null
      : canCancel(order, shop.clock.now())
  return {
    firstName: order.firstName,
    email: order.email,
    steps: timelineOf(order, zone),
    appointment: appointmentView(shop, order, key),
    shipTo: [order.shipTo.name, order.shipTo.street, cityLine(order.shipTo)],
    vehicle: vehicleText(order),
    verdict:
      order.verdict?.sets.map(({ headline }) => ({ tone: fitTones[order.verdict?.verdict ?? 'unknown'], headline })) ??
      [],
    tires: await tiresOf(shop, order, key),
    rows: [
      ...summaryRows(order.breakdown.explain),
      ...creditRows(order.creditCents, order.totalCents - order.creditCents),
    ],
    amounts: order.state === 'canceled' ? 'What it would have been' : 'What you pay',
    payment: paymentText(order, until),
    poNumber: order.billing.poNumber,
    receipt: paths.receipt(
      order.id,
      order.customerId,
      // Whoever has only the key of a mail gets an address of the receipt that is soon worth nothing.
      key && receiptKey(shop.config.session.secret, order.id, shop.clock.now()),
    ),
    track: paths.trackResult(order.id, { key }),
    cancel: cancellation && (cancellation.can ? { can: true, until, consequence: consequenceOf(order) } : cancellation),
  }
}

async function tiresOf(
  { catalog }: Pick<Shop, 'catalog'>,
  order: OrderView,
  key: string | undefined,
): Promise<OwnOrderView['tires']> {
  const isThere = order.shipments.some(({ deliveredAt }) => deliveredAt !== null)
  const lines = order.lines.flatMap(({ itemId, quantity, description, line }) =>
    itemId === null
      ? []
      : [
          {
            itemId,
            text: `${quantity} ${description}`,
            review: isThere && line ? paths.writeReview(line.brandSlug, line.slug, { order: order.id, key }) : null,
          },
        ],
  )
  return Promise.all(
    lines.map(async ({ itemId, text, review }) => {
      const item = await findItem(catalog, itemId)
      return { text, review, picture: { itemId, key: item ? pictureKey(pictureDataOf(item)) : 'none' } }
    }),
  )
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
function timelineOf(order: OrderView, zone: string): StepperStep[] {
  const { booking, payment, invoice } = order
  const isCharged = invoice ? order.releasedAt !== null : (payment?.capturedCents ?? 0) > 0
  const isThere = order.shipments.every((shipment) => shipment.state === 'delivered')
  const isInstalled = booking?.state === 'done'
  const arrived = isInstalled || !booking ? 4 : 3
  const now = !isCharged ? 1 : !isThere ? 2 : arrived
  const steps = [
    { title: 'Order placed', detail: timeText(order.placedAt, zone) },
    { title: invoice ? 'Packed' : 'Charged and packed', detail: packedText(order, isCharged, zone) },
    { title: isThere ? 'Delivered' : 'On the way', detail: transitText(order, isThere) },
    ...(booking ? [{ title: 'Installed', detail: isInstalled ? 'Done' : bookingText(booking, zone) }] : []),
  ]
  return steps.map((step, index) => ({ ...step, state: index < now ? 'done' : index === now ? 'now' : 'next' }))
}

function packedText({ cancelUntil, invoice, payment }: OrderView, isCharged: boolean, zone: string): string {
  if (!isCharged) return `From ${clockText(cancelUntil, zone)}, when canceling ends`
  return invoice ? invoiceText(invoice) : `${formatCents(payment?.capturedCents ?? 0)} charged`
}

/** "To Halsted Tire, by Tue, Nov 24": the day on which the last parcel is promised, until all are there. */
function transitText(order: OrderView, isThere: boolean): string {
  const place = destinationText(order).replace(/^at /, 'To ')
  const last = order.shipments
    .map((shipment) => shipment.promisedOn)
    .toSorted()
    .at(-1)
  return last && !isThere ? `${place}, by ${dayText(Temporal.PlainDate.from(last))}` : place
}

function appointmentView(
  shop: Pick<Shop, 'config'>,
  order: OrderView,
  key: string | undefined,
): AppointmentView | null {
  const appointment = orderAppointment(shop, order)
  if (!appointment || !order.booking || !order.shop || order.booking.state === 'canceled') return null
  const isVan = order.booking.kind === 'mobile'
  const place = appointment.visitAddress ?? `${order.shop.street}, ${cityLine(order.shop)}`
  const links = calendarLinks(appointment)
  return {
    shop: order.shop.name,
    time: bookingText(order.booking, order.timeZone),
    place: isVan ? `Comes to ${place}` : place,
    phone: phoneText(order.shop.phone),
    directions: isVan ? null : `https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`,
    calendar: [
      { label: 'Calendar file', href: paths.calendar(order.id, key) },
      { label: 'Google', href: links.google },
      { label: 'Outlook', href: links.outlook },
      { label: 'Office 365', href: links.office365 },
      { label: 'Yahoo', href: links.yahoo },
    ],
  }
}

function paymentText({ state, payment, invoice, ...order }: OrderView, until: string): string {
  if (invoice) return `${invoiceText(invoice)}.`
  const chargedCents = order.totalCents - order.creditCents
  if (state === 'canceled')
    return `Your card is not charged. A hold your bank shows on ${formatCents(chargedCents)} goes away by itself, usually within a few days.`
  if (payment && payment.refundedCents > 0)
    return `${formatCents(payment.capturedCents)} charged to your card, ${formatCents(payment.refundedCents)} refunded.`
  if (payment && payment.capturedCents > 0) return `${formatCents(payment.capturedCents)} charged to your card.`
  if (state === 'needs-confirmation')
    return `${formatCents(chargedCents)} is set aside on your card. It is charged when the order is confirmed, not before.`
  return `${formatCents(chargedCents)} is set aside on your card and charged after ${until}.`
}

function consequenceOf({ shop, invoice }: OrderView): string {
  const money = invoice ? 'Your company owes nothing for it' : 'Your card is not charged'
  return shop
    ? `${money}, nothing is shipped, and your time at ${shop.name} goes to somebody else.`
    : `${money} and nothing is shipped.`
}
