/** A cart that books a service without tires. */
import { readMoney, serviceView } from '#app/views/checkout.server.ts'
import { findChosenTime, releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { findCart, removeService } from '#domain/payments/cart/cart.server.ts'
import { holdText } from '#domain/ordering/orders/orders.ts'
import type { Application } from '#application'

/** What the cart page shows of the service; null for a cart with tires. */
export async function serviceCartView(app: Application, cart: Cart) {
  const service = await serviceView(app, cart)
  if (!service) return null
  const [{ money }, hold] = await Promise.all([readMoney(app, cart), findChosenTime(app, cart.id)])
  return { service, money, time: hold && hold.status !== 'lost' ? holdText(hold.booking) : null }
}

/** Takes the service out of the visitor's open cart, and gives its time back. */
export async function removeServiceOf(app: Application, cartId: string): Promise<void> {
  const cart = await findCart(app, cartId)
  if (!cart || cart.services.length === 0) return
  await releaseHold(app, { cartId, actor: 'customer' })
  await removeService(app.db, { id: cartId, accountId: await app.buyer.accountId() })
}
