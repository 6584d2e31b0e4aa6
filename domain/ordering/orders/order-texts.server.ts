/** The words of text messages about orders, read at the time of sending. One segment of 160 characters where possible. */
import { paths } from '#content/paths.ts'
import { bookingText } from './order-labels.ts'
import { isReminderOver } from './order-reminders.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { teamConfirmPrefix } from '#domain/messaging/texts/texts.server.ts'
import type { TextKind } from '#domain/messaging/texts/texts.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { phoneText } from '#platform/phone-text.ts'

/**
 * Returns a text message's content and its order's time zone. Null if it is outdated because the order was canceled, or
 * the appointment was canceled or rescheduled.
 */
export async function orderTextContent(
  { db, clock, config }: { db: Database; clock: Clock; config: Pick<Config, 'web' | 'store'> },
  { kind, key, orderId }: { kind: TextKind; key: string; orderId: number | null },
): Promise<{ body: string; zipZone: string | null } | null> {
  const { name } = config.store
  const general = generalWords(kind, orderId, key)
  if (general !== null) return { body: `${name}: ${general}`, zipZone: null }
  const order = orderId === null ? undefined : await readOrder(db, orderId)
  if (!order || order.state === 'canceled') return null
  const number = orderNumber(order.id)
  const about = (body: string) => ({ body: `${name}: ${body}`, zipZone: order.timeZone })
  const track = config.web.origin + paths.trackOrder()
  switch (kind) {
    case 'confirm-request':
      return about(confirmWords(`order ${number}`))
    case 'shipped':
      return shippedBy(order, key, (carrier) => about(`order ${number} is on the way with ${carrier}. ${track}`))
    case 'delivered':
      return about(`tires of order ${number} have arrived. ${track}`)
    case 'appointment-reminder':
    case 'appointment-soon': {
      const words = await reminderWords({ db, clock }, order, { kind, key })
      return words === null ? null : about(words)
    }
    case 'recall':
      return about(`the maker recalled tires of order ${number}. Replacing them costs you nothing: ${track}`)
    // Of a welcome above; of quotes, earlier times, messages of staff and news for shops where those are kept.
    default:
      return null
  }
}

/** Names the carrier of a text message's parcel; null if the parcel no longer exists. */
function shippedBy<Said>({ shipments }: OrderView, key: string, say: (carrier: string) => Said): Said | null {
  const shipment = shipments.find(({ id }) => key.endsWith(id))
  return shipment ? say(shipment.carrier ?? 'our carrier') : null
}

/** Null for an appointment that was canceled, rescheduled or has started. */
async function reminderWords(
  deps: { db: Database; clock: Clock },
  { id, shop, booking, timeZone }: OrderView,
  { kind, key }: { kind: 'appointment-reminder' | 'appointment-soon'; key: string },
): Promise<string | null> {
  if (!shop || !booking || (await isReminderOver(deps, { key, orderId: id }))) return null
  const when = bookingText(booking, timeZone)
  return kind === 'appointment-soon'
    ? `today at ${shop.name}: ${when}. Running late? Call them at ${phoneText(shop.phone)}.`
    : `tomorrow at ${shop.name}: ${when}. Order ${orderNumber(id)}.`
}

/** Returns the content of texts that aren't about an order, or null for those that are. */
function generalWords(kind: TextKind, orderId: number | null, key: string): string | null {
  if (kind === 'welcome') return 'texts are on. Reply HELP for help, STOP to stop.'
  if (kind !== 'confirm-request' || orderId !== null) return null
  return confirmWords(key.startsWith(teamConfirmPrefix) ? 'appointments at your shop' : 'your orders')
}

function confirmWords(about: string): string {
  return `reply YES to get texts about ${about}. Msg & data rates may apply. HELP for help, STOP to stop.`
}
