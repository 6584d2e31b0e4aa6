/** The buyers, each with a payment method, a fulfillment, and an outcome. */
import { setTimeout as later } from 'node:timers/promises'
import { callApi, enterContact, succeed } from '#tests/support/order-by-api.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'
import type { Random } from '../../faults/random.ts'
import { isOutage } from './life.ts'
import { deliveries, type Delivery } from './deliveries.ts'
import type { Place } from './place.ts'
import { ways, type Buyer, type Way } from './ways.ts'

/** What a buyer does later, and how many of a thousand. */
const fates = {
  kept: 845,
  canceled: 50,
  returned: 40,
  'partly refunded': 20,
  'claims a lower price': 15,
  disputed: 10,
  late: 20,
} as const
export type Fate = keyof typeof fates

export type Wish = { no: number; way: Way; delivery: Delivery; fate: Fate }

export type Placed = {
  orderId: number
  way: string
  delivery: Delivery['name']
  fate: Fate
  buyer: Buyer
  /** The browser of a guest. */
  visitor: Visitor
  at: Temporal.Instant
}

const financed = ['lease', 'loan', 'store-card']

/** The wish of the month's `no`-th buyer. The first meet every way to pay and every fate. */
export function wishOf(no: number, random: Random): Wish {
  const way = ways[no] ?? shared(ways, random)
  const names = Object.entries(fates).map(([name, share]) => ({ name: name as Fate, share }))
  // A lender pays with the goods that come to its customer.
  const offered = deliveries.filter(({ name }) => !financed.includes(way.name) || name === 'home')
  return { no, way, delivery: shared(offered, random), fate: shared(names, random).name }
}

function shared<One extends { share: number }>(ones: readonly One[], random: Random): One {
  const whole = ones.reduce((sum, { share }) => sum + share, 0)
  let left = random.between(1, whole)
  for (const one of ones) {
    left -= one.share
    if (left <= 0) return one
  }
  throw new RangeError('There is nothing to choose from.')
}

/** Places the order; throws with the store's words where it cannot be. */
export async function buy(place: Place, wish: Wish, random: Random): Promise<Placed> {
  const { store, people, clock } = place
  const { way, no, fate } = wish
  // A company's buyer has one cart per browser, so their purchases are sequential.
  const visitor = way.buyer === 'guest' ? createVisitor() : people[way.buyer]
  const home = random.pick(place.homes)
  const line = { itemId: random.pick(place.items), quantity: 4 }
  if (way.buyer !== 'guest') await emptyCart(place, visitor)
  const made = await callApi(store, visitor, 'POST', '/cart', { lines: [line], zip: home.zip })
  if (made.status >= 300) throw new Error(`cart: ${JSON.stringify(made.body)}`)
  const isThere = await wish.delivery.choose(store, visitor, random)
  if (!isThere) await succeed(store, visitor, 'PUT', '/cart/delivery', { fulfillment: 'home' })
  const email =
    way.buyer === 'on-terms'
      ? 'sol@example.com'
      : way.buyer === 'at-resolve'
        ? 'felix@example.com'
        : `buyer${no}@example.com`
  await enterContact(store, visitor, {
    firstName: 'Robin',
    lastName: 'Hale',
    address1: `${100 + no} N Halsted St`,
    city: home.city,
    state: home.state,
    zip: home.zip,
    phone: '(312) 555-0142',
    phoneType: 'mobile',
    vehicleNote: 'A blue sedan',
    email,
  })
  await succeed(store, visitor, 'PUT', '/cart/billing', {
    sameAsShipping: '1',
    poNumber: way.buyer === 'guest' ? '' : way.buyer === 'on-terms' ? `MER-${1_000 + (no % 9_000)}` : `GD-${no}`,
  })
  await way.pay(store, visitor)
  const { agreedPrice } = (await succeed(store, visitor, 'GET', '/cart/price')) as { agreedPrice: string }
  const terms = { agreedPrice, termsAccepted: true, conditionsAccepted: true }
  const { orderId } = await press(() => succeed(store, visitor, 'POST', '/orders', terms))
  const delivery = isThere ? wish.delivery.name : 'home'
  return { orderId, way: way.name, delivery, fate, buyer: way.buyer, visitor, at: clock.now() }
}

/** Retries without a response or on request. Repeats still place one order. */
async function press(order: () => Promise<unknown>): Promise<{ orderId: number }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await order()) as { orderId: number }
    } catch (error) {
      if (!isOutage(error) || attempt === 40) throw error
      await later(500)
    }
  }
}

/** What an interrupted visit left in the cart. */
async function emptyCart({ store }: Place, visitor: Visitor): Promise<void> {
  const { status, body } = await callApi(store, visitor, 'GET', '/cart')
  const { lines = [] } = status < 300 ? (body as { lines?: { itemId: number; axle: string }[] }) : {}
  await callApi(store, visitor, 'DELETE', '/cart/payment')
  for (const { itemId, axle } of lines) {
    const etag = (await callApi(store, visitor, 'GET', '/cart')).headers.get('etag') ?? ''
    await fetch(`${store.origin}/api/cart/lines/${itemId}/${axle}`, {
      method: 'DELETE',
      headers: { cookie: visitor.cookieFor(store.origin), origin: store.origin, 'if-match': etag },
    })
  }
}
