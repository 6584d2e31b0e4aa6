/** Evidence of a sale, built from the order's data. */
import { paths } from '#content/paths.ts'
import { claimCodeOf } from '#domain/scheduling/booking/booking.server.ts'
import { claimCodeText } from '#domain/scheduling/booking/booking.ts'
import { listOrderMails } from '#domain/messaging/messages/messages.server.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { selectRefundsOfOrder } from '#domain/payments/payments/payments.server.ts'
import type { DisputeEvidence } from '#domain/payments/payments/provider-records.port.ts'
import { readWork, selectTiresOfOrder, type Work } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { salesTaxText } from '#domain/pricing/pricing/pricing.ts'
import type { OrderTerms } from '#domain/ordering/orders/orders.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import { reasonWords } from './disputes.ts'

type Deps = { db: Database; config: Pick<Config, 'session' | 'web'> }

/** A part of the packet with its rows, as it is shown and as it is sent. */
export type PacketPart = { title: string; rows: [label: string, value: string][] }

/** A page of evidence, ready to be rendered. */
export type EvidenceSheet = {
  title: string
  store: string
  parts: PacketPart[]
  /** Drawn by the customer on the shop's screen, as the path of an SVG. */
  signature: { path: string; width: number; height: number } | null
}

/** Returns all store data about an order, in the order a bank reads it. Undefined if the order doesn't exist. */
export async function readPacket(deps: Deps, orderId: number): Promise<PacketPart[] | undefined> {
  const order = await readOrder(deps.db, orderId)
  if (!order) return undefined
  const [mails, refunds, tires, work] = await Promise.all([
    listOrderMails(deps.db, orderId),
    selectRefundsOfOrder(deps.db, orderId),
    selectTiresOfOrder(deps.db, orderId),
    order.booking ? readWork(deps.db, order.booking.id) : undefined,
  ])
  const at = (time: Temporal.Instant) => timeText(time, order.timeZone)
  const parts: PacketPart[] = [
    { title: 'Order', rows: orderRows(order, at) },
    { title: 'Receipt', rows: receiptRows(order) },
    { title: 'Agreed terms', rows: termsRows(order, deps.config, at) },
    { title: 'Delivery', rows: order.shipments.flatMap((shipment) => parcelRows(shipment, at)) },
    { title: 'Installation', rows: [...appointmentRows(deps, order, work, at), ...tireRows(tires)] },
    {
      title: 'Messages to the customer',
      rows: mails.flatMap(({ kind, sentAt }) => (sentAt ? [[reasonWords(kind), at(sentAt)]] : [])),
    },
    {
      title: 'Refunds',
      rows: refunds.map(({ amountCents, state, doneAt, promisedAt }) => [
        `${formatCents(amountCents)}, ${state}`,
        at(doneAt ?? promisedAt),
      ]),
    },
  ]
  return parts.filter(({ rows }) => rows.length > 0)
}

type At = (time: Temporal.Instant) => string

function orderRows(order: OrderView, at: At): PacketPart['rows'] {
  const { billing, shipTo } = order
  return [
    ['Number', orderNumber(order.id)],
    ['Placed', at(order.placedAt)],
    ['Customer', `${order.firstName} ${order.lastName}${order.company ? `, ${order.company}` : ''}`],
    ['Email', order.email],
    ['Phone', order.phone],
    ['Billed to', `${billing.name}, ${billing.address1}, ${billing.city}, ${billing.state} ${billing.zip}`],
    ['Delivered to', `${shipTo.name}, ${shipTo.street}, ${shipTo.city}, ${shipTo.state} ${shipTo.zip}`],
    ['Total', formatCents(order.totalCents)],
  ]
}

function receiptRows({ lines, breakdown, totalCents }: OrderView): PacketPart['rows'] {
  const { totals } = breakdown
  return [
    ...lines.map(({ quantity, description, netCents }): [string, string] => [
      `${quantity} × ${description}`,
      formatCents(netCents),
    ]),
    ['Tire fee', formatCents(totals.tireFeeCents)],
    [salesTaxText(breakdown.tax), formatCents(totals.taxCents)],
    ['Total', formatCents(totalCents)],
  ]
}

function termsRows({ placedAt, terms }: OrderView, { web }: Deps['config'], at: At): PacketPart['rows'] {
  return [
    [
      'Terms of sale',
      `Accepted by a checked box when the order was placed, ${at(placedAt)}: ${web.origin + paths.termsOfSale()}`,
    ],
    ['Cancellation', cancellationPolicy(terms)],
    ['Returns', refundPolicy(terms)],
  ]
}

function cancellationPolicy({ cancelMinutes }: OrderTerms): string {
  return `Orders can be canceled online for ${countOf(cancelMinutes, 'minute')} after they are placed. We tell the customer at checkout, in the confirmation email and on the order's page.`
}

function refundPolicy({ returnDays }: OrderTerms): string {
  return `Unmounted tires can be returned within ${countOf(returnDays, 'day')} of delivery. Mounted tires cannot be returned. The customer accepted these terms at checkout.`
}

function parcelRows(shipment: OrderView['shipments'][number], at: At): PacketPart['rows'] {
  const { carrier, trackingNumber, deliveredAt, items, events } = shipment
  const contents = items.map(({ quantity, description }) => `${quantity} × ${description}`).join(', ')
  if (trackingNumber === null) return [['Parcel', `${contents}: not shipped`]]
  return [
    ['Parcel', `${contents}, ${carrier ?? 'carrier'} ${trackingNumber}`],
    ...events.map(({ at: when, state, note }): [string, string] => [
      state,
      [at(when), note].filter(Boolean).join(', '),
    ]),
    ...(deliveredAt ? ([['Delivered', at(deliveredAt)]] as [string, string][]) : []),
  ]
}

function appointmentRows({ config }: Deps, order: OrderView, work: Work | undefined, at: At): PacketPart['rows'] {
  const { booking, shop } = order
  if (!booking || !shop) return []
  const rows: PacketPart['rows'] = [
    ['Shop', `${shop.name}, ${shop.street}, ${shop.city}, ${shop.state} ${shop.zip}, ${shop.phone}`],
    ['Appointment', `${at(booking.start)}, ${booking.state}`],
    ['Claim code sent only to the customer', claimCodeText(claimCodeOf(config.session.secret, booking.id))],
  ]
  if (!work) return rows
  if (work.codeMatchedAt) rows.push(['Customer showed the claim code', at(work.codeMatchedAt)])
  if (work.vinEnd) rows.push(['End of the VIN read on the car', work.vinEnd])
  if (work.odometerMiles !== null) rows.push(['Odometer', countOf(work.odometerMiles, 'mile')])
  if (work.torqueLbFt !== null) rows.push(['Torque set', `${work.torqueLbFt} lb-ft`])
  if (work.signedAt && work.signedName)
    rows.push([
      'Signed',
      `${work.signedName}, ${at(work.signedAt)}${work.signedStrokes ? ', drawn on the shop’s screen' : ''}`,
    ])
  rows.push(['Work order', `${work.state}${work.stateAt ? `, ${at(work.stateAt)}` : ''}`])
  return rows
}

function tireRows(tires: Awaited<ReturnType<typeof selectTiresOfOrder>>): PacketPart['rows'] {
  return tires.map(({ position, brand, line, size, tin, installedAt }) => [
    `Tire ${position}`,
    `${brand} ${line} ${size}, DOT ${tin}, installed ${installedAt.toString().slice(0, 10)}`,
  ])
}

/** Maps the evidence to a provider's fields, with staff notes. */
export async function readEvidence(deps: Deps, orderId: number, notes: string): Promise<DisputeEvidence | undefined> {
  const [order, packet] = await Promise.all([readOrder(deps.db, orderId), readPacket(deps, orderId)])
  if (!order || !packet) return undefined
  const { billing, shipTo } = order
  const parcel = order.shipments.find(({ trackingNumber }) => trackingNumber !== null)
  const shippedAt = parcel?.events.find(({ state }) => state === 'in-transit')?.at ?? null
  const address = (parts: { name: string; line: string; city: string; state: string; zip: string }) =>
    `${parts.name}\n${parts.line}\n${parts.city}, ${parts.state} ${parts.zip}`
  const day = (time: Temporal.Instant | null | undefined) =>
    time ? time.toZonedDateTimeISO(order.timeZone).toPlainDate().toString() : null
  return {
    customerName: `${order.firstName} ${order.lastName}`,
    customerEmail: order.email,
    billingAddress: address({ ...billing, line: billing.address1 }),
    productDescription: order.lines.map(({ quantity, description }) => `${quantity} × ${description}`).join('\n'),
    shippingAddress: address({ ...shipTo, line: shipTo.street }),
    shippingCarrier: parcel?.carrier ?? null,
    shippingTrackingNumber: order.shipments.flatMap(({ trackingNumber }) => trackingNumber ?? []).join(', ') || null,
    shippingDate: day(shippedAt),
    serviceDate: day(order.booking?.start),
    refundPolicy: refundPolicy(order.terms),
    cancellationPolicy: cancellationPolicy(order.terms),
    text: [
      ...(notes === '' ? [] : [notes]),
      ...packet.map(({ title, rows }) => [title.toUpperCase(), ...rows.map((row) => row.join(': '))].join('\n')),
    ].join('\n\n'),
  }
}
