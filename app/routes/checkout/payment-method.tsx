import type { ReactNode } from 'react'
import type { RouterContextProvider } from 'react-router'
import { technicalMessages } from '#content/messages/technical.ts'
import { readMoney, requireCart, requireCheckout } from '#app/views/checkout.server.ts'
import { readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import {
  cardFieldsOf,
  readCardStatus,
  refuseCard,
  settleCharge,
  shownAtOf,
  startCharge,
  type CardPayer,
} from '#app/routes/checkout/card-charge.server.ts'
import { CardEntry } from '#app/routes/checkout/card-entry.tsx'
import { ChargeReady } from '#app/routes/checkout/charge-ready.tsx'
import { FinancingOffer } from '#app/routes/checkout/financing-offer.tsx'
import { readOffer, whyNotFinancedBy } from '#app/routes/checkout/financing-view.server.ts'
import { actOnSaved, readSavedCards, savingOf } from '#app/routes/checkout/saved-cards.server.ts'
import { SavedCards } from '#app/routes/checkout/saved-cards.tsx'
import { LeaveTerms, TermsFields } from '#app/routes/checkout/terms-entry.tsx'
import { poFaultOf, readTermsView } from '#app/routes/checkout/terms-view.server.ts'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import {
  paymentError,
  paymentUnavailable,
  processingWords,
  tooManyCards,
  type PaymentProblem,
} from '#content/messages/payments.ts'
import { PaymentAlert, PaymentWaiting, type PaymentAlertView } from '#app/routes/checkout/payment-alert.tsx'
import { paymentAlert } from '#app/routes/checkout/payment-alert.server.ts'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { holdView } from '#app/routes/checkout/shipping-view.server.ts'
import { NewPage } from '#app/ui/new-page.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import type { FieldsBilling } from '#app/ui/payment-fields.port.ts'
import { serviceSteps, Stepper } from '#app/ui/stepper.tsx'
import { sendAndKeep, unsentStatus } from '#app/ui/send-and-keep.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import { findTermsCustomer, readDetails, savePoNumber } from '#domain/ordering/checkout/checkout.server.ts'
import { methodsFor, pageTypeOf, ruleOfPage, type PaymentMethodRule } from '#domain/payments/payments/payments.ts'
import { mayTryCard, voidPayment } from '#domain/payments/payments/payments.server.ts'
import type { Application } from '#application'
import type { Route } from './+types/payment-method.ts'

export const handle = { arrival: () => <NewPage /> }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Pay by card',
    description: 'Your card and billing address.',
    path: paths.checkoutPayment('card'),
    isIndexed: false,
  })

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const rule = requireMethod(context.get(applicationContext), params.type)
  const { type: method, name, entry, note = null } = rule
  const { app, cart: kept, checkout } = await requireCheckout(context)
  // Prices the cart with this payment method's offer regardless of the previous choice.
  const cart = { ...kept, paymentMethod: method }
  const { billing } = checkout
  const [{ money, contact }, hold] = await Promise.all([
    readMoney(app, cart, checkout, method),
    findChosenTime(app, cart.id),
  ])
  if (!contact) throw seeOther(paths.shippingConfirmation())
  if (!billing) throw seeOther(paths.checkoutPayments())
  const { config } = app
  const now = app.clock.now()
  const payer: FieldsBilling = {
    name: billing.name,
    email: contact.email,
    phone: billing.phone,
    address: {
      line1: billing.address1,
      line2: billing.address2 ?? '',
      city: billing.city,
      state: billing.state,
      postalCode: billing.zip,
    },
  }
  const status = await readCardStatus(app, { cartId: cart.id }, money.totalCents)
  const allowed = await mayTryCard(app, { cartId: cart.id }, context.get(visitorContext).networkKey, method)
  const saved = rule.entry === 'fields' ? await readSavedCards(context, cart.id) : null
  const held = hold && isInstallation(cart.fulfillment) ? holdView(hold, cart) : null
  const isHeld = held?.status === 'held'
  return {
    method,
    name,
    entry,
    isClosed: !allowed.ok,
    isFinanced: rule.provider === 'lender',
    button: rule.button ?? `Continue to ${name}`,
    offer: await readOffer(app, rule, money.totalCents),
    terms: await readTermsView(app, rule, money.totalCents),
    poNumber: billing.poNumber,
    note,
    status,
    alert: paymentAlert({ status, method: cart.paymentMethod, wentBackFrom: null, isHeld }),
    waitingWords: processingWords({ time: isHeld ? held.label : null, phone: config.store.phone }),
    wentBack: url.searchParams.has('canceled'),
    isUnconfirmed: status.kind === 'unavailable' && url.searchParams.has('unconfirmed'),
    fields: cardFieldsOf(app),
    saved,
    payer,
    returnUrl: config.web.origin + paths.paymentReturn(),
    money,
    hold: held,
    tab: cart.fulfillment ?? 'shop',
    now: now.toString(),
  }
}

/**
 * `open` creates a charge for the card fields. `settle` settles it. `hosted` redirects to the provider's page. `saved`
 * charges a saved card. `save` sets whether the open charge saves its card. `another` voids the authorized charge.
 */
export async function action({ request, context, params }: Route.ActionArgs) {
  const rule = requireMethod(context.get(applicationContext), params.type)
  const { type, entry } = rule
  const { app, cart: kept } = await requireCart(context)
  const cart = { ...kept, paymentMethod: type }
  const here = paths.checkoutPayment(params.type)
  const fields = await readForm(request)
  const { quote, money, contact } = await readMoney(app, cart, undefined, type)
  if (!contact) return seeOther(paths.shippingConfirmation())
  const payer = { app, cart, quote, money, email: contact.email, shownAt: shownAtOf(fields) }

  switch (fields.get('intent')) {
    case 'another':
      await voidPayment(app, { cartId: cart.id })
      return seeOther(here)
    case 'settle':
      return settleCharge(app, cart.id, money, here)
    case 'saved':
    case 'save':
      if (entry !== 'fields') break
      return actOnSaved(context, payer, fields, here)
    case 'open':
      if (entry === 'page') break
      return startCharge(context, payer, 'fields', here)
    case 'hosted':
      return openPage(context, payer, rule, fields)
    default:
  }
  return refuseCard({ title: null, words: technicalMessages.tryAgain }, 400)
}

/** Opens the provider's page of a method, if that still fits the order. */
async function openPage(
  context: Readonly<RouterContextProvider>,
  payer: CardPayer,
  rule: PaymentMethodRule,
  fields: URLSearchParams,
) {
  const { app, cart, quote, money } = payer
  const { type, entry } = rule
  const [{ companyId }, customerId] = await Promise.all([app.buyer.priceTier(), findTermsCustomer(app)])
  const order = {
    amountCents: money.totalCents,
    isBusiness: companyId !== null,
    offered: app.paymentMethods,
    hasProviderTerms: customerId !== null,
  }
  // Chosen for another amount, or before the account became a company's.
  if (type !== 'card' && !methodsFor(order).includes(rule)) return seeOther(paths.checkoutPayments())
  if (whyNotFinancedBy(rule, cart, quote) !== null) return seeOther(paths.checkoutPayments())
  const refusal = rule.provider === 'resolve' ? await takePoNumber(app, cart.id, fields) : undefined
  if (refusal) return refusal
  const saving = await savingOf(context, payer, entry === 'fields' && fields.get('save') === '1')
  return saving.ok
    ? startCharge(context, payer, 'hosted', paths.checkoutPayment(pageTypeOf(type)), type, saving.value)
    : refuseCard({ title: paymentError, words: paymentUnavailable }, 503)
}

/** Saves the posted PO number or reuses the previous one. Returns the form with errors if it's invalid. */
async function takePoNumber(app: Application, cartId: string, fields: URLSearchParams) {
  const { billing } = await readDetails(app, cartId)
  const poNumber = fields.has('poNumber')
    ? fields.get('poNumber')?.trim().slice(0, 40) || null
    : (billing?.poNumber ?? null)
  const fault = await poFaultOf(app, poNumber)
  if (fault !== null) return refuseForm({ values: { poNumber: poNumber ?? '' }, errors: { poNumber: fault } })
  await savePoNumber(app, cartId, poNumber)
  return undefined
}

/** Returns the payment method's rule. Responds with 404 if the store doesn't offer it. Wallets have their own pages. */
function requireMethod(app: Application, type: string): PaymentMethodRule {
  const rule = ruleOfPage(type)
  if (!rule || rule.entry === 'wallet' || !app.paymentMethods.has(rule.type)) throw new Response(null, { status: 404 })
  return rule
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

/**
 * Skips revalidation after starting a charge, which doesn't change the page. All other actions revalidate, even if
 * refused.
 */
export function shouldRevalidate({ formData, actionStatus }: { formData?: FormData; actionStatus?: number }): boolean {
  const intent = formData?.get('intent')
  return intent !== 'open' && intent !== 'save' && actionStatus !== unsentStatus
}

/** Splits an action's response into the payment problem or the form with errors. */
function repliesOf(actionData: Route.ComponentProps['actionData']): {
  problem: PaymentProblem | null
  reply: FormReply | undefined
} {
  if (!actionData) return { problem: null, reply: undefined }
  return 'errors' in actionData
    ? { problem: null, reply: actionData }
    : { problem: actionData.problem, reply: undefined }
}

/** "Pay with PayPal", "Lease-to-own", "Pay by card". */
function titleOf({
  entry,
  isFinanced,
  name,
  terms,
}: {
  entry: string
  isFinanced: boolean
  name: string
  terms: object | null
}): string {
  if (isFinanced) return name
  if (terms) return `Net terms with ${name}`
  return entry === 'page' ? `Pay with ${name}` : 'Pay by card'
}

export default function PayByCard({ loaderData, actionData }: Route.ComponentProps) {
  const { money, hold, status, wentBack } = loaderData
  const { problem, reply } = repliesOf(actionData)
  return (
    <div className="wrap">
      <Stepper at={3} steps={money.isService ? serviceSteps : undefined} />
      <div className="checkout-head">
        <h1>{titleOf(loaderData)}</h1>
        <p className="muted">
          {loaderData.entry === 'page'
            ? loaderData.terms
              ? `${money.total} on your company’s net terms. `
              : `You approve ${money.total} there and come back here. `
            : `We ask your bank to set ${money.total} aside. `}
          <a href={paths.checkoutPayments()}>Change how you pay</a>
        </p>
      </div>
      <div className="checkout-columns">
        <div className="stack">
          {hold ? <HoldBar hold={hold} now={loaderData.now} tab={loaderData.tab} form="page" /> : null}
          {wentBack && !problem && status.kind === 'none' ? (
            <p className="notice" role="status">
              You left the payment page before paying. You haven’t been charged.
            </p>
          ) : null}
          <Paying loaderData={loaderData} problem={problem} reply={reply} />
        </div>
        <SideSummary money={money} />
      </div>
    </div>
  )
}

/** Renders the current payment step (pay, wait for the bank, or continue after payment). */
function Paying({
  loaderData,
  problem,
  reply,
}: {
  loaderData: Route.ComponentProps['loaderData']
  problem: PaymentProblem | null
  reply: FormReply | undefined
}) {
  const { money, status } = loaderData
  if (status.kind === 'ready') return <ChargeReady total={money.total} name={loaderData.name} />
  const page = pageTypeOf(loaderData.method)
  if (loaderData.isUnconfirmed)
    return <PaymentWaiting at={paths.unconfirmedPayment(page)} words={loaderData.waitingWords} />
  if (status.kind === 'processing')
    return <PaymentWaiting at={paths.checkoutPayment(page)} words={loaderData.waitingWords} />
  if (loaderData.isClosed)
    return (
      <>
        <PaymentAlert alert={{ tone: 'stop', title: paymentError, words: tooManyCards, again: null }} />
        <p>
          <a className="btn primary" href={paths.checkoutPayments()}>
            Choose another payment method
          </a>
        </p>
      </>
    )
  if (loaderData.entry === 'page')
    return (
      <PageEntry
        button={loaderData.button}
        note={loaderData.note}
        leave={loaderData.terms ? <LeaveTerms /> : null}
        alert={problem ? { tone: 'stop', again: null, ...titled(problem) } : withoutAgain(loaderData.alert)}
      >
        {loaderData.isFinanced ? <FinancingOffer offer={loaderData.offer} /> : null}
        {loaderData.terms ? <TermsFields terms={loaderData.terms} saved={loaderData.poNumber} reply={reply} /> : null}
      </PageEntry>
    )
  return (
    <>
      {loaderData.saved && loaderData.saved.cards.length > 0 ? (
        <SavedCards cards={loaderData.saved.cards} total={money.total} />
      ) : null}
      <CardEntry
        status={status}
        saving={loaderData.saved}
        fields={loaderData.fields}
        payer={loaderData.payer}
        returnUrl={loaderData.returnUrl}
        total={money.total}
        problem={problem}
        hostedPath={paths.checkoutPayment('card')}
        note="Your card is charged when your order is packed, after the time in which you can cancel."
      />
    </>
  )
}

/** Renders the button to the provider's page and the result of the last visit. */
function PageEntry({
  button,
  note,
  alert,
  leave,
  children,
}: {
  button: string
  note: string | null
  alert: PaymentAlertView | null
  leave: ReactNode
  children: ReactNode
}) {
  return (
    <>
      {alert ? <PaymentAlert alert={alert} /> : null}
      {/* A plain form, because the browser navigates to the provider's origin. */}
      <form method="post" className="panel padded stack">
        <input type="hidden" name="intent" value="hosted" />
        {note ? <p>{note}</p> : null}
        {children}
        <button className="btn primary large wide" type="submit">
          {button}
        </button>
        <p className="muted small">You place the order here afterward. If you don’t, we cancel the payment.</p>
        {leave ? <p>{leave}</p> : null}
      </form>
    </>
  )
}

/** Returns a problem with a title, which defaults to its text. */
function titled({ title, words }: PaymentProblem): { title: string; words: string } {
  return title === null ? { title: words, words: '' } : { title, words }
}

/** The page has its own button. */
function withoutAgain(alert: PaymentAlertView | null): PaymentAlertView | null {
  return alert && { ...alert, again: null }
}
