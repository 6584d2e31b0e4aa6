/**
 * A sample order before the store opens. A catalog tire is quoted with tax at a shop, with arrival day and available
 * time there, through the shopper pages' use cases. No order is placed. Its cart is emptied, and expires like other
 * abandoned carts.
 */
import type { Calendars } from '#domain/scheduling/booking/booking.server.ts'
import { addToCart, readCart, setQuantity } from '#domain/payments/cart/cart.server.ts'
import { listShopChoices } from '#domain/ordering/checkout/checkout.server.ts'
import { selectSamples, type Sample } from './sample-order.sql.server.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { formatCents } from '#platform/money.ts'

export type SampleDeps = Parameters<typeof listShopChoices>[0] &
  Parameters<typeof addToCart>[0] & { calendars: Calendars }

/** What the sample came to, in words. */
type Quoted = { words: string }

/**
 * Quotes a sample order. Refuses with `no-sample` and the attempts, if no tire in stock can be installed at a shop
 * within the bookable days.
 */
export async function quoteSample(deps: SampleDeps): Promise<Outcome<Quoted, Refused<'no-sample', { words: string }>>> {
  const samples = await selectSamples(deps.db)
  if (samples.length === 0) return refused('no-sample', { words: 'No shop is open for appointments yet.' })
  for (const sample of samples) {
    const words = await quoteAt(deps, sample)
    if (words !== undefined) return ok({ words })
  }
  const tried = [...new Set(samples.map(({ shop }) => shop))].join(', ')
  return refused('no-sample', {
    words: `No tire in stock has a price, an arrival day and a free time at ${tried}. Check their hours, prices and bays.`,
  })
}

/** Returns a tire's price at the nearest shop with an available time. Returns undefined if the shop isn't found. */
async function quoteAt(deps: SampleDeps, { itemId, quantity, zip, kind }: Sample): Promise<string | undefined> {
  const added = await addToCart(deps, {
    cartId: undefined,
    lines: [{ itemId, quantity, axle: 'all' }],
    zip,
    vehicle: null,
  })
  if (!added.ok) return undefined
  const { cartId } = added.value
  try {
    const cart = await readCart(deps, cartId)
    const choices = cart && (await listShopChoices(deps, cart, { zip, kind }))
    if (!choices?.ok) return undefined
    const choice = choices.value.find(({ arrivesOn, openings }) => arrivesOn !== null && openings.length > 0)
    return choice && `${choice.shop.name}: ${formatCents(choice.totalCents)} with tax, arrives ${choice.arrivesOn}`
  } finally {
    await setQuantity(deps, cartId, { itemId, axle: 'all', quantity: 0 })
  }
}
