/** Refund emails. The email that a refund was sent is queued after the provider sends it. */
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { MessageValues } from '#domain/messaging/messages/messages.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { mailTires } from '#domain/ordering/orders/orders.ts'
import { refundPlanned, refundSent } from '#domain/payments/charge-words/charge-words.ts'
import { findIssuedRefund } from '#domain/payments/payments/payments.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { chargeKey } from './refund-order.server.ts'
import { selectOrderRefund, selectRefundLines, type OrderRefund } from './refunds.sql.server.ts'

const emailKey = 'order-refunded:'

/** Returns the ID of the order refund with this charge key. Returns undefined for other charge refunds. */
export function refundIdOfCharge(key: string): string | undefined {
  const prefix = chargeKey('')
  return key.startsWith(prefix) ? key.slice(prefix.length) : undefined
}

/**
 * Queues the email that a refund was sent, after all its charges have sent their share. Idempotent. `key` is the key of
 * the charge's promised refund.
 */
export async function emailIssuedRefund(
  { db, clock }: { db: Database; clock: Clock },
  { key }: { key: string },
): Promise<void> {
  const issued = await findIssuedRefund(db, key)
  const order = issued && (await readOrder(db, issued.orderId))
  if (!order) return
  const about = { kind: 'order-refunded', key: `${emailKey}${refundIdOfCharge(key) ?? key}` } as const
  await db
    .transaction()
    .execute((tx) => queueMessage(tx, { ...about, to: order.email, orderId: order.id, at: clock.now() }))
}

/** Returns the values of the email about a refund, read at the time of sending. */
export async function refundMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'store' | 'web'> },
  message: { key: string },
): Promise<MessageValues> {
  const key = message.key.slice(emailKey.length)
  const refund = isUuid.test(key) ? await selectOrderRefund(db, key) : undefined
  const issued = refund ?? (await findIssuedRefund(db, key))
  const order = issued && (await readOrder(db, issued.orderId))
  if (!order) throw new Error(`The refund for the email ${message.key} is not there.`)
  const { amountCents } = issued
  const units = new Map((refund ? await selectRefundLines(db, refund.id) : []).map((line) => [line.lineNo, line.units]))
  // A refund by amount, such as goodwill, lists the order's remaining tires.
  const refunded = mailTires(config.web.origin, order, units)
  return {
    orderNumber: orderNumber(order.id),
    firstName: order.firstName,
    amount: formatCents(amountCents),
    items: refunded.tires.length > 0 ? refunded : mailTires(config.web.origin, order),
    how: wayBack(refund ?? { cardCents: amountCents, creditCents: 0, invoiceCents: 0 }, order.payment, 'sent'),
    rows: refund ? refundRows(refund) : [{ left: refundName(key), right: formatCents(amountCents), strong: true }],
    phone: config.store.phone,
  }
}

const isUuid = /^[\da-f]{8}-[\da-f-]{27}$/

/** What the store refunded without an entry by staff, by the kind of its key. */
const refundNames: Readonly<Record<string, string>> = {
  cancel: 'Canceled order',
  coverage: 'Coverage claim',
  guarantee: 'Price guarantee',
  'order-change': 'Order change',
}

function refundName(key: string): string {
  return refundNames[key.split(':')[0] ?? ''] ?? 'Refund'
}

/** How the money of a refund reaches the customer, in sentences; `planned` before the card's share is sent. */
export function wayBack(
  { cardCents, creditCents, invoiceCents }: Pick<OrderRefund, 'cardCents' | 'creditCents' | 'invoiceCents'>,
  payment: OrderView['payment'],
  card: 'planned' | 'sent',
): string {
  const cardText = card === 'sent' ? refundSent : refundPlanned
  const ways = [
    cardCents > 0 ? cardText(payment, formatCents(cardCents)) : '',
    creditCents > 0 ? `${formatCents(creditCents)} is in your account again as store credit.` : '',
    invoiceCents > 0 ? `${formatCents(invoiceCents)} is taken off your company’s invoice.` : '',
  ]
  return ways.filter(Boolean).join(' ')
}

/** A refund's amounts, as rows of its email. */
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
