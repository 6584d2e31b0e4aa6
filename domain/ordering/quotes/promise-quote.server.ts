/** Quotes for prices that were promised to an account elsewhere. They aren't emailed, and are opened by the account. */
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { findOffers } from '#domain/catalog/catalog/catalog.server.ts'
import { offeredTires, tireSpecs } from '#domain/catalog/offers/offers.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { labelsOf, priceQuote, type QuoteContent, type QuoteDeps, type QuoteProblem } from './price-quote.server.ts'
import { noPickup } from './quote-pickup.server.ts'
import { insertDraft, lockQuote, moveQuote, updateDraft } from './quotes.sql.server.ts'
import { endOf } from './quotes.ts'

export type QuotePromise = { content: QuoteContent; breakdown: PriceBreakdown }

/**
 * Prices tires at the unit prices promised to an account, at the nearest shop to the ZIP code that can install them, or
 * for home delivery if the shop isn't found. Refuses with the problems from `priceQuote`.
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
    ...noPickup,
    roadside: false,
  }
  const { breakdown, problems } = await priceQuote(deps, content)
  return problems.length > 0 || !breakdown ? refused('incomplete', problems) : ok({ content, breakdown })
}

/** Inserts a priced promise's quote as sent, without an email, and returns its id. `by` is its source. */
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
