/** The charge or invoice that pays for an order to be placed. */
import { findTermsCustomer, readCreditLine } from './net-terms.server.ts'
import type { PlaceOrderDeps, PlaceOrderRefusal } from './place-order.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { grantInvoice, type TermsRefusal } from '#domain/payments/invoices/invoices.ts'
import type { OrderMoney, OrderToCommit } from '#domain/ordering/orders/orders.server.ts'
import { insertTrialCharge, readPaymentStatus } from '#domain/payments/payments/payments.server.ts'
import type { ChargedMethod, Payment } from '#domain/payments/payments/payments.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome } from '#platform/outcome.ts'

/** Writes a sample order's charge in its transaction; undefined for a real order. */
export function trialOf(
  { clock, isTrial }: PlaceOrderDeps,
  cartId: string,
  { money, draft }: Pick<OrderToCommit, 'money' | 'draft'>,
): OrderToCommit['trial'] {
  if (!isTrial || money.by !== 'charge') return undefined
  const amountCents = draft.breakdown.totals.totalCents - draft.creditCents
  return { begin: (tx) => insertTrialCharge(tx, { id: money.paymentId, cartId, amountCents, at: clock.now() }) }
}

/**
 * Returns the cart's charge once its provider has authorized it for exactly the amount due, or an invoice within the
 * credit of its company. A sample order gets a charge that `trialOf` writes.
 */
export async function moneyFor(
  deps: PlaceOrderDeps,
  charge: Payment | undefined,
  { dueCents, method }: { dueCents: number; method: Cart['paymentMethod'] },
): Promise<Outcome<OrderMoney, PlaceOrderRefusal>> {
  if (deps.isTrial) return ok({ by: 'charge', paymentId: newId(), method: 'card' })
  return method === 'net-terms' ? invoiceFor(deps, dueCents) : authorizedCharge(deps, charge, { dueCents, method })
}

async function invoiceFor(deps: PlaceOrderDeps, dueCents: number): Promise<Outcome<OrderMoney, TermsRefusal>> {
  const granted = grantInvoice(await readCreditLine(deps), dueCents)
  return granted.ok ? ok({ by: 'invoice', netDays: granted.value.netDays }) : granted
}

async function authorizedCharge(
  deps: PlaceOrderDeps,
  charge: Payment | undefined,
  { dueCents, method }: { dueCents: number; method: ChargedMethod },
): Promise<Outcome<OrderMoney, PlaceOrderRefusal>> {
  if (!charge) return refused('incomplete', { step: 'payment' })
  // Who left the company does not buy on its terms.
  if (method === 'resolve' && (await findTermsCustomer(deps)) === null)
    return refused('incomplete', { step: 'payment' })
  const payment = await readPaymentStatus(deps, charge)
  if (!payment.ok) return refused('payment-unavailable')
  if (!payment.value) return refused('incomplete', { step: 'payment' })
  if (payment.value.payment.state !== 'authorized')
    return refused('payment-not-authorized', {
      failure: payment.value.failure,
      isProcessing: payment.value.isProcessing,
    })
  // Authorized for another amount or by another method, on which the price may rest, before something changed: back to
  // payment.
  if (payment.value.payment.amountCents !== dueCents || payment.value.payment.method !== method)
    return refused('incomplete', { step: 'payment' })
  return ok({ by: 'charge', paymentId: payment.value.payment.id, method })
}
