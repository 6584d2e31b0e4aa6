/** Email content for shops about a shopper's reply, and for shoppers about an earlier time, read at sending time. */
import { portalPaths } from '#content/portal-paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { findBooking } from '#domain/scheduling/booking/booking.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { slotText } from '#content/messages/times.ts'
import { localClock, zoneName } from '#platform/time-text.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { clockText, timeText, vehicleText } from '#domain/ordering/orders/orders.ts'
import { appointmentToken, readOrder, selectReply } from '#domain/ordering/orders/orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { selectOffer } from './earlier-times.sql.server.ts'
import { replyWords } from './appointments.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'web' | 'store' | 'session'> }

/** Returns the values of an email to a shop about a customer who is late or not coming. */
export async function appointmentMessageValues(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { orderId }: { orderId: number | null },
): Promise<MessageValues> {
  const order = orderId === null ? undefined : await readOrder(db, orderId)
  if (!order?.booking || !order.shop) throw new Error(`The appointment of order ${orderId} is not there.`)
  const { booking, shop, timeZone } = order
  const reply = await selectReply(db, booking)
  const day = booking.start.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  return {
    name: `${order.firstName} ${order.lastName.slice(0, 1)}.`,
    shop: shop.name,
    vehicle: vehicleText(order) ?? 'Vehicle not given',
    time: timeText(booking.start, timeZone),
    news: booking.state === 'confirmed' ? replyWords(reply ?? null) : 'is not coming at this time any more',
    orderNumber: orderNumber(order.id),
    dayUrl: config.web.origin + portalPaths.day(shop.code, { on: day }),
  }
}

async function offerOf(db: Database, id: string) {
  const offer = await selectOffer(db, { id })
  const order = offer && (await readOrder(db, offer.orderId))
  if (!offer || !order?.booking || !order.shop) throw new Error(`The offer ${id} is not there.`)
  return { offer, order, booking: order.booking, shop: order.shop }
}

/** Returns the values of an email that offers an earlier time. */
export async function offerMessageValues(
  { db, clock, config }: Deps,
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const { offer, order, booking, shop } = await offerOf(db, id)
  const token = appointmentToken(config.session.secret, order.id, clock.now())
  return {
    firstName: order.firstName,
    shopName: shop.name,
    time: slotText(offer.choice, order.timeZone),
    current: slotText({ start: booking.start }, order.timeZone),
    until: localClock(offer.expiresAt, order.timeZone),
    zone: zoneName(offer.expiresAt, order.timeZone),
    orderNumber: orderNumber(order.id),
    offerUrl: `${config.web.origin}${serverPaths.appointment(token, { show: 'offer' })}`,
    leaveUrl: `${config.web.origin}${serverPaths.appointment(token, { show: 'list' })}`,
  }
}

/** Returns the content of a text about an earlier time; null after its deadline. */
export async function earlierTimeText(
  { db, clock, config }: Deps,
  { key }: { key: string },
): Promise<{ body: string; zipZone: string | null } | null> {
  const [id = ''] = keyParts(key)
  const { offer, order, shop } = await offerOf(db, id)
  if (offer.state !== 'open' || Temporal.Instant.compare(offer.expiresAt, clock.now()) <= 0) return null
  const until = clockText(offer.expiresAt, order.timeZone)
  const time = slotText(offer.choice, order.timeZone)
  const words = `an earlier time at ${shop.name}: ${time}. Take it by ${until} with the link in our email.`
  return { body: `${config.store.name}: ${words}`, zipZone: order.timeZone }
}

/** Returns the text message to a shop about a late customer. Null once the appointment is over. */
export async function lateText(
  { db, clock, config }: Deps,
  { key }: { key: string },
): Promise<{ body: string; zipZone: string | null } | null> {
  const [bookingId = ''] = keyParts(key)
  const booking = isId(bookingId) ? await findBooking(db, bookingId) : undefined
  const order = booking?.orderId == null ? undefined : await readOrder(db, booking.orderId)
  if (!booking || !order?.shop || booking.state !== 'confirmed') return null
  if (Temporal.Instant.compare(booking.end, clock.now()) <= 0) return null
  const { timeZone } = booking
  const reply = await selectReply(db, { id: booking.id, start: booking.start })
  const about = [vehicleText(order), `order ${orderNumber(order.id)}`].filter(Boolean).join(', ')
  const words = `the customer of ${timeText(booking.start, timeZone)} at ${order.shop.name} ${replyWords(reply ?? null)}`
  return { body: `${config.store.name}: ${words} (${about})`, zipZone: timeZone }
}
