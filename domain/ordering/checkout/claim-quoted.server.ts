/** What an order does to the quote that it was placed from. */
import type { Cart } from '#domain/payments/cart/cart.ts'
import { recordSeller } from '#domain/ordering/orders/orders.server.ts'
import { claimQuote, findSeller } from '#domain/ordering/quotes/quotes.server.ts'
import type { Tx } from '#platform/db.ts'

/**
 * Uses up a cart's quote, and records on the order which staff member sold it, in the order's transaction. False if the
 * quote's prices ended concurrently.
 */
export async function claimQuoted(
  tx: Tx,
  order: { cart: Pick<Cart, 'quoteId' | 'lines'>; orderId: number; at: Temporal.Instant },
): Promise<boolean> {
  if (!(await claimQuote(tx, order))) return false
  const seller = order.cart.quoteId === null ? null : await findSeller(tx, order.cart.quoteId)
  if (seller !== null) await recordSeller(tx, order.orderId, seller)
  return true
}
