/** What was promised with a time must hold when the button is pressed: the same shop, long enough for these tires, and the tires there before the car. */
import { expect, test } from 'vitest'
import { findHold, releaseHold } from '#domain/booking/booking.server.ts'
import { setQuantity } from '#domain/cart/cart.server.ts'
import { readCart } from '#domain/cart/cart.server.ts'
import { chooseFulfillment, placeOrder } from '#domain/checkout/checkout.server.ts'
import { agreeToServices, type ReadyCart } from './ready-cart.ts'
import { openWorld, type World } from './world.ts'

test('a time at another shop than the one the tires go to is no time', async () => {
  await using world = await openWorld()
  const cart = await installedCart(world)
  const others = await world.db
    .selectFrom('shop')
    .select('id')
    .where('kind', '=', 'shop')
    .where('state', '=', 'IL')
    .where('id', '<>', await world.shopNearby())
    .execute()
  // Two tabs: one keeps the first shop while the other holds a time at the second.
  await chooseFulfillment(world.shop, (await readCart(world.shop, cart.cartId)) ?? never(), { fulfillment: 'shop', shopId: others[0]?.id ?? 0 })
  await expectRefused(world, await agreed(world, cart), 'no-hold')
})

test('tires that have to come from farther away now, after the appointment, are not promised for it', async () => {
  await using world = await openWorld()
  const cart = await installedCart(world)
  const before = await findHold(world.shop, cart.cartId)
  await world.db.updateTable('warehouse').set({ latitude: 21.3, longitude: -157.9 }).where('id', '=', 1).execute()
  await world.db
    .updateTable('shop')
    .set({ receiving_minutes: 2_000 })
    .where('id', '=', before?.shopId ?? 0)
    .execute()
  await expectRefused(world, await agreed(world, cart), 'too-soon')
})

test('a time that is too short for the tires that were added since is not kept', async () => {
  await using world = await openWorld()
  const cart = await installedCart(world)
  const [line] = (await readCart(world.shop, cart.cartId))?.lines ?? []
  await setQuantity(world.shop, cart.cartId, { itemId: line?.itemId ?? 0, axle: 'all', quantity: 8 })
  await expectRefused(world, await agreed(world, cart), 'too-short')
})

test('who gave the time up is told so, and not that somebody else took it', async () => {
  await using world = await openWorld()
  const cart = await installedCart(world)
  await releaseHold(world.shop, { cartId: cart.cartId })
  await expectRefused(world, cart, 'no-hold')
})

async function installedCart(world: World): Promise<ReadyCart> {
  return world.prepare({
    lines: [{ itemId: await world.stockUp(), quantity: 4, axle: 'all' }],
    zip: '60614',
    install: { shopId: await world.shopNearby(), kind: 'shop' },
  })
}

/** The shopper looks at the cart as it is, and pays for it. */
function agreed(world: World, { cartId }: ReadyCart): Promise<ReadyCart> {
  return agreeToServices(world.shop, cartId, { coverage: false, roadside: false }, world.outside.authorize)
}

async function expectRefused(world: World, cart: ReadyCart, why: string): Promise<void> {
  expect(await placeOrder(world.shop, cart.press)).toEqual({ ok: false, reason: 'slot-lost', detail: { why } })
  await world.letTimePass()
  expect(await world.disagreements()).toEqual([])
}

function never(): never {
  throw new Error('What was just made is gone.')
}
