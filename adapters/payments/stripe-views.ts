/** Maps Stripe's intents, charges, and completed hosted pages to charges. */
import type Stripe from 'stripe'
import type { CardCheck, ChargeState, ChargeView, PaidCard } from '#domain/payments/payments/payment-provider.port.ts'

/** Returns the charge view of an intent. */
export function chargeView(intent: Stripe.PaymentIntent): ChargeView {
  const charge = intent.latest_charge
  const isTaken = intent.status === 'succeeded'
  return {
    ref: intent.id,
    state: stateOf(intent),
    amountCents: intent.amount,
    capturedCents: intent.amount_received,
    refundedCents: isTaken && charge !== null && typeof charge === 'object' ? refundedCents(charge) : 0,
    clientSecret: intent.client_secret,
    cardFingerprint:
      charge !== null && typeof charge === 'object' ? (charge.payment_method_details?.card?.fingerprint ?? null) : null,
    card: cardOf(charge),
    failure: intent.last_payment_error?.message ?? null,
    ...captureBeforeOf(charge),
  }
}

/** The card of a charge, and what its bank checked. */
function cardOf(charge: Stripe.PaymentIntent['latest_charge']): PaidCard | null {
  const card = charge !== null && typeof charge === 'object' ? charge.payment_method_details?.card : undefined
  if (!card?.brand || !card.last4) return null
  const { brand, last4, checks, exp_month: month, exp_year: year } = card
  return {
    brand,
    last4,
    ...(month && year ? { expiry: { month, year } } : {}),
    ...(checks
      ? {
          checks: {
            street: checkOf(checks.address_line1_check),
            zip: checkOf(checks.address_postal_code_check),
            code: checkOf(checks.cvc_check),
          },
        }
      : {}),
  }
}

const knownChecks: readonly CardCheck[] = ['pass', 'fail', 'unavailable', 'unchecked']

/** Ignores unknown results. */
function checkOf(result: string | null): CardCheck {
  return knownChecks.find((known) => known === result) ?? null
}

/** Stripe names the end of an authorization for cards only. */
function captureBeforeOf(charge: Stripe.PaymentIntent['latest_charge']): Pick<ChargeView, 'captureBefore'> {
  const card = charge !== null && typeof charge === 'object' ? charge.payment_method_details?.card : undefined
  return card?.capture_before === undefined
    ? {}
    : { captureBefore: Temporal.Instant.fromEpochMilliseconds(card.capture_before * 1000) }
}

function stateOf({ status, last_payment_error: error }: Stripe.PaymentIntent): ChargeState {
  switch (status) {
    case 'requires_capture':
      return 'authorized'
    case 'succeeded':
      return 'captured'
    case 'canceled':
      return 'voided'
    case 'processing':
      return 'processing'
    default:
      // Waiting for a card or an approval. After a decline it is 'failed' until the next attempt.
      return error ? 'failed' : 'open'
  }
}

/** Stripe also counts the uncaptured part of an authorization as refunded; the store does not. */
function refundedCents({ amount, amount_captured: captured, amount_refunded: refunded }: Stripe.Charge): number {
  return Math.max(0, refunded - (amount - captured))
}

/**
 * Returns the charge view of a Stripe charge. Returns null if it has no intent, or if it failed, in which case the
 * intent has more detail.
 */
export function chargeViewOfCharge(charge: Stripe.Charge): ChargeView | null {
  if (typeof charge.payment_intent !== 'string' || charge.status !== 'succeeded') return null
  return {
    ref: charge.payment_intent,
    state: charge.captured ? 'captured' : charge.refunded ? 'voided' : 'authorized',
    amountCents: charge.amount,
    capturedCents: charge.amount_captured,
    refundedCents: charge.captured ? refundedCents(charge) : 0,
    clientSecret: null,
    cardFingerprint: charge.payment_method_details?.card?.fingerprint ?? null,
    card: cardOf(charge),
    failure: null,
  }
}

/** The charge view of a completed hosted page. */
export function chargeViewOfPage(session: Stripe.Checkout.Session): ChargeView | null {
  if (typeof session.payment_intent !== 'string' || session.status !== 'complete') return null
  const amountCents = session.amount_total ?? 0
  const isTaken = session.payment_status === 'paid'
  return {
    ref: session.payment_intent,
    state: isTaken ? 'captured' : 'authorized',
    amountCents,
    capturedCents: isTaken ? amountCents : 0,
    refundedCents: 0,
    clientSecret: null,
    cardFingerprint: null,
    failure: null,
  }
}
