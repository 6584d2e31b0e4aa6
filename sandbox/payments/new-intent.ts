import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { unixSeconds, type Ledger } from './ledger.ts'
import type { PageMethodType } from './page-methods.ts'

export type NewIntent = {
  amount: number
  captureMethod: 'automatic' | 'manual'
  metadata: Record<string, string>
  description: string | null
  receiptEmail: string | null
  customer?: string | null
  /** Whether the card is kept for the customer once it is authorized. */
  savesCard?: boolean
  /** The hosted page the intent is paid on. */
  sessionId?: string
  /** Cards only, if undefined. */
  methods?: PageMethodType[]
  shipping?: Stripe.PaymentIntent.Shipping | null
}

/** Returns an unpaid payment intent with this ID. Doesn't store it. */
export function newIntent(ledger: Ledger, id: string, input: NewIntent): Stripe.PaymentIntent {
  const methods: PageMethodType[] = input.methods ?? ['card']
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: methods,
    amount: input.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: input.captureMethod,
    client_secret: newId(`${id}_secret_`),
    confirmation_method: 'automatic',
    created: unixSeconds(ledger.now()),
    currency: 'usd',
    customer: input.customer ?? null,
    customer_account: null,
    description: input.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: input.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: methods,
    payment_record: null,
    processing: null,
    receipt_email: input.receiptEmail,
    review: null,
    setup_future_usage: input.savesCard ? 'off_session' : null,
    shipping: input.shipping ?? null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  }
}
