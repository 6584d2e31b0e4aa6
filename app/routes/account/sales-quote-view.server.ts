/** What Sales Tool accounts see of a quote they sent. */
import { summaryRows } from '#app/ui/order-summary.tsx'
import { serverPaths } from '#content/server-paths.ts'
import { findOffers } from '#domain/catalog/catalog/catalog.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { offeredTires } from '#domain/catalog/offers/offers.ts'
import { readOrderFates } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  canSendAgain,
  quoteLink,
  type Quote,
  type QuoteEvent,
  type QuoteRow,
} from '#domain/ordering/quotes/quotes.server.ts'
import {
  holds,
  mostQuoteMails,
  quoteNumber,
  salesActor,
  sentAgainNote,
  statusAt,
  type QuoteState,
} from '#domain/ordering/quotes/quotes.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import { stateText } from './order-card.ts'

type StatusView = { words: string; tone: string }

/** Quotes sent by an account are never drafts because they are sent on creation. */
const statuses: Readonly<Record<QuoteState, StatusView>> = {
  draft: { words: 'Draft', tone: '' },
  'needs-approval': { words: 'Needs approval', tone: 'tone-amber' },
  sent: { words: 'Sent', tone: 'tone-amber' },
  delivered: { words: 'Sent, delivered', tone: 'tone-amber' },
  bounced: { words: 'Could not be delivered', tone: 'tone-stop' },
  opened: { words: 'Opened', tone: 'tone-amber' },
  ordered: { words: 'Ordered', tone: 'tone-go' },
  expired: { words: 'Expired', tone: '' },
  withdrawn: { words: 'Withdrawn', tone: '' },
  replaced: { words: 'Replaced by the store', tone: '' },
}

type OrderView = { number: string; state: string; total: string }

/** The orders of these quotes, in words. Who ordered, and where it goes, stays between the customer and the store. */
async function ordersOf(app: Application, orderIds: readonly number[]): Promise<Map<number, OrderView>> {
  const fates = await readOrderFates(app.db, orderIds)
  return new Map(
    [...fates].map(([id, fate]) => [
      id,
      {
        number: orderNumber(id),
        state: fate.state === 'needs-confirmation' ? 'Awaiting customer confirmation' : stateText(fate),
        total: formatCents(fate.totalCents),
      },
    ]),
  )
}

/** The rows of the list, newest first. */
export async function salesQuoteRows(app: Application, quotes: readonly QuoteRow[]) {
  const now = app.clock.now()
  const orders = await ordersOf(
    app,
    quotes.flatMap(({ orderId }) => orderId ?? []),
  )
  return quotes.map((quote) => ({
    number: quoteNumber(quote.id),
    href: serverPaths.salesQuote(quote.id),
    name: quote.name,
    email: quote.email,
    tires: quote.tires,
    total: quote.totalCents === null ? '' : formatCents(quote.totalCents),
    sent: quote.sentAt ? timeText(quote.sentAt, storeZone) : '',
    // It ends with its last day, in the store's zone.
    goodThrough:
      holds(quote, now) && quote.expiresAt
        ? dateText(storeDay(quote.expiresAt.subtract({ seconds: 1 })).toString())
        : null,
    ...statuses[statusAt(quote, now)],
    order: quote.orderId === null ? null : (orders.get(quote.orderId) ?? null),
  }))
}

/** The page of one quote. */
export async function salesQuoteView(
  app: Application,
  { quote, events }: { quote: Quote; events: readonly QuoteEvent[] },
) {
  const now = app.clock.now()
  const orders = await ordersOf(app, quote.orderId === null ? [] : [quote.orderId])
  const chosen = quote.shopId === null ? undefined : await findShop(app, { id: quote.shopId })
  const isOpen = holds(quote, now)
  return {
    number: quoteNumber(quote.id),
    ...statuses[statusAt(quote, now)],
    hasBounced: quote.state === 'bounced' && isOpen,
    details: [
      ['Customer', quote.name],
      ['Email', quote.email],
      ...(quote.phone === null ? [] : [['Phone', phoneText(quote.phone)]]),
      ...(quote.vehicle === null ? [] : [['Vehicle', quote.vehicle.name]]),
      ['Where', quote.fulfillment === 'home' ? `Delivery to a home in ${quote.zip ?? ''}` : (chosen?.name ?? 'A shop')],
      ['Good through', `${dateText(quote.goodThrough.toString())}, Eastern Time`],
    ] as [string, string][],
    tires: await tiresOf(app, quote),
    note: quote.note,
    rows: quote.breakdown ? summaryRows(quote.breakdown.explain) : [],
    order: quote.orderId === null ? null : (orders.get(quote.orderId) ?? null),
    steps: events.flatMap(stepView),
    link: isOpen ? `${app.config.web.origin}${quoteLink(app.config.session.secret, quote.id)}` : null,
    mails: quote.mails,
    canSendAgain: canSendAgain([quote], now) && quote.mails < mostQuoteMails,
    canWithdraw: isOpen,
  }
}
export type SalesQuoteView = Awaited<ReturnType<typeof salesQuoteView>>

/** Returns the tires by name, or by ID for discontinued tires. */
async function tiresOf({ retailCatalog }: Application, { lines }: Quote): Promise<{ itemId: number; words: string }[]> {
  const offers = await findOffers(
    retailCatalog,
    lines.map(({ itemId }) => String(itemId)),
  )
  return lines.map(({ itemId, quantity }) => {
    const offer = offers.find(({ items }) => items[0].id === itemId)
    const name = offer && offeredTires(offer.items, offer.prices)[0]?.name
    return { itemId, words: `${quantity} × ${name ?? `article ${itemId}`}` }
  })
}

/** Returns the quote's history, oldest first. Staff notes aren't included. */
function stepView({ at, to, by, note }: QuoteEvent, index: number) {
  if (to === 'draft') return []
  const isOwn = by === salesActor
  const who = isOwn ? 'You' : by === 'Customer' ? 'The customer' : by === 'Sidewall' ? null : 'The store'
  const words = note === sentAgainNote ? sentAgainNote : (stepWords[to] ?? statuses[to].words)
  return [
    {
      key: String(index),
      time: timeText(at, storeZone),
      words,
      who,
      note: isOwn && note !== sentAgainNote ? note : null,
    },
  ]
}

/** Descriptions for events that need more detail than the resulting status. */
const stepWords: Partial<Readonly<Record<QuoteState, string>>> = {
  delivered: 'Delivered to the customer’s mail server',
  bounced: 'Refused by the customer’s mail server',
}
