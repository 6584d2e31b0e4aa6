/** What the emails about open charges say, read when they are sent. */
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { timeText } from '#domain/ordering/orders/orders.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { selectAsked } from './open-charges.sql.server.ts'
import { payAgainLink } from './pay-again.server.ts'

type Deps = { db: Database; config: Pick<Config, 'session' | 'store' | 'web'> }

/** Returns the values of an email that requests a new payment. */
export async function openChargeMessageValues({ db, config }: Deps, { key }: { key: string }): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const asked = await selectAsked(db, id)
  const order = asked && (await readOrder(db, asked.orderId))
  if (!order) throw new Error(`The charge for the promised email ${key} is not there.`)
  return {
    orderNumber: orderNumber(order.id),
    firstName: order.firstName,
    amount: formatCents(asked.amountCents),
    until: timeText(asked.payUntil, order.timeZone),
    payUrl: `${config.web.origin}${payAgainLink(config.session.secret, id)}`,
    phone: config.store.phone,
  }
}
