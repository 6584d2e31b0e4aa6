/** Quotes: their states, prices and limits. Safe in the browser. */
import { parseArticleId } from '#domain/catalog/offers/offers.ts'
import type { AccountType, PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { priceWithMargin } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Transitions } from '#platform/transitions.ts'

export {
  extendForm,
  newQuoteForm,
  placeText,
  quoteChangeForm,
  readPlace,
  reasonForm,
  salesQuoteForm,
  type NewQuote,
  type QuoteChange,
  type QuoteFulfillment,
  type QuoteLineInput,
  type QuotePlace,
} from './quote-form.ts'
export { lineKey, vehicleField } from './quote-fields.ts'

export const quoteStates = [
  'draft',
  'needs-approval',
  'sent',
  'delivered',
  'bounced',
  'opened',
  'ordered',
  'expired',
  'withdrawn',
  'replaced',
] as const
export type QuoteState = (typeof quoteStates)[number]

export const quoteStateNames: Readonly<Record<QuoteState, string>> = {
  draft: 'Draft',
  'needs-approval': 'Needs approval',
  sent: 'Sent',
  delivered: 'Delivered',
  bounced: 'Bounced',
  opened: 'Opened',
  ordered: 'Ordered',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
  replaced: 'Replaced',
}

/** A sent quote is never edited; a new version replaces it. The trigger `quote_moves` has the same table. */
export const quoteLife: Transitions<QuoteState> = {
  draft: ['needs-approval', 'sent', 'withdrawn'],
  'needs-approval': ['draft', 'sent', 'withdrawn'],
  sent: ['delivered', 'bounced', 'opened', 'ordered', 'expired', 'withdrawn', 'replaced'],
  delivered: ['bounced', 'opened', 'ordered', 'expired', 'withdrawn', 'replaced'],
  bounced: ['opened', 'ordered', 'expired', 'withdrawn', 'replaced'],
  opened: ['ordered', 'expired', 'withdrawn', 'replaced'],
  ordered: [],
  expired: [],
  withdrawn: [],
  replaced: [],
}

/** The states in which the link opens a cart at the quoted prices, until the quote expires. */
export const openableStates = ['sent', 'delivered', 'bounced', 'opened'] as const satisfies readonly QuoteState[]

/** Whether the quoted prices hold at `now`. The second of the expiry is too late. */
export function holds(
  { state, expiresAt }: { state: QuoteState; expiresAt: Temporal.Instant | null },
  now: Temporal.Instant,
): boolean {
  const isOpenable: readonly QuoteState[] = openableStates
  return isOpenable.includes(state) && expiresAt !== null && Temporal.Instant.compare(now, expiresAt) < 0
}

/**
 * Returns the state of a quote with these vehicles, first to last. It is open while a vehicle is open, and otherwise
 * ordered if a vehicle is ordered.
 */
export function wholeState(vehicles: readonly { state: QuoteState }[]): QuoteState {
  const open: readonly QuoteState[] = openableStates
  const [first] = vehicles
  const shown = vehicles.find(({ state }) => open.includes(state)) ?? vehicles.find(({ state }) => state === 'ordered')
  return (shown ?? first)?.state ?? 'draft'
}

/** The most vehicles per quote, as in the table. */
export const mostQuoteVehicles = 10

/** "2019 Honda CR-V", or "Vehicle 2" without a name. */
export function vehicleTitle({ vehicle, position }: { vehicle: { name: string } | null; position: number }): string {
  return vehicle?.name ?? `Vehicle ${position}`
}

/** Quote statuses for the sender, with labels and the states they include. */
export const quoteFates = {
  sent: { words: 'Sent', states: ['sent', 'delivered', 'bounced'] },
  opened: { words: 'Opened', states: ['opened'] },
  ordered: { words: 'Ordered', states: ['ordered'] },
  expired: { words: 'Expired', states: ['expired'] },
  withdrawn: { words: 'Withdrawn', states: ['withdrawn', 'replaced'] },
} as const satisfies Readonly<Record<string, { words: string; states: readonly QuoteState[] }>>
export type QuoteFate = keyof typeof quoteFates

/**
 * Returns a quote's status for its sender at `now`, where an expired one counts as expired before a job has stored
 * that.
 */
export function statusAt(
  quote: { state: QuoteState; expiresAt: Temporal.Instant | null },
  now: Temporal.Instant,
): QuoteState {
  const isOpenable: readonly QuoteState[] = openableStates
  return isOpenable.includes(quote.state) && !holds(quote, now) ? 'expired' : quote.state
}

/** Returns the possible price labels for a quote (retail, typed prices, or the prices for the customer's account). */
export function labelsFor(accountType: AccountType): Exclude<AccountType, 'none'>[] {
  const isOwn = accountType !== 'none' && accountType !== 'Retail' && accountType !== 'Special Order'
  return isOwn ? ['Retail', accountType, 'Special Order'] : ['Retail', 'Special Order']
}

/** Returns whether only the customer's account can use the quote, because it has that account's prices. */
export function isForAccountOnly(label: AccountType): boolean {
  return label !== 'Retail' && label !== 'Special Order'
}

/** The default, and the longest a quote is good for. */
export const quoteDays = { usual: 7, most: 60 } as const
/** Returns the last day until which a quote can be good on `today`. */
export function lastQuoteDay(today: Temporal.PlainDate): Temporal.PlainDate {
  return today.add({ days: quoteDays.most })
}
/** How often a quote is emailed, the first time included. */
export const mostQuoteMails = 4
/** The note of an event for a mail that was sent again. */
export const sentAgainNote = 'Sent again'
/** The label for accounts in a quote's history. The account's name is read separately, as long as it exists. */
export const salesActor = 'Sales Tool account'
/** Different tires per quoted vehicle. */
export const mostQuoteLines = 12
/** Different tires per quote, so that its form stays within the limit on fields. */
export const mostWholeLines = 36
/** Quotes that end within this many hours are listed for Today. */
export const endingSoonHours = 24

type Costed = { unitCents: number; costCents: number | null }

/** The margin of one tire in tenths of a percent of its price; null if the cost is unknown. */
export function marginTenths({ unitCents, costCents }: Costed): number | null {
  return costCents === null ? null : Math.floor(((unitCents - costCents) * 1000) / unitCents)
}

/** The lowest price of one tire, in cents, that needs no approval: `marginFloorPpm` of it is margin. Null if the cost is unknown. */
export function floorCents(costCents: number | null, marginFloorPpm: number): number | null {
  return costCents === null ? null : priceWithMargin(costCents, marginFloorPpm)
}

/** Whether the price needs approval. A tire without a known cost never does. */
export function isBelowFloor({ unitCents, costCents }: Costed, marginFloorPpm: number): boolean {
  const floor = floorCents(costCents, marginFloorPpm)
  return floor !== null && unitCents < floor
}

/** A quote's author, either a staff member or a Sales Tool account. */
export type QuoteAuthor =
  | { kind: 'staff'; name: string }
  | { kind: 'account'; accountId: string; name: string | null; email: string | null }

/** Returns a quote's sender for staff, with contact details for an account. */
export function authorText(author: QuoteAuthor): string {
  if (author.kind === 'staff') return author.name
  const { name, email } = author
  const who = name !== null && email !== null ? `${name} (${email})` : (name ?? email ?? 'An account')
  return `${who}, Sales Tool`
}

/** "Q-2001" */
export function quoteNumber(id: number): string {
  return `Q-${id}`
}

/** Returns when a quote good through `day` expires. It is the start of the next day in the store's time zone. */
export function endOf(day: Temporal.PlainDate): Temporal.Instant {
  return day.add({ days: 1 }).toZonedDateTime(storeZone).toInstant()
}

/** Returns a quoted price's tires with brand, model, size and service description as one text, and quantities. */
export function quotedTires({ lines }: Pick<PriceBreakdown, 'lines'>): {
  itemId: number
  name: string
  quantity: number
}[] {
  return lines.flatMap(({ kind, articleId, name, quantity }) =>
    kind === 'tire' && articleId !== null && name !== null
      ? [{ itemId: parseArticleId(articleId), name, quantity }]
      : [],
  )
}
