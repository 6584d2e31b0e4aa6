/** Tests that a held time's shop, length, and delivery date are still valid at submission. */
import { expect, test } from 'vitest'
import { findHold, releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import { setQuantity } from '#domain/payments/cart/cart.server.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { chooseFulfillment, placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { agreeToServices, type ReadyCart } from './ready-cart.ts'
import { openScenario, type Scenario } from './scenario.ts'

test('a time at a shop other than the tires’ destination is not valid', async () => {
  await using scenario = await openScenario()
  const cart = await installedCart(scenario)
  const others = await scenario.db
    .selectFrom('shop')
    .select('id')
    .where('kind', '=', 'shop')
    .where('state', '=', 'IL')
    .where('id', '<>', await scenario.shopNearby())
    .execute()
  // Two tabs: one chooses the first shop while the other holds a time at the second.
  await chooseFulfillment(scenario.app, (await readCart(scenario.app, cart.cartId)) ?? never(), {
    fulfillment: 'shop',
    shopId: others[0]?.id ?? 0,
  })
  await expectRefused(scenario, await agreed(scenario, cart), 'no-hold')
})

test('tires that now ship from farther away and arrive after the appointment are not promised for it', async () => {
  await using scenario = await openScenario()
  const cart = await installedCart(scenario)
  const before = await findHold(scenario.app, cart.cartId)
  await scenario.db.updateTable('warehouse').set({ latitude: 21.3, longitude: -157.9 }).where('id', '=', 1).execute()
  await scenario.db
    .updateTable('shop')
    .set({ receiving_minutes: 2_000 })
    .where('id', '=', before?.shopId ?? 0)
    .execute()
  await expectRefused(scenario, await agreed(scenario, cart), 'too-soon')
})

test('a time too short for tires added since is not kept', async () => {
  await using scenario = await openScenario()
  const cart = await installedCart(scenario)
  const [line] = (await readCart(scenario.app, cart.cartId))?.lines ?? []
  await setQuantity(scenario.app, cart.cartId, { itemId: line?.itemId ?? 0, axle: 'all', quantity: 8 })
  await expectRefused(scenario, await agreed(scenario, cart), 'too-short')
})

test('a shopper who released the time sees that, not that it was taken', async () => {
  await using scenario = await openScenario()
  const cart = await installedCart(scenario)
  await releaseHold(scenario.app, { cartId: cart.cartId })
  await expectRefused(scenario, cart, 'no-hold')
})

async function installedCart(scenario: Scenario): Promise<ReadyCart> {
  return scenario.prepare({
    lines: [{ itemId: await scenario.stockUp(), quantity: 4, axle: 'all' }],
    zip: '60614',
    install: { shopId: await scenario.shopNearby(), kind: 'shop' },
  })
}

/** The shopper reviews the current cart, and pays for it. */
function agreed(scenario: Scenario, { cartId }: ReadyCart): Promise<ReadyCart> {
  return agreeToServices(scenario.app, cartId, { coverage: false, roadside: false }, scenario.outside.authorize)
}

async function expectRefused(scenario: Scenario, cart: ReadyCart, why: string): Promise<void> {
  expect(await placeOrder(scenario.app, cart.press)).toEqual({ ok: false, reason: 'slot-lost', detail: { why } })
  await scenario.letTimePass()
  expect(await scenario.disagreements()).toEqual([])
}

function never(): never {
  throw new Error('What was just made is gone.')
}
