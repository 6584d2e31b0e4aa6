/** Warnings about the price of one tire that staff save, the same as an import's. */
import { sql } from 'kysely'
import { belowMinimumText } from '#domain/catalog/promotions/promotions.ts'
import { selectBelowMinimum } from '#domain/catalog/promotions/promotions.server.ts'
import type { Tx } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { largestMovePercent } from './catalog-import.ts'

/**
 * Returns what to confirm about the saved prices of a locked tire, as sentences: that it is sold below its minimum
 * advertised price, where a price or minimum changed for that, and a price that moved far. `before` is null for a new tire.
 */
export async function weighTirePrice(
  tx: Tx,
  {
    id,
    at,
    before,
    retailCents,
    mapCents,
  }: {
    id: number
    at: Temporal.Instant
    before: { retailCents: number; mapCents: number | null } | null
    retailCents: number
    mapCents: number | null
  },
): Promise<string[]> {
  const warnings: string[] = []
  const isSame = before?.retailCents === retailCents && before.mapCents === mapCents
  const isLower = before === null || retailCents < before.retailCents || (mapCents ?? 0) > (before.mapCents ?? 0)
  if (mapCents !== null && !isSame && (isLower || retailCents < mapCents)) {
    const saved = sql`select id as item_id, retail_cents, map_cents from item where id = ${id}::int`
    const { tires } = await selectBelowMinimum(tx, saved, { at, limit: 20 })
    if (tires.length > 0) warnings.push(`Sold below the minimum: ${tires.map(belowMinimumText).join('; ')}`)
  }
  if (before && Math.abs(retailCents - before.retailCents) * 100 > before.retailCents * largestMovePercent)
    warnings.push(
      `The price changes by more than ${largestMovePercent}%: ${formatCents(before.retailCents)} to ${formatCents(retailCents)}`,
    )
  return warnings
}
