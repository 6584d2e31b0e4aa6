/**
 * Saves a card without paying, with a page in setup mode and its setup intent.
 * https://docs.stripe.com/payments/save-and-reuse
 */
import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { isSameSecret } from '../signature.ts'
import { record, unixSeconds, type Ledger, type StoredSession } from './ledger.ts'
import type { SessionOfCard } from './parameters.ts'
import { notFound, PaymentApiRefusal } from './refusal.ts'
import { createMethod, getCustomer } from './saved-methods.ts'
import { createSession } from './sessions.ts'
import type { CardOnFile } from './test-cards.ts'

/** Opens a page that saves a card for a customer. */
export function createCardSession(ledger: Ledger, params: SessionOfCard): StoredSession {
  const customer = getCustomer(ledger, params.customer).id
  // As a page for a payment, but for what it is for.
  const stored = createSession(ledger, {
    lines: [{ name: 'Card', description: null, unitAmount: 50, quantity: 1 }],
    successUrl: params.success_url,
    cancelUrl: params.cancel_url ?? null,
    clientReferenceId: params.client_reference_id ?? null,
    customerEmail: null,
    customer,
    metadata: params.metadata,
    expiresAt: undefined,
    intentParams: {
      captureMethod: 'automatic',
      metadata: {},
      description: null,
      receiptEmail: null,
      methods: ['card'],
      shipping: null,
      savesCard: true,
    },
  })
  const setup = createSetup(ledger, customer, params.setup_intent_data?.metadata ?? {})
  const session: Stripe.Checkout.Session = {
    ...stored.session,
    mode: 'setup',
    amount_subtotal: null,
    amount_total: null,
    payment_status: 'no_payment_required',
    setup_intent: setup.id,
  }
  const opened = { ...stored, lines: [], session }
  ledger.sessions.put(session.id, opened)
  return opened
}

export function getSetup(ledger: Ledger, id: string): Stripe.SetupIntent {
  const setup = ledger.setups.get(id)
  if (!setup) throw notFound('setup intent', id)
  return setup
}

/** The setup intent a browser may act on with its client secret; undefined if the secret is wrong. */
export function findSetupBySecret(ledger: Ledger, clientSecret: string): Stripe.SetupIntent | undefined {
  const setup = ledger.setups.get(clientSecret.split('_secret_')[0] ?? '')
  return setup && isSameSecret(clientSecret, setup.client_secret ?? '') ? setup : undefined
}

/** Saves a card on its page. The result is saved, refused, or pending the bank's approval. */
export function saveOnPage(ledger: Ledger, { session }: StoredSession, card: CardOnFile): Stripe.SetupIntent {
  const setup = setupOf(ledger, session)
  if (card.behavior.kind === 'challenges') {
    const { method } = createMethod(ledger, null, card, null)
    const asked: Stripe.SetupIntent = {
      ...setup,
      status: 'requires_action',
      payment_method: method.id,
      last_setup_error: null,
      next_action: {
        type: 'redirect_to_url',
        redirect_to_url: {
          url: `${ledger.publicOrigin}/challenge/${setup.client_secret}`,
          return_url: `${ledger.publicOrigin}/pay/${session.id}/return`,
        },
      },
    }
    ledger.setups.put(setup.id, asked)
    return asked
  }
  try {
    const { method } = createMethod(ledger, null, card, idOf(setup.customer))
    return succeed(ledger, session, { ...setup, payment_method: method.id })
  } catch (error) {
    if (!(error instanceof PaymentApiRefusal)) throw error
    return fail(ledger, setup, error.message)
  }
}

/** Applies the shopper's answer from the challenge page. Outdated answers are ignored. */
export function answerSetup(ledger: Ledger, setup: Stripe.SetupIntent, isApproved: boolean): Stripe.SetupIntent {
  if (setup.status !== 'requires_action') return setup
  if (!isApproved) return fail(ledger, setup, 'The bank did not get your approval. Try again, or use another card.')
  const stored = ledger.methods.get(idOf(setup.payment_method))
  const page = ledger.sessions.list({ limit: 10_000 }).find(({ session }) => session.setup_intent === setup.id)
  if (!stored || !page) return setup
  createMethod(ledger, null, stored.card, idOf(setup.customer), stored.method.id)
  return succeed(ledger, page.session, setup)
}

/** The setup intent of a page that saves a card. */
export function setupOf(ledger: Ledger, session: Stripe.Checkout.Session): Stripe.SetupIntent {
  return getSetup(ledger, idOf(session.setup_intent))
}

function createSetup(ledger: Ledger, customer: string, metadata: Record<string, string>): Stripe.SetupIntent {
  const id = newId('seti_')
  const setup: Stripe.SetupIntent = {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: ['card'],
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: newId(`${id}_secret_`),
    created: unixSeconds(ledger.now()),
    customer,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: 'off_session',
  }
  ledger.setups.put(id, setup)
  record(ledger, null, null, [['setup_intent.created', setup]])
  return setup
}

function succeed(ledger: Ledger, session: Stripe.Checkout.Session, setup: Stripe.SetupIntent): Stripe.SetupIntent {
  const done: Stripe.SetupIntent = { ...setup, status: 'succeeded', next_action: null, last_setup_error: null }
  ledger.setups.put(done.id, done)
  const stored = ledger.sessions.get(session.id)
  if (!stored) throw notFound('checkout session', session.id)
  const complete: Stripe.Checkout.Session = { ...stored.session, status: 'complete', url: null }
  ledger.sessions.put(session.id, { ...stored, session: complete }, null)
  record(ledger, null, null, [
    ['setup_intent.succeeded', done],
    ['checkout.session.completed', complete],
  ])
  return done
}

function fail(ledger: Ledger, setup: Stripe.SetupIntent, message: string): Stripe.SetupIntent {
  const failed: Stripe.SetupIntent = {
    ...setup,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_setup_error: { type: 'card_error', message },
  }
  ledger.setups.put(setup.id, failed)
  record(ledger, null, null, [['setup_intent.setup_failed', failed]])
  return failed
}

/** Returns a related object's ID. Stored objects contain only IDs. */
function idOf(related: string | { id: string } | null): string {
  return typeof related === 'string' ? related : (related?.id ?? '')
}
