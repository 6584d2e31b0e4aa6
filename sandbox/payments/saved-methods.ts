/** Customers and the payment methods attached to them: https://docs.stripe.com/payments/save-and-reuse */
import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { cardFingerprint } from './charges.ts'
import { record, unixSeconds, type Cause, type Ledger, type StoredMethod } from './ledger.ts'
import { notFound, PaymentApiRefusal, wrongState } from './refusal.ts'
import { namedCard, type CardOnFile } from './test-cards.ts'

export function createCustomer(
  ledger: Ledger,
  cause: Cause,
  input: { email: string | null; metadata: Record<string, string> },
): Stripe.Customer {
  const customer: Stripe.Customer = {
    id: newId('cus_', 14),
    object: 'customer',
    balance: 0,
    created: unixSeconds(ledger.now()),
    default_source: null,
    description: null,
    email: input.email,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: input.metadata,
    shipping: null,
  }
  ledger.customers.put(customer.id, customer)
  record(ledger, cause, null, [['customer.created', customer]])
  return customer
}

export function getCustomer(ledger: Ledger, id: string): Stripe.Customer {
  const customer = ledger.customers.get(id)
  if (!customer) throw notFound('customer', id)
  return customer
}

/** Deletes a customer and detaches all its methods. */
export function deleteCustomer(ledger: Ledger, id: string): Stripe.DeletedCustomer {
  const customer = getCustomer(ledger, id)
  for (const { method } of methodsOf(ledger, id)) detachMethod(ledger, null, method.id)
  ledger.customers.remove(customer.id)
  record(ledger, null, null, [['customer.deleted', customer]])
  return { id, object: 'customer', deleted: true }
}

/** A method for a card, attached to a customer if one is named. */
export function createMethod(
  ledger: Ledger,
  cause: Cause,
  card: CardOnFile,
  customerId: string | null,
  id = newId('pm_'),
): StoredMethod {
  const method: Stripe.PaymentMethod = {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: { city: null, country: 'US', line1: null, line2: null, postal_code: card.zip, state: null },
      email: null,
      name: null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: card.zip ? 'pass' : null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: cardFingerprint(card),
      funding: 'credit',
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: null,
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: unixSeconds(ledger.now()),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  const stored: StoredMethod = { method, card }
  ledger.methods.put(id, stored)
  return customerId === null ? stored : attachMethod(ledger, cause, id, customerId)
}

/** The method of an id, or of the name of a test card, which makes a new one. */
export function getMethod(ledger: Ledger, id: string): StoredMethod {
  const named = namedCard(id, ledger.now())
  if (named) return createMethod(ledger, null, named, null)
  const stored = ledger.methods.get(id)
  if (!stored) throw notFound('payment method', id)
  return stored
}

/** Attaches a payment method. Refuses a card that its bank declines here, like Stripe. */
export function attachMethod(ledger: Ledger, cause: Cause, id: string, customerId: string): StoredMethod {
  getCustomer(ledger, customerId)
  const stored = getMethod(ledger, id)
  if (stored.method.customer !== null && stored.method.customer !== customerId)
    throw wrongState('The payment method is attached to another customer.', 'payment_method_unexpected_state')
  if (stored.isDetached)
    throw wrongState('A detached payment method cannot be attached again.', 'payment_method_unexpected_state')
  const { behavior } = stored.card
  if (behavior.kind === 'declines' && !behavior.attaches)
    throw new PaymentApiRefusal(402, {
      type: 'card_error',
      code: behavior.code,
      decline_code: behavior.declineCode,
      message: behavior.message,
    })
  const attached: StoredMethod = { ...stored, method: { ...stored.method, customer: customerId } }
  ledger.methods.put(attached.method.id, attached)
  record(ledger, cause, null, [['payment_method.attached', attached.method]])
  return attached
}

/** Detaches a payment method permanently. It can't be charged or attached again. */
export function detachMethod(ledger: Ledger, cause: Cause, id: string): Stripe.PaymentMethod {
  const stored = getMethod(ledger, id)
  if (stored.method.customer === null)
    throw wrongState('The payment method is not attached to a customer.', 'payment_method_unexpected_state')
  const method = { ...stored.method, customer: null }
  ledger.methods.put(id, { ...stored, method, isDetached: true })
  record(ledger, cause, null, [['payment_method.detached', method]])
  return method
}

/** The methods of a customer, newest first. */
export function methodsOf(ledger: Ledger, customerId: string): StoredMethod[] {
  return ledger.methods.listWhere('methodCustomer', customerId).toReversed()
}
