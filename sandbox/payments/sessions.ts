import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { abandonIntent, confirmByLender, confirmIntent, createIntent, type LenderAnswer } from './intents.ts'
import {
  record,
  unixSeconds,
  type Cause,
  type Ledger,
  type SessionIntentParams,
  type SessionLine,
  type StoredSession,
} from './ledger.ts'
import { fittingMethods, pageMethods, type PageMethodType, type PayLaterType } from './page-methods.ts'
import { notFound, refusedParameter, wrongState } from './refusal.ts'
import type { CardOnFile } from './test-cards.ts'

export type NewSession = {
  lines: SessionLine[]
  successUrl: string
  cancelUrl: string | null
  clientReferenceId: string | null
  customerEmail: string | null
  customer?: string | null
  metadata: Record<string, string>
  /** Unix seconds; a day from now if undefined. */
  expiresAt: number | undefined
  intentParams: SessionIntentParams
}

/**
 * Opens a hosted payment page over `lines`. The payment intent is created when the shopper first pays, as at Stripe.
 */
export function createSession(ledger: Ledger, input: NewSession): StoredSession {
  const total = totalOf(input.lines)
  const now = unixSeconds(ledger.now())
  const expiresAt = input.expiresAt ?? now + 24 * 3600
  if (expiresAt < now + 30 * 60 || expiresAt > now + 24 * 3600) {
    throw refusedParameter('expires_at', 'parameter_invalid', 'A page can be open for 30 minutes to 24 hours.')
  }
  const methods = methodsOf(input.intentParams, total)
  const id = newId('cs_test_', 40)
  const session: Stripe.Checkout.Session = {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: input.intentParams.methods,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: input.cancelUrl,
    client_reference_id: input.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: input.customer ?? null,
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: null,
    customer_email: input.customerEmail,
    discounts: [],
    expires_at: expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: input.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: methods,
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: input.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${ledger.publicOrigin}/pay/${id}`,
    wallet_options: null,
  }
  const stored: StoredSession = {
    session,
    lines: input.lines,
    intentParams: { ...input.intentParams, methods },
  }
  ledger.sessions.put(id, stored, Temporal.Instant.fromEpochMilliseconds(expiresAt * 1000))
  return stored
}

/** Refuses what no payment can be. */
function totalOf(lines: readonly SessionLine[]): number {
  const total = lines.reduce((sum, line) => sum + line.unitAmount * line.quantity, 0)
  if (total < 50 || total > 99_999_999) {
    throw refusedParameter(
      'line_items',
      total < 50 ? 'amount_too_small' : 'amount_too_large',
      'The total must be between 50 and 99999999 cents.',
    )
  }
  return total
}

/** What of the allowed methods fits; refuses a method without what it needs. */
function methodsOf({ methods, shipping }: SessionIntentParams, total: number): PageMethodType[] {
  const fitting = fittingMethods(methods, total)
  if (fitting.some((type) => pageMethods[type].takesAddress) && !shipping)
    throw refusedParameter(
      'payment_intent_data[shipping]',
      'parameter_missing',
      'This method needs a shipping address.',
    )
  return fitting
}

export function getSession(ledger: Ledger, id: string): StoredSession {
  const stored = ledger.sessions.get(id)
  if (!stored) throw notFound('checkout session', id)
  return stored
}

/** The pages, at most one, on which an intent is paid. */
export function sessionsOfIntent(ledger: Ledger, intentId: string): Stripe.Checkout.Session[] {
  const sessionId = ledger.intents.get(intentId)?.sessionId
  const stored = sessionId ? ledger.sessions.get(sessionId) : undefined
  return stored ? [stored.session] : []
}

/** Closes an open page to payment. A payment started on it is canceled. */
export function expireSession(ledger: Ledger, cause: Cause, id: string): StoredSession {
  const stored = getSession(ledger, id)
  if (stored.session.status !== 'open')
    throw wrongState(`A page that is '${stored.session.status}' cannot be expired.`, 'resource_invalid_state')
  const expired: StoredSession = { ...stored, session: { ...stored.session, status: 'expired', url: null } }
  ledger.sessions.put(id, expired, null)
  if (typeof stored.session.payment_intent === 'string') abandonIntent(ledger, cause, stored.session.payment_intent)
  record(ledger, cause, null, [['checkout.session.expired', expired.session]])
  return expired
}

/** Pays on the page. Returns the intent with the resulting status. Stores `email` for the receipt. */
export function payOnPage(ledger: Ledger, id: string, card: CardOnFile, email: string | null): Stripe.PaymentIntent {
  const intentId = beginOnPage(ledger, id, email)
  return confirmIntent(ledger, null, intentId, card, `${ledger.publicOrigin}/pay/${id}/return`).intent
}

/** Applies a lender's answer on its page; the intent's status is the result. */
export function answerOnPage(
  ledger: Ledger,
  id: string,
  type: PayLaterType,
  answer: LenderAnswer,
): Stripe.PaymentIntent {
  const { intent } = confirmByLender(ledger, beginOnPage(ledger, id, null), type, answer)
  return intent
}

/** The intent that is paid on an open page, created with the first attempt. */
function beginOnPage(ledger: Ledger, id: string, email: string | null): string {
  const stored = getSession(ledger, id)
  const { session, intentParams } = stored
  if (session.status !== 'open') throw wrongState(`A page that is '${session.status}' takes no payment.`)
  const receiptEmail = email ?? intentParams.receiptEmail
  const intentId =
    typeof session.payment_intent === 'string'
      ? session.payment_intent
      : createIntent(ledger, null, {
          amount: session.amount_total ?? 0,
          ...intentParams,
          receiptEmail,
          sessionId: id,
          customer: typeof session.customer === 'string' ? session.customer : null,
        }).intent.id
  const withIntent: StoredSession = {
    ...stored,
    session: { ...session, payment_intent: intentId, customer_email: session.customer_email ?? email },
  }
  ledger.sessions.put(id, withIntent)
  return intentId
}

/** Returns the URL after payment. Like Stripe, it inserts the page's ID into the store's URL. */
export function successUrl({ session }: StoredSession): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}
