import { Form, useNavigation } from 'react-router'
import { signedInContext } from '#app/server/context.ts'
import { readMoney, requireCart, type MoneyView } from '#app/views/checkout.server.ts'
import { checkForm, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { termsRefusalMessages } from '#content/messages/invoices.ts'
import { paths } from '#content/paths.ts'
import { BillingAddress } from '#app/routes/checkout/billing-address.tsx'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { holdView } from '#app/routes/checkout/shipping-view.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Stepper } from '#app/ui/stepper.tsx'
import { sendAndKeep } from '#app/ui/send-and-keep.ts'
import { isInstallation } from '#domain/delivery/delivery.ts'
import { findChosenTime } from '#domain/booking/booking.server.ts'
import { maskWords, poProblem, type PoRule } from '#domain/companies/companies.ts'
import { findPoRule } from '#domain/companies/companies.server.ts'
import { payBy, payOnTerms, readCreditLine, readDetails, saveBilling } from '#domain/checkout/checkout.server.ts'
import { billingForm } from '#domain/checkout/checkout.ts'
import type { CartPaymentMethod } from '#domain/cart/cart.ts'
import { setUsesCredit } from '#domain/cart/cart.server.ts'
import { creditLeft, dueDay, grantInvoice, type CreditLine } from '#domain/invoices/invoices.ts'
import { creditOf } from '#domain/ledger/ledger.server.ts'
import { cityLine } from '#domain/orders/orders.ts'
import { methodsFor, paymentMethodRules, type PaymentMethodRule } from '#domain/payments/payments.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Shop } from '#shop'
import type { Route } from './+types/payments.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'How to pay',
    description: 'The ways to pay for your order.',
    path: paths.checkoutPayments(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { shop, cart } = await requireCart(context)
  if (!cart.fulfillment) throw seeOther(paths.checkoutShipping())
  const [{ money, contact }, { billing }, hold] = await Promise.all([
    readMoney(shop, cart),
    readDetails(shop, cart.id),
    findChosenTime(shop, cart.id),
  ])
  if (!contact) throw seeOther(paths.shippingConfirmation())
  const now = shop.clock.now()
  const signedIn = await context.get(signedInContext)()
  const creditCents = signedIn ? await creditOf(shop.db, signedIn.accountId) : 0
  const [po, line, rules] = await Promise.all([poRuleOf(shop), readCreditLine(shop), chargedMethods(shop, money)])
  return {
    methods: [
      ...rules.map(({ type, name, detail }) => ({ type, name, detail })),
      ...(line ? [termsView(line, money, storeDay(now))] : []),
    ],
    paymentMethod: line || cart.paymentMethod !== 'net-terms' ? cart.paymentMethod : 'card',
    po: po && { rule: po.rule, hint: po.mask === null ? null : `Like ${maskWords(po.mask)}` },
    credit: creditCents > 0 ? { amount: formatCents(creditCents), isUsed: cart.creditCents > 0 } : null,
    same: [`${contact.firstName} ${contact.lastName}`, contact.address1, contact.address2, cityLine(contact)]
      .filter(Boolean)
      .join(', '),
    billing,
    money,
    hold: hold && isInstallation(cart.fulfillment) ? holdView(hold, now) : null,
    tab: cart.fulfillment,
    now: now.toString(),
  }
}

/** The methods that may charge this order. An order without a price yet can be paid by card at least. */
async function chargedMethods(shop: Shop, { totalCents }: MoneyView): Promise<PaymentMethodRule[]> {
  const { companyId } = await shop.buyer.priceTier()
  const order = { amountCents: totalCents, isBusiness: companyId !== null, offered: shop.paymentMethods }
  const found = methodsFor(order)
  return found.length > 0 ? found : paymentMethodRules.filter(({ type }) => type === 'card')
}

/** Net terms as a payment method: the amount and due date, or why they are not available. */
function termsView(line: CreditLine, { total, totalCents }: MoneyView, today: Temporal.PlainDate): WayToPay {
  const granted = grantInvoice(line, totalCents)
  const left = `Your company has ${formatCents(creditLeft(line))} of ${formatCents(line.limitCents)} left.`
  return {
    type: 'net-terms',
    name: `Net ${line.netDays}, on your company's terms`,
    detail: granted.ok
      ? `${total} due by ${dateText(dueDay(today, line.netDays).toString())}. ${left}`
      : termsRefusalMessages(granted),
    isOff: !granted.ok,
  }
}

type WayToPay = { type: CartPaymentMethod; name: string; detail: string; isOff?: boolean }

export async function action({ request, context }: Route.ActionArgs) {
  const { shop, cart } = await requireCart(context)
  const fields = await readForm(request)
  if (fields.get('intent') === 'credit') {
    const signedIn = await context.get(signedInContext)()
    if (signedIn)
      await setUsesCredit(shop, {
        id: cart.id,
        accountId: signedIn.accountId,
        usesCredit: fields.get('wanted') === '1',
      })
    return seeOther(paths.checkoutPayments())
  }
  const { contact } = await readDetails(shop, cart.id)
  if (!contact) return seeOther(paths.shippingConfirmation())
  // Without an answer, the known address is billed.
  if (fields.get('sameAsShipping') !== '0') fields.set('sameAsShipping', '1')
  const method = fields.get('method')
  const checked = checkForm(billingForm, fields)
  const poFault = await poFaultOf(shop, fields.get('poNumber'))
  const poErrors = poFault ? { poNumber: poFault } : {}
  const { money } = await readMoney(shop, cart)
  const rule = (await chargedMethods(shop, money)).find(({ type }) => type === method)
  if (!rule && method !== 'net-terms')
    return refuseForm({
      values: Object.fromEntries(fields),
      errors: { ...(checked.ok ? {} : checked.reply.errors), ...poErrors, method: 'Please choose how you want to pay' },
    })
  if (!checked.ok) return refuseForm({ ...checked.reply, errors: { ...checked.reply.errors, ...poErrors } })
  if (poFault) return refuseForm({ values: Object.fromEntries(fields), errors: poErrors })
  await saveBilling(shop, cart.id, checked.value, contact)
  if (rule) {
    await payBy(shop, cart, rule.type)
    return seeOther(paths.checkoutPayment(rule.type))
  }
  const granted = await payOnTerms(shop, cart, money.totalCents)
  return granted.ok
    ? seeOther(paths.orderSummary())
    : refuseForm({ values: Object.fromEntries(fields), errors: { method: termsRefusalMessages(granted) } }, 402)
}

/** Returns the error in a PO number as typed; null if the buyer's company accepts it, or there is no company. */
async function poFaultOf(shop: Shop, typed: string | null): Promise<string | null> {
  const po = await poRuleOf(shop)
  return po ? poProblem(typed?.trim() || null, po) : null
}

/** The PO number rule of the company this visitor buys for; undefined without a company. */
async function poRuleOf(shop: Shop): Promise<PoRule | undefined> {
  const { companyId } = await shop.buyer.priceTier()
  return companyId === null ? undefined : findPoRule(shop, companyId)
}

const labels: Record<string, string> = {
  method: 'How to pay',
  billingName: 'Name',
  billingAddress1: 'Address',
  billingAddress2: 'Apartment, suite',
  billingCity: 'City',
  billingState: 'State',
  billingZip: 'ZIP code',
  billingPhone: 'Phone',
  billingPhoneType: 'Phone type',
  poNumber: 'PO number',
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

export default function Payments({ loaderData, actionData }: Route.ComponentProps) {
  const { money, hold, billing, same, po, credit, methods } = loaderData
  return (
    <div className="wrap">
      <Stepper at={3} />
      <div className="checkout-head">
        <h1>How do you want to pay?</h1>
        <p className="muted">Nothing is charged yet. You see everything once more before you place the order.</p>
      </div>
      <div className="checkout-columns">
        <div className="stack">
          {hold ? <HoldBar hold={hold} now={loaderData.now} tab={loaderData.tab} form="page" /> : null}
          {credit ? <StoreCredit {...credit} /> : null}
          <Form method="post" className="panel padded details-form" noValidate>
            <ErrorSummary reply={actionData} labels={labels} />
            <WaysToPay methods={methods} wanted={actionData?.values['method'] ?? loaderData.paymentMethod} />
            <BillingAddress billing={billing} same={same} reply={actionData} />
            <PoNumber po={po} saved={billing?.poNumber} reply={actionData} />
            <Submit />
          </Form>
        </div>
        <SideSummary money={money} />
      </div>
    </div>
  )
}

/** The account's store credit, which pays part of the order if the shopper chooses. */
function StoreCredit({ amount, isUsed }: { amount: string; isUsed: boolean }) {
  return (
    <Form method="post" className="panel padded stack" preventScrollReset>
      <input type="hidden" name="intent" value="credit" />
      <p>
        You have <b>{amount}</b> of credit in your account.{' '}
        {isUsed ? 'It pays part of this order.' : 'It can pay part of this order.'}
      </p>
      <p>
        <button className="btn" name="wanted" value={isUsed ? '0' : '1'}>
          {isUsed ? 'Keep it for later' : 'Use it now'}
        </button>
      </p>
    </Form>
  )
}

/** The payment methods, with the requested one selected, or the card if it is not available. */
function WaysToPay({ methods, wanted }: { methods: WayToPay[]; wanted: string }) {
  const chosen = methods.find(({ type, isOff }) => type === wanted && !isOff)?.type ?? 'card'
  return (
    <fieldset className="choices">
      <legend>Pay with</legend>
      {methods.map(({ type, name, detail, isOff = false }, index) => (
        <label key={type} className={isOff ? 'choice is-off' : 'choice'}>
          <input
            type="radio"
            name="method"
            value={type}
            id={index === 0 ? 'method' : undefined}
            defaultChecked={type === chosen}
            disabled={isOff}
          />
          <span>
            <b>{name}</b>
            <span className="small muted">{detail}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The buyer's PO number: asked of everyone except buyers of a company that does not use them. */
function PoNumber({
  po,
  saved,
  reply,
}: {
  po: { rule: PoRule['rule']; hint: string | null } | undefined
  saved: string | null | undefined
  reply: FormReply | undefined
}) {
  if (po?.rule === 'off') return null
  return (
    <Field
      name="poNumber"
      label="PO number"
      value={saved}
      reply={reply}
      maxLength={40}
      required={po?.rule === 'required'}
      hint={po?.hint ?? 'Printed on your receipt, for your books.'}
    />
  )
}

function Submit() {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <button className="btn primary large" type="submit" disabled={isBusy}>
      {isBusy ? 'Saving…' : 'Continue'}
    </button>
  )
}
