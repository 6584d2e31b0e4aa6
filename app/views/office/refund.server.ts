/** An order's refund form in the back office, with its preview including ledger entries, and refusal messages. */
import { refundRefusals } from '#app/office/actions/refunds.server.ts'
import { textOf } from '#app/office/decision.server.ts'
import { amounts, notRefundable, type AmountsView } from '#app/views/office/order.server.ts'
import { accountText, ledgerRow, type LedgerRow } from '#app/views/office/order-ledger.server.ts'
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

/** Previews a refund, or returns the error with its field. */
export function viewPreview(
  order: OrderView,
  refundable: Refundable,
  asked: AskedRefund,
): { ok: true; view: PreviewView } | { ok: false; field: string | null; message: string } {
  const preview = previewRefund(refundable, asked)
  if (!preview.ok) return { ok: false, ...sayRefusal(preview) }
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
export function sayRefusal(refusal: RefundRefusal): { field: string | null; message: string } {
  const text = textOf(refusal, refundRefusals, 'refund')
  if (text === null || typeof text === 'string' || 'fields' in text)
    return { field: null, message: typeof text === 'string' ? text : notRefundable['order-not-found'] }
  return { field: text.field ?? null, message: text.text }
}
