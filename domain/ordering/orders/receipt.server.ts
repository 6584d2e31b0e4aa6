/** An order's receipt, built from the agreed price and later payments. */
import { financedText } from './financed-words.ts'
import { methodName } from '#domain/payments/charge-words/charge-words.ts'
import { invoiceText } from '#domain/payments/invoices/invoices.ts'
import type { OrderView } from './order-view.sql.server.ts'
import { installationState } from './installation.ts'
import { bookingText, cityLine, vehicleText } from './order-labels.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Receipt } from './receipt.ts'
import type { Config } from '#platform/config.ts'
import { salesTaxName, salesTaxNote } from '#domain/pricing/pricing/pricing.ts'
import { formatCents } from '#platform/money.ts'

/** Returns the receipt for `order`, with amounts as ordered and the payment's current state. */
export function receiptOf(order: OrderView, config: Pick<Config, 'store' | 'demo'>): Receipt {
  const { billing, breakdown, shipTo, shop, booking } = order
  return {
    store: config.store,
    soldAt: [
      ...(order.dealer ? [order.dealer.name, `Dealer code ${order.dealer.dealerCode}`] : []),
      ...(order.widget
        ? [
            `Through ${order.widget.partner}`,
            `Widget ${order.widget.id}${order.widget.source === null ? '' : `, ${order.widget.source}`}`,
          ]
        : []),
      ...exchangeLines(order.purchase),
    ],
    orderNumber: orderNumber(order.id),
    placedOn: order.placedAt
      .toZonedDateTimeISO(order.timeZone)
      .toPlainDate()
      .toLocaleString('en-US', { dateStyle: 'long' }),
    paidWith: paymentText(order),
    poNumber: billing.poNumber,
    billTo: lines(billing.name, order.company, billing.address1, billing.address2, cityLine(billing)),
    shipTo: order.isService ? [] : lines(shipTo.name, shipTo.street, cityLine(shipTo)),
    isService: order.isService,
    installation:
      shop && booking && !['none', 'unbooked'].includes(installationState(order))
        ? [shop.name, bookingText(booking, order.timeZone)]
        : [],
    vehicle: vehicleText(order),
    rows: breakdown.explain.map(({ key, label, detail, amount, kind }) => ({
      label,
      detail: namedDetail(breakdown, key, detail),
      amount,
      kind,
    })),
    taxNote: taxText(breakdown.tax),
    sample: config.demo,
  }
}

/** Adds the tire's name to a row. Older single-item orders have it only in their lines. */
function namedDetail({ lines: priced }: OrderView['breakdown'], key: string, detail: string): string {
  const name = priced.find(({ kind, id }) => kind === 'tire' && id === key)?.name ?? ''
  return detail.includes(name) ? detail : [name, detail].filter(Boolean).join(', ')
}

/** The military exchange that sold it, and its customer. */
function exchangeLines(purchase: OrderView['purchase']): string[] {
  if (purchase?.channel !== 'military-exchange') return []
  return lines(`Through ${purchase.company}`, purchase.customerId && `Exchange customer ${purchase.customerId}`)
}

/** "Card, $766.14 charged", "Net 30, $766.14 due Dec 20, 2026" */
function paymentText(order: OrderView): string {
  const { state, creditCents, invoice } = order
  const rest = invoice ? invoiceText(invoice) : cardText(order)
  return creditCents > 0 && state !== 'canceled' ? `Store credit, ${formatCents(creditCents)}. ${rest}` : rest
}

function cardText({ state, payment, totalCents, creditCents }: OrderView): string {
  const financed = financedText({ state, payment })
  if (financed !== null) return financed
  const name = methodName(payment)
  if (state === 'canceled' && !(payment && payment.capturedCents > 0))
    return `${name}, not charged because the order was canceled`
  if (!payment) return name
  if (payment.refundedCents > 0)
    return `${name}, ${formatCents(payment.capturedCents)} charged, ${formatCents(payment.refundedCents)} refunded`
  return payment.capturedCents > 0
    ? `${name}, ${formatCents(payment.capturedCents)} charged`
    : `${name}, ${formatCents(totalCents - creditCents)} authorized, not charged yet`
}

function taxText(tax: OrderView['breakdown']['tax']): string {
  if (tax.isExempt) return 'No sales tax because an exemption certificate is on file.'
  if (tax.ratePpm === 0)
    return tax.basis === 'state-base' ? `${tax.stateName} has no state sales tax.` : 'No sales tax is charged here.'
  const note = salesTaxNote(tax)
  return `${salesTaxName(tax)} is on ${tax.on === '' ? 'what is taxed here' : tax.on}.${note === '' ? '' : ` ${note}.`}`
}

function lines(...parts: (string | null)[]): string[] {
  return parts.filter((part): part is string => part !== null && part !== '')
}
