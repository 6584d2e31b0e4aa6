/** Quotes: use cases of staff who compose and send them, of accounts that send them, and of customers who open and order them. */
import { updateToNoAccount } from './account-quotes.sql.server.ts'
import type { QuoteDeps } from './price-quote.server.ts'
import { priceVehicles, type PricedVehicle } from './quote-vehicles.server.ts'
import { deleteOver, selectVehicles } from './quote-vehicles.sql.server.ts'
import {
  selectEnding,
  selectQuotes,
  selectUnapproved,
  type QuoteQuery,
  type QuoteRow,
  type WaitingQuote,
} from './quote-lists.sql.server.ts'
import {
  selectEvents,
  selectStates,
  selectQuote,
  selectSuccessor,
  type Quote,
  type QuoteEvent,
} from './quotes.sql.server.ts'
import type { Tx } from '#platform/db.ts'
import { endingSoonHours, vehicleTitle, type QuoteState } from './quotes.ts'

export { exportSentQuotes } from './account-quotes.sql.server.ts'
export type { SalesAccount } from './author.server.ts'
export { copyQuote, saveQuote, startQuote, startVersion, type SavedDraft } from './compose.server.ts'
export { extendQuote, type ExtendRefusal } from './extend-quote.server.ts'
export { findTires, findVehicleByName } from './find-tires.server.ts'
export {
  claimQuote,
  findSeller,
  isSameTires,
  openQuoteAsStaff,
  type StaffOpenRefusal,
  openQuote,
  quoteLink,
  quoteToken,
  readQuote,
  type OpenRefusal,
} from './open-quote.server.ts'
export {
  accountCatalog,
  priceQuote,
  unitOf,
  type PricedLine,
  type PricedQuote,
  type QuoteContent,
  type QuoteDeps,
  type QuoteProblem,
} from './price-quote.server.ts'
export { readWholeTotals, mergeLines, listProblems, type PricedVehicle } from './quote-vehicles.server.ts'
export { readPickupText } from './quote-pickup.server.ts'
export { listQuoteTimes, readTimeText } from './quote-time.server.ts'
export { pricePromise, promiseQuote, type QuotePromise } from './promise-quote.server.ts'
export {
  canSendAgain,
  findOwnQuote,
  listOwnQuotes,
  listQuotePlaces,
  priceCartAsQuote,
  sendAgain,
  sendCart,
  type SendCartRefusal,
} from './sales-tool.server.ts'
export {
  expireQuotes,
  previewQuote,
  quoteMessageValues,
  quoteTextContent,
  recordQuoteDelivery,
  rejectQuote,
  sendQuote,
  withdrawQuote,
  type SendRefusal,
} from './send-quote.server.ts'
export type { QuoteRow } from './quote-lists.sql.server.ts'
export {
  exportQuotes,
  type Quote,
  type QuoteAddress,
  type QuoteEvent,
  type QuoteLabel,
  type QuoteLine,
} from './quotes.sql.server.ts'

/** A quote as staff sees it. `successor` is the version that takes its place, or the draft of it. */
export type QuoteCase = PricedVehicle & {
  /** The vehicles with their prices, `quote` first; only `quote` if it is not the first vehicle. */
  vehicles: PricedVehicle[]
  events: QuoteEvent[]
  successor: { id: number; state: QuoteState } | undefined
}

/** Returns a quote with today's prices and its history; undefined if it doesn't exist. */
export async function findQuote(deps: QuoteDeps, id: number): Promise<QuoteCase | undefined> {
  const quote = await selectQuote(deps.db, id)
  if (!quote) return undefined
  const rows = quote.mainId === null ? await selectVehicles(deps.db, id) : [quote]
  const [vehicles, events, successor] = await Promise.all([
    priceVehicles(deps, rows),
    readEvents(deps.db, rows),
    selectSuccessor(deps.db, id),
  ])
  const [first] = vehicles
  return first && { ...first, vehicles, events, successor }
}

/** The events of the vehicles in their order. One that all vehicles have is listed once. */
async function readEvents(db: QuoteDeps['db'], vehicles: readonly Quote[]): Promise<QuoteEvent[]> {
  const [main, ...others] = vehicles
  if (!main) return []
  const events = await selectEvents(db, main.id)
  const keyOf = ({ at, to, note }: QuoteEvent) => [at.toString(), to, note].join()
  const seen = new Set(events.map(keyOf))
  for (const other of others)
    for (const event of await selectEvents(db, other.id))
      if (!seen.has(keyOf(event)) || event.to === 'opened' || event.to === 'ordered') {
        seen.add(keyOf(event))
        events.push({ ...event, vehicle: vehicleTitle(other) })
      }
  return events.toSorted((one, next) => Temporal.Instant.compare(one.at, next.at))
}

const quotesPerPage = 50

/** Lists a page of quotes, newest first; `next` is the cursor of the following page, or null on the last one. */
export async function listQuotes(
  { db }: Pick<QuoteDeps, 'db'>,
  query: QuoteQuery,
): Promise<{ quotes: QuoteRow[]; next: number | null }> {
  const found = await selectQuotes(db, query, quotesPerPage + 1)
  const quotes = found.slice(0, quotesPerPage)
  return { quotes, next: found.length > quotesPerPage ? (quotes.at(-1)?.id ?? null) : null }
}

/** Lists the sent quotes of staff that end within a day, soonest first, for Today. */
export function listEndingQuotes(
  { db, clock }: Pick<QuoteDeps, 'db' | 'clock'>,
  count: number,
): Promise<WaitingQuote[]> {
  const now = clock.now()
  return selectEnding(db, { now, until: now.add({ hours: endingSoonHours }), count })
}

/** Lists the quotes that need approval, longest waiting first, for Today. */
export function listUnapprovedQuotes({ db }: Pick<QuoteDeps, 'db'>, count: number): Promise<WaitingQuote[]> {
  return selectUnapproved(db, count)
}

/** The states of these quotes, by id; unknown ids are missing. */
export function readQuoteStates(db: QuoteDeps['db'], ids: readonly number[]): Promise<Map<number, QuoteState>> {
  return selectStates(db, ids)
}

/** Deletes quotes without an order that were last changed before `before`; returns how many. */
export function forgetOldQuotes(db: QuoteDeps['db'], before: Temporal.Instant): Promise<number> {
  return deleteOver(db, before)
}

/** Detaches an account that is being deleted from its quotes, which remain valid for customers. */
export function forgetAuthor(tx: Tx, accountId: string): Promise<void> {
  return updateToNoAccount(tx, accountId)
}
