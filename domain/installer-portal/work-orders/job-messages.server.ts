/** Emails and texts to customers about refused and delayed jobs. */
import { serverPaths } from '#content/server-paths.ts'
import { findBooking } from '#domain/scheduling/booking/booking.server.ts'
import { selectShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { appointmentToken, orderTrackUrl, readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { countOf } from '#platform/count-text.ts'
import { phoneText } from '#platform/phone-text.ts'
import { timeText } from '#platform/time-text.ts'
import { haveTiresLeft } from './move-job.server.ts'
import type { WorkOrderState } from './work-order-life.ts'
import { selectWorkOrder } from './work-orders.sql.server.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'web' | 'session' | 'store'> }

/** What the shopper can do, by where the tires are. */
const nextWords = {
  offered: 'Choose a nearby shop and time on the page with one tap, or have the tires shipped to you.',
  moved:
    'Your tires are at that shop already, or on their way to it, so we need to move them first. We’ll call you with a time. On the page you can take another time at that shop instead.',
  movedForGood:
    'Your tires are at that shop already, or on their way to it, so we need to move them first. We’ll call you with a time.',
  service: 'Choose another time at that shop on the page, or cancel the order for a full refund.',
  wrongTires: 'Choose another time, another nearby shop, or home delivery. We call you as well.',
} as const

/** Returns the values of the email. */
export async function jobMessageValues(
  { db, clock, config }: Deps,
  { orderId, key }: { orderId: number | null; key: string },
): Promise<MessageValues> {
  const [jobId = ''] = keyParts(key)
  const order = orderId === null ? undefined : await readOrder(db, orderId)
  const job = await selectWorkOrder(db, jobId)
  if (!order || !job) throw new Error(`The job of ${key} is not there.`)
  // A shop that was suspended or closed since has no other times.
  const isOpen = (await selectShopRecord(db, { id: job.shopId }))?.status === 'open'
  const { origin } = config.web
  const token = appointmentToken(config.session.secret, order.id, clock.now())
  return {
    next: nextWords[nextOf(order, { state: job.state, isOpen })],
    chooseUrl:
      job.state === 'refused'
        ? `${origin}${serverPaths.appointment(token, { show: order.isService ? 'times' : 'shops' })}`
        : orderTrackUrl({ config }, order.id, clock.now()),
    orderNumber: orderNumber(order.id),
    firstName: order.firstName,
    shopName: order.shop?.name ?? 'The shop',
    reason: job.reason ?? '',
    phone: config.store.phone,
  }
}

function nextOf(
  order: OrderView,
  { state, isOpen }: { state: WorkOrderState; isOpen: boolean },
): keyof typeof nextWords {
  if (order.isService) return 'service'
  if (state !== 'refused') return 'wrongTires'
  if (!haveTiresLeft(order)) return 'offered'
  return isOpen ? 'moved' : 'movedForGood'
}

/** Returns the values for the email about a delay. */
export async function lateMessageValues(
  { db, clock, config }: Deps,
  { orderId, key }: { orderId: number | null; key: string },
): Promise<MessageValues> {
  const told = await readTold(db, { orderId, key })
  if (!told) throw new Error(`The job of ${key} is not there.`)
  const { order, booking, shop, minutes } = told
  const token = appointmentToken(config.session.secret, order.id, clock.now())
  return {
    firstName: order.firstName,
    shopName: shop.name,
    shopPhone: phoneText(shop.phone),
    delay: countOf(minutes, 'minute'),
    time: timeText(booking.start, booking.timeZone),
    orderNumber: orderNumber(order.id),
    appointmentUrl: `${config.web.origin}${serverPaths.appointment(token)}`,
    phone: config.store.phone,
  }
}

/** Returns the text message about a delay; null after a longer delay was sent or the job ended. */
export async function shopLateText(
  { db, clock, config }: Deps,
  about: { key: string; orderId: number | null },
): Promise<{ body: string; zipZone: string | null } | null> {
  const told = await readTold(db, about)
  if (!told || told.booking.state !== 'confirmed' || told.job.lateMinutes !== told.minutes) return null
  if (Temporal.Instant.compare(told.booking.end.add({ minutes: told.minutes }), clock.now()) <= 0) return null
  const { order, shop, minutes, booking } = told
  const words = `${shop.name} is running about ${countOf(minutes, 'minute')} late with order ${orderNumber(order.id)}. Questions? Call them at ${phoneText(shop.phone)}.`
  return { body: `${config.store.name}: ${words}`, zipZone: booking.timeZone }
}

/** Reads a message's order and job. Its key includes the booking and the minutes. */
async function readTold(db: Database, { orderId, key }: { orderId: number | null; key: string }) {
  const [bookingId = '', minutes] = keyParts(key)
  const order = orderId === null ? undefined : await readOrder(db, orderId)
  const job = await selectWorkOrder(db, bookingId)
  const booking = job && (await findBooking(db, bookingId))
  if (!order?.shop || !job || !booking) return undefined
  return { order, shop: order.shop, job, booking, minutes: Number(minutes) }
}
