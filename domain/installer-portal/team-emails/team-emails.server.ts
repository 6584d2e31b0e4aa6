/**
 * Notifications of teams. Shops are emailed and texted about appointments that are booked, changed or canceled, except
 * the team member who did it; the store is emailed about problems that shops report. Triggers on the events queue the
 * job, so that no use case can forget its email.
 */
import { portalPaths } from '#content/portal-paths.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  findBooking,
  findBookingNews,
  shopEventFile,
  calendarType,
  type BookingNews,
} from '#domain/scheduling/booking/booking.server.ts'
import { readMemberNotifications, readShopName } from '#domain/scheduling/installers/installers.server.ts'
import { queueMessage, type MessageContent } from '#domain/messaging/messages/messages.server.ts'
import { keyParts } from '#domain/messaging/messages/messages.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { bookingText, vehicleText } from '#domain/ordering/orders/orders.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { findShopReport } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { shopReportKinds, shopReportNumber } from '#domain/installer-portal/work-orders/work-orders.ts'
import type { Clock } from '#platform/clock.ts'
import { longestText } from '#domain/messaging/texts/texts.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { notifyShop } from './notify-shop.server.ts'

export { notifyShop } from './notify-shop.server.ts'
export { emailShopSummaries, summaryMessage } from './shop-summaries.server.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'web' | 'store'> }

/** Older events aren't notified, such as the demo's past, or events delayed longer than this. */
const newsHours = 24

/** Queues the emails for one booking event or shop report. Idempotent. */
export async function notifyTeams(
  deps: Deps,
  { eventId, reportId }: { eventId?: number | undefined; reportId?: number | undefined },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (eventId !== undefined) await notifyOfEvent(tx, deps, eventId)
    if (reportId !== undefined) await notifyOfReport(tx, deps, reportId)
  })
}

async function notifyOfEvent(tx: Tx, { clock, config }: Deps, eventId: number): Promise<void> {
  const at = clock.now()
  const news = await findBookingNews(tx, eventId)
  const booking = news && (await findBooking(tx, news.bookingId))
  if (!news || booking?.orderId == null || isOld(news.at, at)) return
  const { orderId } = booking
  if (isByShop(news) && news.kind === 'canceled') {
    // The shop could not do the job.
    const kind = 'shop-problem'
    await queueMessage(tx, { kind, key: `${kind}:event:${eventId}`, to: config.store.email, orderId, at })
  }
  if (Temporal.Instant.compare(booking.end, at) <= 0) return
  const { shopId } = booking
  const { kind: event, memberId: except } = news
  await notifyShop(tx, { shopId, event, kind: 'shop-booking-news', key: String(eventId), orderId, except, at })
}

async function notifyOfReport(tx: Tx, { clock, config }: Deps, reportId: number): Promise<void> {
  const at = clock.now()
  const report = await findShopReport({ db: tx }, reportId)
  // A refusal sends its own email with the tires to move.
  if (!report || report.kind === 'stranded' || isOld(report.reportedAt, at)) return
  const kind = 'shop-problem'
  const { orderId } = report
  await queueMessage(tx, { kind, key: `${kind}:report:${reportId}`, to: config.store.email, orderId, at })
}

function isOld(happened: Temporal.Instant, now: Temporal.Instant): boolean {
  return now.since(happened).total('hours') > newsHours
}

function isByShop({ actor }: BookingNews): boolean {
  return actor === 'shop' || actor.startsWith('shop:')
}

const headlines = {
  booked: 'New appointment',
  changed: 'Changed appointment',
  canceled: 'Canceled appointment',
} as const

/** Returns the email to a team about a new, changed, or canceled appointment. */
export async function teamMessage(deps: Deps, { key }: { key: string }): Promise<MessageContent> {
  const [eventId, memberId = ''] = keyParts(key)
  const found = await findNews(deps.db, Number(eventId))
  const member = await readMemberNotifications(deps.db, memberId)
  if (!found || !member) throw new Error(`The appointment of the email ${key} is not there.`)
  const { news, booking, order, shop } = found
  const { timeZone } = booking
  const day = booking.start.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  const dayUrl = deps.config.web.origin + portalPaths.day(shop.code, { on: day })
  const vehicle = vehicleText(order)
  const file = shopEventFile(
    {
      timeZone,
      organizer: { name: deps.config.store.name, email: deps.config.store.email },
      attendee: member.email,
    },
    {
      ...booking,
      dropOffCode: booking.dropOff?.code ?? null,
      changedAt: news.at,
      firstName: order.firstName,
      vehicle,
      orderNumber: orderNumber(order.id),
      url: dayUrl,
    },
  )
  return {
    values: {
      headline: headlines[news.kind],
      name: `${order.firstName} ${order.lastName.slice(0, 1)}.`,
      shop: shop.name,
      vehicle: vehicle ?? 'Vehicle not given',
      time: timeOf(booking),
      tires: tiresOf(order),
      orderNumber: orderNumber(order.id),
      dayUrl,
      choicesUrl: deps.config.web.origin + portalPaths.emails(shop.code),
    },
    attachments: [{ name: 'appointment.ics', contentType: calendarType(file), content: file }],
  }
}

/** Returns an order's tires, or its service without tires. */
function tiresOf({ lines }: OrderView): string {
  return lines
    .filter(({ kind, quantity, canceled }) => (kind === 'tire' || kind === 'service') && quantity > canceled)
    .map(({ quantity, canceled, description }) => `${quantity - canceled} ${description}`)
    .join(', ')
}

/**
 * Returns the text message to a shop about an appointment, and the shop's time zone. Null once the appointment is over.
 * It names no customer, so erasing an order doesn't affect it.
 */
export async function teamText(
  { db, clock, config }: Deps,
  { key }: { key: string },
): Promise<{ body: string; zipZone: string | null } | null> {
  const [eventId = ''] = keyParts(key)
  const found = await findNews(db, Number(eventId))
  if (!found || Temporal.Instant.compare(found.booking.end, clock.now()) <= 0) return null
  const { news, booking, order, shop } = found
  const details = [vehicleText(order), tiresOf(order), `order ${orderNumber(order.id)}`].filter(Boolean).join(', ')
  const body = `${config.store.name}: ${headlines[news.kind].toLowerCase()} at ${shop.name}, ${timeOf(booking)}: ${details}`
  return { body: body.slice(0, longestText), zipZone: booking.timeZone }
}

/** The text of an event, with the current appointment, order, and shop. */
async function findNews(db: Database, eventId: number) {
  const news = await findBookingNews(db, eventId)
  const booking = news && (await findBooking(db, news.bookingId))
  const order = booking?.orderId == null ? undefined : await readOrder(db, booking.orderId)
  const shop = booking && (await readShopName(db, booking.shopId))
  return news && booking && order && shop ? { news, booking, order, shop } : undefined
}

/** "Tue, Nov 24, 9:30 AM CST", with the code of a drop-off. */
function timeOf(booking: NonNullable<Awaited<ReturnType<typeof findBooking>>>): string {
  const dropOff = { dropOffWindow: booking.dropOff?.window ?? null, dropOffCode: booking.dropOff?.code ?? null }
  return bookingText({ ...booking, ...dropOff }, booking.timeZone)
}

/** Returns the email to the store about a shop's problem. */
export async function problemMessage(
  deps: Deps,
  { orderId, key }: { orderId: number | null; key: string },
): Promise<MessageContent> {
  const [source, id = ''] = keyParts(key)
  const order = orderId === null ? undefined : await readOrder(deps.db, orderId)
  if (!order) throw new Error(`The order of the email ${key} is not there.`)
  const report = source === 'report' ? await findShopReport(deps, Number(id)) : undefined
  const news = source === 'event' ? await findBookingNews(deps.db, Number(id)) : undefined
  const shopName = order.shop?.name ?? 'A tire shop'
  return {
    values: {
      headline: report
        ? `${shopName} reported a problem (${shopReportNumber(report.id)})`
        : `${shopName} can't do an installation`,
      problem: report
        ? [`${shopReportKinds[report.kind]}: ${report.pieces}`, report.note].filter(Boolean).join('. ')
        : (news?.note ?? ''),
      orderNumber: orderNumber(order.id),
      orderUrl: deps.config.web.origin + officePaths.officeOrder(order.id),
    },
    attachments: [],
  }
}
