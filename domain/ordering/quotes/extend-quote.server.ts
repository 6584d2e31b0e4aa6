/** Extends sent quotes. */
import { lockOfficeLimits } from '#domain/kernel/settings/settings.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'
import { priceQuote, type QuoteDeps } from './price-quote.server.ts'
import { updateExpiry } from './extend-quote.sql.server.ts'
import { lockQuote, selectQuote } from './quotes.sql.server.ts'
import { endOf, holds, isBelowFloor, lastQuoteDay, quoteNumber, type QuoteState } from './quotes.ts'

export type ExtendRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-found'>
  | Refused<'not-possible', { state: QuoteState }>
  | Refused<'not-later', { goodThrough: Temporal.PlainDate }>
  | Refused<'expiry-far'>
  | Refused<'below-floor'>

/**
 * Moves the last day of an open quote. Its link, tires, and prices stay as sent. Idempotent. Refuses quotes that have
 * expired or ended, earlier days, days that are too far away, and prices below today's minimum, unless the actor can
 * approve quotes.
 */
export async function extendQuote(
  deps: QuoteDeps,
  by: Actor,
  { id, goodThrough }: { id: number; goodThrough: Temporal.PlainDate },
): Promise<Outcome<null, ExtendRefusal>> {
  const known = await selectQuote(deps.db, id)
  if (!known) return refused('not-found')
  const { lines } = await priceQuote(deps, known)
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const quote = await lockQuote(tx, id)
    if (!quote) return refused('not-found')
    if (!holds(quote, at)) return refused('not-possible', { state: quote.state })
    const later = Temporal.PlainDate.compare(goodThrough, quote.goodThrough)
    if (later === 0) return ok(null)
    if (later < 0) return refused('not-later', { goodThrough: quote.goodThrough })
    if (Temporal.PlainDate.compare(goodThrough, lastQuoteDay(storeDay(at))) > 0) return refused('expiry-far')
    const { quoteMarginFloorPpm } = await lockOfficeLimits(tx)
    const isLow = lines.some((line) => isBelowFloor(line, quoteMarginFloorPpm))
    if (isLow && !(await requirePermission(tx, by, 'quotes.approve', at)).ok) return refused('below-floor')
    const note = `Extended through ${dateText(goodThrough.toString())}`
    await updateExpiry(tx, quote, { goodThrough, expiresAt: endOf(goodThrough), by: by.name, at, note })
    const change = {
      before: { lastDay: quote.goodThrough.toString() },
      after: { lastDay: goodThrough.toString() },
    }
    await recordAct(tx, { by, act: 'quote.extended', subject: quoteNumber(id), ...change, at })
    return ok(null)
  })
}
