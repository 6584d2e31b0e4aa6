/** Sales Tool quotes, sent from the account's own cart at public prices, and visible only to that account. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { maxQuantityPerLine, type Cart } from '#domain/payments/cart/cart.ts'
import { findOffers } from '#domain/catalog/catalog/catalog.server.ts'
import { findShop, findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { offeredTires, tireSpecs } from '#domain/catalog/offers/offers.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { lockOfficeLimits } from '#domain/kernel/settings/settings.server.ts'
import { chosenVehicleSchema } from '#domain/catalog/vehicles/vehicles.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { addMail, selectByKey } from './account-quotes.sql.server.ts'
import {
  actorName,
  isTheirs,
  recordStaffAct,
  requireAuthor,
  type QuoteActor,
  type SalesAccount,
} from './author.server.ts'
import { noPickup } from './quote-pickup.server.ts'
import {
  priceQuote,
  pricesAtLabel,
  type PricedQuote,
  type QuoteContent,
  type QuoteDeps,
  type QuoteProblem,
} from './price-quote.server.ts'
import { lockVehicles } from './quote-vehicles.sql.server.ts'
import { selectOwnQuotes, type OwnQuery, type QuoteRow } from './quote-lists.sql.server.ts'
import {
  insertDraft,
  lockQuote,
  selectEvents,
  selectQuote,
  updateDraft,
  type Quote,
  type QuoteEvent,
} from './quotes.sql.server.ts'
import {
  holds,
  isBelowFloor,
  mostQuoteLines,
  mostQuoteMails,
  quoteDays,
  quoteNumber,
  type NewQuote,
  type QuoteLineInput,
  type QuotePlace,
  type QuoteState,
} from './quotes.ts'
import { putOut } from './send-quote.server.ts'

type Deps = { db: Database; clock: Clock }

/** A quote for this cart, with the customer's price and the last valid day. */
type CartQuote = { priced: PricedQuote; content: QuoteContent }

/**
 * Prices the cart as a quote for `place` at today's public prices, so `catalog` must be a guest's. Refuses a cart
 * without tires, or with more than a quote allows.
 */
export async function priceCartAsQuote(
  deps: QuoteDeps,
  cart: Cart,
  place: QuotePlace,
): Promise<Outcome<CartQuote, Refused<'no-tires'> | Refused<'too-many-tires'>>> {
  const lines = linesOf(cart)
  if (lines.length === 0) return refused('no-tires')
  const isTooMany = lines.length > mostQuoteLines || lines.some(({ quantity }) => quantity > maxQuantityPerLine)
  if (isTooMany) return refused('too-many-tires')
  const ofGuest = { label: 'Retail', accountId: null } as const
  const vehicle = chosenVehicleSchema.safeParse(cart.vehicle)
  const content: QuoteContent = {
    ...ofGuest,
    ...place,
    ...noPickup,
    vehicle: vehicle.success ? vehicle.data : null,
    zip: cart.zip,
    roadside: cart.roadside,
    goodThrough: storeDay(deps.clock.now()).add({ days: quoteDays.usual }),
    lines: await pricesAtLabel(deps, { ...ofGuest, lines }),
  }
  return ok({ content, priced: await priceQuote(deps, content) })
}

/** Merges lines per item for quotes, because a cart may have an item in front and rear. */
function linesOf({ lines }: Cart): QuoteLineInput[] {
  return [...Map.groupBy(lines, ({ itemId }) => itemId)].flatMap(([itemId, same]) => {
    const [first] = same
    if (!first) return []
    return {
      itemId,
      axle: same.length > 1 ? 'all' : first.axle,
      quantity: same.reduce((sum, { quantity }) => sum + quantity, 0),
      unitCents: first.retailUnitCents,
      coverage: same.every(({ coverage }) => coverage),
    }
  })
}

/**
 * Lists possible destinations of the cart's tires other than home delivery: its chosen shop, and the nearest shops that
 * accept them.
 */
export async function listQuotePlaces(
  deps: QuoteDeps,
  { zip, fulfillment, shopId, lines }: Cart,
): Promise<{ shopId: number; name: string }[]> {
  const keys = new Set(lines.map(({ itemId }) => String(itemId)))
  const offers = await findOffers(deps.catalog, [...keys])
  const tires = offers.flatMap((offer) => offeredTires(offer.items, [], quantityOf(lines, offer.items[0].id)))
  const near =
    zip === null ? undefined : await findShopsNear(deps, { near: { zip }, tires: tireSpecs(tires), limit: 8 })
  const shops = near?.ok
    ? near.value.map(({ id, name, city, miles }) => ({ shopId: id, name: `${name}, ${city}, ${miles.toFixed(1)} mi` }))
    : []
  if (fulfillment !== 'shop' || shopId === null) return shops
  const known = shops.find((shop) => shop.shopId === shopId)
  const chosen = known ?? (await nameOf(deps, shopId))
  return chosen ? [chosen, ...shops.filter((shop) => shop.shopId !== shopId)] : shops
}

function quantityOf(lines: Cart['lines'], itemId: number): number {
  return lines.reduce((sum, line) => (line.itemId === itemId ? sum + line.quantity : sum), 0)
}

async function nameOf(deps: Deps, shopId: number): Promise<{ shopId: number; name: string } | undefined> {
  const shop = await findShop(deps, { id: shopId })
  return shop && { shopId, name: shop.name }
}

export type SendCartRefusal =
  | Refused<'not-allowed'>
  | Refused<'too-many', { retryAfterSeconds: number }>
  | Refused<'no-tires'>
  | Refused<'too-many-tires'>
  | Refused<'incomplete', readonly QuoteProblem[]>
  | Refused<'below-floor'>
  | Refused<'price-changed', { totalCents: number }>

/**
 * Sends the cart of a Sales Tool account to its customer as a quote, and returns its number; the form pressed again finds
 * the same quote. Each is counted before it is priced. Refuses a total other than `seenCents`, which the account was
 * shown, and a price below the floor: that takes staff.
 */
export async function sendCart(
  deps: QuoteDeps & { rateLimits: RateLimits },
  by: SalesAccount,
  {
    cart,
    place,
    seenCents,
    ...customer
  }: Omit<NewQuote, 'account'> & { note: string | null; cart: Cart; place: QuotePlace; seenCents: number },
): Promise<Outcome<{ id: number }, SendCartRefusal>> {
  const sent = await selectByKey(deps.db, customer.key)
  if (sent) return sent.authorAccountId === by.accountId ? ok({ id: sent.id }) : refused('not-allowed')
  const taken = await deps.rateLimits.take('quote', { account: by.accountId })
  if (!taken.ok) return taken
  const quoted = await priceCartAsQuote(deps, cart, place)
  if (!quoted.ok) return quoted
  const { priced, content } = quoted.value
  const { breakdown, problems, lines } = priced
  if (problems.length > 0 || !breakdown) return refused('incomplete', problems)
  const { totalCents } = breakdown.totals
  if (totalCents !== seenCents) return refused('price-changed', { totalCents })
  return insertSent(deps, by, { customer, content, breakdown, lines })
}

/** Writes the quote and sends it, unless this form did so before. */
function insertSent(
  { db, clock }: Deps,
  by: SalesAccount,
  {
    customer,
    content,
    breakdown,
    lines,
  }: {
    customer: Omit<NewQuote, 'account'> & { note: string | null }
    content: QuoteContent
    breakdown: PriceBreakdown
    lines: PricedQuote['lines']
  },
): Promise<Outcome<{ id: number }, Refused<'not-allowed'> | Refused<'below-floor'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requireAuthor(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const { quoteMarginFloorPpm } = await lockOfficeLimits(tx)
    if (lines.some((line) => isBelowFloor(line, quoteMarginFloorPpm))) return refused('below-floor')
    const author = { name: actorName(by), accountId: by.accountId }
    const { id, isNew } = await insertDraft(tx, { ...customer, ...content, by: author, at })
    if (isNew) await updateDraft(tx, id, { ...customer, ...content, address: null, at })
    const quote = await lockQuote(tx, id)
    if (!quote || !isTheirs(quote, by)) return refused('not-allowed')
    if (isNew) await putOut(tx, [{ quote, breakdown }], { by, isLow: false, at })
    return ok({ id })
  })
}

/**
 * Resends a quote's email. `mails` is the number of emails on the sender's page, so that a duplicate click sends one.
 * Refuses an expired quote, a bounced address, the fifth email, and too many in a day for an account.
 */
export async function sendAgain(
  { db, clock, rateLimits }: Deps & { rateLimits: RateLimits },
  by: QuoteActor,
  { id, mails }: { id: number; mails: number },
): Promise<
  Outcome<
    null,
    | Refused<'not-allowed'>
    | Refused<'not-found'>
    | Refused<'not-possible', { state: QuoteState }>
    | Refused<'too-often'>
    | Refused<'too-many', { retryAfterSeconds: number }>
  >
> {
  const known = await selectQuote(db, id)
  if (!known || !isTheirs(known, by)) return refused('not-found')
  if (known.mails !== mails) return ok(null)
  const taken = by.via === 'account' ? await rateLimits.take('quote', { account: by.accountId }) : ok(null)
  if (!taken.ok) return taken
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requireAuthor(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const vehicles = await lockVehicles(tx, id)
    const [quote] = vehicles
    if (!quote || !isTheirs(quote, by)) return refused('not-found')
    if (quote.mails !== mails) return ok(null)
    if (!canSendAgain(vehicles, at)) return refused('not-possible', { state: quote.state })
    if (quote.mails >= mostQuoteMails) return refused('too-often')
    await addMail(tx, quote, { by: actorName(by), at })
    await queueMessage(tx, { kind: 'quote', key: `quote:${id}:${mails + 1}`, to: quote.email, orderId: null, at })
    await recordStaffAct(tx, { by, act: 'quote.sent-again', subject: quoteNumber(id), at })
    return ok(null)
  })
}

/** Returns whether another email is useful, meaning that a vehicle's price is valid, and the address didn't bounce. */
export function canSendAgain(vehicles: readonly Pick<Quote, 'state' | 'expiresAt'>[], now: Temporal.Instant): boolean {
  return vehicles[0]?.state !== 'bounced' && vehicles.some((vehicle) => holds(vehicle, now))
}

/** Returns a quote this account sent, with its history; undefined for other quotes. */
export async function findOwnQuote(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  id: number,
): Promise<{ quote: Quote; events: QuoteEvent[] } | undefined> {
  const quote = await selectQuote(db, id)
  if (!quote || !isTheirs(quote, { via: 'account', accountId })) return undefined
  return { quote, events: await selectEvents(db, id) }
}

const ownPerPage = 20

/** Lists a page of quotes this account sent, newest first; `next` is the cursor of the following page. */
export async function listOwnQuotes(
  { db, clock }: Deps,
  query: Omit<OwnQuery, 'now'>,
): Promise<{ quotes: QuoteRow[]; next: number | null }> {
  const found = await selectOwnQuotes(db, { ...query, now: clock.now() }, ownPerPage + 1)
  const quotes = found.slice(0, ownPerPage)
  return { quotes, next: found.length > ownPerPage ? (quotes.at(-1)?.id ?? null) : null }
}
