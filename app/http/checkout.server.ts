/** What the pages between cart and order share: the cart of this visitor, its price, and how both are shown. */
import type { RouterContextProvider } from 'react-router'
import { shopContext, visitorContext } from '#app/http/context.ts'
import { labelOfPrices, type LabelView } from '#app/http/price-labels.ts'
import type { Visitor } from '#app/http/visitor.ts'
import { seeOther } from '#app/http/safe-redirect.ts'
import { paths } from '#app/paths.ts'
import { creditRows, summaryRows, type SummaryRow } from '#app/ui/order-summary.tsx'
import { tirePictureData } from '#domain/catalog/catalog.server.ts'
import { tireCountOf, type Cart, type CartLine } from '#domain/cart/cart.ts'
import { findCart } from '#domain/cart/cart.server.ts'
import { quoteCart, readDetails, showPrice, type CartQuote, type CartVerdict, type QuoteProblem, type SavedContact } from '#domain/checkout/checkout.server.ts'
import { dayText } from '#domain/orders/orders.ts'
import { pictureKey } from '#domain/pictures/pictures.ts'
import { badZipMessage } from '#domain/places/places.ts'
import type { PriceMove } from '#domain/pricing/pricing.ts'
import { formatCents } from '#platform/money.ts'
import type { Shop } from '#shop'

export type LineView = {
  itemId: number
  axle: CartLine['axle']
  quantity: number
  available: number
  brand: string
  line: string
  size: string
  service: string
  href: string
  unit: string
  /** What the account's price is called. */
  label?: LabelView | undefined
  coverage: boolean
  picture: string
}

export type MoneyView = {
  rows: SummaryRow[]
  /** What the card pays. */
  total: string
  totalCents: number
  /** Named when the price is an estimate at the nearest shop. */
  estimateAt: string | null
  shopName: string | null
  arrivesBy: string | null
  problems: string[]
  moved: { name: string; from: string; to: string }[]
  moves: string[]
  /** What the shopper may have counted on and does not get. */
  notes: string[]
  fingerprint: string | null
}

/** The visitor's open cart, or a redirect to the cart page, which says that it is empty. */
export async function requireCart(context: Readonly<RouterContextProvider>): Promise<{ shop: Shop; cart: Cart }> {
  const shop = context.get(shopContext)
  const cart = await findCart(shop, context.get(visitorContext).cartId)
  if (!cart || cart.lines.length === 0) throw seeOther(paths.cart())
  return { shop, cart: atLatestZip(cart, context.get(visitorContext)) }
}

/** The cart at the ZIP the shopper named last: the header's, which may be newer than the one the cart was made with. */
export function atLatestZip(cart: Cart, visitor: Visitor): Cart {
  return { ...cart, zip: visitor.zip ?? cart.zip }
}

/** The price of the cart for where it goes, remembered as shown, so that the next page can say what moved. */
export async function readMoney(shop: Shop, cart: Cart): Promise<{ quote: CartQuote; contact: SavedContact | null; money: MoneyView }> {
  const { contact } = await readDetails(shop, cart.id)
  const quote = await quoteCart(shop, cart, contact)
  const shown = quote.breakdown ? await showPrice(shop, cart.id, quote.breakdown) : { fingerprint: null, moves: [] as PriceMove[] }
  return { quote, contact, money: moneyView(quote, shown) }
}

export function moneyView(quote: CartQuote, shown: { fingerprint: string | null; moves: readonly PriceMove[] }): MoneyView {
  return {
    rows: quote.breakdown ? [...summaryRows(quote.breakdown.explain), ...creditRows(quote.creditCents, quote.dueCents)] : [],
    total: formatCents(quote.dueCents),
    totalCents: quote.dueCents,
    estimateAt: quote.basis === 'estimate' ? (quote.shop?.name ?? null) : null,
    shopName: quote.shop?.name ?? null,
    arrivesBy: quote.delivery ? dayText(quote.delivery.arrivesOn) : null,
    problems: quote.problems.map(problemText),
    moved: quote.moved.map((price) => ({ name: price.name, from: formatCents(price.fromCents), to: formatCents(price.toCents) })),
    moves: shown.moves.map((move) => move.text),
    notes: quote.notes,
    fingerprint: shown.fingerprint,
  }
}

/** The lines of the cart as a page shows them. */
export async function lineViews(shop: Shop, cart: Cart): Promise<LineView[]> {
  return Promise.all(
    cart.lines.map(async (line) => {
      const picture = await tirePictureData(shop.catalog, line.itemId)
      const { article } = line
      return {
        itemId: line.itemId,
        axle: line.axle,
        quantity: line.quantity,
        available: line.available,
        brand: article.brand,
        line: article.line,
        size: article.size,
        service: article.service,
        href: paths.item(article.brandSlug, article.lineSlug, line.itemId),
        unit: formatCents(line.unitCents),
        label: labelOfPrices([line]),
        coverage: line.coverage,
        picture: picture ? pictureKey(picture) : 'none',
      }
    }),
  )
}

/** The verdict on one set of the cart; `tires` names them where there are several sets. */
export type SetVerdictView = { key: string; tires: string | null; headline: string; reasons: string[] }

export function setVerdictViews({ sets }: CartVerdict, lines: readonly LineView[]): SetVerdictView[] {
  const nameOf = (id: number) => lines.filter(({ itemId }) => itemId === id).map(({ brand, line, size }) => `${brand} ${line} ${size}`)
  return sets.map(({ itemIds, headline, lines: reasons }) => ({
    key: itemIds.join(' '),
    tires: sets.length > 1 ? [...new Set(itemIds.flatMap(nameOf))].join(' and ') : null,
    headline,
    reasons,
  }))
}

/** "4 Kestrel Alltide AS2 for your 2021 Toyota RAV4 XLE" */
export function cartSentence(cart: Cart, vehicleName: string | null): string {
  const [first] = cart.lines
  const same = cart.lines.every((line) => line.article.line === first?.article.line && line.article.brand === first.article.brand)
  const what = first && same ? `${tireCountOf(cart)} ${first.article.brand} ${first.article.line}` : `${tireCountOf(cart)} tires`
  return vehicleName ? `${what} for your ${vehicleName}` : what
}

/** What stands in the way, then what to do. */
export function problemText(problem: QuoteProblem): string {
  switch (problem.kind) {
    case 'no-zip':
      return 'Set your ZIP to see the price out the door.'
    case 'unknown-zip':
      return badZipMessage
    case 'military':
      return 'The product is unable to ship to International Military bases.'
    case 'no-shop-nearby':
      return 'No shop within 50 miles installs these tires. We can ship them to you.'
    case 'shop-not-capable':
      return 'This shop does not install tires of this kind. Pick another shop.'
    case 'shop-gone':
      return 'This shop no longer takes appointments. Pick another shop.'
    case 'other-brand':
      return `${problem.names.join(' and ')}: not among the brands your account buys. Take ${problem.names.length === 1 ? 'it' : 'them'} out of the cart.`
    case 'out-of-stock':
      return problem.shortages
        .map((shortage) =>
          shortage.available === 0
            ? 'One of your tires just sold out. Take it out of the cart, or pick another.'
            : `Only ${shortage.available} of ${shortage.wanted} are left of one of your tires. Lower the quantity in the cart.`,
        )
        .join(' ')
  }
}
