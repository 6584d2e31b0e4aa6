/** The mails about a return, read at the time of sending. */
import { paths } from '#content/paths.ts'
import type { Mail } from '#domain/messaging/messages/mail.port.ts'
import { keyParts, type MessageKind, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { orderKey, readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { dayText, mailTires, unitsByLine } from '#domain/ordering/orders/orders.ts'
import { refundSent } from '#domain/payments/charge-words/charge-words.ts'
import { REFUND_WITHIN_HOURS } from '#platform/business-constants.ts'
import type { Clock } from '#platform/clock.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import { labelSheet, type LabelSheet } from './return-labels.ts'
import { feeReasonText, returnNumber, returnReasonWords } from './return-terms.ts'
import { readReturn, type ReturnRefund, type ReturnView } from './return-view.sql.server.ts'

type Deps = {
  db: Database
  clock: Clock
  config: Pick<Config, 'web' | 'session' | 'store'>
  returnLabelsPdf(sheet: LabelSheet): Promise<Uint8Array>
}

/** Returns the values and attachments of a mail about a return. */
export async function returnMessage(
  deps: Deps,
  message: { kind: MessageKind; key: string },
): Promise<{ values: MessageValues; attachments: Mail['attachments'] }> {
  const [id = '', part] = keyParts(message.key)
  const view = await readReturn(deps.db, Number(id))
  const order = view && (await readOrder(deps.db, view.orderId))
  if (!view || !order) throw new Error(`The return of the promised mail ${message.key} is not there.`)
  const key = orderKey(deps.config.session.secret, order.id, deps.clock.now())
  const refund = view.refunds.find(({ no }) => String(no) === part)
  const refusedTire = view.tires.find(({ tireNo }) => String(tireNo) === part)
  const received = view.tires.filter(({ receivedAt }) => receivedAt !== null).length
  const { origin } = deps.config.web
  const about = tiresAbout(view, refund?.no, refusedTire)
  const values: MessageValues = {
    items: mailTires(origin, order, unitsByLine(about.map(({ lineNo }) => ({ lineNo, quantity: 1 })))),
    returnNumber: returnNumber(view.id),
    orderNumber: orderNumber(order.id),
    firstName: order.firstName,
    tires: countText(view.tires.filter(({ state }) => state !== 'canceled').length),
    reason: returnReasonWords[view.reason],
    note: view.note ?? '',
    shipBy: view.shipBy ? dayText(Temporal.PlainDate.from(view.shipBy)) : '',
    received: `${received} of ${countText(view.tires.length)}`,
    hours: String(REFUND_WITHIN_HOURS),
    ...(refund ? { rows: refundRows(order, refund), how: wayText(refund, order) } : { rows: [], how: '' }),
    refundedTires: countText(view.tires.filter(({ refundNo }) => refundNo !== null && refundNo === refund?.no).length),
    refusal: refusedTire?.refusal ?? '',
    refusedTire: refusedTire?.name ?? '',
    phone: deps.config.store.phone,
    supportHours: phoneHoursText(deps.config.store.phoneHours),
    returnUrl: origin + paths.orderReturn(order.id, { returnId: view.id, key }),
  }
  return { values, attachments: message.kind === 'return-labels' ? await attachLabels(deps, order, view) : [] }
}

/** Returns the tires in the email's refund or refusal, or otherwise all returned tires. */
function tiresAbout(
  { tires }: ReturnView,
  refundNo: number | undefined,
  refused: ReturnView['tires'][number] | undefined,
): readonly ReturnView['tires'][number][] {
  if (refundNo !== undefined) return tires.filter((tire) => tire.refundNo === refundNo)
  return refused ? [refused] : tires.filter(({ state }) => state !== 'canceled')
}

async function attachLabels(
  { config, returnLabelsPdf }: Deps,
  order: OrderView,
  view: ReturnView,
): Promise<Mail['attachments']> {
  const content = await returnLabelsPdf(labelSheet(config, order, view))
  return [{ name: `Labels_${returnNumber(view.id)}.pdf`, contentType: 'application/pdf', content }]
}

function refundRows(order: OrderView, { goodsCents, feeCents, loweredCents, feeReason, refundCents }: ReturnRefund) {
  return [
    { left: 'What you paid for them, with tax, fees and services', right: formatCents(goodsCents) },
    {
      left: `Handling fee (${feeReasonText(feeReason, order.terms)})`,
      right: formatCents(feeCents === 0 ? 0 : -feeCents),
    },
    ...(loweredCents > 0 ? [{ left: 'Refunded before', right: formatCents(-loweredCents) }] : []),
    { left: 'Refunded', right: formatCents(refundCents), strong: true },
  ]
}

/** How a refund reached the shopper. */
function wayText({ way, refundCents }: ReturnRefund, order: OrderView): string {
  switch (way) {
    case 'card':
      return refundSent(order.payment, formatCents(refundCents))
    case 'credit':
      return 'It is in your account again as store credit.'
    case 'invoice':
      return 'It is taken off your company’s invoice.'
    case 'by-hand':
      return order.invoice
        ? 'We settle it with your company.'
        : 'We are working out how it reaches you, and will write to you about it.'
  }
}

function countText(count: number): string {
  return countOf(count, 'tire')
}
