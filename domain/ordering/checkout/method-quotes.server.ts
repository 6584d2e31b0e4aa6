/** The price of a cart by each payment method, as each method charges it. */
import type { Cart, CartPaymentMethod } from '#domain/payments/cart/cart.ts'
import { quoteCart, type CartQuote, type QuoteDeps, type QuoteOptions } from './quote.server.ts'
import { offerTender } from '#domain/catalog/payment-offers/payment-offers.server.ts'

/**
 * Quotes `cart` for each of `methods` with `quoteCart`, the function that also prices the charge. Methods with the same
 * offer share a quote, so a cart costs one quote and one more for each running offer.
 */
export async function quoteByMethod(
  deps: QuoteDeps,
  cart: Cart,
  {
    contact,
    methods,
    shop,
  }: {
    contact: Parameters<typeof quoteCart>[2]
    methods: readonly CartPaymentMethod[]
    shop?: QuoteOptions['shop']
  },
): Promise<ReadonlyMap<CartPaymentMethod, CartQuote>> {
  const accountId = await deps.buyer.accountId()
  const quotes = new Map<string, CartQuote>()
  const byMethod = new Map<CartPaymentMethod, CartQuote>()
  for (const method of methods) {
    const offer = JSON.stringify(await offerTender(deps, { id: cart.id, paymentMethod: method }, accountId))
    const quote = quotes.get(offer) ?? (await quoteCart(deps, cart, contact, { shop, method }))
    quotes.set(offer, quote)
    byMethod.set(method, quote)
  }
  return byMethod
}
