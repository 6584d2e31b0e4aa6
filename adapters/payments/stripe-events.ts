/** Verifies the signature of Stripe's webhooks and reads their subject. */
import type Stripe from 'stripe'
import { z } from 'zod'
import type { PaymentProvider, ProviderEvent } from '#domain/payments/payments/payment-provider.port.ts'
import type { Clock } from '#platform/clock.ts'
import { isSigned, parseJson } from './stripe-client.ts'
import { chargeView, chargeViewOfCharge, chargeViewOfPage } from './stripe-views.ts'
import type { Secrets } from '#platform/secrets.ts'

/**
 * The only trusted parts of a webhook, which identify the charge to read from Stripe. Thin events have no data. An
 * endpoint that sends them is misconfigured.
 */
const readKinds = ['payment_intent', 'charge', 'checkout.session', 'dispute', 'refund', 'radar.early_fraud_warning']

const eventForm = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  data: z.looseObject({
    object: z.union([
      z.looseObject({
        object: z.enum(['payment_intent', 'charge', 'checkout.session']),
        id: z.string().min(1),
        status: z.string().nullable(),
      }),
      z.looseObject({ object: z.enum(['dispute', 'refund']), id: z.string().min(1).max(255) }),
      z.looseObject({
        object: z.literal('radar.early_fraud_warning'),
        id: z.string().min(1).max(255),
        fraud_type: z.string().min(1).max(100),
        created: z.number().int(),
      }),
      z.looseObject({ object: z.string().refine((kind) => !readKinds.includes(kind)) }),
    ]),
  }),
})

/** Reads webhooks that were signed with `webhookSecret` not long before the clock's now. */
export function createEventReader(
  stripe: Stripe,
  { webhookSecret, clock }: { webhookSecret: Secrets; clock: Clock },
): Pick<PaymentProvider, 'readEvent'> {
  return {
    async readEvent({ body: rawBody, header }) {
      const receivedAt = clock.now().epochMilliseconds
      const signature = header('stripe-signature')
      if (!isSigned(stripe, { rawBody, signature, secrets: webhookSecret, receivedAt }))
        return { ok: false, reason: 'bad-signature' }
      const parsed = eventForm.safeParse(parseJson(rawBody))
      return parsed.success
        ? { ok: true, event: providerEvent(parsed.data as unknown as Stripe.Event) }
        : { ok: false, reason: 'unreadable', cause: parsed.error }
    },
  }
}

function providerEvent(event: Stripe.Event): ProviderEvent {
  const { object } = event.data
  const news = { id: event.id, kind: event.type, body: event }
  switch (object.object) {
    case 'payment_intent':
      return { ...news, charge: chargeView(object), hostedRef: null }
    case 'charge':
      return { ...news, charge: chargeViewOfCharge(object), hostedRef: null, ...declineOf(event.type, object) }
    case 'checkout.session':
      return { ...news, charge: chargeViewOfPage(object), hostedRef: object.id }
    case 'dispute':
      return { ...news, charge: null, hostedRef: null, disputeRef: object.id }
    case 'radar.early_fraud_warning':
      return { ...news, charge: null, hostedRef: null, ...warningOf(object) }
    case 'refund':
      return { ...news, charge: null, hostedRef: null, refundRef: object.id }
    default:
      return { ...news, charge: null, hostedRef: null }
  }
}

function warningOf(warning: Stripe.Radar.EarlyFraudWarning): Pick<ProviderEvent, 'warning'> {
  const { id: ref, payment_intent: chargeRef, fraud_type: reason, created } = warning
  if (typeof chargeRef !== 'string') return {}
  return { warning: { ref, chargeRef, reason, at: Temporal.Instant.fromEpochMilliseconds(created * 1000) } }
}

function declineOf(kind: Stripe.Event.Type, charge: Stripe.Charge): Pick<ProviderEvent, 'decline'> {
  if (kind !== 'charge.failed' || typeof charge.payment_intent !== 'string') return {}
  const cardFingerprint = charge.payment_method_details?.card?.fingerprint ?? null
  return { decline: { ref: charge.payment_intent, reference: charge.metadata['reference'] ?? null, cardFingerprint } }
}
