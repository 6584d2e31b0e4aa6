/** `GET /cart/contents`: the visitor's cart as JSON, with the specification's names. */
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { findHold } from '#domain/scheduling/booking/booking.server.ts'
import { toCartAppointment } from '#domain/scheduling/booking/booking.ts'
import { cartContents, findCart } from '#domain/payments/cart/cart.server.ts'
import { atLatestZip } from '#domain/payments/cart/cart.ts'
import { chargedPrices } from '#domain/ordering/checkout/checkout.ts'
import { quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { coverageCents } from '#domain/catalog/offers/offers.ts'
import type { Route } from './+types/cart-contents.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const visitor = context.get(visitorContext)
  const cart = await findCart(app, visitor.cartId)
  if (!cart)
    return Response.json(
      { code: 'no-cart', message: 'Your cart is empty.', statusCode: 404, data: null },
      { status: 404 },
    )
  const [hold, { contact }] = await Promise.all([findHold(app, cart.id), readDetails(app, cart.id)])
  const quote = await quoteCart(app, atLatestZip(cart, visitor), contact)
  const shippingCents = quote.breakdown?.lines.find((line) => line.kind === 'shipping')?.grossCents ?? 0
  const chargedOf = chargedPrices(cart.lines, quote.breakdown, app.businessTerms.current)
  const appointment =
    hold && quote.shop && quote.shop.id === hold.shopId ? toCartAppointment(hold, quote.shop.code) : null
  return Response.json(
    cartContents(cart, {
      unitCents: (line) => chargedOf(line).unitCents,
      coverageCents: (unitCents) => coverageCents(unitCents, app.businessTerms.current),
      shippingCents,
      appointment,
    }),
  )
}
