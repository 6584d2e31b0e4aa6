/** Reads, settles, and creates the cart's card charge, in the card fields or on a hosted page. */
import { data, type RouterContextProvider } from 'react-router'
import { cartSentence } from '#content/messages/cart.ts'
import type { MoneyView } from '#app/views/checkout.server.ts'
import { visitorContext } from '#app/server/context.ts'
import { sayWait } from '#app/forms/form.ts'
import { doesNotFitText } from '#content/messages/placing.ts'
import { paymentError, paymentUnavailable, tooManyCards, type PaymentProblem } from '#content/messages/payments.ts'
import { storeClosedMessage } from '#content/messages/store-closed.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths, withQuery } from '#content/paths.ts'
import type { PaymentFieldsSetup } from '#app/ui/payment-fields.port.ts'
import { keepHold } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  findTermsCustomer,
  orderToPay,
  payBy,
  readDetails,
  refuseInstallation,
  type CartQuote,
} from '#domain/ordering/checkout/checkout.server.ts'
import {
  mayTryCard,
  openCharge,
  openChargeOnPage,
  openHostedPage,
  refreshPayment,
  type PaymentTrouble,
} from '#domain/payments/payments/payments.server.ts'
import {
  isWallet,
  ruleOf,
  type ChargedMethod,
  type OrderToPay,
  type Payer,
} from '#domain/payments/payments/payments.ts'
import { consentWithPayment } from '#domain/payments/saved-cards/saved-cards.server.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'

/** The status of a charge relative to the total. */
export type CardStatus =
  | { kind: 'none' }
  | { kind: 'ready' }
  | { kind: 'other-amount'; authorized: string }
  | { kind: 'processing' }
  | { kind: 'failed'; words: string }
  | { kind: 'unavailable' }

/** The response to the client, with the new charge's client secret or the problem. */
export type CardAnswer = { clientSecret: string | null; problem: PaymentProblem | null }

/** The configured provider's card fields, and when the page with them was rendered, in epoch milliseconds. */
export type CardFields = PaymentFieldsSetup & { shownAt: number }

export function cardFieldsOf({ config, clock }: Pick<Application, 'config' | 'clock'>): CardFields {
  const setup: PaymentFieldsSetup =
    config.payments.kind === 'sandbox'
      ? { kind: 'sandbox', origin: config.sandbox.origin }
      : { kind: 'stripe', publishableKey: config.payments.publishableKey }
  return { ...setup, shownAt: clock.now().epochMilliseconds }
}

/** When the page that sends a form was rendered; null without the time. */
export function shownAtOf(fields: URLSearchParams): Temporal.Instant | null {
  const text = fields.get('shownAt') ?? ''
  return /^\d{13}$/.test(text) ? Temporal.Instant.fromEpochMilliseconds(Number(text)) : null
}

/** Retrieves the charge's status from the provider and compares it with a total in cents. */
export async function readCardStatus(app: Application, payer: Payer, totalCents: number): Promise<CardStatus> {
  const refreshed = await refreshPayment(app, payer)
  if (!refreshed.ok) return { kind: 'unavailable' }
  if (!refreshed.value) return { kind: 'none' }
  const { payment, failure, isProcessing, answerBy } = refreshed.value
  if (isProcessing) {
    if ('cartId' in payer && answerBy) await keepHold(app, { ...payer, until: answerBy })
    return { kind: 'processing' }
  }
  if (payment.state === 'failed') return { kind: 'failed', words: failure ?? '' }
  if (payment.state !== 'authorized') return { kind: 'none' }
  return payment.amountCents === totalCents
    ? { kind: 'ready' }
    : { kind: 'other-amount', authorized: formatCents(payment.amountCents) }
}

/**
 * Settles the charge. Redirects to the order or back to the page at `here`, or returns the problem. Responds with 202
 * while the bank's answer is pending.
 */
export async function settleCharge(app: Application, cartId: string, { totalCents }: MoneyView, here: string) {
  const status = await readCardStatus(app, { cartId }, totalCents)
  switch (status.kind) {
    case 'ready':
      return seeOther(paths.orderSummary())
    case 'processing':
      return data<CardAnswer>({ clientSecret: null, problem: null }, { status: 202 })
    case 'failed':
      return refuseCard({ title: paymentError, words: status.words }, 402)
    case 'unavailable':
      return refuseCard({ title: paymentError, words: paymentUnavailable }, 503)
    case 'other-amount':
      return seeOther(here)
    case 'none':
      return refuseCard(
        { title: paymentError, words: 'Your bank isn’t responding. You haven’t been charged. Try again.' },
        402,
      )
  }
}

/** The account that saves the card, and its customer ID at the provider. */
type CardSaving = { accountId: string; customerRef: string }

/** A cart to be paid by card, with its price and the recipient of the receipt. */
export type CardPayer = {
  app: Application
  cart: Cart
  quote: CartQuote
  money: MoneyView
  email: string
  /** When the page with the card fields was rendered. */
  shownAt?: Temporal.Instant | null
}

/**
 * Starts a charge for the cart's total, in the card fields of the page at `here` or on the provider's page. Refuses
 * with 409 a cart that cannot be ordered, with 429 and Retry-After after too many cards, and with 402 and 503 as the
 * provider does.
 */
export async function startCharge(
  context: Readonly<RouterContextProvider>,
  { app, cart, quote, money, email, shownAt = null }: CardPayer,
  flow: 'fields' | 'hosted',
  here: string,
  method: ChargedMethod = 'card',
  saving: CardSaving | null = null,
) {
  // A cart that can't be ordered can't be paid. The page shows the reason.
  if (money.problems.length > 0 || money.totalCents === 0)
    return refuseCard({ title: null, words: money.problems[0] ?? 'Choose where your tires go first.' }, 409)
  const unfit = await refuseInstallation(app, cart)
  if (unfit) return refuseCard({ title: null, words: doesNotFitText(unfit) }, 409)
  await payBy(app, cart, method)
  const order = await orderOf(app, cart, { quote, method })
  const charge = {
    payer: { cartId: cart.id },
    amountCents: money.totalCents,
    email,
    method,
    shownAt,
    ...(order && { order }),
    ...(saving && { saving }),
  }
  return beginCharge(context, app, charge, flow, {
    description: cartSentence(cart, null),
    returnPath: paths.paymentReturn(),
    cancelPath:
      ruleOf(method)?.entry === 'page'
        ? withQuery(paths.checkoutPayments(), { canceled: method })
        : withQuery(here, { canceled: 1 }),
  })
}

/** The order for the provider; undefined before everything is entered. */
async function orderOf(
  app: Application,
  cart: Cart,
  { quote: { breakdown, ...quote }, method }: { quote: CartQuote; method: ChargedMethod },
): Promise<OrderToPay | undefined> {
  const { contact, billing } = await readDetails(app, cart.id)
  if (!breakdown || !contact || !billing) return undefined
  const { companyId } = await app.buyer.priceTier()
  const customerId = method === 'resolve' ? await findTermsCustomer(app) : null
  return orderToPay({ ...quote, breakdown }, contact, billing, {
    isBusiness: companyId !== null,
    ...(customerId !== null && { terms: { customerId, poNumber: billing.poNumber } }),
  })
}

/**
 * Starts a charge in the card fields, or on the provider's page, which returns to `returnPath`. Refuses with 429 and
 * Retry-After after too many cards, and with 402 and 503 as the provider does.
 */
export async function beginCharge(
  context: Readonly<RouterContextProvider>,
  app: Application,
  {
    payer,
    ...sum
  }: {
    payer: Payer
    amountCents: number
    email: string
    method?: ChargedMethod
    order?: OrderToPay
    saving?: CardSaving
    shownAt?: Temporal.Instant | null
  },
  flow: 'fields' | 'hosted',
  page: { description: string; returnPath: string; cancelPath: string },
) {
  const from = context.get(visitorContext).networkKey
  const allowed = await mayTryCard(app, payer, from, sum.method)
  if (!allowed.ok) {
    sayWait(context, allowed.detail.retryAfterSeconds)
    return refuseCard({ title: paymentError, words: tooManyCards }, 429)
  }
  const { method, order, saving, shownAt = null, ...rest } = sum
  const charge = { ...payer, ...rest, from, ...(method && { method }), ...(order && { order }) }
  if (flow === 'fields')
    return openFields(app, { ...charge, method: method && isWallet(method) ? method : 'card' }, shownAt)
  const { origin } = app.config.web
  const hosted = await openHostedPage(app, {
    ...charge,
    description: page.description,
    returnUrl: `${origin}${page.returnPath}?payment={payment}`,
    cancelUrl: origin + page.cancelPath,
    ...(saving && { customerRef: saving.customerRef }),
  })
  if (!hosted.ok && hosted.reason === 'declined' && method === 'resolve')
    return refuseCard({ title: null, words: hosted.detail.message }, 402)
  if (!hosted.ok) return refuseTrouble(hosted)
  if (saving) await consentWithPayment(app, { accountId: saving.accountId, paymentId: hosted.value.paymentId })
  return seeOther(hosted.value.url)
}

async function openFields(
  app: Application,
  charge: Parameters<typeof openCharge>[1],
  shownAt: Temporal.Instant | null,
) {
  const opened = shownAt === null ? await openCharge(app, charge) : await openChargeOnPage(app, charge, shownAt)
  if (opened.ok) return data<CardAnswer>({ clientSecret: opened.value.clientSecret, problem: null })
  // The shopper is on the way to the provider's page.
  if (opened.reason === 'superseded') return data<CardAnswer>({ clientSecret: null, problem: null })
  return refuseTrouble(opened)
}

function refuseTrouble(trouble: PaymentTrouble) {
  if (trouble.reason === 'store-closed') return refuseCard({ title: null, words: storeClosedMessage }, 403)
  return trouble.reason === 'declined'
    ? refuseCard({ title: paymentError, words: trouble.detail.message }, 402)
    : refuseCard({ title: paymentError, words: paymentUnavailable }, 503)
}

/** The page with the problem, and no charge to continue with. */
export function refuseCard(problem: PaymentProblem, status: number) {
  return data<CardAnswer>({ clientSecret: null, problem }, { status })
}
