/** An order's payment in the back office, with method, bank checks, and transfer times. */
import { invoiceText } from '#domain/payments/invoices/invoices.ts'
import { timeText } from '#domain/ordering/orders/orders.ts'
import { methodName } from '#domain/payments/charge-words/charge-words.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { ChargeEvent } from '#domain/payments/payments/payments.server.ts'
import { formatCents } from '#platform/money.ts'
import type { Tone } from './order.server.ts'

type Rows = [label: string, value: string][]

export type PaymentView = {
  tag: { label: string; tone: Tone }
  /** The card or account, and its billing name if the role can see it. */
  method: Rows
  /** The card bank's checks. Null if the provider didn't report any. */
  checks: { text: string; tone: Tone } | null
  /** When money was authorized, charged and refunded, and what identifies it. */
  moves: Rows
  /** An amount such as "$412.00"; null if no refund is possible. */
  left: string | null
}

/** Returns an order's payment view. `leftCents` is the refundable amount. */
export function paymentViewOf(
  order: OrderView,
  {
    charges,
    hasDraft,
    leftCents,
    seesCustomer,
  }: { charges: readonly ChargeEvent[]; hasDraft: boolean; leftCents: number; seesCustomer: boolean },
): PaymentView {
  const { payment } = order
  return {
    tag: tagOf(order),
    method: [...methodRows(order, seesCustomer), ...purchaseRows(order.purchase)],
    checks: payment?.checks ? checksText(payment.checks) : null,
    moves: movesOf(order, charges, hasDraft),
    left: leftCents > 0 ? formatCents(leftCents) : null,
  }
}

function tagOf({ payment, invoice }: OrderView): PaymentView['tag'] {
  if (invoice) return { label: `Invoice ${invoice.state}`, tone: invoice.state === 'paid' ? 'go' : 'plain' }
  if (payment?.state === 'captured') return { label: 'Paid', tone: 'go' }
  return { label: capitalized(payment?.state ?? 'Nothing charged'), tone: 'plain' }
}

/** What paid, and what identifies the order at Resolve and in the buyer's books. */
function methodRows({ payment, invoice, billing }: OrderView, seesCustomer: boolean): Rows {
  return [
    ...(payment ? [methodRow(payment)] : []),
    ...row('Name', payment && seesCustomer ? billing.name : null),
    ...row('Resolve loan ID', payment?.loanId ?? null),
    ...row('PO number', billing.poNumber),
    ...row('Invoice', invoice && invoiceText(invoice)),
  ]
}

function row(label: string, value: string | null): Rows {
  return value ? [[label, value]] : []
}

/** "Visa ending in 4242, exp. 08/29" */
function methodRow(payment: NonNullable<OrderView['payment']>): [string, string] {
  const { expiry } = payment
  const until = expiry && `exp. ${String(expiry.month).padStart(2, '0')}/${String(expiry.year).slice(-2)}`
  return [payment.card ? 'Card' : 'Paid with', [methodName(payment), until].filter(Boolean).join(', ')]
}

type Checks = NonNullable<NonNullable<OrderView['payment']>['checks']>

const checkNames: Readonly<Record<keyof Checks, string>> = { zip: 'ZIP', street: 'street', code: 'code' }

/** "ZIP and street match, code does not match": what did not match is a reason to look twice. */
function checksText(checks: Checks): { text: string; tone: Tone } | null {
  const of = (wanted: string) =>
    (Object.keys(checkNames) as (keyof Checks)[])
      .filter((name) => checks[name] === wanted)
      .map((name) => checkNames[name])
  const parts: [names: string[], one: string, several: string][] = [
    [of('pass'), 'matches', 'match'],
    [of('fail'), 'does not match', 'do not match'],
    [[...of('unavailable'), ...of('unchecked')], 'not checked', 'not checked'],
  ]
  const text = parts
    .filter(([names]) => names.length > 0)
    .map(([names, one, several]) => `${listed(names)} ${names.length === 1 ? one : several}`)
    .join('; ')
  if (text === '') return null
  const tone = of('fail').length > 0 ? 'stop' : of('pass').length > 0 ? 'go' : 'plain'
  return { text: capitalized(text), tone }
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Event times come from the first charge that reached the state. */
function movesOf(
  { payment, creditCents, timeZone, releasedAt, placedAt }: OrderView,
  charges: readonly ChargeEvent[],
  hasDraft: boolean,
): Rows {
  const timeOf = (state: string) => {
    const event = charges.find(({ to }) => to === state)
    return event && timeText(event.at, timeZone)
  }
  const moved = (cents: number, state: string) => [formatCents(cents), timeOf(state)].filter(Boolean).join(', ')
  return [
    ...row('Placed', timeText(placedAt, timeZone)),
    ...row('Authorized', payment && moved(payment.amountCents, 'authorized')),
    ...row('Charged', payment && payment.capturedCents > 0 ? moved(payment.capturedCents, 'captured') : null),
    ...row('Refunded', payment && payment.refundedCents > 0 ? formatCents(payment.refundedCents) : null),
    ...row('Store credit', creditCents > 0 ? formatCents(creditCents) : null),
    ...row('Released', releasedAt && timeText(releasedAt, timeZone)),
    ...row('Waiting', hasDraft ? 'A refund awaits a second approval' : null),
    ...row('Reference', payment?.id ?? null),
  ]
}

/** Which purchasing system ordered, and for whom. */
function purchaseRows(purchase: OrderView['purchase']): Rows {
  if (!purchase) return []
  const isExchange = purchase.channel === 'military-exchange'
  return [
    ...row(isExchange ? 'Military exchange' : 'Purchasing system', purchase.company),
    ...row('Exchange customer', purchase.customerId),
    ...row('Cost center', purchase.costCenter),
  ]
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
