/** What needs staff's attention about an order, and its refunds, as the back office shows them. */
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Screening } from '#domain/ordering/fraud/fraud.server.ts'
import { dayText, timeText } from '#domain/ordering/orders/orders.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { listOrderRefunds } from '#domain/ordering/refunds/refunds.server.ts'
import { refundBearers, refundReasons } from '#domain/ordering/refunds/refunds.ts'
import type { OrderTax } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { estimateWords } from '#domain/pricing/sales-tax/sales-tax.ts'
import { formatCents } from '#platform/money.ts'
import { comesLate } from './order-delivery.server.ts'

export type NoticeView = {
  tone: 'stop' | 'signal'
  title: string
  text: string
  link?: { label: string; path: string }
}

export type RefundView = {
  id: string
  amount: string
  state: { label: string; tone: Tone }
  text: string
  note: string | null
  isDraft: boolean
  isMine: boolean
  mayRetry: boolean
}

/** Returns the notice that the fraud rules hold the order, with reasons. */
export function heldNotice(orderId: number, { reasons }: Screening): NoticeView {
  return {
    tone: 'signal',
    title: 'Held for review, not charged or shipped',
    text: reasons.map(({ words }) => words).join(' '),
    link: { label: 'Decide', path: officePaths.officeHeldOrder(orderId) },
  }
}

type Refunds = Awaited<ReturnType<typeof listOrderRefunds>>

/** Returns the notice for an estimated tax. */
export function taxNotices(tax: OrderTax | undefined): NoticeView[] {
  const text = tax ? estimateWords(tax) : null
  return text === null ? [] : [{ tone: 'signal', title: 'The sales tax is an estimate.', text }]
}

/** Late parcels, rejected refunds and refunds that need a second person. */
export function noticesOf(order: OrderView, refunds: Refunds): NoticeView[] {
  const notices: NoticeView[] = []
  const late = comesLate(order)
  if (late && order.shop)
    notices.push({
      tone: 'stop',
      title: 'A parcel arrives after the appointment.',
      text: `It is due ${dayText(late)}. Move the appointment at ${order.shop.name}, or refund unwanted items.`,
    })
  for (const { card, amountCents } of refunds)
    if (card?.state === 'refused')
      notices.push({
        tone: 'stop',
        title: `The provider refused a refund of ${formatCents(amountCents)}.`,
        text: card.note ?? 'Try again below, or refund the customer another way.',
      })
  for (const { state, amountCents, createdBy } of refunds)
    if (state === 'draft')
      notices.push({
        tone: 'signal',
        title: `A refund of ${formatCents(amountCents)} needs approval from another team member.`,
        text: `${createdBy} asked for it.`,
      })
  return notices
}

/** A refund with its state; `email` is the reader's, who can't approve their own. */
export function refundViewOf(
  refund: Refunds[number],
  { order, email }: { order: OrderView; email: string },
): RefundView {
  const { kind, state, card, reason, bearer, createdBy, createdAt, decidedBy } = refund
  const why = kind === 'cancellation' ? 'Canceled before it shipped' : refundReasons[reason]
  const who = decidedBy && decidedBy !== createdBy ? `${createdBy}, ${state} by ${decidedBy}` : createdBy
  const isRefused = card?.state === 'refused'
  const label: RefundView['state'] =
    state === 'draft'
      ? { label: 'Awaiting second approval', tone: 'signal' }
      : state === 'declined'
        ? { label: 'Declined', tone: 'plain' }
        : isRefused
          ? { label: 'Refused by the provider', tone: 'stop' }
          : card?.state === 'promised'
            ? { label: 'On its way', tone: 'plain' }
            : { label: 'Refunded', tone: 'go' }
  return {
    id: refund.id,
    amount: formatCents(refund.amountCents),
    state: label,
    text: `${why}, borne by: ${refundBearers[bearer].toLowerCase()}. ${timeText(createdAt, order.timeZone)}, ${who}.`,
    note: refund.note,
    isDraft: state === 'draft',
    isMine: createdBy === email,
    mayRetry: isRefused,
  }
}
