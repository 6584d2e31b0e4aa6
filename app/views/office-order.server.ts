/** One order as the back office shows it, with personal data for those whose role shows it. */
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { selectEntriesOfOrder } from '#domain/ledger/ledger.server.ts'
import { invoiceText } from '#domain/invoices/invoices.ts'
import { salesTaxText } from '#domain/pricing/pricing.ts'
import {
  bookingText,
  cityLine,
  dayText,
  installationState,
  methodName,
  orderNumber,
  timeText,
  vehicleText,
  type FleetPacket,
  type OrderState,
} from '#domain/orders/orders.ts'
import { readOrder, readVinEnd, selectPacket, selectPaidLines, type OrderView } from '#domain/orders/orders.server.ts'
import {
  listOrderRefunds,
  readRefundable,
  type NotRefundable,
  type Refundable,
} from '#domain/refunds/refunds.server.ts'
import { refundBearers, refundReasons, sumOfParts, totalOf } from '#domain/refunds/refunds.ts'
import { staffCan, type StaffRole } from '#domain/staff/staff.ts'
import { selectOrderTax, type OrderTax } from '#domain/sales-tax/sales-tax.server.ts'
import { estimateWords } from '#domain/sales-tax/sales-tax.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Shop } from '#shop'
import { capital, transfersOf, type LedgerRow } from './office-order-ledger.server.ts'

export type Tone = 'go' | 'signal' | 'stop' | 'plain'

/** Amounts of a row as they are shown; "None" for zero. */
export type AmountsView = { net: string; tax: string; fee: string; total: string }

export type OfficeOrderView = {
  id: number
  number: string
  state: { label: string; tone: Tone }
  /** What is next by the clock; null where nothing is. */
  timer: { text: string; tone: Tone } | null
  facts: { label: string; value: string; meta: string }[]
  notices: { tone: 'stop' | 'signal'; title: string; text: string }[]
  vehicle: string | null
  lines: ({ lineNo: number; name: string; detail: string; where: string } & AmountsView)[]
  sums: AmountsView
  taxNote: string
  parcels: { title: string; tag: { label: string; tone: Tone }; rows: [string, string][] }[]
  appointment: { tag: string; rows: [string, string][] } | null
  money: { tag: { label: string; tone: Tone }; rows: [string, string][] }
  /** Null for a role that does not see it. */
  ledger: { transfer: string; rows: LedgerRow[] }[] | null
  ledgerSum: string
  refunds: RefundView[]
  refundable: Refundable
  noRefund: string | null
  left: string
}

/** A refund that staff made. `isMine` is for whoever may not approve it for that. */
export type RefundView = {
  id: string
  amount: string
  state: { label: string; tone: Tone }
  text: string
  note: string | null
  isDraft: boolean
  isMine: boolean
  mayRetry: boolean
}

/** Reads an order for staff with these roles; undefined if there is none. */
export async function readOfficeOrder(
  shop: Shop,
  orderId: number,
  { roles, email }: { roles: readonly StaffRole[]; email: string },
): Promise<{ order: OrderView; view: OfficeOrderView } | undefined> {
  const { db } = shop
  const order = await readOrder(db, orderId)
  const refundable = order && (await readRefundable(db, orderId))
  if (!order || !refundable) return undefined
  const seesLedger = staffCan(roles, 'ledger.read')
  const [lines, refunds, end, packet, entries, tax] = await Promise.all([
    selectPaidLines(db, orderId),
    listOrderRefunds(db, orderId),
    readVinEnd(db, orderId),
    selectPacket(db, orderId),
    seesLedger ? selectEntriesOfOrder(db, orderId) : [],
    selectOrderTax(db, orderId),
  ])
  const ofLine = new Map(order.lines.map((line) => [line.lineNo, line]))
  const noRefund = refundable.why === null ? null : notRefundable[refundable.why]
  const debits = entries.reduce((sum, { cents }) => sum + Math.max(0, cents), 0)
  const view = {
    id: order.id,
    number: orderNumber(order.id),
    state: stateOf(order),
    timer: timerOf(order, shop.clock.now()),
    facts: factsOf(order, { seesCustomer: customerFieldsFor(roles).isShown }),
    notices: [...noticesOf(order, refunds), ...taxNotices(tax)],
    vehicle:
      [vehicleText(order), end && `VIN …${end}`, packet && packetText(packet)].filter(Boolean).join(' · ') || null,
    lines: lines.map((line) => ({
      lineNo: line.lineNo,
      name: `${line.quantity} ${line.description}`,
      detail: `at ${formatCents(ofLine.get(line.lineNo)?.unitCents ?? 0)}`,
      where: refundedText(refundable, { lineNo: line.lineNo, canceled: ofLine.get(line.lineNo)?.canceled ?? 0 }),
      ...amounts(line),
    })),
    sums: amounts(sumOfParts(lines)),
    taxNote: taxNoteOf(order.breakdown.tax),
    parcels: order.shipments.map((shipment, index) => parcelOf(order, shipment, index)),
    appointment: appointmentOf(order, { seesCode: customerFieldsFor(roles).isShown }),
    money: moneyOf(order, refunds),
    ledger: seesLedger ? transfersOf(entries, order) : null,
    ledgerSum: formatCents(debits),
    refunds: refunds.map((refund) => refundViewOf(refund, { order, email })),
    refundable,
    noRefund,
    left: formatCents(refundable.leftCents),
  }
  return { order, view }
}

/** What a fleet calls the vehicle; who drives it is between the fleet and the shop. */
function packetText({ unit, plate, plateState }: FleetPacket): string {
  return [`Unit ${unit ?? 'not given'}`, plate && `plate ${[plate, plateState].filter(Boolean).join(' ')}`]
    .filter(Boolean)
    .join(' · ')
}

/** Why an order cannot be refunded, as staff read it. */
export const notRefundable: Record<NotRefundable['reason'], string> = {
  'order-not-found': 'There is no such order.',
  'order-not-charged': 'Nothing is charged yet. Until it is, cancel instead.',
  'order-over': 'The order was canceled, and nothing was charged.',
  'invoice-settled': 'The company paid its invoice. Pay the money back by transfer.',
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

function stateOf({ state, shipments, releasedAt }: OrderView): { label: string; tone: Tone } {
  if (state !== 'confirmed' || releasedAt === null) return stateNames[state]
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

function factsOf(order: OrderView, { seesCustomer }: { seesCustomer: boolean }): OfficeOrderView['facts'] {
  const { timeZone, booking, shop, totalCents, payment, address } = order
  const refundedCents = payment?.refundedCents ?? 0
  const hidden = 'Hidden for your role'
  const installation = installationState(order)
  const appointment =
    booking && shop && installation !== 'none'
      ? {
          value: installation === 'unbooked' ? 'No time is booked' : timeText(booking.start, timeZone),
          meta: shop.name,
        }
      : { value: 'None', meta: shop?.name ?? 'Without installation' }
  return [
    {
      label: 'Customer',
      value: seesCustomer ? `${order.firstName} ${order.lastName}` : hidden,
      meta: seesCustomer ? phoneText(order.phone) : '',
    },
    {
      label: 'Email',
      value: seesCustomer ? order.email : hidden,
      meta: seesCustomer ? [address.line1, address.line2, cityLine(address)].filter(Boolean).join(', ') : '',
    },
    { label: 'Placed', value: timeText(order.placedAt, timeZone), meta: order.company ?? '' },
    { label: 'Appointment', ...appointment },
    {
      label: 'Total',
      value: formatCents(totalCents),
      meta: refundedCents > 0 ? `${formatCents(refundedCents)} refunded` : 'Nothing refunded',
    },
  ]
}

type Refunds = Awaited<ReturnType<typeof listOrderRefunds>>

/** "Estimated sales tax. State rate, without local tax. Illinois" */
function taxNoteOf(tax: OrderView['breakdown']['tax']): string {
  return [salesTaxText(tax), tax.isExempt ? `${tax.stateName}, exempt` : tax.stateName].join('. ')
}

function taxNotices(tax: OrderTax | undefined): OfficeOrderView['notices'] {
  const text = tax ? estimateWords(tax) : null
  return text === null ? [] : [{ tone: 'signal', title: 'The sales tax is an estimate.', text }]
}

function noticesOf({ shipments, booking, shop, timeZone }: OrderView, refunds: Refunds): OfficeOrderView['notices'] {
  const notices: OfficeOrderView['notices'] = []
  const last = shipments
    .filter(({ state }) => state !== 'delivered' && state !== 'canceled' && state !== 'returned')
    .map(({ promisedOn }) => promisedOn)
    .toSorted()
    .at(-1)
  const day = booking?.start.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  if (booking?.state === 'confirmed' && shop && last !== undefined && day !== undefined && last > day)
    notices.push({
      tone: 'stop',
      title: 'A parcel arrives after the appointment.',
      text: `It is due ${dayText(Temporal.PlainDate.from(last))}. Move the appointment at ${shop.name}, or refund what is not wanted.`,
    })
  for (const { card, amountCents } of refunds)
    if (card?.state === 'refused')
      notices.push({
        tone: 'stop',
        title: `The provider refused a refund of ${formatCents(amountCents)}.`,
        text: card.note ?? 'Try again below, or pay the money back another way.',
      })
  for (const { state, amountCents, createdBy } of refunds)
    if (state === 'draft')
      notices.push({
        tone: 'signal',
        title: `A refund of ${formatCents(amountCents)} waits for a second person.`,
        text: `${createdBy} asked for it.`,
      })
  return notices
}

function refundedText({ lines }: Refundable, { lineNo, canceled }: { lineNo: number; canceled: number }): string {
  const line = lines.find((candidate) => candidate.lineNo === lineNo)
  if (!line) return ''
  const refunded = line.refundedUnits - canceled
  return [
    canceled > 0 ? `${canceled} of ${line.quantity} canceled` : '',
    refunded > 0 ? `${refunded} of ${line.quantity} refunded` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

const parcelTags: Record<OrderView['shipments'][number]['state'], { label: string; tone: Tone }> = {
  processed: { label: 'Processed', tone: 'plain' },
  'pending-pickup': { label: 'Pending pickup', tone: 'plain' },
  'in-transit': { label: 'In transit', tone: 'go' },
  delivered: { label: 'Delivered', tone: 'go' },
  canceled: { label: 'Canceled', tone: 'stop' },
  returned: { label: 'Returned', tone: 'stop' },
}

function parcelOf(
  { timeZone }: OrderView,
  shipment: OrderView['shipments'][number],
  index: number,
): OfficeOrderView['parcels'][number] {
  const { carrier, trackingNumber, warehouse, promisedOn, deliveredAt, items, events, state } = shipment
  const last = events.at(-1)
  const rows: [string, string | null][] = [
    ['Carrier', carrier],
    ['Tracking', trackingNumber],
    ['From', `${warehouse.city}, ${warehouse.state}`],
    ['Promised', dayText(Temporal.PlainDate.from(promisedOn))],
    ['Arrived', deliveredAt && timeText(deliveredAt, timeZone)],
    ['Last event', last ? `${last.note ?? parcelTags[last.state].label}, ${timeText(last.at, timeZone)}` : null],
  ]
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0)
  return {
    title: `Parcel ${index + 1}, ${countOf(count, 'tire')}`,
    tag: parcelTags[state],
    rows: rows.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : [])),
  }
}

function appointmentOf(
  { booking, shop, dealer, widget, timeZone }: OrderView,
  { seesCode }: { seesCode: boolean },
): OfficeOrderView['appointment'] {
  if (!shop) return null
  const rows: [string, string | null][] = [
    ['Shop', `${shop.name} (${shop.code})`],
    ['Dealer', dealer && `${dealer.name} (${dealer.dealerCode})`],
    [
      'Came from',
      widget && `the widget of ${widget.partner} (${[widget.id, widget.source].filter(Boolean).join(', ')})`,
    ],
    ['Address', `${shop.street}, ${cityLine(shop)}`],
    ['Phone', phoneText(shop.phone)],
    [
      'Time',
      booking
        ? bookingText({ ...booking, dropOffCode: seesCode ? booking.dropOffCode : 'hidden' }, timeZone)
        : 'None booked',
    ],
    ['Drop-off code', booking?.dropOffCode ? (seesCode ? booking.dropOffCode : 'Hidden for your role') : null],
  ]
  return {
    tag: capital(booking?.state ?? 'none'),
    rows: rows.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : [])),
  }
}

function moneyOf(
  { payment, invoice, creditCents, timeZone, releasedAt, billing, purchase }: OrderView,
  refunds: Refunds,
): OfficeOrderView['money'] {
  const rows: [string, string][] = []
  if (payment)
    rows.push(
      ['Paid with', methodName(payment)],
      ['Authorized', formatCents(payment.amountCents)],
      ['Captured', formatCents(payment.capturedCents)],
      ['Refunded', formatCents(payment.refundedCents)],
      ['Reference', payment.id],
    )
  rows.push(...termsRows(payment, billing), ...purchaseRows(purchase))
  if (invoice) rows.push(['Invoice', invoiceText(invoice)])
  if (creditCents > 0) rows.push(['Store credit', formatCents(creditCents)])
  if (releasedAt) rows.push(['Released', timeText(releasedAt, timeZone)])
  const isWaiting = refunds.some(({ state }) => state === 'draft')
  if (isWaiting) rows.push(['Waiting', 'A refund awaits a second person'])
  const isCharged = payment?.state === 'captured'
  const label = invoice ? `Invoice ${invoice.state}` : isCharged ? 'Charged' : (payment?.state ?? 'Nothing charged')
  return { tag: { label, tone: isCharged || invoice?.state === 'paid' ? 'go' : 'plain' }, rows }
}

/** What identifies the order at Resolve and in the buyer's books. */
function termsRows(payment: OrderView['payment'], { poNumber }: OrderView['billing']): [string, string][] {
  const rows: [string, string][] = payment?.loanId ? [['Resolve loan ID', payment.loanId]] : []
  return poNumber ? [...rows, ['PO number', poNumber]] : rows
}

/** Which purchasing system ordered, and for whom. */
function purchaseRows(purchase: OrderView['purchase']): [string, string][] {
  if (!purchase) return []
  const isExchange = purchase.channel === 'military-exchange'
  const rows: [string, string | null][] = [
    [isExchange ? 'Military exchange' : 'Purchasing system', purchase.company],
    ['Exchange customer', purchase.customerId],
    ['Cost center', purchase.costCenter],
  ]
  return rows.flatMap(([label, value]) => (value === null ? [] : [[label, value] as [string, string]]))
}

function refundViewOf(refund: Refunds[number], { order, email }: { order: OrderView; email: string }): RefundView {
  const { kind, state, card, reason, bearer, createdBy, createdAt, decidedBy } = refund
  const why = kind === 'cancellation' ? 'Canceled before it shipped' : refundReasons[reason]
  const who = decidedBy && decidedBy !== createdBy ? `${createdBy}, ${state} by ${decidedBy}` : createdBy
  const isRefused = card?.state === 'refused'
  const label: RefundView['state'] =
    state === 'draft'
      ? { label: 'Waits for a second person', tone: 'signal' }
      : state === 'declined'
        ? { label: 'Declined', tone: 'plain' }
        : isRefused
          ? { label: 'Refused by the provider', tone: 'stop' }
          : card?.state === 'promised'
            ? { label: 'On its way', tone: 'plain' }
            : { label: 'Refunded', tone: 'go' }
  return {
    id: refund.id,
    amount: formatCents(refund.amountCents),
    state: label,
    text: `${why}, borne by: ${refundBearers[bearer].toLowerCase()}. ${timeText(createdAt, order.timeZone)}, ${who}.`,
    note: refund.note,
    isDraft: state === 'draft',
    isMine: createdBy === email,
    mayRetry: isRefused,
  }
}
