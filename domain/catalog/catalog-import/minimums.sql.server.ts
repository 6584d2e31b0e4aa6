/**
 * Prices of a run or rollback below a minimum advertised price (MAP). By the store's setting their tires keep their
 * present prices, or get them and show "See price in cart". Never concerns other rows of the file.
 */
import { sql, type RawBuilder } from 'kysely'
import { belowMinimumQuery, changedPrices } from '#domain/catalog/promotions/promotions.server.ts'
import { belowMinimumText, type BelowMinimum } from '#domain/catalog/promotions/promotions.ts'
import { lockBelowMapRule } from '#domain/kernel/settings/settings.server.ts'
import type { Tx } from '#platform/db.ts'
import type { BelowMap } from './catalog-import.ts'

/** The tires that a run's summary names. */
const mostNamed = 100

/**
 * Locks the tires with prices that `changes` would change, and leaves a temporary table `import_below_minimum` for later
 * steps in this transaction, with one row for each tire that would be below its minimum, and whether its price is
 * `refused`. `changes` selects (item_id, was_cents, retail_cents, row_no); row_no is null without a file. Returns null
 * without one.
 */
export async function planBelowMinimum(
  tx: Tx,
  changes: RawBuilder<unknown>,
  at: Temporal.Instant,
): Promise<BelowMap | null> {
  // In key order like all multi-row locks. A minimum that is set from now on sees the prices of this transaction.
  await sql`
    select count(*) from (
      select from item join (${changes}) as change on change.item_id = item.id
      where change.retail_cents <> item.retail_cents order by item.id for no key update of item) as locked`.execute(tx)
  const isRefused = (await lockBelowMapRule(tx)) === 'refuse'
  await sql`
    create temporary table import_below_minimum (
      item_id integer primary key, row_no integer, sku text, price_cents integer, map_cents integer, cause text, name text, refused boolean
    ) on commit drop`.execute(tx)
  await sql`
    insert into import_below_minimum
    select item_id, row_no, sku, price_cents, map_cents, cause, name, ${isRefused}::boolean
    from (${belowMinimumQuery(changedPrices(changes), at)}) as below join (${changes}) as change using (item_id)`.execute(
    tx,
  )
  const { rows } = await sql<BelowMinimum & { rowNo: number | null; count: number }>`
    select sku, price_cents as "priceCents", map_cents as "mapCents", cause, name, row_no as "rowNo", (count(*) over ())::int as count
    from import_below_minimum order by row_no, sku limit ${mostNamed}`.execute(tx)
  const [first] = rows
  return first ? { isRefused, count: first.count, examples: rows.map(exampleOf) } : null
}

function exampleOf({ rowNo, ...tire }: BelowMinimum & { rowNo: number | null }): string {
  return rowNo === null ? belowMinimumText(tire) : `Row ${rowNo}: ${belowMinimumText(tire)}`
}

/** The condition that a tire's price is published, for queries after `planBelowMinimum`. */
export function isPricePublished(itemId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (select from import_below_minimum as below where below.refused and below.item_id = ${itemId})`
}
