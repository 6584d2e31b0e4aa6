import { requireCart } from '#app/views/checkout.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { pageTypeOf, ruleOf, type ChargedMethod } from '#domain/payments/payments/payments.ts'
import { refreshPayment } from '#domain/payments/payments/payments.server.ts'
import type { Route } from './+types/payment-return.ts'

/**
 * The provider's return URL. The result in the URL isn't trusted, so the loader checks with the provider. If the charge
 * isn't authorized, redirects to the payment page. The same applies if another charge has replaced it. If the provider
 * isn't reachable, that page checks again, because the shopper may already have paid.
 */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { app, cart } = await requireCart(context)
  const refreshed = await refreshPayment(app, { cartId: cart.id })
  const payment = refreshed.ok ? refreshed.value?.payment : undefined
  const visit = url.searchParams.get('payment')
  const isThisVisit = visit === null || visit === payment?.id
  if (payment?.state === 'authorized' && isThisVisit) return seeOther(paths.orderSummary())
  const method = payment?.method ?? (cart.paymentMethod === 'net-terms' ? 'card' : cart.paymentMethod)
  return seeOther(nextPage(method, { isUnconfirmed: !refreshed.ok }))
}

function nextPage(method: ChargedMethod, { isUnconfirmed }: { isUnconfirmed: boolean }): string {
  const entry = ruleOf(method)?.entry
  if (isUnconfirmed && entry !== undefined && entry !== 'wallet') return paths.unconfirmedPayment(pageTypeOf(method))
  // Where the shopper can choose another payment method.
  return entry === 'page' ? paths.checkoutPayments() : paths.checkoutPayment(pageTypeOf(method))
}
