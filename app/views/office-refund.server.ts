/** An order's refund form in the back office, with its preview including ledger entries, and refusal messages. */
import { amounts, notRefundable, type AmountsView } from '#app/views/office-order.server.ts'
import { accountText, ledgerRow, type LedgerRow } from '#app/views/office-order-ledger.server.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { previewRefund, type Refundable, type RefundRefusal } from '#domain/ordering/refunds/refunds.server.ts'
import { sumOfParts, type AskedRefund } from '#domain/ordering/refunds/refunds.ts'
import { formatCents } from '#platform/money.ts'

/** A refund as it would be made. */
export type PreviewView = {
  amountCents: number
  amount: string
  lines: ({ lineNo: number; name: string } & AmountsView)[]
  /** Fee, deduction or adjustment, each as it is shown. */
  others: { label: string; amount: string }[]
  ways: string
  ledger: LedgerRow[]
  ledgerSum: string
  isOverLimit: boolean
}

type Refusal = Exclude<RefundRefusal, { reason: 'order-not-found' | 'not-allowed' }>

/** Previews a refund, or returns the error with its field. */
export function viewPreview(
  order: OrderView,
  refundable: Refundable,
  asked: AskedRefund,
): { ok: true; view: PreviewView } | { ok: false; field: string | null; message: string } {
  const preview = previewRefund(refundable, asked)
  if (!preview.ok) return { ok: false, ...sayRefusal(preview as Refusal) }
  const { lines, sums, cardCents, creditCents, invoiceCents, isOverLimit } = preview.value
  const names = new Map(refundable.lines.map(({ lineNo, description }) => [lineNo, description]))
  const parts = sumOfParts(lines)
  const entries: [string, number][] = [
    ['sales', parts.netCents],
    ['sales-tax', parts.taxCents],
    ['tire-fee', parts.tireFeeCents],
    ['excise-tax', parts.fetCents],
    ['refunds', sums.goodwillCents - sums.loweredCents],
    ['handling-fees', -sums.handlingFeeCents],
    ['cash', -cardCents],
    ['store-credit', -creditCents],
    ['receivable', -invoiceCents],
  ]
  const rows = entries.filter(([, cents]) => cents !== 0)
  const others: [string, number][] = [
    ['Handling fee', -sums.handlingFeeCents],
    ['Deduction', -sums.loweredCents],
    ['Amount without lines', sums.goodwillCents],
  ]
  return {
    ok: true,
    view: {
      amountCents: sums.amountCents,
      amount: formatCents(sums.amountCents),
      lines: lines.map((line) => ({
        lineNo: line.lineNo,
        name: `${line.units} ${names.get(line.lineNo) ?? ''}`,
        ...amounts(line),
      })),
      others: others
        .filter(([, cents]) => cents !== 0)
        .map(([label, cents]) => ({ label, amount: formatCents(cents) })),
      ways: waysText({ cardCents, creditCents, invoiceCents }),
      ledger: rows.map(([account, cents]) => ledgerRow(accountText(account, order), cents)),
      ledgerSum: formatCents(rows.reduce((sum, [, cents]) => sum + Math.max(0, cents), 0)),
      isOverLimit,
    },
  }
}

function waysText({
  cardCents,
  creditCents,
  invoiceCents,
}: Record<'cardCents' | 'creditCents' | 'invoiceCents', number>): string {
  return [
    cardCents > 0 ? `Card, ${formatCents(cardCents)}` : '',
    creditCents > 0 ? `Store credit, ${formatCents(creditCents)}` : '',
    invoiceCents > 0 ? `Off the invoice, ${formatCents(invoiceCents)}` : '',
  ]
    .filter(Boolean)
    .join('; ')
}

/** Returns a refused refund's message and field; null for the whole form. */
export function sayRefusal(refusal: Refusal): { field: string | null; message: string } {
  switch (refusal.reason) {
    case 'order-not-charged':
    case 'order-over':
    case 'invoice-settled':
      return { field: null, message: notRefundable[refusal.reason] }
    case 'nothing-charged':
      return { field: null, message: notRefundable['order-not-charged'] }
    case 'over-your-limit':
      return {
        field: null,
        message: `Your approval threshold per order is ${formatCents(refusal.detail.limitCents)}. Ask finance or a manager to make this refund.`,
      }
    case 'not-on-order':
      return { field: null, message: `Line ${refusal.detail.lineNo} is not on this order.` }
    case 'more-than-bought':
      return {
        field: `units-${refusal.detail.lineNo}`,
        message: `Only ${refusal.detail.leftUnits} of this line can still be refunded.`,
      }
    case 'nothing-asked':
      return { field: 'amount', message: 'Choose a quantity, or enter an amount.' }
    case 'more-than-lines':
      return {
        field: 'amount',
        message: `The lines come to ${formatCents(refusal.detail.mostCents)}. Enter that or less.`,
      }
    case 'more-than-left':
    case 'more-than-charged':
      return {
        field: 'amount',
        message: `Only ${formatCents(refusal.detail.leftCents)} of this order can still be refunded. Enter a lower amount.`,
      }
    case 'needs-lower-reason':
      return {
        field: 'lowerReason',
        message: `The lines come to ${formatCents(refusal.detail.mostCents)}. Say why the refund is lower.`,
      }
    case 'amount-moved':
      return {
        field: null,
        message: `The refund now comes to ${formatCents(refusal.detail.amountCents)} because another refund was issued. Review it again.`,
      }
    case 'not-fresh':
      return {
        field: null,
        message: 'To request a refund above the approval threshold, sign in again with the link below.',
      }
  }
}
