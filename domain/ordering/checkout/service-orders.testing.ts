/** Test fixtures for carts and orders of services without tires. */
import { holdSlot, offerTimes } from '#domain/scheduling/booking/booking.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { putService } from '#domain/payments/cart/cart.server.ts'
import { newId } from '#platform/ids.ts'
import { installationFor, placeOrder } from './checkout.server.ts'
import { agreeTo, cartOf, enterDetails, must, payByCard, type TestStore } from './checkout.testing.ts'

/** A cart with a service at the demo's first shop, with a time and everything entered but payment. */
export async function makeServiceCart(store: TestStore, { service = 'rotation', units = 1 } = {}) {
  const shop = await findShop(store, { code: 'SW-00001' })
  if (!shop) throw new Error('The demo has no first shop.')
  const cartId = newId()
  const chosen = { id: cartId, accountId: null, zip: '60614', shopId: shop.id, service, units }
  await putService(store.db, chosen, store.clock.now())
  const work = must(await installationFor(store, await cartOf(store, cartId), shop.id))
  const { days, quote } = must(await offerTimes(store, { ...work, shopId: shop.id }))
  // At least a day ahead, after the cancellation window.
  const start = days
    .slice(2)
    .flatMap(({ times }) => times)
    .find(({ free }) => free)?.start
  if (!start) throw new Error('The demo’s first shop has no time.')
  const booking = must(await holdSlot(store, { cartId, shopId: shop.id, choice: { start }, ...work }))
  await enterDetails(store, cartId)
  const price = shop.servicePrices.find((each) => each.service === service)
  return { cartId, shop, booking, quote, priceCents: price?.priceCents ?? 0, minutes: price?.minutes ?? 0 }
}

/** The order of such a cart, paid by card. */
export async function makeServiceOrder(store: TestStore, chosen: Parameters<typeof makeServiceCart>[1] = {}) {
  const made = await makeServiceCart(store, chosen)
  const { totalCents, ...input } = await agreeTo(store, await cartOf(store, made.cartId))
  await payByCard(store, made.cartId, totalCents)
  const { orderId } = must(await placeOrder(store, input))
  return { ...made, orderId, totalCents, input }
}
