/** Sends, approves, withdraws and expires quotes. */
import { paths } from '#content/paths.ts'
import {
  authorizeConcession,
  inConcessionTransaction,
  type ConcessionRefusal,
} from '#domain/kernel/concessions/concessions.server.ts'
import { deepestCut, priceCutOf } from '#domain/kernel/concessions/concessions.ts'
import { findMessage, queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { lockOfficeLimits } from '#domain/kernel/settings/settings.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { promiseTextTo } from '#domain/messaging/texts/texts.server.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { countOf } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Clock } from '#platform/clock.ts'
import { actorName, isTheirs, recordStaffAct, requireAuthor, type QuoteActor } from './author.server.ts'
import { quoteLink } from './open-quote.server.ts'
import { readPickupText } from './quote-pickup.server.ts'
import { readTimeText } from './quote-time.server.ts'
import type { PricedLine, QuoteDeps, QuoteProblem } from './price-quote.server.ts'
import { selectOver } from './quote-lists.sql.server.ts'
import { linesOf, listProblems, priceVehicles } from './quote-vehicles.server.ts'
import { lockVehicles, selectOrderedSince, selectVehicles } from './quote-vehicles.sql.server.ts'
import { lockQuote, moveQuote, type Quote } from './quotes.sql.server.ts'
import {
  endOf,
  holds,
  isBelowFloor,
  openableStates,
  quotedTires,
  quoteNumber,
  vehicleTitle,
  type QuoteState,
} from './quotes.ts'

type NotAllowed = Refused<'not-allowed'>

export type SendRefusal =
  | NotAllowed
  | Refused<'not-found'>
  | Refused<'not-a-draft', { state: QuoteState }>
  | Refused<'changed-meanwhile'>
  | Refused<'incomplete', readonly QuoteProblem[]>
  | Refused<'ordered-meanwhile'>
  | ConcessionRefusal

/**
 * Sends a draft by email, and by text message to an opted-in phone, at its saved prices. Above the approval threshold,
 * requests an approval instead. Staff who can approve quotes can send one below the minimum margin immediately. A new
 * version replaces the quote it was made from. Sent already counts as sent. Refuses a draft that is incomplete or was
 * saved since `revision`, and a version if a vehicle was ordered since. All vehicles are sent together,
 * and the limits apply to all of their tires.
 */
export async function sendQuote(
  deps: QuoteDeps,
  by: Actor,
  { id, revision }: { id: number; revision: number },
): Promise<Outcome<{ state: 'sent' | 'needs-approval' }, SendRefusal>> {
  const priced = await priceVehicles(deps, await selectVehicles(deps.db, id))
  const [draft] = priced
  if (!draft) return refused('not-found')
  const problems = await listProblems(deps, priced)
  const lines = linesOf(priced)
  const at = deps.clock.now()
  return inConcessionTransaction(deps.db, async (tx) => {
    const permitted = await requirePermission(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const vehicles = await lockVehicles(tx, id)
    const [quote] = vehicles
    if (!quote) return refused('not-found')
    if (quote.sentAt && holds(quote, at)) return ok({ state: 'sent' })
    if (quote.state !== 'draft' && quote.state !== 'needs-approval')
      return refused('not-a-draft', { state: quote.state })
    if (quote.revision !== revision || quote.revision !== draft.quote.revision) return refused('changed-meanwhile')
    const offers = vehicles.flatMap((vehicle, index) => {
      const breakdown = priced[index]?.priced.breakdown
      return breakdown ? [{ quote: vehicle, breakdown }] : []
    })
    if (problems.length > 0 || offers.length < vehicles.length) return refused('incomplete', problems)
    const { quoteMarginFloorPpm } = await lockOfficeLimits(tx)
    const { amountCents, cut } = concessionOf(lines)
    const reference = String(id)
    const decided = await authorizeConcession(tx, { kind: 'quote', reference, by, amountCents, cut, at })
    if (!decided.ok) return decided
    if (decided.value.state === 'requested') {
      for (const vehicle of vehicles) await moveQuote(tx, vehicle, 'needs-approval', { by: by.name, at })
      return ok({ state: 'needs-approval' })
    }
    if (!(await replaceFormer(tx, quote, by, at))) return refused('ordered-meanwhile')
    const isLow = lines.some((line) => isBelowFloor(line, quoteMarginFloorPpm))
    await putOut(tx, offers, { by, isLow, at })
    const totalCents = offers.reduce((sum, { breakdown }) => sum + breakdown.totals.totalCents, 0)
    await recordAct(tx, {
      by,
      act: 'quote.sent',
      authorization: decided.value.authorization,
      subject: quoteNumber(id),
      after: { totalCents, belowFloor: isLow },
      at,
    })
    return ok({ state: 'sent' })
  })
}

/** What a quote gives compared with the prices that its customer would pay without it. */
function concessionOf(lines: readonly PricedLine[]) {
  const priced = lines.flatMap(({ item, ownCents, retailCents, costCents, unitCents, quantity }) =>
    item === null
      ? []
      : [{ retailCents: ownCents ?? retailCents ?? item.retailCents, costCents, reducedCents: unitCents, quantity }],
  )
  return {
    amountCents: priced.reduce(
      (sum, { retailCents, reducedCents, quantity }) => sum + Math.max(0, retailCents - reducedCents) * quantity,
      0,
    ),
    cut: deepestCut(priced.map(priceCutOf)),
  }
}

/** A vehicle with its price. */
type Offer = { quote: Quote; breakdown: PriceBreakdown }

/** Marks a draft's locked vehicles as sent at these prices, and queues the customer's notifications. */
export async function putOut(
  tx: Tx,
  offers: readonly Offer[],
  { by, isLow, at }: { by: QuoteActor; isLow: boolean; at: Temporal.Instant },
): Promise<void> {
  const name = actorName(by)
  for (const { quote, breakdown } of offers) {
    const sent = { breakdown, expiresAt: endOf(quote.goodThrough), approvedBy: isLow ? name : null }
    await moveQuote(tx, quote, 'sent', { by: name, at, sent })
    if (quote.mainId === null) await promiseToCustomer(tx, quote, at)
  }
}

/** Queues a quote's email, and its text message if the phone opted in. */
async function promiseToCustomer(tx: Tx, { id, email, phone }: Quote, at: Temporal.Instant): Promise<void> {
  const key = `quote:${id}`
  await queueMessage(tx, { kind: 'quote', key, to: email, orderId: null, at })
  if (phone !== null) await promiseTextTo(tx, { kind: 'quote', key, phone, at })
}

/** Closes the quote this one is a version of. False if one of its vehicles was ordered since this one was started. */
async function replaceFormer(tx: Tx, { replacesId, id }: Quote, by: Actor, at: Temporal.Instant): Promise<boolean> {
  if (replacesId === null) return true
  const vehicles = await lockVehicles(tx, replacesId)
  if (vehicles.length === 0) return true
  if (await selectOrderedSince(tx, vehicles, id)) return false
  const open: readonly QuoteState[] = openableStates
  for (const former of vehicles.filter(({ state }) => open.includes(state)))
    await moveQuote(tx, former, 'replaced', { by: by.name, at, note: `By ${quoteNumber(id)}` })
  return true
}

/** Sends a quote that needs approval back to its draft, with the reason. */
export function rejectQuote(
  deps: Pick<QuoteDeps, 'db' | 'clock'>,
  by: Actor,
  input: { id: number; reason: string },
): Promise<Outcome<null, NotAllowed | Refused<'not-found'> | Refused<'not-possible', { state: QuoteState }>>> {
  return endWith(deps, by, {
    ...input,
    to: 'draft',
    from: ['needs-approval'],
    permission: 'quotes.approve',
    act: 'quote.rejected',
  })
}

/**
 * Withdraws a quote, sent or not. Its link is invalidated, and carts return to their own prices. Ordered vehicles stay
 * ordered. An account can withdraw only its own quotes.
 */
export function withdrawQuote(
  deps: Pick<QuoteDeps, 'db' | 'clock'>,
  by: QuoteActor,
  input: { id: number; reason: string },
): Promise<Outcome<null, NotAllowed | Refused<'not-found'> | Refused<'not-possible', { state: QuoteState }>>> {
  const from = ['draft', 'needs-approval', ...openableStates] as const
  return endWith(deps, by, { ...input, to: 'withdrawn', from, permission: 'quotes.write', act: 'quote.withdrawn' })
}

async function endWith(
  { db, clock }: Pick<QuoteDeps, 'db' | 'clock'>,
  by: QuoteActor,
  input: {
    id: number
    reason: string
    to: 'draft' | 'withdrawn'
    from: readonly QuoteState[]
    permission: 'quotes.write' | 'quotes.approve'
    act: 'quote.withdrawn' | 'quote.rejected'
  },
): Promise<Outcome<null, NotAllowed | Refused<'not-found'> | Refused<'not-possible', { state: QuoteState }>>> {
  const { id, reason, to, from, permission, act } = input
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requireAuthor(tx, by, permission, at)
    if (!permitted.ok) return permitted
    const vehicles = await lockVehicles(tx, id)
    const [quote] = vehicles
    if (!quote || !isTheirs(quote, by)) return refused('not-found')
    const moving = vehicles.filter(({ state }) => from.includes(state))
    if (moving.length === 0)
      return vehicles.some(({ state }) => state === to) ? ok(null) : refused('not-possible', { state: quote.state })
    for (const vehicle of moving) await moveQuote(tx, vehicle, to, { by: actorName(by), at, note: reason })
    await recordStaffAct(tx, { by, act, subject: quoteNumber(id), before: { state: quote.state }, reason, at })
    return ok(null)
  })
}

/** Marks quotes as expired, together with their prices. Returns how many. */
export async function expireQuotes({ db, clock }: Pick<QuoteDeps, 'db' | 'clock'>): Promise<number> {
  const at = clock.now()
  let ended = 0
  for (const id of await selectOver(db, at, 500)) {
    const moved = await db.transaction().execute(async (tx) => {
      const quote = await lockQuote(tx, id)
      return quote !== undefined && !holds(quote, at) && (await moveQuote(tx, quote, 'expired', { by: 'Sidewall', at }))
    })
    if (moved) ended += 1
  }
  return ended
}

/** Records whether the mail server took the email of a quote, once `messageId` was tried. Ignores other emails. */
export async function recordQuoteDelivery(
  { db, clock }: Pick<QuoteDeps, 'db' | 'clock'>,
  messageId: string,
): Promise<void> {
  const message = await findMessage(db, messageId)
  if (message?.kind !== 'quote' || message.state === 'queued') return
  const to = message.state === 'sent' ? 'delivered' : 'bounced'
  await db.transaction().execute(async (tx) => {
    const quote = await lockQuote(tx, Number(message.key.split(':')[1]))
    if (quote && quote.state !== to) await moveQuote(tx, quote, to, { by: 'Sidewall', at: clock.now() })
  })
}

type MessageDeps = { db: Database; clock: Clock; config: Pick<Config, 'session' | 'store' | 'web'> }

/** Returns the values of the mail with a quote; null if it has no price anymore. */
export async function quoteMessageValues(deps: MessageDeps, { key }: { key: string }): Promise<MessageValues | null> {
  const [id = ''] = keyParts(key)
  const offers = openOffers(await selectVehicles(deps.db, Number(id)))
  return offers.length > 0 ? mailValues(deps, offers) : null
}

/** The vehicles with a price that aren't ordered yet. */
function openOffers(vehicles: readonly Quote[]): Offer[] {
  return vehicles.flatMap((quote) =>
    quote.breakdown && quote.state !== 'ordered' ? [{ quote, breakdown: quote.breakdown }] : [],
  )
}

/** Returns the values of a quote's email and the body of its text message, at these prices, before either is sent. */
export async function previewQuote(
  deps: MessageDeps,
  offers: readonly [Offer, ...Offer[]],
): Promise<{ values: MessageValues; text: string }> {
  const text = textBody(deps.config, offers[0].quote, totalOf(offers))
  return { values: await mailValues(deps, offers), text }
}

function totalOf(offers: readonly Offer[]): number {
  return offers.reduce((sum, { breakdown }) => sum + breakdown.totals.totalCents, 0)
}

async function mailValues({ db, clock, config }: MessageDeps, offers: readonly Offer[]): Promise<MessageValues> {
  const quote = offers[0]?.quote
  if (!quote) throw new Error('An email of a quote has a vehicle.')
  const pickup = await readPickupText({ db, clock }, quote)
  const time = await readTimeText({ db, clock }, quote)
  const forFirst = offers.length > 1 ? ` for ${vehicleTitle(quote)}` : ''
  return {
    name: quote.name,
    number: quoteNumber(quote.mainId ?? quote.id),
    note: quote.note ?? '',
    items: {
      tires: offers.flatMap((offer) =>
        quotedTires(offer.breakdown).map(({ itemId, name, quantity }) => ({
          name: offers.length > 1 ? `${name}, for ${vehicleTitle(offer.quote)}` : name,
          quantity,
          pictureUrl: config.web.origin + paths.mailPicture(itemId),
        })),
      ),
    },
    total: formatCents(totalOf(offers)),
    rows: [
      ...(pickup === null ? [] : [{ left: `Pick up at ${pickup}`, right: '' }]),
      ...(time === null
        ? []
        : [{ left: `Suggested time${forFirst}: ${time}. We reserve it when you open your quote.`, right: '' }]),
      ...offers.flatMap((offer) => priceRows(offer, offers.length > 1)),
      ...(offers.length > 1
        ? [
            {
              left: `Total for ${countOf(offers.length, 'vehicle')}`,
              right: formatCents(totalOf(offers)),
              strong: true,
            },
          ]
        : []),
    ],
    goodThrough: dateText(quote.goodThrough.toString()),
    quoteUrl: `${config.web.origin}${quoteLink(config.session.secret, quote.mainId ?? quote.id)}`,
    store: config.store.name,
    phone: config.store.phone,
  }
}

/** The rows of a vehicle's price. If there are several, the first row has the vehicle and its total. */
function priceRows({ quote, breakdown }: Offer, isNamed: boolean) {
  const rows = breakdown.explain.map(({ label, detail, amount, kind: of }) => ({
    left: detail === '' ? label : `${label} (${detail})`,
    right: amount,
    strong: of === 'total',
  }))
  if (!isNamed) return rows
  const total = { left: vehicleTitle(quote), right: formatCents(breakdown.totals.totalCents), strong: true }
  return [total, ...rows.filter(({ strong }) => !strong)]
}

/**
 * Returns a quote text message's content and its ZIP code's time zone (null without one). Null for a quote that can no
 * longer be opened.
 */
export async function quoteTextContent(
  { db, clock, config }: MessageDeps,
  { key }: { key: string },
): Promise<{ body: string; zipZone: string | null } | null> {
  const [id = ''] = keyParts(key)
  const offers = openOffers(await selectVehicles(db, Number(id)))
  const quote = offers[0]?.quote
  if (!quote || !holds(quote, clock.now())) return null
  return {
    body: textBody(config, quote, totalOf(offers)),
    zipZone: quote.zip === null ? null : ((await findPlace(db, quote.zip))?.timeZone ?? null),
  }
}

function textBody(
  { store, web, session }: MessageDeps['config'],
  { id, mainId, goodThrough }: Pick<Quote, 'id' | 'mainId' | 'goodThrough'>,
  totalCents: number,
): string {
  const day = dateText(goodThrough.toString())
  const number = mainId ?? id
  const link = `${web.origin}${quoteLink(session.secret, number)}`
  return `${store.name}: your quote ${quoteNumber(number)}, ${formatCents(totalCents)}, is good through ${day}. ${link}`
}
