/** The cart of a Sales Tool account as the quote that would be sent of it. */
import { summaryRows } from '#app/ui/order-summary.tsx'
import { atLatestZip, type Cart } from '#domain/payments/cart/cart.ts'
import { findCart } from '#domain/payments/cart/cart.server.ts'
import {
  listQuotePlaces,
  priceCartAsQuote,
  type QuoteDeps,
  type QuoteProblem,
} from '#domain/ordering/quotes/quotes.server.ts'
import { mostQuoteLines, placeText, readPlace, type QuotePlace } from '#domain/ordering/quotes/quotes.ts'
import type { Visitor } from '#http/visitor.ts'
import { dateText } from '#platform/day-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

/** Quotes always use retail prices, even for accounts with custom prices. */
export function quoteDepsOf(app: Application): Application & QuoteDeps {
  return { ...app, catalog: app.retailCatalog }
}

export const problemTexts: Readonly<Record<QuoteProblem, string>> = {
  'no-tires': 'Your cart is empty.',
  'not-sold': 'A tire in your cart is no longer sold. Remove it.',
  'label-not-theirs': 'These prices are not the customer’s.',
  'no-shop': 'Choose a shop, or delivery to a home.',
  'shop-gone': 'The shop no longer takes orders. Choose another.',
  'shop-cannot': 'The shop does not install these tires. Choose another.',
  'no-warehouse': 'Choose a warehouse.',
  'warehouse-gone': 'The warehouse no longer offers pickup.',
  'warehouse-short': 'The warehouse doesn’t have all the tires.',
  'no-pickup-place': 'Choose a carrier location.',
  'no-zip': 'Set the customer’s ZIP at the top of the page.',
  'zip-unknown': 'We don’t know this ZIP. Set another at the top of the page.',
  'no-delivery': 'We do not deliver to this ZIP.',
  'expiry-past': 'The last day is over.',
  'expiry-far': 'The last day is too far away.',
}

export const tooManyTires = `A quote has at most ${countOf(mostQuoteLines, 'different tire')}. Remove some from your cart.`

/** The open cart of this browser, at the ZIP it gave last. */
export async function cartToQuote(app: Application, visitor: Visitor): Promise<Cart | undefined> {
  const cart = await findCart(app, visitor.cartId)
  return cart && cart.lines.length > 0 ? atLatestZip(cart, visitor) : undefined
}

/** The cart as a quote that goes to `asked`, else to where the cart itself goes; null without tires. */
export async function cartQuoteView(app: Application, visitor: Visitor, asked: string) {
  const cart = await cartToQuote(app, visitor)
  if (!cart) return null
  const deps = quoteDepsOf(app)
  const shops = await listQuotePlaces(deps, cart)
  const place = readPlace(asked.slice(0, 20)) ?? placeOf(cart, shops)
  const quoted = await priceCartAsQuote(deps, cart, place)
  const home = { value: 'home', words: `Delivery to a home${cart.zip === null ? '' : ` in ${cart.zip}`}` }
  const base = {
    place: placeText(place),
    places: [
      ...shops.map(({ shopId, name }) => ({ value: placeText({ fulfillment: 'shop', shopId }), words: name })),
      home,
    ],
  }
  if (!quoted.ok)
    return { ...base, rows: [], seen: 0, problems: [tooManyTires], vehicle: null, tires: [], goodThrough: '' }
  const { priced, content } = quoted.value
  const { breakdown } = priced
  return {
    ...base,
    tires: priced.lines.map(({ itemId, name, quantity, fit }) => ({ itemId, name, quantity, fit: fit?.text ?? null })),
    vehicle: content.vehicle?.name ?? null,
    rows: breakdown ? summaryRows(breakdown.explain) : [],
    seen: breakdown?.totals.totalCents ?? 0,
    problems: priced.problems.map((problem) => problemTexts[problem]),
    goodThrough: dateText(content.goodThrough.toString()),
  }
}
export type CartQuoteView = NonNullable<Awaited<ReturnType<typeof cartQuoteView>>>

function placeOf({ fulfillment }: Cart, shops: readonly { shopId: number }[]): QuotePlace {
  const [first] = shops
  return fulfillment === 'home' || !first
    ? { fulfillment: 'home', shopId: null }
    : { fulfillment: 'shop', shopId: first.shopId }
}
