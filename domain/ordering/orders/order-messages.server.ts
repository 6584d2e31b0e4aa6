/** Contents of order mails, read at the time of sending. */
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import {
  calendarFile,
  calendarType,
  claimCodeOf,
  listCanceled,
  type Appointment,
} from '#domain/scheduling/booking/booking.server.ts'
import { claimCodeText } from '#domain/scheduling/booking/booking.ts'
import { isPickup, rangeText } from '#domain/supply/delivery/delivery.ts'
import { readDeliveryTimes } from '#domain/supply/delivery/delivery.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { invoiceText } from '#domain/payments/invoices/invoices.ts'
import type { Mail } from '#domain/messaging/messages/mail.port.ts'
import type { MessageKind, MessageValues } from '#domain/messaging/messages/messages.ts'
import { appointmentToken, orderKey } from './order-access.server.ts'
import { mailTires, unitsByLine } from './mail-tires.ts'
import { readyCodeOf } from './warehouse-counter.server.ts'
import { financedText } from './financed-words.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import { storageText } from './stored-sets.ts'
import { dateText } from '#platform/day-text.ts'
import { installationState, timesOpening, timesOpeningText, type PickMoment } from './installation.ts'
import { bookingText, cityLine, clockText, dayText, destinationText, pickupLines, timeText } from './order-labels.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { confirmationReasons, lastToCancel, refundSentence, serviceText } from './orders.ts'
import { methodName, releasedText } from '#domain/payments/charge-words/charge-words.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { fillPlaceholders } from '#platform/placeholders.ts'

type Deps = {
  db: Database
  clock: Clock
  config: Pick<Config, 'web' | 'session' | 'store'>
  businessTerms: Pick<LiveTerms, 'current'>
}

/** Returns the values and attachments of one mail. The message key names the shipment if the mail is about one. */
export async function messageValues(
  deps: Deps,
  message: { kind: MessageKind; orderId: number | null; key: string },
): Promise<{ values: MessageValues; attachments: Mail['attachments'] }> {
  const order = message.orderId === null ? undefined : await readOrder(deps.db, message.orderId)
  if (!order) throw new Error(`The order of the promised mail ${message.key} is not there.`)
  const shipment = order.shipments.find((candidate) => message.key.endsWith(candidate.id))
  const zone = order.timeZone
  const key = orderKey(deps.config.session.secret, order.id, deps.clock.now())
  const { origin } = deps.config.web
  const values: MessageValues = {
    orderNumber: orderNumber(order.id),
    firstName: order.firstName,
    items: mailTires(origin, order, shipment && unitsByLine(shipment.items)),
    rows: order.breakdown.explain.map((row) => ({
      left: row.detail ? `${row.label} (${row.detail})` : row.label,
      right: row.amount,
      strong: row.kind === 'total',
    })),
    appointment: appointmentText(order, zone, message.kind, momentOf(deps)),
    pickTime: { links: pickTimeLinks(deps, order) },
    claim: claimSentence(deps, order, message.kind),
    cancelUntil: timeText(lastToCancel(order), zone),
    afterCancel: order.isService
      ? `You get a full refund. We charge it after ${timeText(order.cancelUntil, zone)}.`
      : 'We won’t charge or ship it before then.',
    notShipped: order.isService ? 'Your appointment is canceled, too.' : 'Your order didn’t ship.',
    ...confirmationValues(order, origin, key),
    ...deliveryValues(order, rangeText((await readDeliveryTimes(deps.db)).arrival)),
    payment: paymentSentence(order),
    phone: deps.config.store.phone,
    appointmentUrl: withDealer(appointmentUrl(deps, order.id), order),
    trackUrl: withDealer(origin + paths.trackResult(order.id, { key }), order),
    receiptUrl: origin + paths.receipt(order.id, order.customerId, key),
    reviewUrl: withDealer(reviewUrl(order, origin, key), order),
    shopsUrl: origin + paths.tireShops(order.address.zip),
    ...visitValues(order),
    ...storageValues(order, origin),
    pickup: { lines: pickupLines(order, readyCodeOf(deps.config.session.secret, order)) },
    destination: destinationText(order),
    carrier: shipment?.carrier ?? '',
    trackingNumber: shipment?.trackingNumber ?? '',
    promisedOn: shipment ? dayText(Temporal.PlainDate.from(shipment.promisedOn)) : '',
  }
  return { values, attachments: await calendarAttachments(deps, message) }
}

/** Links in mails about orders of a branded store lead into it. */
function withDealer(url: string, { dealer }: Pick<OrderView, 'dealer'>): string {
  return dealer ? `${url}${url.includes('?') ? '&' : '?'}dealerCode=${dealer.dealerCode}` : url
}

/** The emails that name the appointment as agreed, with the customer's codes. */
export const kindsWithCalendar: ReadonlySet<MessageKind> = new Set([
  'order-received',
  'order-confirmed',
  'order-rescheduled',
  'appointment-reminder',
  'appointment-next-week',
])

/** Returns the link that grants access only to an order's appointment. `to` is a time that one click reschedules to. */
export function appointmentUrl(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  orderId: number,
  to?: string,
): string {
  const token = appointmentToken(config.session.secret, orderId, clock.now())
  return config.web.origin + serverPaths.appointment(token, { to })
}

/** Returns the reminder's shop details and appointment time, in the shop's time zone. */
function visitValues({ shop, booking, timeZone, isService }: OrderView): MessageValues {
  return {
    visit: isService ? 'appointment' : 'installation',
    paidFor: isService ? 'the service, taxes, and fees' : 'tires, installation, taxes, and fees',
    time: booking ? clockText(booking.start, timeZone) : '',
    visitDay: booking ? dayText(booking.start.toZonedDateTimeISO(timeZone)) : '',
    shopName: shop?.name ?? '',
    shopPhone: shop ? phoneText(shop.phone) : '',
  }
}

function storageSentence(order: OrderView): string {
  const storage = storageText(order)
  return storage === null ? '' : ` ${storage}.`
}

/** When storage of a set ends, and where to book the next changeover; empty without a stored set. */
function storageValues({ storedSet, shop }: OrderView, origin: string): MessageValues {
  return {
    storedUntil: storedSet ? dateText(storedSet.storedUntil) : '',
    bookUrl: origin + (shop ? serverPaths.bookService({ shop: shop.code, service: 'changeover' }) : paths.tireShops()),
  }
}

/** What is said about an order that awaits confirmation, went unanswered, or was confirmed. */
function confirmationValues(
  { id, confirmBy, confirmationRules, shipments, timeZone }: OrderView,
  origin: string,
  key: string,
): MessageValues {
  const last = shipments
    .map(({ promisedOn }) => promisedOn)
    .toSorted()
    .at(-1)
  return {
    reasons: confirmationReasons(confirmationRules, 'shopper').join(' '),
    confirmBy: confirmBy ? timeText(confirmBy, timeZone) : '',
    confirmUrl: origin + paths.confirmOrder(id, key),
    arrivesBy: last ? `It arrives by ${dayText(Temporal.PlainDate.from(last))}.` : '',
    arrival: last ? dayText(Temporal.PlainDate.from(last)) : '',
  }
}

/** The delivery time; empty for a service without tires. */
function deliveryValues({ isService }: OrderView, deliveryDays: string): MessageValues {
  return {
    deliveryDays,
    delivery: isService
      ? ''
      : `Delivery takes ${fillPlaceholders('{{days business day}}', (_, counted) => counted(deliveryDays))} after completion.`,
    kept: isService ? 'time' : 'tires',
  }
}

/**
 * Returns the payment text of an active order, naming the card, account or lender, or the company's terms with due date
 * and PO number. For a canceled order it states that the balance is zero, since a card's authorization expires
 * automatically.
 */
function paymentSentence({ invoice, state, billing, totalCents, creditCents, payment }: OrderView): string {
  if (state !== 'canceled') {
    const terms = invoice
      ? `It’s billed on your company's terms: ${invoiceText(invoice)}.`
      : (financedText({ state, payment }) ?? (payment ? `Payment method: ${methodName(payment)}.` : ''))
    return [terms, billing.poNumber ? `PO number ${billing.poNumber}.` : ''].filter(Boolean).join(' ')
  }
  if (invoice) return 'Your company won’t be billed.'
  const financed = financedText({ state, payment })
  if (financed !== null) return financed
  if (payment && payment.capturedCents > 0) return refundSentence(payment)
  return releasedText(payment, formatCents(totalCents - creditCents))
}

/** The address of an order's page for the mailbox of its shopper. */
export function orderTrackUrl(
  { config }: { config: Pick<Config, 'web' | 'session'> },
  orderId: number,
  now: Temporal.Instant,
): string {
  const key = orderKey(config.session.secret, orderId, now)
  return config.web.origin + paths.trackResult(orderId, { key })
}

/** The page to review the order's first tires; the key makes it a verified review. */
function reviewUrl({ id, lines }: OrderView, origin: string, key: string): string {
  const tire = lines.find(({ line }) => line !== null)?.line
  return tire ? origin + paths.writeReview(tire.brandSlug, tire.slug, { order: id, key }) : origin
}

const momentOf = ({ clock, businessTerms }: Deps): PickMoment => ({ now: clock.now(), terms: businessTerms.current })

/** The next step toward installation; does not announce tires that have arrived. */
function appointmentText(order: OrderView, zone: string, kind: MessageKind, moment: PickMoment): string {
  const { shop, booking, fulfillment, shipTo, pickup } = order
  const state = installationState(order)
  if (shop && booking && state !== 'none') {
    const where = shop.kind === 'van' ? `by ${shop.name}` : `at ${shop.name}, ${shop.street}, ${shop.city}`
    const [ahead, done] = order.isService ? ['Your appointment is', 'Done'] : ['To be installed', 'Installed']
    if (state === 'unbooked')
      return `No time is booked at ${shop.name}. ${timesOpeningText(timesOpening(order, moment), shop.name)}`
    if (state === 'missed') return `Your appointment ${where} was missed: ${bookingText(booking, zone)}.`
    return `${state === 'done' ? done : ahead} ${where}: ${bookingText(booking, zone)}.${storageSentence(order)}`
  }
  if (shop) return ''
  if (kind === 'order-delivered')
    return fulfillment === 'carrier-pickup' && !pickup?.heldSince
      ? `Pick them up at ${shipTo.name}, ${shipTo.street}, ${shipTo.city}. Installation isn’t included. Any shop can install them.`
      : 'Installation isn’t included. Any shop can install them.'
  return isPickup(fulfillment)
    ? `You pick them up at ${shipTo.name}, ${shipTo.street}, ${shipTo.city}.`
    : 'They come to your address, without installation.'
}

/** Returns the link to pick a new time for an order with a released or missed appointment; empty for others. */
function pickTimeLinks(deps: Deps, order: OrderView): { words: string; url: string }[] {
  const state = installationState(order)
  if (!order.shop || (state !== 'unbooked' && state !== 'missed')) return []
  const isOpen = timesOpening(order, momentOf(deps)).kind === 'open'
  const words = isOpen ? `Pick a time at ${order.shop.name}` : 'See your appointment'
  return [{ words, url: withDealer(appointmentUrl(deps, order.id), order) }]
}

/** Returns the completion code for the shop, in emails that include the appointment. */
function claimSentence({ config }: Pick<Deps, 'config'>, { shop, booking }: OrderView, kind: MessageKind): string {
  if (!shop || booking?.state !== 'confirmed' || !kindsWithCalendar.has(kind)) return ''
  const code = claimCodeText(claimCodeOf(config.session.secret, booking.id))
  return `Your claim code is ${code}. Show it at the shop when the work is done, not before.`
}

/** The emails that report a change of the order, after which an appointment may be canceled or changed. */
const kindsAfterChange: ReadonlySet<MessageKind> = new Set([
  'order-canceled',
  'order-changed',
  'order-delayed',
  'order-delay-canceled',
  'order-lines-canceled',
  'order-unanswered',
  'order-refunded',
  'job-refused',
  'return-refunded',
])

/**
 * Returns an email's calendar files. They have the current appointment, and a cancellation for each canceled one that
 * removes it from the customer's calendar. Empty for email kinds without an appointment.
 */
export async function calendarAttachments(
  { db, clock, config }: Deps,
  { kind, orderId }: { kind: MessageKind; orderId: number | null },
): Promise<Mail['attachments']> {
  const isAfterChange = kindsAfterChange.has(kind)
  if (orderId === null || (!isAfterChange && !kindsWithCalendar.has(kind))) return []
  const order = await readOrder(db, orderId)
  if (!order) return []
  const now = clock.now()
  const agreed = installationState(order) === 'booked' ? orderAppointment({ config }, order) : undefined
  const canceled = (await listCanceled(db, orderId, now)).filter(({ id }) => id !== agreed?.booking.id)
  const places = await Promise.all(canceled.map(({ shopId }) => findShop({ db, clock }, { id: shopId })))
  const files = [
    ...(agreed ? [{ name: 'installation.ics', content: calendarFile({ ...agreed, now }) }] : []),
    ...canceled.flatMap((booking, index) => {
      const shop = places[index] ?? order.shop
      const about = {
        orderNumber: orderNumber(orderId),
        tires: [],
        service: serviceText(order),
        organizer: organizerOf(config),
      }
      return shop
        ? [
            {
              name: canceled.length > 1 ? `canceled-${index + 1}.ics` : 'canceled.ics',
              content: calendarFile({ ...about, booking, shop: { ...shop, timeZone: booking.timeZone }, now }),
            },
          ]
        : []
    }),
  ]
  return files.map((file) => ({ ...file, contentType: calendarType(file.content) }))
}

function organizerOf({ store }: Pick<Config, 'store'>): { name: string; email: string } {
  return { name: store.name, email: store.email }
}

/** Returns the order's appointment as a calendar event, or undefined if it has no appointment. */
export function orderAppointment(
  { config }: { config: Pick<Config, 'web' | 'store'> },
  order: OrderView,
): Appointment | undefined {
  const { shop, booking, address } = order
  if (!shop || !booking) return undefined
  return {
    booking,
    shop,
    ...(booking.kind === 'mobile'
      ? { visitAddress: [address.line1, address.line2, cityLine(address)].filter(Boolean).join(', ') }
      : {}),
    orderNumber: orderNumber(order.id),
    tires: order.lines
      .filter(({ kind, quantity, canceled }) => kind === 'tire' && quantity > canceled)
      .map(({ quantity, canceled, description }) => `${quantity - canceled} ${description}`),
    service: serviceText(order),
    url: config.web.origin + paths.trackOrder(),
    organizer: organizerOf(config),
  }
}
