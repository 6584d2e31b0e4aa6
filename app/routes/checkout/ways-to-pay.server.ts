/** The ways to pay for an order, as its payment page shows them: built from the rules of the methods alone. */
import type { MoneyView } from '#app/views/checkout.server.ts'
import type { WayToPay } from '#app/routes/checkout/ways.tsx'
import { whyNotFinancedBy } from '#app/routes/checkout/financing-view.server.ts'
import { notFinancedMessages } from '#content/messages/financing.ts'
import { termsRefusalMessages } from '#content/messages/invoices.ts'
import { notAnswering } from '#content/messages/payments.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { resolveWay } from '#app/routes/checkout/terms-view.server.ts'
import { readCreditLine, readProviderTerms, type CartQuote } from '#domain/checkout/checkout.server.ts'
import { creditLeft, dueDay, grantInvoice, type CreditLine } from '#domain/invoices/invoices.ts'
import { methodsFor, paymentMethodRules, planFor, type PaymentMethodRule } from '#domain/payments/payments.ts'
import { findSilentMethods } from '#domain/payments/payments.server.ts'
import { dateText, dayText, monthDayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Shop } from '#shop'

/**
 * Every way open to this order and buyer, in the order of the page. `off` says why one that would fit cannot be chosen
 * now. An order without a price yet can be paid by card at least.
 */
export async function readWaysToPay(
  shop: Shop,
  { money: { totalCents }, cart, quote }: { money: Pick<MoneyView, 'totalCents'>; cart: Cart; quote: CartQuote },
): Promise<WayToPay[]> {
  const [{ companyId }, line, silent, terms] = await Promise.all([
    shop.buyer.priceTier(),
    readCreditLine(shop),
    findSilentMethods(shop),
    readProviderTerms(shop),
  ])
  const order = {
    amountCents: totalCents,
    isBusiness: companyId !== null,
    offered: shop.paymentMethods,
    hasProviderTerms: terms !== null,
  }
  const found = methodsFor(order)
  const rules = found.length > 0 ? found : paymentMethodRules.filter(({ type }) => type === 'card')
  const today = storeDay(shop.clock.now())
  return [
    ...rules.map((rule) => {
      if (rule.provider === 'resolve' && terms) return resolveWay(rule, terms, totalCents)
      const whyNot = whyNotFinancedBy(rule, cart, quote)
      const off = whyNot ? notFinancedMessages[whyNot] : silent.has(rule.type) ? notAnswering(rule.name) : null
      return { ...wayOf(rule, totalCents, today), off }
    }),
    ...(line ? [termsWay(line, totalCents, today)] : []),
  ]
}

function wayOf(rule: PaymentMethodRule, totalCents: number, today: Temporal.PlainDate): WayToPay {
  const plan = planFor(rule.spread, totalCents, today)
  return {
    type: rule.type,
    name: rule.name,
    detail: rule.detail,
    group: rule.group,
    // What a lender asks is the lender's to say.
    ...(rule.provider === 'lender'
      ? { amount: 'Apply', often: 'to see terms' }
      : { amount: formatCents(plan.firstCents), often: plan.often }),
    rows: rowsOf(plan),
    note: rule.note ?? (rule.entry === 'page' ? `Continue opens ${rule.name}. You approve the amount there.` : null),
    off: null,
    button:
      rule.type === 'card'
        ? `Use this card for ${formatCents(totalCents)}`
        : (rule.button ?? `Continue to ${rule.name}`),
  }
}

/** Each installment, or a loan's payment, interest and total; nothing for what is paid once. */
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
      { label: `${payments.length} payments of`, amount: formatCents(firstCents) },
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

/** Net terms as a way to pay: the due date, or why they are not available. */
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
