/**
 * The analytics events a page reports to the operator's tag, named as in Google Analytics 4 and the tools that follow
 * it. Loaders and actions record events; app/ui/measure.js sends them from the browser with the visitor's consent. A
 * store without a tag reports no events. Events never contain names, addresses, emails, phone numbers or keys.
 */
import { createHash } from 'node:crypto'
import { createContext, type RouterContextProvider } from 'react-router'
import { serialize as stringifySetCookie } from 'hono/utils/cookie'
import { choiceSeconds, optsOut, readChoice } from '#http/consent.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import type { Listing, Product } from '#domain/catalog/catalog/catalog.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import type { Config } from '#platform/config.ts'

/** Prices in dollars. */
type MeasuredItem = {
  item_id: string
  item_name: string
  item_brand?: string
  item_variant?: string
  price: number
  quantity: number
  index?: number
}

export type MeasuredEvent = {
  name:
    | 'view_item_list'
    | 'view_item'
    | 'add_to_cart'
    | 'remove_from_cart'
    | 'view_cart'
    | 'begin_checkout'
    | 'add_shipping_info'
    | 'add_payment_info'
    | 'purchase'
    | 'refund'
    | 'search'
    | 'sign_up'
    | 'login'
  /** Sent once per browser, however often the page is loaded. */
  once?: string
  params: Record<string, string | number | MeasuredItem[]>
}

/** This request's events; null if analytics is off. */
export const measuredContext = createContext<MeasuredEvent[] | null>(null)

/** Returns an empty list for this request's events; null if analytics is off. */
export function measuredBy({ analytics }: Pick<Config, 'analytics'>, { headers }: Request): MeasuredEvent[] | null {
  return analytics && !optsOut(headers.get('sec-gpc')) ? [] : null
}

/** Leaves the events of a response that is not a page for the next page, if the visitor may already be measured. */
export function leaveForNextPage(
  { analytics, web }: Pick<Config, 'analytics' | 'web'>,
  events: MeasuredEvent[] | null,
  { headers }: Request,
  answer: Headers,
): void {
  if (!analytics || !events || events.length === 0) return
  const choice = readChoice(headers.get('cookie'))
  if (choice === 'no' || (choice === undefined && analytics.ask !== 'nowhere')) return
  const cookie = eventsCookie(events, web.isSecure)
  if (cookie) answer.append('set-cookie', cookie)
}

/** Records an event. `describe` isn't called if analytics is off. */
export function measure(context: Readonly<RouterContextProvider>, describe: () => MeasuredEvent): void {
  context.get(measuredContext)?.push(describe())
}

/** The most items a tag accepts. */
const mostItems = 200

export function listViewed(path: string, offers: Listing['offers']): MeasuredEvent {
  const items = offers.flatMap(({ items, prices, line }, index) =>
    items.map((item, place) => ({
      ...itemOf({
        itemId: item.id,
        brand: line.brand.name,
        line: line.name,
        size: item.size.designation,
        unitCents: (prices[place] ?? prices[0]).unitCents,
        quantity: 1,
      }),
      index,
    })),
  )
  return { name: 'view_item_list', params: { item_list_id: path, items: items.slice(0, mostItems) } }
}

export function itemViewed({ item, line, price }: Product): MeasuredEvent {
  return valued('view_item', [
    itemOf({
      itemId: item.id,
      brand: line.brand.name,
      line: line.name,
      size: item.size.designation,
      unitCents: price.unitCents,
      quantity: 1,
    }),
  ])
}

export function cartSeen(
  name: 'view_cart' | 'begin_checkout' | 'add_shipping_info' | 'add_payment_info',
  cart: Pick<Cart, 'id' | 'lines' | 'fulfillment'>,
): MeasuredEvent {
  const event = valued(name, cart.lines.map(itemOfLine))
  if (name === 'view_cart') return event
  // The cart id opens the cart, so the browser gets only a hash of it.
  event.once = `${name} ${createHash('sha256').update(cart.id).digest('base64url').slice(0, 12)}`
  if (name === 'add_shipping_info') event.params['shipping_tier'] = cart.fulfillment ?? ''
  if (name === 'add_payment_info') event.params['payment_type'] = 'card'
  return event
}

/** Reports an increase or decrease of `quantity` for lines that are or were in a cart. */
export function cartChanged(
  name: 'add_to_cart' | 'remove_from_cart',
  lines: readonly (Cart['lines'][number] & { quantity: number })[],
): MeasuredEvent {
  return valued(name, lines.map(itemOfLine))
}

/**
 * Reports an order when its confirmation is first shown, and its refund when it is canceled. The value excludes tax.
 */
export function orderSeen(
  name: 'purchase' | 'refund',
  order: Pick<OrderView, 'id' | 'lines' | 'breakdown'>,
): MeasuredEvent {
  const { netCents, taxCents } = order.breakdown.totals
  const items = order.lines.map(({ itemId, kind, description, unitCents, quantity }) => ({
    item_id: itemId === null ? kind : String(itemId),
    item_name: description,
    price: unitCents / 100,
    quantity,
  }))
  const number = orderNumber(order.id)
  return {
    name,
    once: `${name} ${number}`,
    params: {
      transaction_id: number,
      currency: CURRENCY.code,
      value: netCents / 100,
      tax: taxCents / 100,
      items: items.slice(0, mostItems),
    },
  }
}

/** Reports the search text, unless it looks like personal data rather than a tire. */
export function searched(query: string): MeasuredEvent {
  const isPersonal = query.includes('@') || query.replace(/\D/g, '').length > 8
  return { name: 'search', params: { search_term: isPersonal ? '(hidden)' : query } }
}

/**
 * The cookie in which a response without a page passes its events to the next page, which reads and clears it. Events
 * too large for one cookie are dropped.
 */
function eventsCookie(events: readonly MeasuredEvent[], isSecure: boolean): string | undefined {
  const text = JSON.stringify(events)
  if (encodeURIComponent(text).length > 3_500) return undefined
  return stringifySetCookie('sidewall_events', text, { path: '/', sameSite: 'lax', maxAge: 60, secure: isSecure })
}

/** The page's events and the script that sends them, as markup for the head of a document. */
export function measuredMarkup(
  { tagUrl, tagId, ask }: NonNullable<Config['analytics']>,
  events: readonly MeasuredEvent[],
  script: string,
): string {
  const asked = typeof ask === 'string' ? ask : 'listed'
  const data = `<script type="application/json" id="measured">${JSON.stringify(events).replaceAll('<', '\\u003c')}</script>`
  const settings = `data-tag="${escapeAttribute(tagUrl)}" data-tag-id="${escapeAttribute(tagId)}" data-ask="${asked}" data-keep-seconds="${choiceSeconds}"`
  return `${data}<script type="module" src="${script}" ${settings}></script>`
}

function valued(name: MeasuredEvent['name'], items: MeasuredItem[]): MeasuredEvent {
  const cents = items.reduce((sum, item) => sum + Math.round(item.price * 100) * item.quantity, 0)
  return { name, params: { currency: CURRENCY.code, value: cents / 100, items: items.slice(0, mostItems) } }
}

function itemOfLine({ itemId, quantity, unitCents, fetUnitCents, article }: Cart['lines'][number]): MeasuredItem {
  return itemOf({
    itemId,
    brand: article.brand,
    line: article.line,
    size: article.size,
    unitCents: unitCents + fetUnitCents,
    quantity,
  })
}

type Tire = { itemId: number; brand: string; line: string; size: string; unitCents: number; quantity: number }

function itemOf({ itemId, brand, line, size, unitCents, quantity }: Tire): MeasuredItem {
  return {
    item_id: String(itemId),
    item_name: `${brand} ${line}`,
    item_brand: brand,
    item_variant: size,
    price: unitCents / 100,
    quantity,
  }
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
