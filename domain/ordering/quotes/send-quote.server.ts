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
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Clock } from '#platform/clock.ts'
import { actorName, isTheirs, recordStaffAct, requireAuthor, type QuoteActor } from './author.server.ts'
import { quoteLink } from './open-quote.server.ts'
import { readPickupText } from './quote-pickup.server.ts'
import { readTimeText } from './quote-time.server.ts'
import { priceQuote, type PricedLine, type QuoteDeps, type QuoteProblem } from './price-quote.server.ts'
import { selectOver } from './quote-lists.sql.server.ts'
import { lockQuote, moveQuote, selectQuote, type Quote } from './quotes.sql.server.ts'
import { endOf, holds, isBelowFloor, openableStates, quotedTires, quoteNumber, type QuoteState } from './quotes.ts'

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
 * saved since `revision`, and a version of a quote that is ordered by now.
 */
export async function sendQuote(
  deps: QuoteDeps,
  by: Actor,
  { id, revision }: { id: number; revision: number },
): Promise<Outcome<{ state: 'sent' | 'needs-approval' }, SendRefusal>> {
  const draft = await selectQuote(deps.db, id)
  if (!draft) return refused('not-found')
  const { breakdown, problems, lines } = await priceQuote(deps, draft)
  const at = deps.clock.now()
  return inConcessionTransaction(deps.db, async (tx) => {
    const permitted = await requirePermission(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const quote = await lockQuote(tx, id)
    if (!quote) return refused('not-found')
    if (quote.sentAt && holds(quote, at)) return ok({ state: 'sent' })
    if (quote.state !== 'draft' && quote.state !== 'needs-approval')
      return refused('not-a-draft', { state: quote.state })
    if (quote.revision !== revision || quote.revision !== draft.revision) return refused('changed-meanwhile')
    if (problems.length > 0 || !breakdown) return refused('incomplete', problems)
    const { quoteMarginFloorPpm } = await lockOfficeLimits(tx)
    const { amountCents, cut } = concessionOf(lines)
    const reference = String(id)
    const decided = await authorizeConcession(tx, { kind: 'quote', reference, by, amountCents, cut, at })
    if (!decided.ok) return decided
    if (decided.value.state === 'requested') {
      await moveQuote(tx, quote, 'needs-approval', { by: by.name, at })
      return ok({ state: 'needs-approval' })
    }
    if (!(await replaceFormer(tx, quote, by, at))) return refused('ordered-meanwhile')
    const isLow = lines.some((line) => isBelowFloor(line, quoteMarginFloorPpm))
    await putOut(tx, quote, { by, breakdown, isLow, at })
    await recordAct(tx, {
      by,
      act: 'quote.sent',
      authorization: decided.value.authorization,
      subject: quoteNumber(id),
      after: { totalCents: breakdown.totals.totalCents, belowFloor: isLow },
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

/** Marks a locked draft as sent at these prices, and queues the customer's notifications. */
export async function putOut(
  tx: Tx,
  quote: Quote,
  { by, breakdown, isLow, at }: { by: QuoteActor; breakdown: PriceBreakdown; isLow: boolean; at: Temporal.Instant },
): Promise<void> {
  const name = actorName(by)
  const sent = { breakdown, expiresAt: endOf(quote.goodThrough), approvedBy: isLow ? name : null }
  await moveQuote(tx, quote, 'sent', { by: name, at, sent })
  await promiseToCustomer(tx, quote, at)
}

/** Queues a quote's email, and its text message if the phone opted in. */
async function promiseToCustomer(tx: Tx, { id, email, phone }: Quote, at: Temporal.Instant): Promise<void> {
  const key = `quote:${id}`
  await queueMessage(tx, { kind: 'quote', key, to: email, orderId: null, at })
  if (phone !== null) await promiseTextTo(tx, { kind: 'quote', key, phone, at })
}

/** Closes the quote this one is a version of. False when that one is ordered. */
async function replaceFormer(tx: Tx, { replacesId, id }: Quote, by: Actor, at: Temporal.Instant): Promise<boolean> {
  if (replacesId === null) return true
  const former = await lockQuote(tx, replacesId)
  if (!former) return true
  if (former.state === 'ordered') return false
  const isOpen = openableStates.some((state) => state === former.state)
  if (isOpen) await moveQuote(tx, former, 'replaced', { by: by.name, at, note: `By ${quoteNumber(id)}` })
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
 * Withdraws a quote, sent or not. Its link is invalidated, and carts return to their own prices. An account can
 * withdraw only its own quotes.
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
    const quote = await lockQuote(tx, id)
    if (!quote || !isTheirs(quote, by)) return refused('not-found')
    if (quote.state === to) return ok(null)
    if (!from.includes(quote.state)) return refused('not-possible', { state: quote.state })
    await moveQuote(tx, quote, to, { by: actorName(by), at, note: reason })
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
  const quote = await selectQuote(deps.db, Number(id))
  return quote?.breakdown ? mailValues(deps, quote, quote.breakdown) : null
}

/** Returns the values of a quote's email and the body of its text message, at these prices, before either is sent. */
export async function previewQuote(
  deps: MessageDeps,
  quote: Quote,
  breakdown: PriceBreakdown,
): Promise<{ values: MessageValues; text: string }> {
  const text = textBody(deps.config, quote, breakdown.totals.totalCents)
  return { values: await mailValues(deps, quote, breakdown), text }
}

async function mailValues(
  { db, clock, config }: MessageDeps,
  quote: Quote,
  breakdown: PriceBreakdown,
): Promise<MessageValues> {
  const pickup = await readPickupText({ db, clock }, quote)
  const time = await readTimeText({ db, clock }, quote)
  return {
    name: quote.name,
    number: quoteNumber(quote.id),
    note: quote.note ?? '',
    items: {
      tires: quotedTires(breakdown).map(({ itemId, name, quantity }) => ({
        name,
        quantity,
        pictureUrl: config.web.origin + paths.mailPicture(itemId),
      })),
    },
    total: formatCents(breakdown.totals.totalCents),
    rows: [
      ...(pickup === null ? [] : [{ left: `Pick up at ${pickup}`, right: '' }]),
      ...(time === null
        ? []
        : [{ left: `Suggested time: ${time}. We reserve it when you open your quote.`, right: '' }]),
      ...breakdown.explain.map(({ label, detail, amount, kind: of }) => ({
        left: detail === '' ? label : `${label} (${detail})`,
        right: amount,
        strong: of === 'total',
      })),
    ],
    goodThrough: dateText(quote.goodThrough.toString()),
    quoteUrl: `${config.web.origin}${quoteLink(config.session.secret, quote.id)}`,
    store: config.store.name,
    phone: config.store.phone,
  }
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
  const quote = await selectQuote(db, Number(id))
  if (!quote || quote.totalCents === null || !holds(quote, clock.now())) return null
  return {
    body: textBody(config, quote, quote.totalCents),
    zipZone: quote.zip === null ? null : ((await findPlace(db, quote.zip))?.timeZone ?? null),
  }
}

function textBody(
  { store, web, session }: MessageDeps['config'],
  { id, goodThrough }: Pick<Quote, 'id' | 'goodThrough'>,
  totalCents: number,
): string {
  const day = dateText(goodThrough.toString())
  const link = `${web.origin}${quoteLink(session.secret, id)}`
  return `${store.name}: your quote ${quoteNumber(id)}, ${formatCents(totalCents)}, is good through ${day}. ${link}`
}
