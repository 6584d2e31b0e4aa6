/** Paying later, on the terms of the company that an account buys for. */
import type { Cart } from '#domain/cart/cart.ts'
import { setPaymentMethod } from '#domain/cart/cart.server.ts'
import { findCreditLine } from '#domain/invoices/invoices.server.ts'
import { grantInvoice, type CreditLine, type TermsRefusal } from '#domain/invoices/invoices.ts'
import { voidPayment } from '#domain/payments/payments.server.ts'
import type { PaymentProvider } from '#domain/payments/payment-provider.port.ts'
import type { Buyer } from '#domain/price-tiers/price-tiers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import type { Outcome } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; buyer: Pick<Buyer, 'priceTier'> }

/**
 * The terms of this visitor's company with what is left of them; null for who buys for none, or for one that pays when
 * it orders.
 */
export async function readCreditLine(deps: Deps): Promise<CreditLine | null> {
  const { companyId } = await deps.buyer.priceTier()
  return companyId === null ? null : findCreditLine(deps, companyId)
}

/**
 * Has the cart paid on net terms when `dueCents` may be; a charge that was begun is let go. Else the cart is left as it
 * is.
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

/** Has the cart paid by card. */
export function payByCard(deps: Pick<Deps, 'db' | 'clock'>, cart: Pick<Cart, 'id'>): Promise<void> {
  return setPaymentMethod(deps, cart.id, 'card')
}
