/** The content of the order review, with the payment, the destination, and any remaining problem. */
import { termsRefusalMessages } from '#content/messages/invoices.ts'
import { setVerdictViews, type LineView, type MoneyView, type SetVerdictView } from '#app/views/checkout.server.ts'
import { setsToneOf } from '#app/ui/fit-tone.ts'
import type { Remedy } from '#content/messages/placing.ts'
import { paths } from '#content/paths.ts'
import type { FitTone } from '#app/ui/tire-facts.tsx'
import type { ChosenTime } from '#domain/scheduling/booking/booking.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  readCreditLine,
  type CartQuote,
  type CartVerdict,
  type SavedBilling,
  type SavedContact,
} from '#domain/ordering/checkout/checkout.server.ts'
import { isWithinLimit } from '#domain/customers/companies/companies.ts'
import { isInstallationRefused, type Level } from '#domain/catalog/fitment/fitment.ts'
import { dueDay, grantInvoice, invoiceText, type CreditLine } from '#domain/payments/invoices/invoices.ts'
import { cityLine } from '#domain/ordering/orders/orders.ts'
import { accountName, methodName } from '#domain/payments/charge-words/charge-words.ts'
import {
  isPaidOnDelivery,
  pageTypeOf,
  ruleOf,
  type ChargedMethod,
  type Payment,
} from '#domain/payments/payments/payments.ts'
import { refreshPayment } from '#domain/payments/payments/payments.server.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { Application } from '#application'

export type VerdictView = { level: Level; tone: FitTone; sets: SetVerdictView[] }
export type DestinationView = { title: string; line: string }
export type ReceiverView = { name: string; reach: string; instructions: string | null }
/** `after`: when the money is taken, shown next to the button. */
export type PayView = { with: string; after: string; billing: string; poNumber: string | null }

/** How the tires fit the cart's vehicle, set by set; null without a vehicle. */
export function verdictView(verdict: CartVerdict | null, lines: readonly LineView[]): VerdictView | null {
  return (
    verdict && {
      level: verdict.verdict,
      tone: setsToneOf(verdict),
      sets: setVerdictViews(verdict, lines),
    }
  )
}

/** The shop, van, counter or address the tires go to. */
export function destinationView(
  { shop, carrierLocation, warehouse }: CartQuote,
  contact: SavedContact,
): DestinationView {
  if (shop)
    return {
      title: shop.name,
      line:
        shop.kind === 'van'
          ? `The van comes to ${contact.address1}, ${cityLine(contact)}`
          : `${shop.street}, ${cityLine(shop)}`,
    }
  const counter = carrierLocation ?? warehouse
  if (counter) return { title: counter.name, line: `${counter.street}, ${cityLine(counter)}` }
  return {
    title: 'Shipped to you',
    line: [contact.address1, contact.address2, cityLine(contact)].filter(Boolean).join(', '),
  }
}

/** Returns the recipient's name and contact details. */
export function receiverView(contact: SavedContact): ReceiverView {
  return {
    name: `${contact.firstName} ${contact.lastName}`,
    reach: `${contact.email}, ${phoneText(contact.phone.digits)}`,
    instructions: contact.instructions,
  }
}

/** The payment so far. `unavailable`: the provider is not responding; `nothing`: no card was authorized. */
export type Paying =
  | { by: 'invoice'; line: CreditLine | null }
  | { by: 'charge'; method: ChargedMethod; card: Payment['card']; authorizedCents: number }
  | { by: 'unavailable' }
  | { by: 'nothing' }

/** Whether this buyer's company wants an approval for a total like that, paid on its terms. */
export async function isAskedFor(app: Application, payment: Paying, { breakdown }: CartQuote): Promise<boolean> {
  const { orderLimitCents } = await app.buyer.priceTier()
  return payment.by === 'invoice' && breakdown !== null && !isWithinLimit(orderLimitCents, breakdown.totals.totalCents)
}

/** Only a card payment has to be read from the provider, not an invoice. */
export async function readPaying(app: Application, cart: Pick<Cart, 'id' | 'paymentMethod'>): Promise<Paying> {
  if (cart.paymentMethod === 'net-terms') return { by: 'invoice', line: await readCreditLine(app) }
  const charge = await refreshPayment(app, { cartId: cart.id })
  if (!charge.ok) return { by: 'unavailable' }
  return charge.value?.payment.state === 'authorized'
    ? {
        by: 'charge',
        method: charge.value.payment.method,
        card: charge.value.payment.card,
        authorizedCents: charge.value.payment.amountCents,
      }
    : { by: 'nothing' }
}

/** Returns when a service is paid. */
function afterServiceText(payment: Paying, cancelWindow: string): string {
  if (payment.by === 'invoice') return 'Your company pays by the day it is due.'
  const account = payment.by === 'charge' ? accountName(payment) : 'card'
  return `Your ${account} is charged after ${cancelWindow}.`
}

/** Returns the step after the cancellation period. */
function afterText(payment: Paying): string {
  if (payment.by === 'invoice') return 'Then it is packed, and your company pays by the day it is due.'
  if (payment.by !== 'charge') return 'Your card is charged after that.'
  if (payment.method === 'resolve') return 'Then it is packed, and Resolve invoices your company.'
  return isPaidOnDelivery(payment.method)
    ? 'Then it is packed, and the lender pays us when your tires are there.'
    : `Your ${accountName(payment)} is charged after that.`
}

/** How the order is paid and who is billed; `today` is the store's date, from which an invoice runs. */
export function payView(
  payment: Paying,
  billing: SavedBilling,
  money: MoneyView,
  { today, cancelWindow }: { today: Temporal.PlainDate; cancelWindow: string },
): PayView {
  return {
    with: payText(payment, money, today),
    after: money.isService ? afterServiceText(payment, cancelWindow) : afterText(payment),
    billing: [billing.name, billing.address1, cityLine(billing)].join(', '),
    poNumber: billing.poNumber,
  }
}

function payText(payment: Paying, { totalCents }: MoneyView, today: Temporal.PlainDate): string {
  switch (payment.by) {
    case 'charge':
      return `${methodName(payment)}, ${formatCents(payment.authorizedCents)} authorized`
    case 'invoice': {
      if (payment.line === null) return 'Net terms'
      const { netDays } = payment.line
      return invoiceText({ netDays, amountCents: totalCents, dueOn: dueDay(today, netDays).toString(), state: 'open' })
    }
    case 'unavailable':
    case 'nothing':
      return 'Card'
  }
}

/** Returns what prevents the order from being placed, with the step that fixes it; null if it can be placed. */
export function remedyFor({
  money,
  quote,
  verdict,
  hold,
  payment,
  isInstalled,
}: {
  money: MoneyView
  quote: CartQuote
  verdict: CartVerdict | null
  hold: ChosenTime | undefined
  payment: Paying
  isInstalled: boolean
}): (Remedy & { words: string }) | null {
  if (money.problems.length > 0)
    return {
      words: money.problems.join(' '),
      ...(quote.problems.some(({ kind }) => kind === 'out-of-stock')
        ? { label: 'Go to your cart', href: paths.cart() }
        : { label: 'Choose again', href: paths.checkoutShipping() }),
    }
  if (isInstalled && isInstallationRefused(verdict))
    return {
      words: 'We do not install tires that do not fit. Pick other tires, or change the vehicle.',
      label: 'Go to your cart',
      href: paths.cart(),
    }
  if (isInstalled && (!hold || hold.status === 'lost'))
    return {
      words: 'No time is held for you anymore. Pick one; your cart is unchanged.',
      label: 'Pick a time',
      href: paths.checkoutShipping(),
    }
  if (payment.by === 'invoice') {
    const granted = grantInvoice(payment.line, money.totalCents)
    return granted.ok
      ? null
      : { words: termsRefusalMessages(granted), label: 'Choose how to pay', href: paths.checkoutPayments() }
  }
  if (payment.by === 'charge' && payment.authorizedCents !== money.totalCents)
    return {
      words: `${payment.method === 'card' ? `Your ${accountName(payment)}` : (ruleOf(payment.method)?.name ?? 'Your payment')} is authorized for ${formatCents(payment.authorizedCents)}, and the total is ${money.total} now.`,
      label: `Authorize ${money.total}`,
      href: paths.checkoutPayment(pageTypeOf(payment.method)),
    }
  return null
}
