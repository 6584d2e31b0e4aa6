/** Payment intents of the sandbox. */
import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { isSameSecret } from '../signature.ts'
import { moveCharge } from './balance.ts'
import { chargeFor, releaseCharge } from './charges.ts'
import { record, unixSeconds, type Cause, type Ledger, type StoredIntent } from './ledger.ts'
import { pageMethods, payLaterOf, type PayLaterType } from './page-methods.ts'
import { newIntent, type NewIntent } from './new-intent.ts'
import { notFound, refusedParameter, wrongState } from './refusal.ts'
import { createSampleIntent } from './sample-charges.ts'
import { createMethod } from './saved-methods.ts'
import { completeSession } from './session-completion.ts'
import type { CardOnFile } from './test-cards.ts'

export type IntentChange = {
  amount?: number | undefined
  /** Keys to set; an empty value removes the key; '' instead of an object removes all. */
  metadata?: Record<string, string> | '' | undefined
  description?: string | undefined
  receiptEmail?: string | undefined
  customer?: string | undefined
  savesCard?: boolean | undefined
}

/** A saved card that is charged, and whether its owner is away. */
export type SavedCharge = { methodId: string; offSession: boolean }

/** `stalls`: the lender answers later, and only by webhook. `approves-but-keeps`: it refuses every refund. */
export type LenderAnswer = 'approves' | 'approves-but-keeps' | 'declines' | 'stalls'

export function createIntent(ledger: Ledger, cause: Cause, input: NewIntent): StoredIntent {
  refuseAmount(input.amount)
  const id = newId('pi_')
  const intent = newIntent(ledger, id, input)
  const stored: StoredIntent = { intent, card: null, sessionId: input.sessionId ?? null }
  ledger.intents.put(id, stored)
  record(ledger, cause, null, [['payment_intent.created', intent]])
  return stored
}

export function getIntent(ledger: Ledger, id: string): StoredIntent {
  const stored = ledger.intents.get(id) ?? createSampleIntent(ledger, id)
  if (!stored) throw notFound('payment intent', id)
  return stored
}

/** The intent a browser may act on with its client secret; undefined if the secret is wrong. */
export function findIntentBySecret(ledger: Ledger, clientSecret: string): StoredIntent | undefined {
  const stored = ledger.intents.get(clientSecret.split('_secret_')[0] ?? '')
  return stored && isSameSecret(clientSecret, stored.intent.client_secret ?? '') ? stored : undefined
}

/** Updates an unpaid intent. Drops a pending challenge because the shopper approved a different amount. */
export function updateIntent(ledger: Ledger, id: string, change: IntentChange): StoredIntent {
  const stored = getIntent(ledger, id)
  const { intent } = stored
  if (change.amount !== undefined && change.amount !== intent.amount) {
    if (!awaitsPayment(intent))
      throw wrongState(`The amount of a payment that is '${intent.status}' cannot be changed.`)
    refuseAmount(change.amount)
  }
  const isAsking = intent.status === 'requires_action'
  const updated: StoredIntent = {
    ...stored,
    intent: {
      ...intent,
      amount: change.amount ?? intent.amount,
      customer: change.customer ?? intent.customer,
      setup_future_usage:
        change.savesCard === undefined ? intent.setup_future_usage : change.savesCard ? 'off_session' : null,
      description: change.description === undefined ? intent.description : change.description || null,
      receipt_email: change.receiptEmail === undefined ? intent.receipt_email : change.receiptEmail || null,
      metadata: change.metadata === undefined ? intent.metadata : mergedMetadata(intent.metadata, change.metadata),
      last_payment_error: null,
      next_action: null,
      status: isAsking ? 'requires_payment_method' : intent.status,
    },
  }
  ledger.intents.put(id, updated)
  return updated
}

/**
 * Pays an intent with a card. The card determines whether it is authorized (or captured), declined, or challenged. The
 * stalling card is 'processing' until its alarm. `returnUrl` is where a challenge page sends the shopper afterward. A
 * saved card was approved when saved. A card that always requires a challenge can't be charged off-session.
 */
export function confirmIntent(
  ledger: Ledger,
  cause: Cause,
  id: string,
  card: CardOnFile,
  returnUrl: string | null,
  saved?: SavedCharge,
): StoredIntent {
  const stored = getIntent(ledger, id)
  const { intent } = stored
  if (!awaitsPayment(intent)) throw wrongState(`A payment that is '${intent.status}' cannot be confirmed.`)
  const paying: StoredIntent = {
    ...stored,
    card,
    intent: {
      ...intent,
      payment_method: saved?.methodId ?? newId('pm_'),
      last_payment_error: null,
      next_action: null,
    },
  }
  switch (card.behavior.kind) {
    case 'declines':
      return decline(ledger, cause, paying, {
        type: 'card_error',
        code: card.behavior.code,
        decline_code: card.behavior.declineCode,
        message: card.behavior.message,
      })
    case 'challenges': {
      if (saved && card.behavior.always !== true) return authorize(ledger, cause, paying)
      if (saved?.offSession)
        return decline(ledger, cause, paying, {
          type: 'card_error',
          code: 'authentication_required',
          decline_code: 'authentication_required',
          message: 'Your card was declined. This transaction requires authentication.',
        })
      const asked = keep(ledger, {
        ...paying,
        intent: {
          ...paying.intent,
          status: 'requires_action',
          next_action: {
            type: 'redirect_to_url',
            redirect_to_url: { url: `${ledger.publicOrigin}/challenge/${intent.client_secret}`, return_url: returnUrl },
          },
        },
      })
      record(ledger, cause, card, [['payment_intent.requires_action', asked.intent]])
      return asked
    }
    case 'stalls': {
      const processing = { ...paying, intent: { ...paying.intent, status: 'processing' } }
      ledger.intents.put(id, processing, ledger.now().add({ seconds: ledger.stallSeconds }))
      record(ledger, cause, card, [['payment_intent.processing', processing.intent]])
      return processing
    }
    default:
      return authorize(ledger, cause, paying)
  }
}

/** Pays an intent with a lender's money. */
export function confirmByLender(ledger: Ledger, id: string, type: PayLaterType, answer: LenderAnswer): StoredIntent {
  const stored = getIntent(ledger, id)
  const { intent } = stored
  if (!awaitsPayment(intent)) throw wrongState(`A payment that is '${intent.status}' cannot be confirmed.`)
  const paying: StoredIntent = {
    ...stored,
    lenderRefunds: answer === 'approves-but-keeps' ? 'never' : 'slowly',
    intent: { ...intent, payment_method: newId('pm_'), last_payment_error: null, next_action: null },
  }
  if (answer === 'declines')
    return decline(ledger, null, paying, {
      type: 'invalid_request_error',
      code: 'payment_method_provider_decline',
      message: `${pageMethods[type].name} did not approve this purchase.`,
    })
  if (answer !== 'stalls') return authorize(ledger, null, paying)
  const processing = { ...paying, intent: { ...paying.intent, status: 'processing' as const } }
  ledger.intents.put(id, processing, ledger.now().add({ seconds: ledger.stallSeconds }))
  record(ledger, null, null, [['payment_intent.processing', processing.intent]])
  completeSession(ledger, stored.sessionId, processing.intent, null)
  return processing
}

/** Applies the shopper's answer from the challenge page. Outdated answers are ignored. */
export function answerChallenge(ledger: Ledger, id: string, isApproved: boolean): StoredIntent {
  const stored = getIntent(ledger, id)
  if (stored.intent.status !== 'requires_action') return stored
  if (isApproved) return authorize(ledger, null, stored)
  return decline(ledger, null, stored, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message: 'The bank did not get your approval. Try again, or use another card.',
  })
}

/** Authorizes a stalled intent and releases an uncaptured authorization after their time. */
export function intentAlarm(ledger: Ledger, stored: StoredIntent): void {
  if (stored.intent.status === 'processing') authorize(ledger, null, stored)
  else cancel(ledger, null, stored, 'automatic', 'charge.expired')
}

/** Returns the resulting intent after a stalling card's delay. */
export async function whenSettled(ledger: Ledger, id: string): Promise<Stripe.PaymentIntent> {
  const { intent } = getIntent(ledger, id)
  if (intent.status !== 'processing') return intent
  const waiting = ledger.waiting.get(id) ?? Promise.withResolvers<void>()
  ledger.waiting.set(id, waiting)
  await waiting.promise
  return getIntent(ledger, id).intent
}

/**
 * Captures `amount` cents, by default all. Releases the rest of the authorization because there is only one capture.
 */
export function captureIntent(ledger: Ledger, cause: Cause, id: string, amount: number | undefined): StoredIntent {
  const stored = getIntent(ledger, id)
  const { intent, card } = stored
  if (intent.status !== 'requires_capture') throw wrongState(`A payment that is '${intent.status}' cannot be captured.`)
  const captured = amount ?? intent.amount_capturable
  if (captured < 1 || captured > intent.amount_capturable) {
    throw refusedParameter(
      'amount_to_capture',
      'amount_too_large',
      `Between 1 and ${intent.amount_capturable} cents can be captured.`,
    )
  }
  const charge = moveCharge(ledger, releaseCharge(ledger, intent, captured))
  const succeeded = keep(
    ledger,
    { ...stored, intent: { ...intent, status: 'succeeded', amount_capturable: 0, amount_received: captured } },
    // The card's owner disputes the payment immediately.
    card?.behavior.kind === 'disputes' ? ledger.now() : null,
  )
  record(ledger, cause, card, [
    ['charge.captured', charge],
    ['payment_intent.succeeded', succeeded.intent],
  ])
  return succeeded
}

export function cancelIntent(ledger: Ledger, cause: Cause, id: string, reason: string | null): StoredIntent {
  const stored = getIntent(ledger, id)
  const { status } = stored.intent
  if (!awaitsPayment(stored.intent) && status !== 'requires_capture')
    throw wrongState(`A payment that is '${status}' cannot be canceled.`)
  if (stored.sessionId !== null && status !== 'requires_capture')
    throw wrongState('This payment belongs to a page. Expire the page instead.')
  return cancel(ledger, cause, stored, reason, 'charge.refunded')
}

/** Cancels the payment of a closing page, if it is unpaid. */
export function abandonIntent(ledger: Ledger, cause: Cause, id: string): void {
  const stored = getIntent(ledger, id)
  if (awaitsPayment(stored.intent)) cancel(ledger, cause, stored, 'abandoned', 'charge.refunded')
}

function awaitsPayment({ status }: Stripe.PaymentIntent): boolean {
  return status === 'requires_payment_method' || status === 'requires_confirmation' || status === 'requires_action'
}

function refuseAmount(amount: number): void {
  if (amount < 50) throw refusedParameter('amount', 'amount_too_small', 'The smallest amount is 50 cents.')
  if (amount > 99_999_999) throw refusedParameter('amount', 'amount_too_large', 'The largest amount is 99999999 cents.')
}

function mergedMetadata(old: Record<string, string>, change: Record<string, string> | ''): Record<string, string> {
  if (change === '') return {}
  return Object.fromEntries(Object.entries({ ...old, ...change }).filter(([, value]) => value !== ''))
}

function keep(ledger: Ledger, stored: StoredIntent, dueAt: Temporal.Instant | null = null): StoredIntent {
  ledger.intents.put(stored.intent.id, stored, dueAt)
  return stored
}

function authorize(ledger: Ledger, cause: Cause, stored: StoredIntent): StoredIntent {
  const { intent, card, sessionId } = stored
  const isCaptured = intent.capture_method !== 'manual'
  const { holdHours } = pageMethods[payLaterOf(intent) ?? 'card']
  const made = chargeFor(ledger, intent, card, { status: 'succeeded', isCaptured })
  const charge = isCaptured ? moveCharge(ledger, made) : made
  const authorized: StoredIntent = {
    ...stored,
    intent: {
      ...intent,
      status: isCaptured ? 'succeeded' : 'requires_capture',
      amount_capturable: isCaptured ? 0 : intent.amount,
      amount_received: isCaptured ? intent.amount : 0,
      latest_charge: charge.id,
      next_action: null,
      last_payment_error: null,
    },
  }
  keep(ledger, authorized, isCaptured ? null : ledger.now().add({ hours: holdHours }))
  const { customer, payment_method: methodId } = intent
  if (card && typeof methodId === 'string' && !ledger.methods.get(methodId)) {
    const isSaved = intent.setup_future_usage !== null && typeof customer === 'string'
    createMethod(ledger, cause, card, isSaved ? customer : null, methodId)
  }
  record(ledger, cause, card, [
    ['charge.succeeded', charge],
    [isCaptured ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable_updated', authorized.intent],
  ])
  completeSession(ledger, sessionId, authorized.intent, card)
  ledger.waiting.get(intent.id)?.resolve()
  ledger.waiting.delete(intent.id)
  return authorized
}

function decline(
  ledger: Ledger,
  cause: Cause,
  stored: StoredIntent,
  error: Stripe.PaymentIntent.LastPaymentError,
): StoredIntent {
  const { intent, card } = stored
  const charge = chargeFor(ledger, intent, card, {
    status: 'failed',
    code: error.code ?? '',
    message: error.message ?? '',
  })
  const declined = keep(ledger, {
    ...stored,
    intent: {
      ...intent,
      status: 'requires_payment_method',
      payment_method: null,
      latest_charge: charge.id,
      next_action: null,
      last_payment_error: { ...error, charge: charge.id, payment_method_type: payLaterOf(intent) ?? 'card' },
    },
  })
  record(ledger, cause, card, [
    ['charge.failed', charge],
    ['payment_intent.payment_failed', declined.intent],
  ])
  return declined
}

function cancel(
  ledger: Ledger,
  cause: Cause,
  stored: StoredIntent,
  reason: string | null,
  chargeEvent: 'charge.expired' | 'charge.refunded',
): StoredIntent {
  const { intent, card } = stored
  const charge = intent.status === 'requires_capture' ? releaseCharge(ledger, intent, 0) : null
  const canceled = keep(ledger, {
    ...stored,
    intent: {
      ...intent,
      status: 'canceled',
      amount_capturable: 0,
      canceled_at: unixSeconds(ledger.now()),
      cancellation_reason: reason,
      next_action: null,
    },
  })
  const happenings: [Stripe.Event.Type, object][] = [['payment_intent.canceled', canceled.intent]]
  record(ledger, cause, card, charge ? [[chargeEvent, charge], ...happenings] : happenings)
  return canceled
}
