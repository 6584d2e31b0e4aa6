/** Shared by the pages from cart to order, with this visitor's cart, its price, and their display. */
import { pictureOfItem } from '#app/views/tire-picture.server.ts'
import type { RouterContextProvider } from 'react-router'
import { problemText, shortageText } from '#content/messages/cart.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { labelView, type LabelView } from '#content/messages/price-labels.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { creditRows, summaryRows, type SummaryRow } from '#app/ui/order-summary.tsx'
import type { SummaryTire } from '#app/ui/summary-tires.tsx'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import type { Cart, CartLine, CartPaymentMethod } from '#domain/payments/cart/cart.ts'
import { findCart } from '#domain/payments/cart/cart.server.ts'
import { atLatestZip, isEmptyCart, planOf } from '#domain/payments/cart/cart.ts'
import {
  quoteCart,
  readCartNews,
  readCheckout,
  readDetails,
  type CartQuote,
  type Checkout,
  type CartVerdict,
  type SavedContact,
} from '#domain/ordering/checkout/checkout.server.ts'
import { dayText } from '#domain/ordering/orders/orders.ts'
import { chargedPrices } from '#domain/ordering/checkout/checkout.ts'
import { COVERAGE_NAMES, type PriceBreakdown, type PriceMove } from '#domain/pricing/pricing/pricing.ts'
import { itemPictureKey } from '#pictures/pictures.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { serviceKinds } from '#domain/scheduling/installers/installers.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'

export type LineView = {
  itemId: number
  axle: CartLine['axle']
  quantity: number
  available: number
  /** What is said where there are too few; null where there are enough. */
  shortage: string | null
  brand: string
  line: string
  size: string
  service: string
  href: string
  /** The tire price before promotions, without excise tax. */
  unit: string
  /** The additional federal excise tax per tire; null if not applicable. */
  excise: string | null
  /** The price's label, for customers who do not pay retail, with the page that explains it. */
  label?: LabelView | undefined
  /** The name of the plan that covers these tires; null without one. */
  coverage: string | null
  picture: string
}

export type MoneyView = {
  /** The tires that the price is for; empty where the page lists them itself. */
  tires: SummaryTire[]
  rows: SummaryRow[]
  /** The amount charged to the card. */
  total: string
  totalCents: number
  /** Set when the price is an estimate at the nearest shop. */
  estimateAt: string | null
  shopName: string | null
  arrivesBy: string | null
  problems: string[]
  moved: { name: string; from: string; to: string }[]
  moves: string[]
  /** Items lost in a cart change, such as a discount, a service, or the reservation. */
  dropped: string[]
  /** Discounts or offers the shopper may have expected that do not apply. */
  notes: string[]
  /** Those that pages with the coupon and the military discount do not say themselves. */
  besides: string[]
  /** Whether it is for a service without tires. */
  isService: boolean
}

/** A cart's service without tires, with the page that changes it. */
export type ServiceView = { name: string; note: string; href: string }

/** Returns the cart's service; null for a cart with tires. */
export async function serviceView(
  { db, clock }: Pick<Application, 'db' | 'clock'>,
  { services, shopId }: Pick<Cart, 'services' | 'shopId'>,
): Promise<ServiceView | null> {
  const [booked] = services
  const kind = booked && serviceKinds.find(({ key }) => key === booked.service)
  if (!kind) return null
  const place = shopId === null ? undefined : await findShop({ db, clock }, { id: shopId })
  const { units } = booked
  return {
    name: units === 1 ? kind.name : `${kind.name}, ${countOf(units, 'tire')}`,
    note: kind.note,
    href: place ? serverPaths.bookService({ shop: place.code, service: kind.key, units }) : paths.tireShops(),
  }
}

/** Returns the visitor's open cart, or redirects to the cart page, which reports that it is empty. */
export async function requireCart(
  context: Readonly<RouterContextProvider>,
  { isForWay = false }: { isForWay?: boolean } = {},
): Promise<{ app: Application; cart: Cart }> {
  const app = context.get(applicationContext)
  if (app.punchout && !isForWay) throw seeOther(serverPaths.punchoutReturn())
  const cart = await findCart(app, context.get(visitorContext).cartId)
  if (!cart || isEmptyCart(cart)) throw seeOther(paths.cart())
  return { app, cart: atLatestZip(cart, context.get(visitorContext)) }
}

/** Returns it with the entered details and shop, in one round trip, for a page that shows its price. */
export async function requireCheckout(
  context: Readonly<RouterContextProvider>,
): Promise<{ app: Application; cart: Cart; checkout: Checkout }> {
  const app = context.get(applicationContext)
  if (app.punchout) throw seeOther(serverPaths.punchoutReturn())
  const checkout = await readCheckout(app, context.get(visitorContext).cartId)
  if (!checkout || isEmptyCart(checkout.cart)) throw seeOther(paths.cart())
  return { app, cart: atLatestZip(checkout.cart, context.get(visitorContext)), checkout }
}

/**
 * Prices the cart for its destination and records the price as shown, so that the next page can report changes. Reads
 * the details and shop unless the page has just read them. `method` is the page's payment method.
 */
export async function readMoney(
  app: Application,
  cart: Cart,
  read?: Pick<Checkout, 'contact' | 'shop'>,
  method?: CartPaymentMethod,
): Promise<{ quote: CartQuote; contact: SavedContact | null; money: MoneyView }> {
  const { contact } = read ?? (await readDetails(app, cart.id))
  const quote = await quoteCart(app, cart, contact, { shop: read?.shop, method })
  const [news, tires] = await Promise.all([readCartNews(app, cart, quote.breakdown), summaryTires(app, cart)])
  const money = { ...moneyView(quote, news), tires }
  return { quote, contact, money }
}

export function moneyView(
  quote: CartQuote,
  news: { moves: readonly PriceMove[]; notes: readonly string[] },
): MoneyView {
  const isService = quote.breakdown?.lines.some(({ kind }) => kind === 'service') ?? false
  return {
    tires: [],
    rows: quote.breakdown
      ? [...summaryRows(quote.breakdown.explain), ...creditRows(quote.creditCents, quote.dueCents)]
      : [],
    total: formatCents(quote.dueCents),
    totalCents: quote.dueCents,
    estimateAt: quote.basis === 'estimate' ? (quote.shop?.name ?? null) : null,
    shopName: quote.shop?.name ?? null,
    arrivesBy: quote.delivery && !isService ? dayText(quote.delivery.arrivesOn) : null,
    isService,
    problems: quote.problems.map(problemText),
    moved: quote.moved.map((price) => ({
      name: price.name,
      from: formatCents(price.fromCents),
      to: formatCents(price.toCents),
    })),
    moves: news.moves.map((move) => move.text),
    dropped: [...news.notes],
    notes: quote.notes,
    besides: quote.besides,
  }
}

async function summaryTires(
  { catalog }: Pick<Application, 'catalog'>,
  { lines }: Pick<Cart, 'lines'>,
): Promise<SummaryTire[]> {
  return Promise.all(
    lines.map(async ({ itemId, axle, quantity, article }) => {
      return {
        key: `${itemId} ${axle}`,
        picture: await pictureOfItem(catalog, itemId),
        name: `${article.brand} ${article.line}`,
        size: `${article.size} ${article.service}${axle === 'all' ? '' : `, ${axle} axle`}`,
        quantity,
      }
    }),
  )
}

/** The lines of the cart as a page shows them, at the prices `breakdown` charges; see `chargedPrices`. */
export async function lineViews(app: Application, cart: Cart, breakdown: PriceBreakdown | null): Promise<LineView[]> {
  const chargedOf = chargedPrices(cart.lines, breakdown, app.businessTerms.current)
  return Promise.all(
    cart.lines.map(async (line) => {
      const item = await findItem(app.catalog, line.itemId)
      const { article } = line
      const charged = chargedOf(line)
      const explained = line.account && labelView(line.account.type)
      return {
        itemId: line.itemId,
        axle: line.axle,
        quantity: line.quantity,
        available: line.available,
        shortage: line.available < line.quantity ? shortageText(line) : null,
        brand: article.brand,
        line: article.line,
        size: article.size,
        service: article.service,
        href: paths.item(article.brandSlug, article.lineSlug, line.itemId),
        unit: formatCents(charged.unitCents),
        excise: line.fetUnitCents === 0 ? null : formatCents(line.fetUnitCents),
        label: charged.label !== null && explained ? { ...explained, label: charged.label } : undefined,
        coverage: line.coverage ? COVERAGE_NAMES[planOf(cart)] : null,
        picture: item ? itemPictureKey(item) : 'none',
      }
    }),
  )
}

/** The verdict on one set in the cart; `tires` names them if there are several sets. */
export type SetVerdictView = { key: string; tires: string | null; headline: string; reasons: string[] }

export function setVerdictViews({ sets }: CartVerdict, lines: readonly LineView[]): SetVerdictView[] {
  const nameOf = (id: number) =>
    lines.filter(({ itemId }) => itemId === id).map(({ brand, line, size }) => `${brand} ${line} ${size}`)
  return sets.map(({ itemIds, headline, lines: reasons }) => ({
    key: itemIds.join(' '),
    tires: sets.length > 1 ? [...new Set(itemIds.flatMap(nameOf))].join(' and ') : null,
    headline,
    reasons,
  }))
}
