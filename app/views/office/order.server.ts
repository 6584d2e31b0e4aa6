/** One order in the back office, with personal data if the role allows it. */
import { canUse } from '#app/office/page-parts.ts'
import type { OfficePhoto } from '#app/ui/office/photos-panel.tsx'
import type { PictureRef } from '#app/ui/tire-picture.tsx'
import { pictureOfItem } from '#app/views/tire-picture.server.ts'
import type { DetailActions } from '#app/office/detail-actions.ts'
import { conversationOf, type ConversationView } from '#app/views/office/order-conversation.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { findPerson } from '#app/views/office/customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Level } from '#domain/catalog/fitment/fitment.ts'
import { findScreening, isOpen } from '#domain/ordering/fraud/fraud.server.ts'
import { selectEntriesOfOrder } from '#domain/payments/ledger/ledger.server.ts'
import { selectMailsOfOrder } from '#domain/messaging/messages/messages.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { cityLine, timeText, vehicleText, type FleetPacket, type OrderState } from '#domain/ordering/orders/orders.ts'
import {
  readOrder,
  readVinEnd,
  selectLabels,
  selectOrderNotes,
  selectPacket,
  selectPaidLines,
  summarizeOrders,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import { selectChargeEvents } from '#domain/payments/payments/payments.server.ts'
import {
  listOrderRefunds,
  readRefundable,
  type NotRefundable,
  type Refundable,
} from '#domain/ordering/refunds/refunds.server.ts'
import { totalOf } from '#domain/ordering/refunds/refunds.ts'
import { staffCan, type Permission, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { selectOrderTax } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { listOrderThread, listTemplates } from '#domain/messaging/support/support.server.ts'
import { findTextOrder, selectTextsOfOrder } from '#domain/messaging/texts/texts.server.ts'
import { atOnce } from '#platform/at-once.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import { actionsOf, type OrderFormName } from './order-actions.server.ts'
import { deliveryOf, type DeliveryView } from './order-delivery.server.ts'
import { itemsOf, type ItemsView } from './order-items.server.ts'
import { transfersOf, type LedgerRow } from './order-ledger.server.ts'
import {
  heldNotice,
  noticesOf,
  refundViewOf,
  taxNotices,
  type NoticeView,
  type RefundView,
} from './order-notices.server.ts'
import { paymentViewOf, type PaymentView } from './order-payment.server.ts'
import { readOrderPhotos } from './order-photos.server.ts'

export type Tone = 'go' | 'signal' | 'stop' | 'plain'

/** Amounts of a row as they are shown; "None" for zero. */
export type AmountsView = { net: string; tax: string; fee: string; total: string }

export type OfficeOrderView = {
  id: number
  number: string
  state: { label: string; tone: Tone }
  /** The next deadline, or null. */
  timer: { text: string; tone: Tone } | null
  actions: DetailActions
  notices: NoticeView[]
  /** Empty where it is not known. */
  vehicle: string
  /** The fitment result as evaluated when the order was placed; null if it wasn't evaluated. */
  fit: { text: string; isSure: boolean } | null
  items: ItemsView
  delivery: DeliveryView
  payment: PaymentView
  /** Null for a role that does not see it. */
  ledger: { transfers: { transfer: string; rows: LedgerRow[] }[]; sum: string; isBalanced: boolean } | null
  refunds: RefundView[]
  /** Null for a role that does not see customers. */
  customer: CustomerView | null
  conversation: ConversationView | null
  /** Of its jobs at shops. */
  photos: OfficePhoto[]
}

export type CustomerView = {
  name: string
  company: string | null
  /** "2 orders, $1,541.90 · guest" */
  history: string
  path: string
  phone: string
  phoneLink: string
  texts: string
  email: string
  billTo: string
}

/** A refund made by staff. `isMine` means that the viewer made it, and thus can't approve it. */
/** The data for an order's page, in addition to its view. */
export type OfficeOrder = {
  order: OrderView
  refundable: Refundable
  view: OfficeOrderView
  records: OrderRecords
}

/**
 * Reads an order for staff with these roles; undefined if it doesn't exist. `place` is the user's position on the page.
 */
export async function readOfficeOrder(
  app: Application,
  orderId: number,
  reader: { roles: readonly StaffRole[]; email: string },
  place: { view: string | null; open: OrderFormName | null },
): Promise<OfficeOrder | undefined> {
  const order = await readOrder(app.db, orderId)
  if (!order) return undefined
  const records = await readRecords(app, order, reader.roles)
  const { refundable } = records
  if (!refundable) return undefined
  const tires = order.lines.flatMap(({ lineNo, itemId }) => (itemId === null ? [] : [{ lineNo, itemId }]))
  const pictures = new Map(
    await Promise.all(
      tires.map(async ({ lineNo, itemId }) => [lineNo, await pictureOfItem(app.catalog, itemId)] as const),
    ),
  )
  const all = { ...records, refundable, pictures }
  const view = viewOf(order, all, { reader, place, now: app.clock.now() })
  return { order, refundable, view, records: all }
}

/** Reads the page's other records, limited by role, over one connection. */
async function readRecords(app: Application, order: OrderView, roles: readonly StaffRole[]) {
  const { id, customerId } = order
  const can = (permission: Permission) => staffCan(roles, permission)
  const seesCustomer = customerFieldsFor(roles).isShown
  const [
    refundable,
    lines,
    refunds,
    vinEnd,
    packet,
    entries,
    tax,
    charges,
    notes,
    screening,
    labels,
    buyer,
    written,
    photos,
  ] = await atOnce(app.db, [
    (db) => readRefundable(db, id),
    (db) => selectPaidLines(db, id),
    (db) => listOrderRefunds(db, id),
    (db) => readVinEnd(db, id),
    (db) => selectPacket(db, id),
    (db) => (canUse(roles, 'ledger') ? selectEntriesOfOrder(db, id) : null),
    (db) => selectOrderTax(db, id),
    (db) => selectChargeEvents(db, id),
    (db) => selectOrderNotes(db, id),
    (db) => (can('held-orders.read') ? findScreening({ db }, id) : undefined),
    (db) => selectLabels(db, id),
    (db) => (seesCustomer ? readBuyer({ ...app, db }, customerId) : undefined),
    (db) => (seesCustomer ? readWritten(db, id, can('requests.answer')) : undefined),
    (db) => readOrderPhotos(db, order, { roles, now: app.clock.now() }),
  ])
  return {
    refundable,
    lines,
    refunds,
    vinEnd,
    packet,
    entries,
    tax,
    charges,
    notes,
    screening,
    labels,
    buyer,
    written,
    photos,
  }
}

/** An order's other records. Those that a role does not see are null, undefined, or empty. */
export type OrderRecords = Awaited<ReturnType<typeof readRecords>> & {
  refundable: Refundable
  /** By line number. */
  pictures: ReadonlyMap<number, PictureRef>
}

function viewOf(
  order: OrderView,
  records: OrderRecords,
  {
    reader: { roles, email },
    place,
    now,
  }: {
    reader: { roles: readonly StaffRole[]; email: string }
    place: { view: string | null; open: OrderFormName | null }
    now: Temporal.Instant
  },
): OfficeOrderView {
  const {
    refundable,
    pictures,
    lines,
    refunds,
    vinEnd,
    packet,
    entries,
    tax,
    charges,
    notes,
    screening,
    labels,
    buyer,
    written,
  } = records
  const shownRefunds = refunds.map((refund) => refundViewOf(refund, { order, email }))
  const noRefund = whyNoRefund(refundable)
  const held = screening && isOpen(screening) ? screening : null
  const facts = { roles, now, noRefund, refunds: shownRefunds, isHeld: held !== null, isWaiting: isWaiting(written) }
  return {
    id: order.id,
    number: orderNumber(order.id),
    state: stateOf(order),
    timer: timerOf(order, now),
    actions: actionsOf(order, { ...place, ...facts }),
    notices: [...(held ? [heldNotice(order.id, held)] : []), ...noticesOf(order, refunds), ...taxNotices(tax)],
    vehicle: [vehicleText(order), vinEnd && `VIN …${vinEnd}`, packet && packetText(packet)].filter(Boolean).join(' · '),
    fit: fitOf(order),
    items: itemsOf(order, lines, { refundable, pictures, showsCost: staffCan(roles, 'reports.read') }),
    delivery: deliveryOf(order, { roles, now, labels, sources: lines.flatMap((line) => line.sources) }),
    payment: paymentViewOf(order, {
      charges,
      hasDraft: refunds.some(({ state }) => state === 'draft'),
      leftCents: noRefund === null ? refundable.leftCents : 0,
      seesCustomer: customerFieldsFor(roles).isShown,
    }),
    ledger: entries && ledgerOf(order, entries),
    refunds: shownRefunds,
    customer: buyer && written ? customerOf(order, buyer, written.consent?.state) : null,
    conversation: written ? conversationOf(order, { ...written, notes }, { roles, now }) : null,
    photos: records.photos,
  }
}

function whyNoRefund({ why, leftCents }: Refundable): string | null {
  if (why !== null) return notRefundable[why]
  return leftCents === 0 ? 'Everything was refunded.' : null
}

/** Returns whether the customer is waiting for a reply. */
function isWaiting(written: OrderRecords['written']): boolean {
  return written?.thread.requests.some(({ waitingSince }) => waitingSince !== null) ?? false
}

function ledgerOf(order: OrderView, entries: NonNullable<OrderRecords['entries']>): OfficeOrderView['ledger'] {
  return {
    transfers: transfersOf(entries, order),
    sum: formatCents(entries.reduce((sum, { cents }) => sum + Math.max(0, cents), 0)),
    isBalanced: entries.reduce((sum, { cents }) => sum + cents, 0) === 0,
  }
}

/** What the customer has ordered so far, over all their emails and accounts. */
async function readBuyer(app: Application, customerId: string) {
  const person = await findPerson(app, customerId)
  const [summary] = person ? await summarizeOrders(app.db, [person.ordering], app.clock.now()) : []
  return {
    orders: summary?.orders ?? 0,
    spentCents: summary?.spentCents ?? 0,
    isGuest: person === undefined || person.accounts.length === 0,
    path: officePaths.officeCustomer(person?.id ?? customerId),
  }
}

/** Reads messages to and from an order's customer. */
async function readWritten(db: Database, orderId: number, mayAnswer: boolean) {
  const [mails, texts, consent, thread, templates] = await atOnce(db, [
    (own) => selectMailsOfOrder(own, orderId),
    (own) => selectTextsOfOrder(own, orderId),
    (own) => findTextOrder({ db: own }, orderId),
    (own) => listOrderThread({ db: own }, orderId),
    (own) => (mayAnswer ? listTemplates({ db: own }) : []),
  ])
  return { mails, texts, consent, thread, templates }
}

/** Returns a fleet's vehicle identifiers; the driver is only for the fleet and the shop. */
function packetText({ unit, plate, plateState }: FleetPacket): string {
  return [`Unit ${unit ?? 'not given'}`, plate && `plate ${[plate, plateState].filter(Boolean).join(' ')}`]
    .filter(Boolean)
    .join(' · ')
}

/** Why an order cannot be refunded, as staff read it. */
export const notRefundable: Record<NotRefundable['reason'], string> = {
  'order-not-found': 'Order not found.',
  'order-not-charged': 'Not charged yet. Cancel the order instead.',
  'order-over': 'The order was canceled before it was charged.',
  'invoice-settled': 'The company paid its invoice. Refund it by bank transfer.',
}

/** Amounts as they are shown; the state’s fee and the excise tax share a column. */
export function amounts(parts: Parameters<typeof totalOf>[0]): AmountsView {
  const text = (cents: number) => (cents === 0 ? 'None' : formatCents(cents))
  return {
    net: text(parts.netCents),
    tax: text(parts.taxCents),
    fee: text(parts.tireFeeCents + parts.fetCents),
    total: formatCents(totalOf(parts)),
  }
}

const stateNames: Record<OrderState, { label: string; tone: Tone }> = {
  'needs-confirmation': { label: 'Needs confirming', tone: 'signal' },
  confirmed: { label: 'Confirmed', tone: 'go' },
  canceled: { label: 'Canceled', tone: 'stop' },
  returned: { label: 'Returned', tone: 'plain' },
}

function stateOf({ state, shipments, releasedAt, isService, booking }: OrderView): { label: string; tone: Tone } {
  if (state !== 'confirmed' || releasedAt === null) return stateNames[state]
  if (isService) return { label: booking?.state === 'done' ? 'Done' : 'Booked', tone: 'go' }
  if (shipments.length > 0 && shipments.every((shipment) => shipment.state === 'delivered'))
    return { label: 'Delivered', tone: 'go' }
  if (shipments.some((shipment) => shipment.state === 'in-transit')) return { label: 'In transit', tone: 'go' }
  return { label: 'Processing', tone: 'go' }
}

function timerOf(
  { state, confirmBy, cancelUntil, releasedAt, timeZone }: OrderView,
  now: Temporal.Instant,
): OfficeOrderView['timer'] {
  if (state === 'needs-confirmation' && confirmBy)
    return { text: `Canceled at ${timeText(confirmBy, timeZone)} unless confirmed`, tone: 'signal' }
  if (state === 'confirmed' && releasedAt === null && Temporal.Instant.compare(now, cancelUntil) < 0)
    return { text: `Charged and released at ${timeText(cancelUntil, timeZone)}`, tone: 'plain' }
  return null
}

const fitNames: Readonly<Record<Level, string>> = {
  fits: 'Fits',
  fits_with_conditions: 'Fits with conditions',
  unknown: 'Fit not checked',
  does_not_fit: 'Doesn’t fit',
}

function fitOf({ verdict }: OrderView): OfficeOrderView['fit'] {
  if (!verdict) return null
  const both = verdict.sets.length > 1 ? ', both axles' : ''
  return { text: `${fitNames[verdict.verdict]}${both}`, isSure: verdict.verdict === 'fits' }
}

function customerOf(
  order: OrderView,
  { orders, spentCents, isGuest, path }: NonNullable<OrderRecords['buyer']>,
  texts: string | undefined,
): CustomerView {
  const { billing } = order
  return {
    name: `${order.firstName} ${order.lastName}`,
    company: order.company,
    history: [`${countOf(orders, 'order')}, ${formatCents(spentCents)}`, isGuest ? 'guest' : null]
      .filter(Boolean)
      .join(' · '),
    path,
    phone: phoneText(order.phone),
    phoneLink: `tel:+1${order.phone.replaceAll(/\D/g, '')}`,
    texts: texts === 'confirmed' ? 'texts on' : texts === 'stopped' ? 'texts stopped' : 'texts off',
    email: order.email,
    billTo: [billing.address1, billing.address2, cityLine(billing)].filter(Boolean).join(', '),
  }
}
