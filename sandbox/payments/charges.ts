import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { unixSeconds, type Ledger } from './ledger.ts'
import { pageMethods, payLaterOf } from './page-methods.ts'
import type { CardOnFile } from './test-cards.ts'

type Result = { status: 'succeeded'; isCaptured: boolean } | { status: 'failed'; code: string; message: string }

/** Records one attempt to charge a card for the full amount of `intent`. */
export function chargeFor(
  ledger: Ledger,
  intent: Stripe.PaymentIntent,
  card: CardOnFile | null,
  result: Result,
): Stripe.Charge {
  const isPaid = result.status === 'succeeded'
  const isCaptured = isPaid && result.isCaptured
  const charge: Stripe.Charge = {
    id: newId('ch_'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: {
      address: card && { city: null, country: 'US', line1: null, line2: null, postal_code: card.zip, state: null },
      email: intent.receipt_email,
      name: null,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: 'SIDEWALL',
    captured: isCaptured,
    created: unixSeconds(ledger.now()),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: isPaid ? null : result.code,
    failure_message: isPaid ? null : result.message,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: typeof intent.payment_method === 'string' ? intent.payment_method : null,
    payment_method_details: methodDetails(ledger, intent, card),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: result.status,
    transfer_data: null,
    transfer_group: null,
  }
  ledger.charges.put(charge.id, charge)
  return charge
}

/**
 * Ends an authorization. Captures `capturedAmount` cents and counts the rest as refunded, like Stripe. 0 releases the
 * whole amount.
 */
export function releaseCharge(ledger: Ledger, intent: Stripe.PaymentIntent, capturedAmount: number): Stripe.Charge {
  const charge = latestCharge(ledger, intent)
  const released: Stripe.Charge = {
    ...charge,
    amount_captured: capturedAmount,
    amount_refunded: charge.amount - capturedAmount,
    captured: capturedAmount > 0,
    refunded: capturedAmount === 0,
  }
  ledger.charges.put(charge.id, released)
  return released
}

/** Returns an authorized intent's charge. */
export function latestCharge(ledger: Ledger, intent: Stripe.PaymentIntent): Stripe.Charge {
  const charge = typeof intent.latest_charge === 'string' ? ledger.charges.get(intent.latest_charge) : undefined
  if (!charge) throw new Error(`${intent.id} is ${intent.status} without a charge`)
  return charge
}

function methodDetails(
  ledger: Ledger,
  intent: Stripe.PaymentIntent,
  card: CardOnFile | null,
): Stripe.Charge.PaymentMethodDetails | null {
  if (card) {
    const { holdHours } = pageMethods.card
    const end = intent.capture_method === 'manual' ? ledger.now().add({ hours: holdHours }) : null
    const details = cardDetails(intent.amount, card)
    return { type: 'card', card: end === null ? details : { ...details, capture_before: unixSeconds(end) } }
  }
  switch (payLaterOf(intent)) {
    case undefined:
      return null
    case 'klarna':
      return {
        type: 'klarna',
        klarna: { payer_details: null, payment_method_category: 'pay_in_installments', preferred_locale: 'en-US' },
      }
    case 'affirm':
      return { type: 'affirm', affirm: { transaction_id: null } }
    case 'afterpay_clearpay':
      return { type: 'afterpay_clearpay', afterpay_clearpay: { order_id: null, reference: null } }
  }
}

function cardDetails(amount: number, card: CardOnFile): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: amount,
    authorization_code: null,
    brand: card.brand,
    checks: {
      address_line1_check: card.street ? 'pass' : null,
      address_postal_code_check: card.zip ? 'pass' : null,
      cvc_check: 'pass',
    },
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    fingerprint: cardFingerprint(card),
    funding: 'credit',
    installments: null,
    last4: card.last4,
    mandate: null,
    network: card.brand,
    network_transaction_id: null,
    regulated_status: null,
    three_d_secure: null,
    transaction_link_id: null,
    wallet: walletOf(card),
  }
}

function walletOf({ wallet, last4 }: CardOnFile): Stripe.Charge.PaymentMethodDetails.Card.Wallet | null {
  if (wallet === undefined) return null
  return { type: wallet, dynamic_last4: last4, [wallet]: {} }
}

/** Returns the same fingerprint for the same card, like Stripe. Every test card has unique last digits. */
export function cardFingerprint({ brand, last4 }: CardOnFile): string {
  return createHash('sha256').update(`${brand} ${last4}`).digest('base64url').slice(0, 16)
}
