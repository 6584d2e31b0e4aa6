import { requireCart } from '#app/views/checkout.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { pageTypeOf, ruleOf } from '#domain/payments/payments.ts'
import { refreshPayment } from '#domain/payments/payments.server.ts'
import type { Route } from './+types/payment-return.ts'

/**
 * Where the provider's page returns the shopper. The result in the address is not trusted: the provider is asked.
 * Anything not authorized is explained on the payment page, of cards on their own, including a return from a charge since replaced by another.
 */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { shop, cart } = await requireCart(context)
  const refreshed = await refreshPayment(shop, { cartId: cart.id })
  const payment = refreshed.ok ? refreshed.value?.payment : undefined
  const visit = url.searchParams.get('payment')
  const isThisVisit = visit === null || visit === payment?.id
  if (payment?.state === 'authorized' && isThisVisit) return seeOther(paths.orderSummary())
  const method = payment?.method ?? (cart.paymentMethod === 'net-terms' ? 'card' : cart.paymentMethod)
  // Where the shopper can choose another way at once.
  return seeOther(
    ruleOf(method)?.entry === 'page' ? paths.checkoutPayments() : paths.checkoutPayment(pageTypeOf(method)),
  )
}
