import { readMoney, requireCart, requireCheckout } from '#app/views/checkout.server.ts'
import { readForm } from '#app/forms/form.ts'
import { refuseCard, readCardStatus, settleCharge, type CardStatus } from '#app/routes/checkout/card-charge.server.ts'
import { ChargeReady } from '#app/routes/checkout/charge-ready.tsx'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { PaymentWaiting, type PaymentAlertView } from '#app/routes/checkout/payment-alert.tsx'
import { paymentAlert } from '#app/routes/checkout/payment-alert.server.ts'
import { holdView } from '#app/routes/checkout/shipping-view.server.ts'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { readWalletReview, readWallets, startWalletCharge } from '#app/routes/checkout/wallet.server.ts'
import { WalletPage } from '#app/routes/checkout/wallet-page.tsx'
import { applicationContext } from '#app/server/context.ts'
import { NewPage } from '#app/ui/new-page.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { sendAndKeep, unsentStatus } from '#app/ui/send-and-keep.ts'
import { serviceSteps, Stepper } from '#app/ui/stepper.tsx'
import { processingWords } from '#content/messages/payments.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { paths } from '#content/paths.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { isWallet, ruleOf, type WalletMethod } from '#domain/payments/payments/payments.ts'
import { voidPayment } from '#domain/payments/payments/payments.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Application } from '#application'
import type { Route } from './+types/wallet-payment.ts'

export const handle = { arrival: () => <NewPage /> }
export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageHead(matches, {
    title: loaderData ? `Pay with ${loaderData.name}` : 'Pay',
    description: 'Pay with a wallet of your device.',
    path: paths.checkoutPayment(loaderData?.method ?? 'card'),
    isIndexed: false,
  })

export async function loader({ context, url }: Route.LoaderArgs) {
  const method = requireWallet(context.get(applicationContext), url)
  const { app, cart: kept, checkout } = await requireCheckout(context)
  // Prices the cart with this payment method's offer regardless of the previous choice.
  const cart = { ...kept, paymentMethod: method }
  const [{ money, quote, contact }, hold] = await Promise.all([
    readMoney(app, cart, checkout, method),
    findChosenTime(app, cart.id),
  ])
  if (!cart.fulfillment || quote.basis !== 'chosen') throw seeOther(paths.checkoutShipping())
  if (!contact) throw seeOther(paths.shippingConfirmation())
  const { config } = app
  const name = ruleOf(method)?.name ?? ''
  const status = await readCardStatus(app, { cartId: cart.id }, money.totalCents)
  const now = app.clock.now()
  const held = hold && isInstallation(cart.fulfillment) ? holdView(hold, cart) : null
  const isHeld = held?.status === 'held'
  return {
    method,
    name,
    status: status.kind,
    alert: alertOf(status, { method: kept.paymentMethod, name, isHeld }),
    waitingWords: processingWords({ time: isHeld ? held.label : null, phone: config.store.phone }),
    wallets: await readWallets(app, { quote, money }),
    review: await readWalletReview(app, { cart, quote, money, contact }, method),
    returnUrl: config.web.origin + paths.paymentReturn(),
    money,
    hold: held,
    isHeld,
    tab: cart.fulfillment,
    now: now.toString(),
  }
}

/**
 * Returns the result of the last attempt with any payment method, and whether the total changed since authorization.
 */
function alertOf(
  status: CardStatus,
  { method, name, isHeld }: { method: string; name: string; isHeld: boolean },
): PaymentAlertView | null {
  if (status.kind === 'other-amount')
    return {
      tone: 'caution',
      title: 'The total has changed',
      words: `${name} was authorized for ${status.authorized}. Authorize the new total; we release the first one.`,
      again: null,
    }
  const alert = paymentAlert({ status, method, wentBackFrom: null, isHeld })
  return alert && { ...alert, again: null }
}

/** `open` creates the charge for an approved sheet. `settle` settles it. `another` voids the authorized charge. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const method = requireWallet(context.get(applicationContext), url)
  const { app, cart: kept } = await requireCart(context)
  const cart = { ...kept, paymentMethod: method }
  const here = paths.checkoutPayment(method)
  const fields = await readForm(request)
  const { quote, money, contact } = await readMoney(app, cart, undefined, method)
  if (!contact) return seeOther(paths.shippingConfirmation())
  switch (fields.get('intent')) {
    case 'another':
      await voidPayment(app, { cartId: cart.id })
      return seeOther(here)
    case 'settle':
      return settleCharge(app, cart.id, money, here)
    case 'open':
      return startWalletCharge(context, { app, cart, quote, money, contact, email: contact.email }, method, fields)
    default:
      return refuseCard({ title: null, words: technicalMessages.tryAgain }, 400)
  }
}

/** Returns the page's wallet. Responds with 404 if the store doesn't offer it. */
function requireWallet(app: Pick<Application, 'paymentMethods'>, { pathname }: URL): WalletMethod {
  const method = pathname.split('/').at(-1) ?? ''
  if (!isWallet(method) || !app.paymentMethods.has(method)) throw new Response(null, { status: 404 })
  return method
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

/**
 * Skips revalidation after opening a charge, which doesn't change the page. All other actions revalidate, even if
 * refused.
 */
export function shouldRevalidate({ formData, actionStatus }: { formData?: FormData; actionStatus?: number }): boolean {
  return formData?.get('intent') !== 'open' && actionStatus !== unsentStatus
}

export default function PayWithWallet({ loaderData }: Route.ComponentProps) {
  const { method, name, money, hold, status } = loaderData
  return (
    <div className="wrap">
      <Stepper at={3} steps={money.isService ? serviceSteps : undefined} />
      <div className="checkout-head">
        <h1>Pay with {name}</h1>
        <p className="muted">
          Check your order. <a href={paths.checkoutPayments()}>Change how you pay</a>
        </p>
      </div>
      <div className="checkout-columns">
        <div className="stack">
          {hold ? <HoldBar hold={hold} now={loaderData.now} tab={loaderData.tab} form="page" /> : null}
          {status === 'ready' ? (
            <ChargeReady total={money.total} name={name} />
          ) : status === 'processing' ? (
            <PaymentWaiting at={paths.checkoutPayment(method)} words={loaderData.waitingWords} />
          ) : (
            <WalletPage {...loaderData} />
          )}
        </div>
        <SideSummary money={money} />
      </div>
    </div>
  )
}
