/** Content of the email about canceled lines, read at sending time. */
import { paths } from '#content/paths.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { orderKey, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { mailTires } from '#domain/ordering/orders/orders.ts'
import { findOrderRefund, refundRows, selectRefundLines, wayBack } from '#domain/ordering/refunds/refunds.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'

/** Returns the values of the email about canceled lines. */
export async function cancellationMessageValues(
  { db, clock, config }: { db: Database; clock: Clock; config: Pick<Config, 'web' | 'session' | 'store'> },
  message: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(message.key)
  const refund = await findOrderRefund(db, id)
  const order = refund && (await readOrder(db, refund.orderId))
  if (!refund || !order) throw new Error(`The cancellation ${id} of a promised email is not there.`)
  const units = new Map((await selectRefundLines(db, id)).map((line) => [line.lineNo, line.units]))
  const key = orderKey(config.session.secret, order.id, clock.now())
  return {
    orderNumber: orderNumber(order.id),
    firstName: order.firstName,
    amount: formatCents(refund.amountCents),
    items: mailTires(config.web.origin, order, units),
    canceled: {
      lines: order.lines.flatMap(({ lineNo, description }) => {
        const count = units.get(lineNo)
        return count === undefined ? [] : [`${count} × ${description}`]
      }),
    },
    how: wayBack(refund, order.payment, 'planned'),
    rows: refundRows(refund),
    rest:
      order.state === 'confirmed'
        ? 'The rest of your order doesn’t change.'
        : 'All items in this order are canceled. If you had an appointment, it is canceled.',
    trackUrl: config.web.origin + paths.trackResult(order.id, { key }),
    phone: config.store.phone,
  }
}
