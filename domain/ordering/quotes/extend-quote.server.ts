/** Extends sent quotes. */
import { lockOfficeLimits } from '#domain/kernel/settings/settings.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { QuoteDeps } from './price-quote.server.ts'
import { linesOf, priceVehicles } from './quote-vehicles.server.ts'
import { lockVehicles, selectVehicles } from './quote-vehicles.sql.server.ts'
import { updateExpiry } from './extend-quote.sql.server.ts'
import { endOf, holds, isBelowFloor, lastQuoteDay, quoteNumber, type QuoteState } from './quotes.ts'

export type ExtendRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-found'>
  | Refused<'not-possible', { state: QuoteState }>
  | Refused<'not-later', { goodThrough: Temporal.PlainDate }>
  | Refused<'expiry-far'>
  | Refused<'below-floor'>

/**
 * Moves the last day of an open quote, for all vehicles that aren't ordered. Its link, tires, and prices stay as sent.
 * Idempotent. Refuses quotes that have expired or ended, earlier days, days that are too far away, and prices below today's minimum, unless the actor can
 * approve quotes.
 */
export async function extendQuote(
  deps: QuoteDeps,
  by: Actor,
  { id, goodThrough }: { id: number; goodThrough: Temporal.PlainDate },
): Promise<Outcome<null, ExtendRefusal>> {
  const priced = await priceVehicles(deps, await selectVehicles(deps.db, id))
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const vehicles = await lockVehicles(tx, id)
    const [main] = vehicles
    if (!main) return refused('not-found')
    const open = vehicles.filter((vehicle) => holds(vehicle, at))
    const [quote] = open
    if (!quote) return refused('not-possible', { state: main.state })
    const later = Temporal.PlainDate.compare(goodThrough, quote.goodThrough)
    if (later === 0) return ok(null)
    if (later < 0) return refused('not-later', { goodThrough: quote.goodThrough })
    if (Temporal.PlainDate.compare(goodThrough, lastQuoteDay(storeDay(at))) > 0) return refused('expiry-far')
    const { quoteMarginFloorPpm } = await lockOfficeLimits(tx)
    const lines = linesOf(priced.filter((known) => open.some((vehicle) => vehicle.id === known.quote.id)))
    const isLow = lines.some((line) => isBelowFloor(line, quoteMarginFloorPpm))
    if (isLow && !(await requirePermission(tx, by, 'quotes.approve', at)).ok) return refused('below-floor')
    const note = `Extended through ${dateText(goodThrough.toString())}`
    for (const vehicle of open)
      await updateExpiry(tx, vehicle, { goodThrough, expiresAt: endOf(goodThrough), by: by.name, at, note })
    const change = {
      before: { lastDay: quote.goodThrough.toString() },
      after: { lastDay: goodThrough.toString() },
    }
    await recordAct(tx, { by, act: 'quote.extended', subject: quoteNumber(id), ...change, at })
    return ok(null)
  })
}
