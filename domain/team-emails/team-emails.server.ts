/**
 * Team emails. Shops are notified of appointments that customers or the store book, change or cancel; the store is
 * notified of problems reported by shops. Triggers on the events queue the job, so that use cases can't omit the email.
 */
import { findBooking, findBookingNews, shopEventFile, type BookingNews } from '#domain/booking/booking.server.ts'
import { listShopEmails, readShopName } from '#domain/installers/installers.server.ts'
import { queueMessage, type MessageContent } from '#domain/messages/messages.server.ts'
import type { MessageKind } from '#domain/messages/messages.ts'
import { calendarType } from '#domain/booking/booking.server.ts'
import { bookingText, orderNumber, vehicleText } from '#domain/orders/orders.ts'
import { readOrder } from '#domain/orders/orders.server.ts'
import { findShopReport } from '#domain/work-orders/work-orders.server.ts'
import { shopReportKinds, shopReportNumber } from '#domain/work-orders/work-orders.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'

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
  if (isByShop(news)) {
    // The shop could not do the job. What it moves itself needs no email.
    if (news.kind !== 'canceled') return
    const kind = 'shop-problem'
    await queueMessage(tx, { kind, key: `${kind}:event:${eventId}`, to: config.store.email, orderId, at })
    return
  }
  if (Temporal.Instant.compare(booking.end, at) <= 0) return
  const kind = 'shop-booking-news'
  for (const { memberId, email: to } of await listShopEmails(tx, booking.shopId, kind))
    await queueMessage(tx, { kind, key: `${kind}:${eventId}:${memberId}`, to, orderId, at })
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

/** Returns the content of an email to a team; undefined for any other. */
export async function teamMessage(
  deps: Deps,
  { kind, orderId, key }: { kind: MessageKind; orderId: number | null; key: string },
): Promise<MessageContent | undefined> {
  if (kind === 'shop-problem') return problemMessage(deps, { orderId, key })
  if (kind !== 'shop-booking-news') return undefined
  const news = await findBookingNews(deps.db, Number(key.split(':')[1]))
  const booking = news && (await findBooking(deps.db, news.bookingId))
  const order = orderId === null ? undefined : await readOrder(deps.db, orderId)
  const shop = booking && (await readShopName(deps.db, booking.shopId))
  if (!news || !booking || !order || !shop) throw new Error(`The appointment of the email ${key} is not there.`)
  const { timeZone } = booking
  const day = booking.start.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  const dayUrl = `${deps.config.web.origin}/portal/${shop.code}?on=${day}`
  const dropOff = { dropOffWindow: booking.dropOff?.window ?? null, dropOffCode: booking.dropOff?.code ?? null }
  const vehicle = vehicleText(order)
  const file = shopEventFile(
    { timeZone, organizer: { name: deps.config.store.name, email: deps.config.store.email } },
    {
      ...booking,
      dropOffCode: dropOff.dropOffCode,
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
      time: bookingText({ ...booking, ...dropOff }, timeZone),
      tires: order.lines
        .filter(({ kind: of, quantity, canceled }) => of === 'tire' && quantity > canceled)
        .map(({ quantity, canceled, description }) => `${quantity - canceled} ${description}`)
        .join(', '),
      orderNumber: orderNumber(order.id),
      dayUrl,
      choicesUrl: `${deps.config.web.origin}/portal/${shop.code}/emails`,
    },
    attachments: [{ name: 'appointment.ics', contentType: calendarType(file), content: file }],
  }
}

async function problemMessage(
  deps: Deps,
  { orderId, key }: { orderId: number | null; key: string },
): Promise<MessageContent> {
  const [, source, id = ''] = key.split(':')
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
      orderUrl: `${deps.config.web.origin}/office/orders/${order.id}`,
    },
    attachments: [],
  }
}
