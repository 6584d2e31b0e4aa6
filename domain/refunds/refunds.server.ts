/** Refunds of charged orders by staff, what became of their money, and the customer's email. */
import type { MessageValues } from '#domain/messages/messages.ts'
import { readOrder, type OrderView } from '#domain/orders/orders.server.ts'
import { goesBack, orderNumber } from '#domain/orders/orders.ts'
import { selectRefundsOfOrder } from '#domain/payments/payments.server.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { chargeKey } from './refund-order.server.ts'
import { selectOrderRefund, selectOrderRefunds, type OrderRefund } from './refunds.sql.server.ts'

export {
  decideRefund,
  previewRefund,
  readRefundable,
  refundOrder,
  refundWithin,
  retryOrderRefund,
  undoing,
  type NotRefundable,
  type Refundable,
  type RefundPreview,
  type RefundRefusal,
} from './refund-order.server.ts'
export { giveBackAll, giveBackLines, readGivable, wasGivenBack } from './give-back.server.ts'
export { refundDifference } from './refund-difference.server.ts'
export { listRefunds, type ListedRefund, type RefundQuery } from './refund-list.server.ts'
export { refundedLineRows, refundOfMoney } from './refund-rows.sql.server.ts'
export { previewReturnRefund } from './return-refund.server.ts'
export { selectOrderRefund as findOrderRefund, selectRefundLines, type OrderRefund } from './refunds.sql.server.ts'

/** What became of the card share of a refund; null where there is none, or it waits for a second person. */
export type CardState = { state: 'promised' | 'done' | 'refused'; note: string | null; doneAt: Temporal.Instant | null }

/** Lists the refunds that staff made of an order, oldest first, with what became of the money. */
export async function listOrderRefunds(
  db: Database,
  orderId: number,
): Promise<(OrderRefund & { card: CardState | null })[]> {
  const refunds = await selectOrderRefunds(db, orderId)
  if (refunds.length === 0) return []
  const byKey = new Map((await selectRefundsOfOrder(db, orderId)).map((part) => [part.key, part]))
  return refunds.map((refund) => {
    const part = byKey.get(chargeKey(refund.id))
    return {
      ...refund,
      card: part ? { state: part.state as CardState['state'], note: part.note, doneAt: part.doneAt } : null,
    }
  })
}

/** Returns the values of the email about a refund, read at the time of sending; undefined for another email. */
export async function refundMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'store'> },
  { key }: { key: string },
): Promise<MessageValues | undefined> {
  const id = /^order-refunded:(.+)$/.exec(key)?.[1]
  if (id === undefined) return undefined
  const refund = await selectOrderRefund(db, id)
  const order = refund && (await readOrder(db, refund.orderId))
  if (!refund || !order) throw new Error(`Refund ${id} of a promised email is not there.`)
  return {
    orderNumber: orderNumber(order.id),
    firstName: order.firstName,
    amount: formatCents(refund.amountCents),
    how: wayBack(refund, order.payment),
    rows: refundRows(refund),
    phone: config.store.phone,
  }
}

/** Where the money of a refund goes, in sentences for the customer. */
export function wayBack({ cardCents, creditCents, invoiceCents }: OrderRefund, payment: OrderView['payment']): string {
  const ways = [
    cardCents > 0 ? `${formatCents(cardCents)} ${goesBack(payment)}.` : '',
    creditCents > 0 ? `${formatCents(creditCents)} is in your account again as store credit.` : '',
    invoiceCents > 0 ? `${formatCents(invoiceCents)} is taken off your company’s invoice.` : '',
  ]
  return ways.filter(Boolean).join(' ')
}

/** What a refund comes to, as rows of its email. */
export function refundRows(refund: OrderRefund): { left: string; right: string; strong?: boolean }[] {
  const rows = [
    ['Items with tax and fees', refund.linesCents],
    ['Handling fee', -refund.handlingFeeCents],
    ['Deduction', -refund.loweredCents],
    ['Adjustment', refund.goodwillCents],
  ] as const
  return [
    ...rows.filter(([, cents]) => cents !== 0).map(([left, cents]) => ({ left, right: formatCents(cents) })),
    { left: 'Refund', right: formatCents(refund.amountCents), strong: true },
  ]
}
