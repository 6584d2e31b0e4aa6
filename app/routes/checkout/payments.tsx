import { useEffect, useState, type Ref } from 'react'
import { Form, useNavigation, type ShouldRevalidateFunctionArgs } from 'react-router'
import { signedInContext, visitorContext } from '#app/server/context.ts'
import { readMoney, requireCart, requireCheckout, type MoneyView } from '#app/views/checkout.server.ts'
import { checkForm, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { termsRefusalMessages } from '#content/messages/invoices.ts'
import { processingWords } from '#content/messages/payments.ts'
import { paths } from '#content/paths.ts'
import { FleetVehicleFields } from '#app/routes/checkout/fleet-vehicle.tsx'
import { readVehicleFields, vehicleFields } from '#app/routes/checkout/fleet-vehicle.server.ts'
import { BillingAddress } from '#app/routes/checkout/billing-address.tsx'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { readCardStatus } from '#app/routes/checkout/card-charge.server.ts'
import { PaymentAlert, PaymentWaiting } from '#app/routes/checkout/payment-alert.tsx'
import { paymentAlert } from '#app/routes/checkout/payment-alert.server.ts'
import type { DeviceWallets } from '#app/routes/checkout/wallet.tsx'
import { readWallets } from '#app/routes/checkout/wallet.server.ts'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { holdView } from '#app/routes/checkout/shipping-view.server.ts'
import { useWays, Ways, type WayToPay } from '#app/routes/checkout/ways.tsx'
import { poFaultOf, poRuleOf } from '#app/routes/checkout/terms-view.server.ts'
import { readWaysToPay } from '#app/routes/checkout/ways-to-pay.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { NewPage } from '#app/ui/new-page.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { serviceSteps, Stepper } from '#app/ui/stepper.tsx'
import { sendAndKeep } from '#app/ui/send-and-keep.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import { maskWords, type PoRule } from '#domain/customers/companies/companies.ts'
import {
  payBy,
  payOnTerms,
  quoteCart,
  readDetails,
  saveBilling,
  type CartQuote,
  type Checkout,
  type SavedContact,
} from '#domain/ordering/checkout/checkout.server.ts'
import { billingForm } from '#domain/supply/contact-forms/contact-forms.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { setUsesCredit } from '#domain/payments/cart/cart.server.ts'
import { creditOf } from '#domain/payments/ledger/ledger.server.ts'
import { cityLine } from '#domain/ordering/orders/orders.ts'
import { pageTypeOf, ruleOf } from '#domain/payments/payments/payments.ts'
import { formatCents } from '#platform/money.ts'
import { changeSavings } from './coupon-form.server.ts'
import { readSavings } from './savings.server.ts'
import { Savings } from './savings.tsx'
import type { Application } from '#application'
import type { Route } from './+types/payments.ts'

export const handle = { arrival: () => <NewPage /> }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'How to pay',
    description: 'The ways to pay for your order.',
    path: paths.checkoutPayments(),
    isIndexed: false,
  })

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, cart, checkout } = await requireCheckout(context)
  if (!cart.fulfillment) throw seeOther(paths.checkoutShipping())
  const { billing } = checkout
  const [{ money, contact, quote }, hold] = await Promise.all([
    readMoney(app, cart, checkout),
    findChosenTime(app, cart.id),
  ])
  if (!contact) throw seeOther(paths.shippingConfirmation())
  const now = app.clock.now()
  const signedIn = await context.get(signedInContext)()
  const creditCents = signedIn ? await creditOf(app.db, signedIn.accountId) : 0
  const isCharged = cart.paymentMethod !== 'net-terms'
  const [po, ways, status] = await Promise.all([
    poRuleOf(app),
    readWaysToPay(app, { cart, contact, from: context.get(visitorContext).networkKey, place: checkout.shop }),
    isCharged ? readCardStatus(app, { cartId: cart.id }, money.totalCents) : { kind: 'none' as const },
  ])
  const held = hold && isInstallation(cart.fulfillment) ? holdView(hold, cart) : null
  const isHeld = held?.status === 'held'
  const isCardOpen = ways.some(({ type, off }) => type === 'card' && off === null)
  return {
    ways,
    device: {
      wallets: isCardOpen ? await walletsAtCardPrice(app, checkout, { contact, quote, money }) : null,
      returnUrl: app.config.web.origin + paths.paymentReturn(),
      isHeld,
    },
    alert: paymentAlert({ status, method: cart.paymentMethod, wentBackFrom: url.searchParams.get('canceled'), isHeld }),
    waiting:
      status.kind === 'processing'
        ? {
            at: waitingAt(cart),
            words: processingWords({ time: isHeld ? held.label : null, phone: app.config.store.phone }),
          }
        : null,
    paymentMethod: url.searchParams.get('canceled') ?? cart.paymentMethod,
    po: po && { rule: po.rule, hint: po.mask === null ? null : `Like ${maskWords(po.mask)}` },
    credit: creditCents > 0 ? { amount: formatCents(creditCents), isUsed: cart.creditCents > 0 } : null,
    same: [`${contact.firstName} ${contact.lastName}`, contact.address1, contact.address2, cityLine(contact)]
      .filter(Boolean)
      .join(', '),
    billing,
    fleet: await vehicleFields(app, cart.id),
    money,
    savings: await readSavings(app, cart, quote, 'payments'),
    hold: held,
    tab: cart.fulfillment,
    now: now.toString(),
  }
}

/** Prices the wallets without the offer of another method's authorized charge. */
async function walletsAtCardPrice(
  app: Application,
  { cart, shop: at }: Checkout,
  { contact, quote, money }: { contact: SavedContact; quote: CartQuote; money: MoneyView },
) {
  const charged = quote.breakdown?.tender ? await quoteCart(app, cart, contact, { shop: at, method: 'card' }) : quote
  return readWallets(app, { quote: charged, money: { ...money, totalCents: charged.dueCents } })
}

/** Returns the page of the payment method with a pending answer. */
function waitingAt({ paymentMethod }: Pick<Cart, 'paymentMethod'>): string {
  return paths.checkoutPayment(paymentMethod === 'net-terms' ? 'card' : pageTypeOf(paymentMethod))
}

/** Turns account credit for the order on or off. */
async function chooseCredit(context: Route.ActionArgs['context'], fields: URLSearchParams): Promise<Response> {
  const { app, cart } = await requireCart(context)
  const signedIn = await context.get(signedInContext)()
  const usesCredit = fields.get('wanted') === '1'
  if (signedIn) await setUsesCredit(app, { id: cart.id, accountId: signedIn.accountId, usesCredit })
  return seeOther(paths.checkoutPayments())
}

export async function action({ request, context }: Route.ActionArgs) {
  const { app, cart } = await requireCart(context)
  const fields = await readForm(request)
  if (fields.get('intent') === 'credit') return chooseCredit(context, fields)
  const changed = await changeSavings(context, { cartId: cart.id, next: paths.checkoutPayments() }, fields)
  if (changed) return changed
  const { contact } = await readDetails(app, cart.id)
  if (!contact) return seeOther(paths.shippingConfirmation())
  // Without an answer, the known address is billed.
  if (fields.get('sameAsShipping') !== '0') fields.set('sameAsShipping', '1')
  const method = fields.get('method')
  const checked = checkForm(billingForm, fields)
  const poFault = await poFaultOf(app, fields.get('poNumber'))
  const vehicle = await readVehicleFields(app, cart.id, fields)
  const poErrors = { ...(poFault ? { poNumber: poFault } : {}), ...vehicle.errors }
  const from = context.get(visitorContext).networkKey
  const way = (await readWaysToPay(app, { cart, contact, from })).find(({ type }) => type === method)
  const rule = way && ruleOf(way.type)
  const methodFault = faultOf(way, method)
  if (methodFault)
    return refuseForm({
      values: Object.fromEntries(fields),
      errors: { ...(checked.ok ? {} : checked.reply.errors), ...poErrors, method: methodFault },
    })
  if (!checked.ok) return refuseForm({ ...checked.reply, errors: { ...checked.reply.errors, ...poErrors } })
  if (Object.keys(poErrors).length > 0) return refuseForm({ values: Object.fromEntries(fields), errors: poErrors })
  await saveBilling(app, cart.id, checked.value, contact)
  await vehicle.save()
  if (rule) {
    await payBy(app, cart, rule.type)
    return seeOther(paths.checkoutPayment(pageTypeOf(rule.type)))
  }
  const granted = await payOnTerms(app, cart, (await readMoney(app, cart, undefined, 'net-terms')).money.totalCents)
  return granted.ok
    ? seeOther(paths.orderSummary())
    : refuseForm({ values: Object.fromEntries(fields), errors: { method: termsRefusalMessages(granted) } }, 402)
}

/** Returns why this payment method is unavailable. Net terms are checked when granted. */
function faultOf(way: WayToPay | undefined, method: string | null): string | null {
  if (method === 'net-terms') return null
  return way ? way.off : 'Please choose how you want to pay'
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
  unit: 'Unit number',
  driver: 'Driver',
  vin: 'VIN',
  plate: 'License plate',
  plateState: 'State of the plate',
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

/** Skips revalidation after opening a wallet's charge, which doesn't change the page. */
export function shouldRevalidate({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return formData?.get('intent') === 'open' ? false : defaultShouldRevalidate
}

export default function Payments({ loaderData, actionData: posted }: Route.ComponentProps) {
  // The page has two forms, and coupon errors appear only next to the coupon.
  const isCoupon = posted?.errors['coupon'] !== undefined
  const actionData = isCoupon ? undefined : posted
  const { money, hold, alert, waiting, device } = loaderData
  return (
    <div className="wrap">
      <Stepper at={3} steps={money.isService ? serviceSteps : undefined} />
      <div className="checkout-head">
        <h1>{waiting ? 'We’re waiting for your bank' : 'How do you want to pay?'}</h1>
        {waiting ? null : (
          <p className="muted">You won’t be charged yet. Review everything before you place the order.</p>
        )}
      </div>
      <div className="checkout-columns">
        <div className="stack">
          {waiting ? <PaymentWaiting {...waiting} /> : <Wallets device={device} alert={alert} />}
          {hold && !waiting ? <HoldBar hold={hold} now={loaderData.now} tab={loaderData.tab} form="page" /> : null}
          {waiting ? null : <ChooseHowToPay loaderData={loaderData} actionData={actionData} />}
        </div>
        <SideSummary money={money} notes={money.besides}>
          <Savings savings={loaderData.savings} reply={isCoupon ? posted : undefined} />
        </SideSummary>
      </div>
    </div>
  )
}

/** Renders the last attempt's result and the wallet panel. */
function Wallets({ device, alert }: Pick<Route.ComponentProps['loaderData'], 'device' | 'alert'>) {
  const { Panel, mayCome } = useDeviceWallets(device.wallets !== null)
  if (Panel) return <Panel {...device} before={alert} Frame={DevicePay} />
  return (
    <>
      {alert ? <PaymentAlert alert={alert} /> : null}
      {mayCome ? <DevicePay /> : null}
    </>
  )
}

/**
 * Renders the wallet panel, with the buttons in `box`. It reserves space before the buttons load, which prevents layout
 * shifts, and is hidden if the device has no wallets.
 */
function DevicePay({ isShown = true, box }: { isShown?: boolean; box?: Ref<HTMLDivElement> }) {
  return (
    <section className={isShown ? 'panel padded device-pay' : 'device-pay is-absent'} aria-labelledby="device-pay">
      <div>
        <h2 id="device-pay">Fastest on this device</h2>
        <p className="small muted">
          The card, name and billing address come from your wallet. You review the order before you place it.
        </p>
      </div>
      <div className="wallet-box" ref={box} />
    </section>
  )
}

type LoadedWallets = { Panel?: typeof DeviceWallets; mayCome: boolean }

const noWallets: LoadedWallets = { mayCome: false }

/** Loads the wallet panel if the browser may support wallets. `mayCome` is true until that is known. */
function useDeviceWallets(isOffered: boolean): LoadedWallets {
  const [wallets, setWallets] = useState<LoadedWallets>({ mayCome: true })
  useEffect(() => {
    if (!isOffered) return
    void loadDeviceWallets().then(setWallets)
  }, [isOffered])
  return isOffered ? wallets : noWallets
}

async function loadDeviceWallets(): Promise<LoadedWallets> {
  if (!('ApplePaySession' in window || 'PaymentRequest' in window)) return noWallets
  return import('#app/routes/checkout/wallet.tsx').then(
    ({ DeviceWallets: Panel }) => ({ Panel, mayCome: true }),
    // Other payment methods remain available.
    () => noWallets,
  )
}

function ChooseHowToPay({ loaderData, actionData }: Pick<Route.ComponentProps, 'loaderData' | 'actionData'>) {
  const { billing, same, po, credit, ways, fleet } = loaderData
  const { chosen, pick, button } = useWays(ways, actionData?.values['method'] ?? loaderData.paymentMethod)
  return (
    <>
      {credit ? <StoreCredit {...credit} /> : null}
      <Form method="post" className="panel padded details-form" noValidate>
        <ErrorSummary reply={actionData} labels={labels} />
        <Ways ways={ways} chosen={chosen} onPick={pick} />
        <BillingAddress billing={billing} same={same} reply={actionData} />
        <PoNumber po={po} saved={billing?.poNumber} reply={actionData} />
        {fleet ? <FleetVehicleFields fields={fleet} reply={actionData} /> : null}
        <Submit label={button} />
      </Form>
    </>
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

/** Renders the PO number field. Hidden for buyers at a company that doesn't use PO numbers. */
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

function Submit({ label }: { label: string }) {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <div className="stack">
      <button className="btn primary large wide" type="submit" disabled={isBusy}>
        {isBusy ? 'Saving…' : label}
      </button>
      <p className="small muted">Next: review your order, then place it.</p>
    </div>
  )
}
