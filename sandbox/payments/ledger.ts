import type Stripe from 'stripe'
import type { Deliveries } from '../deliveries.ts'
import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'
import type { PageMethodType } from './page-methods.ts'
import type { CardOnFile } from './test-cards.ts'

/** The simulated version of Stripe's API. It matches the installed SDK. */
export const apiVersion = '2026-10-28.endive'

/** `sessionId` names the hosted page the intent is paid on. */
export type StoredIntent = {
  intent: Stripe.PaymentIntent
  card: CardOnFile | null
  sessionId: string | null
  /** What its lender does with refunds, for a payment by no card. */
  lenderRefunds?: 'slowly' | 'never'
}
/** An upload, with the key that it came under. */
export type KeptFile = { file: Stripe.File; key: string | null }
/** Relations that Stripe's types can expand are stored as ids. */
export type StoredRefund = {
  refund: Stripe.Refund & { payment_intent: string }
  settlesAs: 'succeeded' | 'failed' | null
}
/** A method and its card; a detached one can never be used again. */
export type StoredMethod = { method: Stripe.PaymentMethod; card: CardOnFile; isDetached?: boolean }
export type SessionLine = { name: string; description: string | null; unitAmount: number; quantity: number }
export type StoredSession = {
  session: Stripe.Checkout.Session
  lines: SessionLine[]
  intentParams: SessionIntentParams
}
export type SessionIntentParams = {
  captureMethod: 'automatic' | 'manual'
  metadata: Record<string, string>
  description: string | null
  receiptEmail: string | null
  methods: PageMethodType[]
  shipping: Stripe.PaymentIntent.Shipping | null
  /** Whether the card is kept for its customer. */
  savesCard: boolean
}
export type StoredEvent = Pick<
  Stripe.Event,
  'id' | 'object' | 'api_version' | 'created' | 'livemode' | 'pending_webhooks' | 'request' | 'type'
> & {
  data: { object: unknown }
  /** The connected account it happened at. */
  account?: string
}

/** The request that caused a change; null for time-based changes. */
export type Cause = { requestId: string; idempotencyKey: string | null } | null

/** The payment provider's state and dependencies. */
export type Ledger = {
  now(): Temporal.Instant
  publicOrigin: string
  stallSeconds: number
  sendsWebhooks: boolean
  store: Store
  deliveries: Deliveries
  intents: Collection<StoredIntent>
  charges: Collection<Stripe.Charge>
  refunds: Collection<StoredRefund>
  sessions: Collection<StoredSession>
  events: Collection<StoredEvent>
  balance: Collection<Stripe.BalanceTransaction>
  disputes: Collection<Stripe.Dispute>
  customers: Collection<Stripe.Customer>
  methods: Collection<StoredMethod>
  setups: Collection<Stripe.SetupIntent>
  files: Collection<KeptFile>
  /** Requests waiting for a stalling card, by intent id. */
  waiting: Map<string, PromiseWithResolvers<void>>
}

export function openLedger(
  parts: Pick<Ledger, 'now' | 'publicOrigin' | 'stallSeconds' | 'sendsWebhooks' | 'store' | 'deliveries'>,
): Ledger {
  return {
    ...parts,
    intents: parts.store.collection('payment-intent'),
    charges: parts.store.collection('charge'),
    refunds: parts.store.collection('refund'),
    sessions: parts.store.collection('checkout-session'),
    events: parts.store.collection('event'),
    balance: parts.store.collection('balance-transaction'),
    disputes: parts.store.collection('dispute'),
    customers: parts.store.collection('customer'),
    methods: parts.store.collection('payment-method'),
    setups: parts.store.collection('setup-intent'),
    files: parts.store.collection('file'),
    waiting: new Map(),
  }
}

/** Unix seconds, as in all of Stripe's timestamps. */
export function unixSeconds(instant: Temporal.Instant): number {
  return Math.floor(instant.epochMilliseconds / 1000)
}

/**
 * Records an event and queues its webhook, in order. For the card that repeats webhooks, each is sent twice, first all
 * in reverse order, and two seconds later all again.
 */
export function record(
  ledger: Ledger,
  cause: Cause,
  card: CardOnFile | null,
  happenings: [Stripe.Event.Type, object][],
): void {
  const now = ledger.now()
  const events = happenings.map(([type, object]): StoredEvent => ({
    id: newId('evt_'),
    object: 'event',
    api_version: apiVersion,
    created: unixSeconds(now),
    livemode: false,
    pending_webhooks: ledger.sendsWebhooks ? 1 : 0,
    request: cause && { id: cause.requestId, idempotency_key: cause.idempotencyKey },
    type,
    data: { object },
  }))
  for (const event of events) ledger.events.put(event.id, event)

  const enqueue = (event: StoredEvent, dueAt: Temporal.Instant) =>
    ledger.deliveries.enqueue('payments', { about: event.id, type: event.type, body: event, dueAt })
  if (card?.behavior.kind === 'repeats-webhooks') {
    for (const event of events.toReversed()) enqueue(event, now)
    for (const event of events) enqueue(event, now.add({ seconds: 2 }))
  } else {
    for (const event of events) enqueue(event, now)
  }
}
