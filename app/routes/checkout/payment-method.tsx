import { useEffect, useRef, useState } from 'react'
import { data, Form, useFetcher } from 'react-router'
import { technicalMessages } from '#content/messages/technical.ts'
import { cartSentence } from '#content/messages/cart.ts'
import { readMoney, requireCart } from '#app/views/checkout.server.ts'
import { visitorContext } from '#app/server/context.ts'
import { readForm, sayWait } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths, withQuery } from '#content/paths.ts'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import {
  paymentError,
  paymentUnavailable,
  processingMessage,
  tooManyCards,
  type PaymentProblem,
} from '#content/messages/payments.ts'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { holdView } from '#app/routes/checkout/shipping-view.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import type { FieldsBilling, FieldsEvent, PaymentFieldsSetup } from '#app/ui/payment-fields.port.ts'
import { PaymentFields, type PaymentFieldsHandle } from '#app/ui/payment-fields.tsx'
import { Stepper } from '#app/ui/stepper.tsx'
import { sendAndKeep, unsentStatus } from '#app/ui/send-and-keep.ts'
import { isInstallation } from '#domain/delivery/delivery.ts'
import { findChosenTime } from '#domain/booking/booking.server.ts'
import { payByCard, readDetails } from '#domain/checkout/checkout.server.ts'
import { paymentMethods } from '#domain/payments/payments.ts'
import {
  voidPayment,
  mayTryCard,
  openCharge,
  openHostedPage,
  refreshPayment,
} from '#domain/payments/payments.server.ts'
import { formatCents } from '#platform/money.ts'
import type { Route } from './+types/payment-method.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Pay by card',
    description: 'Your card and billing address.',
    path: paths.checkoutPayment('card'),
    isIndexed: false,
  })

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireMethod(params.type)
  const { shop, cart } = await requireCart(context)
  const [{ money, contact }, { billing }, hold] = await Promise.all([
    readMoney(shop, cart),
    readDetails(shop, cart.id),
    findChosenTime(shop, cart.id),
  ])
  if (!contact) throw seeOther(paths.shippingConfirmation())
  if (!billing) throw seeOther(paths.checkoutPayments())
  const { config } = shop
  const now = shop.clock.now()
  const fields: PaymentFieldsSetup =
    config.payments.kind === 'sandbox'
      ? { kind: 'sandbox', origin: config.sandbox.origin }
      : { kind: 'stripe', publishableKey: config.payments.publishableKey }
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
  return {
    status: await readPaymentStatus(shop, cart.id, money.totalCents),
    wentBack: url.searchParams.has('canceled'),
    fields,
    payer,
    returnUrl: config.web.origin + paths.paymentReturn(),
    money,
    hold: hold && isInstallation(cart.fulfillment) ? holdView(hold, now) : null,
    tab: cart.fulfillment ?? 'shop',
    now: now.toString(),
  }
}

/** How the cart's charge stands against the total: what the page is about. */
type Status =
  | { kind: 'none' }
  | { kind: 'ready' }
  | { kind: 'other-amount'; authorized: string }
  | { kind: 'processing' }
  | { kind: 'failed'; words: string }
  | { kind: 'unavailable' }

async function readPaymentStatus(
  shop: Parameters<typeof refreshPayment>[0],
  cartId: string,
  totalCents: number,
): Promise<Status> {
  const refreshed = await refreshPayment(shop, { cartId })
  if (!refreshed.ok) return { kind: 'unavailable' }
  if (!refreshed.value) return { kind: 'none' }
  const { payment, failure, isProcessing } = refreshed.value
  if (isProcessing) return { kind: 'processing' }
  if (payment.state === 'failed') return { kind: 'failed', words: failure ?? '' }
  if (payment.state !== 'authorized') return { kind: 'none' }
  return payment.amountCents === totalCents
    ? { kind: 'ready' }
    : { kind: 'other-amount', authorized: formatCents(payment.amountCents) }
}

/**
 * `open`: a charge for the fields. `settle`: what became of it. `hosted`: on to the provider's page. `another`: let the
 * authorized card go.
 */
export async function action({ request, context, params }: Route.ActionArgs) {
  requireMethod(params.type)
  const { shop, cart } = await requireCart(context)
  const here = paths.checkoutPayment(params.type)
  const fields = await readForm(request)
  const { money, contact } = await readMoney(shop, cart)
  if (!contact) return seeOther(paths.shippingConfirmation())

  switch (fields.get('intent')) {
    case 'another':
      await voidPayment(shop, { cartId: cart.id })
      return seeOther(here)
    case 'settle': {
      const status = await readPaymentStatus(shop, cart.id, money.totalCents)
      if (status.kind === 'ready') return seeOther(paths.orderSummary())
      if (status.kind === 'processing') return data({ clientSecret: null, problem: null }, { status: 202 })
      if (status.kind === 'failed') return refuse({ title: paymentError, words: status.words }, 402)
      if (status.kind === 'unavailable') return refuse({ title: paymentError, words: paymentUnavailable }, 503)
      if (status.kind === 'other-amount') return seeOther(here)
      return refuse({ title: paymentError, words: 'Your bank did not answer, and nothing is charged. Try again.' }, 402)
    }
    case 'open':
    case 'hosted': {
      // What cannot be bought is not paid for either; the page says why.
      if (money.problems.length > 0 || money.totalCents === 0)
        return refuse({ title: null, words: money.problems[0] ?? 'Choose where your tires go first.' }, 409)
      const from = context.get(visitorContext).networkKey
      const allowed = await mayTryCard(shop, { cartId: cart.id }, from)
      if (!allowed.ok) {
        sayWait(context, allowed.detail.retryAfterSeconds)
        return refuse({ title: paymentError, words: tooManyCards }, 429)
      }
      await payByCard(shop, cart)
      const charge = { cartId: cart.id, amountCents: money.totalCents, email: contact.email, from }
      if (fields.get('intent') === 'open') {
        const opened = await openCharge(shop, charge)
        return opened.ok
          ? data({ clientSecret: opened.value.clientSecret, problem: null })
          : refuse(troubleMessages(opened), opened.reason === 'declined' ? 402 : 503)
      }
      const { origin } = shop.config.web
      const page = await openHostedPage(shop, {
        ...charge,
        description: cartSentence(cart, null),
        returnUrl: `${origin}${paths.paymentReturn()}?payment={payment}`,
        cancelUrl: origin + withQuery(here, { canceled: 1 }),
      })
      return page.ok ? seeOther(page.value.url) : refuse(troubleMessages(page), page.reason === 'declined' ? 402 : 503)
    }
    default:
      return refuse({ title: null, words: technicalMessages.tryAgain }, 400)
  }
}

function requireMethod(type: string): void {
  if (!paymentMethods.some((method) => method.type === type)) throw new Response(null, { status: 404 })
}

function refuse(problem: PaymentProblem, status: number) {
  return data({ clientSecret: null, problem }, { status })
}

function troubleMessages(
  trouble: { reason: 'payment-unavailable' } | { reason: 'declined'; detail: { message: string } },
): PaymentProblem {
  return { title: paymentError, words: trouble.reason === 'declined' ? trouble.detail.message : paymentUnavailable }
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

/** Opening a charge changes nothing the page shows; everything else may, also when it was refused. */
export function shouldRevalidate({ formData, actionStatus }: { formData?: FormData; actionStatus?: number }): boolean {
  return formData?.get('intent') !== 'open' && actionStatus !== unsentStatus
}

export default function PayByCard({ loaderData, actionData }: Route.ComponentProps) {
  const { money, hold, status, wentBack } = loaderData
  const problem = actionData?.problem ?? null
  return (
    <div className="wrap">
      <Stepper at={3} />
      <div className="checkout-head">
        <h1>Pay by card</h1>
        <p className="muted">
          We ask your bank to set {money.total} aside. <a href={paths.checkoutPayments()}>Change how you pay</a>
        </p>
      </div>
      <div className="checkout-columns">
        <div className="stack">
          {hold ? <HoldBar hold={hold} now={loaderData.now} tab={loaderData.tab} form="page" /> : null}
          {wentBack && !problem && status.kind === 'none' ? (
            <p className="notice" role="status">
              You came back without paying. Nothing is charged.
            </p>
          ) : null}
          {status.kind === 'ready' ? (
            <CardReady total={money.total} />
          ) : status.kind === 'processing' ? (
            <Processing />
          ) : (
            <CardEntry {...loaderData} problem={problem} />
          )}
        </div>
        <SideSummary money={money} />
      </div>
    </div>
  )
}

function CardReady({ total }: { total: string }) {
  return (
    <div className="panel padded stack">
      <p className="fit yes card-ready">
        <Icon name="check-circle" />
        Card ready, {total} authorized
      </p>
      <p className="muted">
        Look over your order once more. It is placed when you press the button there, and not before.
      </p>
      <a className="btn primary large" href={paths.orderSummary()}>
        Review your order
      </a>
      <Form method="post">
        <input type="hidden" name="intent" value="another" />
        <button className="link" type="submit">
          Use another card
        </button>
      </Form>
    </div>
  )
}

/** The bank has not answered. With script the page asks again by itself, and goes on when it has. */
function Processing() {
  const asking = useFetcher<typeof action>()
  useEffect(() => {
    if (asking.state !== 'idle') return undefined
    const timer = setTimeout(() => void asking.submit({ intent: 'settle' }, { method: 'post' }), 3_000)
    return () => clearTimeout(timer)
  }, [asking])
  return (
    <div className="notice stack" role="status">
      <p className="strong">{processingMessage}</p>
      <Form method="post">
        <input type="hidden" name="intent" value="settle" />
        <button className="btn" type="submit">
          Look again
        </button>
      </Form>
    </div>
  )
}

/**
 * How long the fields may take before the other way to pay is offered, and the bank before the shopper is told that it
 * takes longer.
 */
const patienceMs = 8_000

type Stage = 'loading' | 'ready' | 'paying' | 'approving' | 'late'

function CardEntry({
  status,
  fields,
  payer,
  returnUrl,
  money,
  problem,
}: Route.ComponentProps['loaderData'] & { problem: PaymentProblem | null }) {
  const opening = useFetcher<typeof action>()
  const settling = useFetcher<typeof action>()
  const handle = useRef<PaymentFieldsHandle>(null)
  const isOpened = useRef(false)
  const [stage, setStage] = useState<Stage>('loading')
  const [isSlow, setSlow] = useState(false)
  const [isComplete, setComplete] = useState(false)
  const [refusal, setRefusal] = useState<PaymentProblem | null>(null)
  const clientSecret = opening.data?.clientSecret

  useEffect(() => {
    // A charge is opened once, also where effects run twice.
    if (isOpened.current) return
    isOpened.current = true
    void opening.submit({ intent: 'open' }, { method: 'post' })
  }, [opening])

  useEffect(() => {
    if (stage !== 'loading' && stage !== 'paying') return undefined
    const timer = setTimeout(() => (stage === 'loading' ? setStage('late') : setSlow(true)), patienceMs)
    return () => clearTimeout(timer)
  }, [stage])

  function pay(): void {
    setRefusal(null)
    setSlow(false)
    setStage('paying')
    handle.current?.confirm()
  }

  function hear(event: FieldsEvent): void {
    switch (event.type) {
      case 'ready':
        return setStage((now) => (now === 'loading' || now === 'late' ? 'ready' : now))
      case 'changed':
        return setComplete(event.isComplete)
      case 'submitted':
        return stage === 'ready' ? pay() : undefined
      case 'challenged':
        return setStage('approving')
      case 'missing':
        return setStage('late')
      case 'finished':
        setStage('ready')
        // What the fields say is not believed: the server asks the provider.
        if (event.result.status !== 'failed') return void settling.submit({ intent: 'settle' }, { method: 'post' })
        // A slip in a field is no error of the payment.
        return setRefusal({ title: isComplete ? paymentError : null, words: event.result.message })
    }
  }

  const isBusy = stage === 'paying' || stage === 'approving' || settling.state !== 'idle'
  const shown = refusal ?? settling.data?.problem ?? opening.data?.problem ?? problem ?? statusProblem(status)
  const isLate = stage === 'late' || Boolean(opening.data?.problem)
  return (
    <>
      {shown ? <PaymentRefusal problem={shown} /> : null}
      <div className="panel padded card-entry">
        {stage === 'late' ? (
          <p className="notice" role="status">
            The card fields did not come. Pay on the secure page instead.
          </p>
        ) : null}
        <div className={isLate ? 'script-required is-late' : 'script-required stack'}>
          <h2>Your card</h2>
          {clientSecret ? (
            <PaymentFields
              key={clientSecret}
              setup={fields}
              charge={{ clientSecret, returnUrl, billing: payer }}
              onEvent={hear}
              ref={handle}
            />
          ) : null}
          {stage === 'loading' && !isLate ? (
            <p className="card-waiting muted" role="status">
              The card fields are on their way…
            </p>
          ) : null}
          <button className="btn primary large wide" type="button" onClick={pay} disabled={stage !== 'ready' || isBusy}>
            {stage === 'approving'
              ? 'Waiting for your approval…'
              : isBusy
                ? 'Asking your bank…'
                : `Use this card for ${money.total}`}
          </button>
          {isSlow && stage === 'paying' ? (
            <p className="small" role="status">
              {processingMessage}
            </p>
          ) : null}
        </div>
        {/* Not React Router's form: the browser itself goes to the provider's origin. */}
        <form
          method="post"
          action={paths.checkoutPayment('card')}
          className={isLate ? 'hosted-pay is-only' : 'hosted-pay'}
        >
          <input type="hidden" name="intent" value="hosted" />
          <button className={isLate ? 'btn primary large wide' : 'btn quiet wide'} type="submit" disabled={isBusy}>
            Pay on the secure page
          </button>
          <p className="small muted">The payment provider's own page, on its own address. It brings you back here.</p>
        </form>
      </div>
      <p className="small muted row top">
        <Icon name="shield" size="s" />
        <span>
          Your card number goes to the payment provider and never to us. Your card is charged when your order is packed,
          after the time in which you can cancel.
        </span>
      </p>
    </>
  )
}

function PaymentRefusal({ problem }: { problem: PaymentProblem }) {
  return (
    <div className="error-summary" role="alert">
      {problem.title ? <p className="strong">{problem.title}</p> : null}
      <p>{problem.words}</p>
    </div>
  )
}

function statusProblem(status: Status): PaymentProblem | null {
  switch (status.kind) {
    case 'failed':
      return { title: paymentError, words: status.words }
    case 'unavailable':
      return { title: paymentError, words: paymentUnavailable }
    case 'other-amount':
      return {
        title: null,
        words: `Your card was authorized for ${status.authorized}, and the total has changed since. Authorize the new total; we let the first one go.`,
      }
    case 'none':
    case 'ready':
    case 'processing':
      return null
  }
}
