/** Suggested installation times of quotes. They aren't held before the customer opens the quote. */
import { slotTextWithZone } from '#content/messages/times.ts'
import { earliestTimes, type Calendars } from '#domain/scheduling/booking/booking.server.ts'
import { parseChoice, type Opening } from '#domain/scheduling/booking/booking.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { offeredTires, tireSpecs } from '#domain/catalog/offers/offers.ts'
import { planDelivery } from '#domain/supply/delivery/delivery.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import type { PricedLine, QuoteDeps } from './price-quote.server.ts'
import type { Quote } from './quotes.sql.server.ts'

/** The offered times of a draft. */
const timesOffered = 4

/**
 * Returns the next free times at a quote's shop after its tires arrive, with the day they arrive. Undefined without a
 * shop, or if the tires aren't in stock together.
 */
export async function listQuoteTimes(
  deps: QuoteDeps & { calendars: Calendars; releaseAfterSeconds: number },
  { shopId }: Pick<Quote, 'shopId'>,
  lines: readonly PricedLine[],
): Promise<{ timeZone: string; arrivesOn: Temporal.PlainDate; openings: readonly Opening[] } | undefined> {
  const shop = shopId === null ? undefined : await findShop(deps, { id: shopId })
  if (!shop || lines.length === 0) return undefined
  const plan = await planDelivery(deps, { lines, zip: shop.zip, releaseAfter: deps.releaseAfterSeconds })
  if (!plan.ok) return undefined
  const { arrivesOn } = plan.value
  const tires = tireSpecs(lines.flatMap(({ item, quantity }) => (item ? offeredTires([item], [], quantity) : [])))
  const [openings = []] = await earliestTimes(deps, {
    asks: [{ shopId: shop.id, tires, arrivesOn }],
    limit: timesOffered,
  })
  return { timeZone: shop.timeZone, arrivesOn, openings }
}

/** "Wed, Dec 2, 9:30 AM CST at Halsted Tire": a quote's suggested time; null without one. */
export async function readTimeText(
  deps: { db: Database; clock: Clock },
  { shopId, suggestion }: Pick<Quote, 'shopId' | 'suggestion'>,
): Promise<string | null> {
  const choice = suggestion === null ? undefined : parseChoice(suggestion)
  const shop = choice && shopId !== null ? await findShop(deps, { id: shopId }) : undefined
  return choice && shop ? `${slotTextWithZone(choice, shop.timeZone)} at ${shop.name}` : null
}
