import Stripe from 'stripe'
import type { ChargedMethod } from '#domain/payments/payment-methods/payment-methods.ts'
import type { ChargeView, HostedPageInput, PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import type { Clock } from '#platform/clock.ts'
import { answer, openStripe } from './stripe-client.ts'
import { createEventReader } from './stripe-events.ts'
import { chargeView } from './stripe-views.ts'
import type { Secrets } from '#platform/secrets.ts'

export type StripePaymentsConfig = {
  /** https://api.stripe.com, or the origin of a sandbox with the same API. */
  apiOrigin: string
  secretKey: string
  webhookSecret: Secrets
  clock: Clock
}

const expand = ['latest_charge']

/** Stripe's names of the methods that the shopper approves on a hosted page. */
const pageMethods = {
  card: 'card',
  klarna: 'klarna',
  affirm: 'affirm',
  afterpay: 'afterpay_clearpay',
} as const satisfies Partial<Record<ChargedMethod, Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType>>

function pageMethodOf(method: ChargedMethod): (typeof pageMethods)[keyof typeof pageMethods] {
  if (method in pageMethods) return pageMethods[method as keyof typeof pageMethods]
  throw new Error(`Stripe has no hosted page for ${method}.`)
}

/**
 * Stripe payments. A charge is a payment intent with manual capture, and the hosted page is a Checkout Session. A
 * charge already in the requested state (captured in that amount, voided, closed) is a success, because a job can run
 * again after its key expires.
 */
export function createStripePayments({
  apiOrigin,
  secretKey,
  webhookSecret,
  clock,
}: StripePaymentsConfig): PaymentProvider {
  const stripe = openStripe({ apiOrigin, secretKey })
  return {
    ...chargeCalls(stripe),
    ...refundCalls(stripe),
    ...hostedPageCalls(stripe),
    ...createEventReader(stripe, { webhookSecret, clock }),
  }
}

type ChargeCall = 'openCharge' | 'changeAmount' | 'readCharge' | 'captureCharge' | 'voidCharge'

function chargeCalls(stripe: Stripe): Pick<PaymentProvider, ChargeCall> {
  async function currentCharge(ref: string): Promise<ChargeView> {
    return chargeView(await stripe.paymentIntents.retrieve(ref, { expand }))
  }

  return {
    openCharge({ amountCents, reference, key }) {
      return answer(async () => {
        const intent = await stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency: CURRENCY.code.toLowerCase(),
            capture_method: 'manual',
            allowed_payment_method_types: ['card'],
            metadata: { reference },
          },
          { idempotencyKey: key },
        )
        if (intent.client_secret === null) throw new Error(`Stripe opened ${intent.id} without a client secret`)
        return { ref: intent.id, clientSecret: intent.client_secret }
      })
    },
    changeAmount({ ref, amountCents, key }) {
      return answer(async () =>
        chargeView(await stripe.paymentIntents.update(ref, { amount: amountCents, expand }, { idempotencyKey: key })),
      )
    },
    readCharge(ref) {
      return answer(() => currentCharge(ref))
    },
    captureCharge({ ref, amountCents, key }) {
      return answer(async () => {
        try {
          return chargeView(
            await stripe.paymentIntents.capture(
              ref,
              { amount_to_capture: amountCents, expand },
              { idempotencyKey: key },
            ),
          )
        } catch (error) {
          return await unlessAlready(
            error,
            () => currentCharge(ref),
            (charge) => charge.state === 'captured' && charge.capturedCents === amountCents,
          )
        }
      })
    },
    voidCharge({ ref, key }) {
      return answer(async () => {
        try {
          return chargeView(await stripe.paymentIntents.cancel(ref, { expand }, { idempotencyKey: key }))
        } catch (error) {
          const voided = async () => {
            // A payment started on a hosted page cannot be canceled directly; closing the page cancels it.
            const { data: pages } = await stripe.checkout.sessions.list({ payment_intent: ref })
            for (const page of pages)
              if (page.status === 'open')
                await stripe.checkout.sessions.expire(page.id, {}, { idempotencyKey: `${key}:page` })
            return currentCharge(ref)
          }
          return await unlessAlready(error, voided, (charge) => charge.state === 'voided')
        }
      })
    },
  }
}

function refundCalls(stripe: Stripe): Pick<PaymentProvider, 'refundCharge' | 'readRefund'> {
  return {
    refundCharge({ ref, amountCents, key }) {
      return answer(async () => {
        const refund = await stripe.refunds.create(
          { payment_intent: ref, amount: amountCents },
          { idempotencyKey: key },
        )
        return { refundRef: refund.id, isPending: refund.status === 'pending' }
      })
    },
    readRefund(refundRef) {
      return answer(async () => {
        const { status, failure_reason: why } = await stripe.refunds.retrieve(refundRef)
        const hasFailed = status === 'failed' || status === 'canceled'
        return { state: hasFailed ? 'failed' : status === 'succeeded' ? 'done' : 'pending', message: why ?? '' }
      })
    },
  }
}

function hostedPageCalls(
  stripe: Stripe,
): Pick<PaymentProvider, 'openHostedPage' | 'readHostedPage' | 'closeHostedPage'> {
  async function hostedPageView(hostedRef: string): Promise<{ completed: boolean; charge: ChargeView | null }> {
    const session = await stripe.checkout.sessions.retrieve(hostedRef, { expand: ['payment_intent.latest_charge'] })
    const intent = session.payment_intent
    return {
      completed: session.status === 'complete',
      charge: intent !== null && typeof intent === 'object' ? chargeView(intent) : null,
    }
  }

  return {
    openHostedPage(input) {
      const type = pageMethodOf(input.method)
      return answer(() => stripe.checkout.sessions.create(newPage(input, type), { idempotencyKey: input.key })).then(
        (opened) => {
          if (!opened.ok) return opened
          const { id, url, payment_method_types: types } = opened.value
          // Stripe drops what does not fit the amount or the account without a word.
          if (!types.includes(type))
            return { ok: false, reason: 'declined', message: 'This way to pay is not available for this order.' }
          if (url === null) throw new Error(`Stripe opened ${id} without an address`)
          return { ok: true, value: { hostedRef: id, url } }
        },
      )
    },
    readHostedPage(hostedRef) {
      return answer(() => hostedPageView(hostedRef))
    },
    closeHostedPage({ hostedRef, key }) {
      return answer(async () => {
        try {
          await stripe.checkout.sessions.expire(hostedRef, {}, { idempotencyKey: key })
        } catch (error) {
          const status = async () => (await stripe.checkout.sessions.retrieve(hostedRef)).status
          await unlessAlready(error, status, (now) => now !== 'open')
        }
        return hostedPageView(hostedRef)
      })
    },
  }
}

/**
 * Returns a page for one payment method. Lenders check the shipping address, and Afterpay requires it. Cards get only
 * the shopper's email.
 */
function newPage(
  { amountCents, reference, email, description, returnUrl, cancelUrl, order, customerRef }: HostedPageInput,
  type: ReturnType<typeof pageMethodOf>,
): Stripe.Checkout.SessionCreateParams {
  const shipTo = type === 'card' ? undefined : order?.shipTo
  return {
    mode: 'payment',
    // Accepted since 2026-09-30.endive, which refuses `payment_method_types`; earlier versions are the other way around.
    allowed_payment_method_types: [type],
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: CURRENCY.code.toLowerCase(),
          unit_amount: amountCents,
          product_data: { name: description },
        },
      },
    ],
    payment_intent_data: {
      capture_method: 'manual',
      metadata: { reference },
      ...(customerRef !== undefined && { setup_future_usage: 'off_session' as const }),
      ...(shipTo && {
        shipping: {
          name: shipTo.name,
          ...(order?.phone && { phone: order.phone }),
          address: {
            line1: shipTo.address1,
            ...(shipTo.address2 && { line2: shipTo.address2 }),
            city: shipTo.city,
            state: shipTo.state,
            postal_code: shipTo.zip,
            country: 'US',
          },
        },
      }),
    },
    client_reference_id: reference,
    // A customer has an email already, and Stripe takes one or the other.
    ...(customerRef !== undefined ? { customer: customerRef } : email !== null && { customer_email: email }),
    success_url: returnUrl,
    cancel_url: cancelUrl,
  }
}

/**
 * Accepts Stripe's "unexpected state" error if the state is the wanted one. Throws any other error, and for any other
 * state.
 */
export async function unlessAlready<Thing>(
  error: unknown,
  read: () => Promise<Thing>,
  isWanted: (thing: Thing) => boolean,
): Promise<Thing> {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  const thing = await read()
  if (!isWanted(thing)) throw error
  return thing
}
