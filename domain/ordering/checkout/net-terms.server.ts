/** Paying on net terms of the company an account buys for. */
import type { Cart } from '#domain/payments/cart/cart.ts'
import { setPaymentMethod } from '#domain/payments/cart/cart.server.ts'
import { findResolveCustomer } from '#domain/customers/companies/companies.server.ts'
import { findCreditLine } from '#domain/payments/invoices/invoices.server.ts'
import { grantInvoice, type CreditLine, type TermsRefusal } from '#domain/payments/invoices/invoices.ts'
import { voidPayment } from '#domain/payments/payments/payments.server.ts'
import type { NetTermsCustomer, NetTermsProvider } from '#domain/payments/payments/net-terms.port.ts'
import type { ChargedMethod } from '#domain/payments/payments/payments.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import type { Outcome } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; buyer: Pick<Buyer, 'priceTier'> }

/**
 * Returns the terms of this visitor's company and the credit left; null without a company, or if it pays when ordering.
 */
export async function readCreditLine(deps: Deps): Promise<CreditLine | null> {
  const { companyId } = await deps.buyer.priceTier()
  return companyId === null ? null : findCreditLine(deps, companyId)
}

/**
 * Sets the cart to net terms if `dueCents` is within them, voiding a charge in progress. Otherwise leaves the cart as
 * it is.
 */
export async function payOnTerms(
  deps: Deps & { payments: PaymentProvider },
  cart: Pick<Cart, 'id'>,
  dueCents: number,
): Promise<Outcome<CreditLine, TermsRefusal>> {
  const granted = grantInvoice(await readCreditLine(deps), dueCents)
  if (!granted.ok) return granted
  await setPaymentMethod(deps, cart.id, 'net-terms')
  await voidPayment(deps, { cartId: cart.id })
  return granted
}

/** The customer that this visitor's company is at Resolve; null without. */
export async function findTermsCustomer(deps: Pick<Deps, 'db' | 'buyer'>): Promise<string | null> {
  const { companyId } = await deps.buyer.priceTier()
  return companyId === null ? null : findResolveCustomer(deps, companyId)
}

/** What Resolve grants a company; `silent` where it did not answer in time. */
export type ProviderTerms = { customerId: string; granted: NetTermsCustomer | 'silent' }

/** Returns the terms Resolve grants this visitor's company, or null if it grants no terms. */
export async function readProviderTerms(
  deps: Pick<Deps, 'db' | 'buyer'> & { netTerms: NetTermsProvider | null },
): Promise<ProviderTerms | null> {
  const customerId = deps.netTerms && (await findTermsCustomer(deps))
  if (!deps.netTerms || customerId === null) return null
  const customer = await deps.netTerms.readCustomer(customerId)
  return { customerId, granted: customer.ok ? customer.value : 'silent' }
}

/** Sets the cart's payment method to a charge with `method`. */
export function payBy(deps: Pick<Deps, 'db' | 'clock'>, cart: Pick<Cart, 'id'>, method: ChargedMethod): Promise<void> {
  return setPaymentMethod(deps, cart.id, method)
}
