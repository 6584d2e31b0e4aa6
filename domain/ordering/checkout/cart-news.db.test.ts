/** Notes about changes that the shopper didn't make, and about offers that a change of the cart removed. */
import { expect, test } from 'vitest'
import { releasedText } from '#content/messages/booking.ts'
import { findHold } from '#domain/scheduling/booking/booking.server.ts'
import { setQuantity } from '#domain/payments/cart/cart.server.ts'
import type { NotKept } from '#domain/scheduling/booking/booking.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { findShownPrice, quoteCart, readCartNews, readChangeNotes, readDetails } from './checkout.server.ts'
import { cartOf, makeReadyCart, must, openTestStore, type TestStore } from './checkout.testing.ts'
import { findReleasedTime, releaseUnusable } from './settle-hold.server.ts'

const [port = 0] = await freePorts(3)

async function quoteNow(store: TestStore, cartId: string) {
  const cart = await cartOf(store, cartId)
  const { breakdown } = await quoteCart(store, cart, (await readDetails(store, cartId)).contact)
  if (!breakdown) throw new Error('The cart of a test has no price.')
  return { cart, breakdown }
}

test.each(['too-soon', 'too-short'] as const)(
  'a time that is %s is released, with the reason as a note',
  async (why) => {
    await using store = await openTestStore(port)
    const { id } = await makeReadyCart(store)
    const held = await findHold(store, id)
    await releaseUnusable(store, id, why)
    const cart = await cartOf(store, id)
    expect(await findHold(store, id)).toBeUndefined()
    const released = await findReleasedTime(store, cart)
    expect(released).toMatchObject({ reason: why, start: held?.start, window: null })
    expect((await readCartNews(store, cart, null)).notes).toEqual([released && releasedText(released)])
  },
)

test.each<NotKept['reason']>(['slot-lost', 'no-hold'])('a time is kept after the refusal %s', async (why) => {
  await using store = await openTestStore(port)
  const { id } = await makeReadyCart(store)
  await releaseUnusable(store, id, why)
  const cart = await cartOf(store, id)
  expect(await findHold(store, id)).toBeDefined()
  expect(await findReleasedTime(store, cart)).toBeUndefined()
  expect((await readCartNews(store, cart, null)).notes).toEqual([])
})

test('fewer tires drop an offer, which is noted until the next change', async () => {
  await using store = await openTestStore(port)
  const { id } = await makeReadyCart(store)
  expect(await findShownPrice(store.db, id)).toBeUndefined()
  const four = await quoteNow(store, id)
  expect(await readCartNews(store, four.cart, four.breakdown)).toEqual({ moves: [], notes: [] })
  const shown = await findShownPrice(store.db, id)
  if (!shown) throw new Error('The price of a test was not stored.')
  expect(shown).toMatchObject({ breakdown: { totals: { totalCents: four.breakdown.totals.totalCents } }, dropped: [] })

  const [line] = four.cart.lines
  must(await setQuantity(store, id, { itemId: line?.itemId ?? 0, axle: 'all', quantity: 2 }))
  const two = await quoteNow(store, id)
  const changed = await readChangeNotes(store, two.cart, { shown, quote: { ...two, notes: ['A note.'] } })
  expect(changed.length).toBeGreaterThan(1)
  expect(changed.at(-1)).toBe('A note.')
  const without = { breakdown: null, notes: [] }
  expect(await readChangeNotes(store, two.cart, { shown, quote: without })).toEqual([])

  const news = await readCartNews(store, two.cart, two.breakdown)
  expect(news.moves.length).toBeGreaterThan(0)
  expect(news.notes).toEqual(changed.slice(0, -1))
  // Shown again without a change, and compared with itself.
  expect(await readCartNews(store, two.cart, two.breakdown)).toEqual({ moves: [], notes: news.notes })
  const again = await findShownPrice(store.db, id)
  if (!again) throw new Error('The price of a test was not stored.')
  expect(again.dropped).toEqual(news.notes)
  expect(await readChangeNotes(store, two.cart, { shown: again, quote: { ...two, notes: [] } })).toEqual(news.notes)
})
