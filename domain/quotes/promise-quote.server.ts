/** Quotes of prices that an account was promised elsewhere: sent to nobody, opened by the account itself. */
import { findShopsNear } from '#domain/installers/installers.server.ts'
import { findOffers } from '#domain/catalog/catalog.server.ts'
import { offeredTires, tireSpecs } from '#domain/offers/offers.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing.ts'
import type { Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { labelsOf, priceQuote, type QuoteContent, type QuoteDeps, type QuoteProblem } from './price-quote.server.ts'
import { insertDraft, lockQuote, moveQuote, updateDraft } from './quotes.sql.server.ts'
import { endOf } from './quotes.ts'

export type QuotePromise = { content: QuoteContent; breakdown: PriceBreakdown }

/**
 * Prices tires at the unit prices promised to an account, at the nearest shop to the ZIP that installs them, or at a home
 * where no shop does. Refuses what a quote cannot be of, as `priceQuote` says it.
 */
export async function pricePromise(
  deps: QuoteDeps,
  promised: Pick<QuoteContent, 'lines' | 'vehicle' | 'goodThrough'> & { accountId: string; zip: string },
): Promise<Outcome<QuotePromise, Refused<'incomplete', readonly QuoteProblem[]>>> {
  const { accountId, lines, zip } = promised
  const labels = await labelsOf(deps, accountId)
  const offers = await findOffers(
    deps.catalog,
    lines.map(({ itemId }) => String(itemId)),
  )
  const tires = offers.flatMap(({ items }, index) => offeredTires(items, [], lines[index]?.quantity ?? 0))
  const near = await findShopsNear(deps, { near: { zip }, tires: tireSpecs(tires), limit: 1 })
  const shopId = (near.ok ? near.value[0]?.id : undefined) ?? null
  const content: QuoteContent = {
    ...promised,
    label: labels.find((label) => label !== 'Retail') ?? 'Retail',
    fulfillment: shopId === null ? 'home' : 'shop',
    shopId,
    roadside: false,
  }
  const { breakdown, problems } = await priceQuote(deps, content)
  return problems.length > 0 || !breakdown ? refused('incomplete', problems) : ok({ content, breakdown })
}

/** Writes the quote of a priced promise, as sent, and returns its id; nobody is emailed. `by` is what it comes from. */
export async function promiseQuote(
  tx: Tx,
  {
    content,
    breakdown,
    buyer,
    by,
    at,
  }: QuotePromise & { buyer: { name: string; email: string }; by: string; at: Temporal.Instant },
): Promise<number> {
  const customer = { ...buyer, phone: null, note: null }
  const author = { name: by, accountId: null }
  const { id } = await insertDraft(tx, { ...customer, ...content, key: newId(), by: author, at })
  await updateDraft(tx, id, { ...customer, ...content, address: null, at })
  const quote = await lockQuote(tx, id)
  const sent = { breakdown, expiresAt: endOf(content.goodThrough), approvedBy: null }
  if (quote) await moveQuote(tx, quote, 'sent', { by, at, sent })
  return id
}
