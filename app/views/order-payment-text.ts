/** The money of an order in words, for its shopper. */
import { financedText, refundSentence } from '#domain/ordering/orders/orders.ts'
import { chargedTo, methodName, releasedText } from '#domain/payments/charge-words/charge-words.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { invoiceText } from '#domain/payments/invoices/invoices.ts'
import { formatCents } from '#platform/money.ts'

/** What happens to the money of an order, or did: "$766.14 is set aside on ${account} and charged after 3:40 PM." */
export function paymentText({ state, payment, invoice, ...order }: OrderView, until: string): string {
  if (invoice) return `${invoiceText(invoice)}.`
  const financed = financedText({ state, payment })
  if (financed !== null) return financed
  // Less than the total with store credit, or where a difference was waived.
  const chargedCents = payment?.amountCents ?? order.totalCents - order.creditCents
  if (state === 'canceled')
    return payment && payment.capturedCents > 0
      ? refundSentence(payment)
      : releasedText(payment, formatCents(chargedCents))
  return chargeText({ state, payment }, chargedCents, until)
}

/** Returns the payment text of an active order, either charged, or authorized until then. */
function chargeText({ state, payment }: Pick<OrderView, 'state' | 'payment'>, chargedCents: number, until: string) {
  const account = chargedTo(payment)
  if (payment && payment.refundedCents > 0)
    return `${formatCents(payment.capturedCents)} charged to ${account}, ${formatCents(payment.refundedCents)} refunded.`
  if (payment && payment.capturedCents > 0) return `${formatCents(payment.capturedCents)} charged to ${account}.`
  if (payment && payment.method !== 'card') return authorizedText(payment, state, until)
  if (state === 'needs-confirmation')
    return `${formatCents(chargedCents)} is set aside on ${account}. It is charged when the order is confirmed, not before.`
  return `${formatCents(chargedCents)} is set aside on ${account} and charged after ${until}.`
}

/** "PayPal, $766.14 authorized. It is charged after 3:40 PM." */
function authorizedText(payment: NonNullable<OrderView['payment']>, state: OrderView['state'], until: string): string {
  const held = `${methodName(payment)}, ${formatCents(payment.amountCents)} authorized.`
  return state === 'needs-confirmation'
    ? `${held} It is charged when the order is confirmed, not before.`
    : `${held} It is charged after ${until}.`
}

/** What canceling it does, and the terms that are shown with the time until which it can be done. */
export function consequenceOf(order: OrderView): { consequence: string; terms: string } {
  return order.isService
    ? { consequence: serviceConsequence(order), terms: 'You get a full refund.' }
    : { consequence: tiresConsequence(order), terms: 'We don’t charge or ship before then.' }
}

function serviceConsequence({ shop, invoice, payment }: OrderView): string {
  const captured = payment && payment.capturedCents > 0 ? payment.capturedCents : 0
  const money = invoice
    ? 'Your company won’t be billed'
    : captured > 0
      ? `We refund ${formatCents(captured)} to ${chargedTo(payment)}`
      : `We won’t charge ${chargedTo(payment)}`
  return `${money}, and your time at ${shop?.name ?? 'the shop'} goes to someone else.`
}

function tiresConsequence({ shop, invoice, payment }: OrderView): string {
  const money = invoice ? 'Your company won’t be billed' : `We won’t charge ${chargedTo(payment)}`
  return shop
    ? `${money}, we won’t ship the order, and your time at ${shop.name} goes to someone else.`
    : `${money} and we won’t ship the order.`
}
