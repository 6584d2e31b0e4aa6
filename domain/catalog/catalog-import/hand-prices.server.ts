/** The rules for the price of one tire that staff save, the same as an import's. */
import { sql } from 'kysely'
import { belowMinimumText, type BelowMinimum } from '#domain/catalog/promotions/promotions.ts'
import { changedPrices, selectBelowMinimum } from '#domain/catalog/promotions/promotions.server.ts'
import { lockBelowMapRule } from '#domain/kernel/settings/settings.server.ts'
import type { Tx } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { largestMovePercent } from './catalog-import.ts'

type Prices = { retailCents: number; mapCents: number | null }

/** `below` is a price that the store refuses; `warnings` are to be confirmed; `note` is for the audit log. */
type Weighed = { below: BelowMinimum | null; warnings: string[]; note: string | null }

/**
 * Evaluates the saved prices of a locked tire. A price below its minimum advertised price is `below` or, in stores that
 * show such prices in the cart, noted. A minimum that is set above an unchanged price is to be confirmed, because the
 * manufacturer sets it; so is a price that moved far. `before` is null for a new tire.
 */
export async function weighTirePrice(
  tx: Tx,
  { id, at, before, retailCents, mapCents }: { id: number; at: Temporal.Instant; before: Prices | null } & Prices,
): Promise<Weighed> {
  const weighed: Weighed = { below: null, warnings: [], note: null }
  const was = sql`${before?.retailCents ?? null}::int`
  const changed = changedPrices(
    sql`select id as item_id, ${was} as was_cents, retail_cents from item where id = ${id}::int`,
  )
  const [priced] = (await selectBelowMinimum(tx, changed, { at, limit: 1 })).tires
  if (priced) {
    if ((await lockBelowMapRule(tx)) === 'refuse') weighed.below = priced
    else weighed.note = `Shown in the cart: ${belowMinimumText(priced)}`
  } else if (mapCents !== null && mapCents > (before?.mapCents ?? 0)) {
    const saved = sql`select id as item_id, retail_cents, map_cents from item where id = ${id}::int`
    const { tires } = await selectBelowMinimum(tx, saved, { at, limit: 1 })
    weighed.warnings.push(...tires.map((tire) => `Sold below the minimum: ${belowMinimumText(tire)}`))
  }
  if (before && Math.abs(retailCents - before.retailCents) * 100 > before.retailCents * largestMovePercent)
    weighed.warnings.push(
      `The price changes by more than ${largestMovePercent}%: ${formatCents(before.retailCents)} to ${formatCents(retailCents)}`,
    )
  return weighed
}
