/**
 * Why an order couldn't be placed, with the status, the message, and the step that fixes it. A missing reason doesn't
 * compile.
 */
import { bookingMessages, noShopMessage, noTimeMessage } from '#content/messages/booking.ts'
import { termsRefusalMessages } from '#content/messages/invoices.ts'
import { problemText } from '#content/messages/cart.ts'
import { paths } from '#content/paths.ts'
import { paymentError, paymentUnavailable, processingMessage } from '#content/messages/payments.ts'
import { storeClosedMessage } from '#content/messages/store-closed.ts'
import type {
  AgreedPart,
  MissingStep,
  PlaceOrderRefusal,
  QuoteProblem,
} from '#domain/ordering/checkout/checkout.server.ts'
import { isInstallationRefused, type Level } from '#domain/catalog/fitment/fitment.ts'
import { formatCents } from '#platform/money.ts'

/** The checkout step where it can be fixed. */
export type Remedy = { label: string; href: string }

type Refusal = {
  status: 402 | 403 | 409 | 422 | 503
  title: string | null
  words: string | null
  errors: Record<string, string>
  remedy: Remedy | null
}

/** What the page shows again, with the boxes that were checked. */
export type PlacingReply = Omit<Refusal, 'status'> & { terms: boolean; conditions: boolean }

/** `store` has the phone number of customer service. */
export function refusePlacing(refusal: PlaceOrderRefusal, store: { phone: string }): Refusal {
  if (refusal.reason === 'needs-approval' || refusal.reason === 'approval-waits')
    return { ...nothing, ...approvalAsked(refusal) }
  return refusal.reason === 'refused-online' || refusal.reason === 'store-closed'
    ? { ...nothing, status: 403, words: notOnline(refusal, store) }
    : refuseOther(refusal)
}

function notOnline({ reason }: NotOnline, { phone }: { phone: string }): string {
  return reason === 'store-closed' ? storeClosedMessage : `We can’t take this order online. Please call ${phone}.`
}

type AboutApproval = Extract<PlaceOrderRefusal, { reason: 'needs-approval' | 'approval-waits' }>
type NotOnline = Extract<PlaceOrderRefusal, { reason: 'refused-online' | 'store-closed' }>

function refuseOther(refusal: Exclude<PlaceOrderRefusal, AboutApproval | NotOnline>): Refusal {
  switch (refusal.reason) {
    case 'terms-not-accepted':
      return { ...nothing, status: 422, errors: { terms: 'Please accept the terms of sale.' } }
    case 'conditions-not-accepted':
      return {
        ...nothing,
        status: 422,
        errors: { conditions: 'Please check the box that you have read what the fit depends on.' },
      }
    case 'price-changed':
      return {
        ...nothing,
        status: 409,
        title: 'The price changed since you saw it',
        words: 'Your order wasn’t placed or charged. Review the new total, then continue.',
      }
    case 'order-changed':
      return {
        ...nothing,
        status: 409,
        title: 'Your order changed since you reviewed it',
        words: `${changedText(refusal.detail.changed)} Your order wasn’t placed or charged. Review it, then place it again.`,
      }
    case 'slot-lost':
      return {
        ...nothing,
        status: 409,
        words: bookingMessages[refusal.detail.why],
        remedy: { label: 'Pick another time', href: paths.checkoutShipping() },
      }
    case 'does-not-fit':
      return {
        ...nothing,
        status: 409,
        title: refusal.detail.verdict.sets.find(isInstallationRefused)?.headline ?? null,
        words: 'We do not install tires that do not fit. Pick other tires, or change the vehicle.',
        remedy: toCart,
      }
    case 'problem':
      return { ...nothing, status: 409, ...quoteProblems(refusal.detail.problems) }
    case 'incomplete':
      return { ...nothing, status: 409, ...missing[refusal.detail.step] }
    case 'payment-not-authorized':
      return { ...nothing, status: 402, title: paymentError, words: chargeProblem(refusal.detail), remedy: payAgain }
    case 'net-terms-refused':
      return {
        ...nothing,
        status: 402,
        title: paymentError,
        words: termsRefusalMessages(refusal),
        remedy: { label: 'Choose how to pay', href: paths.checkoutPayments() },
      }
    case 'payment-unavailable':
      return { ...nothing, status: 503, title: paymentError, words: paymentUnavailable, remedy: payAgain }
  }
}

/** Orders above a limit need net terms because a card's authorization would expire before the approval. */
function approvalAsked(refusal: AboutApproval): Partial<Refusal> & Pick<Refusal, 'status'> {
  if (refusal.reason === 'approval-waits')
    return { status: 409, words: 'This order is waiting for your company’s approval.' }
  const { limitCents, mayAsk } = refusal.detail
  const words = `Your company requires approval for your orders above ${formatCents(limitCents)}.`
  return mayAsk
    ? { status: 403, title: 'This order needs an approval', words }
    : {
        status: 403,
        title: 'This order needs an approval',
        words: `${words} Choose net terms to ask for it.`,
        remedy: { label: 'Choose how to pay', href: paths.checkoutPayments() },
      }
}

const changedMessages: Readonly<Record<AgreedPart, string>> = {
  price: 'The price changed.',
  tires: 'The tires or services in your cart changed.',
  delivery: 'The delivery address or shop changed.',
  contact: 'The contact details changed.',
  appointment: 'The appointment changed.',
}

function changedText(parts: readonly AgreedPart[]): string {
  return parts.map((part) => changedMessages[part]).join(' ')
}

/** Returns the problem that blocks the sale, in the cart or at the destination. */
function quoteProblems(problems: readonly QuoteProblem[]): { words: string; remedy: Remedy } {
  const isInCart = problems.some(({ kind }) =>
    ['out-of-stock', 'other-brand', 'parts-lacking', 'too-old'].includes(kind),
  )
  return {
    words: problems.map(problemText).join(' '),
    remedy: isInCart ? toCart : { label: 'Choose again', href: paths.checkoutShipping() },
  }
}

/** The provider's own words where it gave any. */
function chargeProblem({ isProcessing, failure }: { isProcessing: boolean; failure: string | null }): string {
  return isProcessing ? processingMessage : (failure ?? paymentUnavailable)
}

const nothing = { title: null, words: null, errors: {}, remedy: null }
const toCart: Remedy = { label: 'Go to your cart', href: paths.cart() }
const payAgain: Remedy = { label: 'Go to payment', href: paths.checkoutPayment('card') }

const missing: Record<MissingStep, { words: string; remedy: Remedy }> = {
  cart: { words: 'Your cart is empty.', remedy: toCart },
  shipping: {
    words: noShopMessage,
    remedy: { label: 'Choose where they go', href: paths.checkoutShipping() },
  },
  time: { words: noTimeMessage, remedy: { label: 'Pick a time', href: paths.checkoutShipping() } },
  contact: {
    words: 'There are no contact details yet.',
    remedy: { label: 'Add your details', href: paths.shippingConfirmation() },
  },
  'po-number': {
    words: 'Your company wants its PO number on the order, in its form.',
    remedy: { label: 'Add the PO number', href: paths.checkoutPayments() },
  },
  payment: {
    words: 'Your card isn’t authorized for this total yet. You haven’t been charged.',
    remedy: { label: 'Go to payment', href: paths.checkoutPayment('card') },
  },
}

/** Why a cart's tires cannot be installed, and what the shopper can do instead. */
export function doesNotFitText({
  detail: { verdict },
}: {
  detail: { verdict: { vehicleName: string; sets: readonly { verdict: Level; headline: string }[] } }
}): string {
  const why = verdict.sets.find(isInstallationRefused)?.headline ?? ''
  return `We won't install this on your ${verdict.vehicleName}. ${why} Pick tires that fit, or have these shipped to you.`
}
