/** Lists an order's payment methods for the payment page, based only on the method rules. */
import type { WayToPay } from '#app/routes/checkout/ways.tsx'
import { whyNotFinancedBy } from '#app/routes/checkout/financing-view.server.ts'
import { notFinancedMessages } from '#content/messages/financing.ts'
import { termsRefusalMessages } from '#content/messages/invoices.ts'
import { notAnswering, tooManyCards } from '#content/messages/payments.ts'
import type { Cart, CartPaymentMethod } from '#domain/payments/cart/cart.ts'
import { resolveWay } from '#app/routes/checkout/terms-view.server.ts'
import {
  quoteByMethod,
  readCreditLine,
  readProviderTerms,
  type CartQuote,
  type SavedContact,
} from '#domain/ordering/checkout/checkout.server.ts'
import type { ShopInFull as Installer } from '#domain/scheduling/installers/installers.ts'
import { creditLeft, dueDay, grantInvoice, type CreditLine } from '#domain/payments/invoices/invoices.ts'
import {
  isOfCard,
  isPaidOnDelivery,
  methodsFor,
  paymentMethodRules,
  planFor,
  type PaymentMethodRule,
} from '#domain/payments/payments/payments.ts'
import { findSilentMethods, mayTryCard } from '#domain/payments/payments/payments.server.ts'
import { dateText, dayText, monthDayText } from '#platform/day-text.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

type OrderToPay = {
  cart: Cart
  contact: SavedContact | null
  /** The visitor's network, used to count declined cards. */
  from: string
  /** The cart's shop, if the caller has read it. */
  place?: Installer | undefined
}

/**
 * Returns every payment method available for this order and buyer, in page order, each with its total. `off` is the
 * reason a method can't be chosen right now. An order without a price can be paid by card at least.
 */
export async function readWaysToPay(app: Application, { cart, contact, from, place }: OrderToPay): Promise<WayToPay[]> {
  const [{ companyId }, line, silent, terms, cards] = await Promise.all([
    app.buyer.priceTier(),
    readCreditLine(app),
    findSilentMethods(app),
    readProviderTerms(app),
    mayTryCard(app, { cartId: cart.id }, from),
  ])
  const methods = [...app.paymentMethods, 'net-terms' as const]
  const quotes = await quoteByMethod(app, cart, { contact, methods, shop: place })
  const quoteOf = (type: CartPaymentMethod): CartQuote => {
    const quote = quotes.get(type)
    if (!quote) throw new Error(`The payment method ${type} was not quoted.`)
    return quote
  }
  const order = { isBusiness: companyId !== null, offered: app.paymentMethods, hasProviderTerms: terms !== null }
  const found = paymentMethodRules.filter(
    (rule) =>
      app.paymentMethods.has(rule.type) &&
      // A lender pays for tires once they are there.
      (cart.services.length === 0 || !isPaidOnDelivery(rule.type)) &&
      methodsFor({ ...order, amountCents: quoteOf(rule.type).dueCents }).includes(rule),
  )
  const rules = found.length > 0 ? found : paymentMethodRules.filter(({ type }) => type === 'card')
  const today = storeDay(app.clock.now())
  const cardsOff = cards.ok ? null : tooManyCards
  return [
    ...rules.map((rule) => {
      const quote = quoteOf(rule.type)
      if (rule.provider === 'resolve' && terms) return resolveWay(rule, terms, quote.dueCents)
      const whyNot = whyNotFinancedBy(rule, cart, quote)
      const off = whyNot ? notFinancedMessages[whyNot] : silent.has(rule.type) ? notAnswering(rule.name) : null
      return { ...wayOf(rule, quote, today), off: (isOfCard(rule.type) ? cardsOff : null) ?? off }
    }),
    ...(line ? [termsWay(line, quoteOf('net-terms').dueCents, today)] : []),
  ]
}

function wayOf(
  rule: PaymentMethodRule,
  { dueCents: totalCents, breakdown }: CartQuote,
  today: Temporal.PlainDate,
): WayToPay {
  const plan = planFor(rule.spread, totalCents, today)
  const total = formatCents(totalCents)
  const offer = breakdown?.tender ? offerWords(breakdown.tender, breakdown.totals.tenderCents) : null
  return {
    type: rule.type,
    name: rule.name,
    detail: offer === null ? rule.detail : `${offer} ${rule.detail}.`,
    group: rule.group,
    // The lender sets its own terms.
    ...(rule.provider === 'lender'
      ? { amount: total, often: 'apply to see terms' }
      : { amount: formatCents(plan.firstCents), often: plan.often }),
    rows: rowsOf(plan),
    note: rule.note ?? (rule.entry === 'page' ? `Continue opens ${rule.name}. You approve the amount there.` : null),
    off: null,
    button: rule.type === 'card' ? `Use this card for ${total}` : (rule.button ?? `Continue to ${rule.name}`),
  }
}

/** "5% off your first purchase: you save $55.27." */
function offerWords({ kind, ratePpm }: NonNullable<PriceBreakdown['tender']>, cents: number): string {
  const what = kind === 'store-card' ? 'your first purchase' : 'this order'
  return `${formatRate(ratePpm)} off ${what}: you save ${formatCents(cents)}.`
}

/** Returns each installment, or a loan's payment, interest, and total. Empty for one-time payments. */
function rowsOf({
  often,
  payments,
  firstCents,
  interestCents,
  totalCents,
}: ReturnType<typeof planFor>): WayToPay['rows'] {
  const [first, ...later] = payments
  if (!first) return []
  const total = { label: 'Total', amount: formatCents(totalCents) }
  if (often === 'a month')
    return [
      { label: `${countOf(payments.length, 'payment')} of`, amount: formatCents(firstCents) },
      { label: 'First payment', amount: dayText(first.on) },
      { label: 'Interest', amount: formatCents(interestCents) },
      total,
    ]
  return [
    { label: `Today, ${monthDayText(first.on)}`, amount: formatCents(first.cents) },
    ...later.map(({ on, cents }) => ({ label: dayText(on), amount: formatCents(cents) })),
    total,
  ]
}

/** Returns net terms as a payment method, with the due date or why they aren't available. */
function termsWay(line: CreditLine, totalCents: number, today: Temporal.PlainDate): WayToPay {
  const granted = grantInvoice(line, totalCents)
  const total = formatCents(totalCents)
  const left = `Your company has ${formatCents(creditLeft(line))} of ${formatCents(line.limitCents)} left.`
  return {
    type: 'net-terms',
    name: `Net ${line.netDays}, on your company's terms`,
    detail: granted.ok ? `${total} due by ${dateText(dueDay(today, line.netDays).toString())}. ${left}` : left,
    group: 'company',
    amount: formatCents(0),
    often: 'today',
    rows: [],
    note: null,
    off: granted.ok ? null : termsRefusalMessages(granted),
    button: `Invoice us for ${total}`,
  }
}
