/** What a shop reads of a shopper's word about an appointment, read when the email is sent. */
import type { MessageKind, MessageValues } from '#domain/messages/messages.ts'
import { orderNumber, timeText, vehicleText } from '#domain/orders/orders.ts'
import { readOrder, selectReply } from '#domain/orders/orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { replyWords } from './appointments.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'web' | 'store'> }

/** Returns the values of an email to a shop about an appointment; undefined for any other. */
export async function appointmentMessageValues(
  { db, config }: Deps,
  { kind, orderId }: { kind: MessageKind; orderId: number | null },
): Promise<MessageValues | undefined> {
  if (kind !== 'shop-appointment-news') return undefined
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
    dayUrl: `${config.web.origin}/portal/${shop.code}?on=${day}`,
  }
}
