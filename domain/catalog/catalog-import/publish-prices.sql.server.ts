import { sql } from 'kysely'
import { belowMinimumText } from '#domain/catalog/promotions/promotions.ts'
import { selectBelowMinimum } from '#domain/catalog/promotions/promotions.server.ts'
import type { Tx } from '#platform/db.ts'
import { largestMovePercent, type Warning } from './catalog-import.ts'
import { changeRows } from './changes.sql.server.ts'
import { refuseTwins, refuseUnknownTires } from './staged.sql.server.ts'

/** Checks that each SKU appears once and is for sale here. */
export async function checkPrices(tx: Tx, runId: number): Promise<void> {
  await refuseTwins(tx, runId, 'import_price', {
    keys: ['sku'],
    column: 'sku',
    value: sql`sku`,
    problem: 'has a price already in row',
    expected: 'each SKU once',
  })
  await refuseUnknownTires(tx, runId, 'import_price')
}

export async function weighPrices(tx: Tx, runId: number, at: Temporal.Instant): Promise<Warning[]> {
  return weighMoves(
    tx,
    at,
    sql`select item.sku, item.retail_cents as before, import_price.retail_cents as after
      from import_price join item on item.sku = import_price.sku where run_id = ${runId} and not refused`,
  )
}

export async function mergePrices(tx: Tx, runId: number): Promise<void> {
  await changeRows(
    tx,
    runId,
    'item',
    ['retail_cents', 'cost_cents'],
    // A file without costs leaves them unchanged.
    sql`select item.id, import_price.retail_cents, coalesce(import_price.cost_cents, item.cost_cents) as cost_cents from import_price join item on item.sku = import_price.sku where run_id = ${runId} and not refused`,
  )
}

/** Warns of tires sold below their minimum advertised price. `moves` selects (sku, before, after) in cents. */
async function weighMinimums(tx: Tx, at: Temporal.Instant, moves: ReturnType<typeof sql>): Promise<Warning[]> {
  const proposed = sql`select item.id as item_id, moves.after as retail_cents, item.map_cents from (${moves}) as moves join item on item.sku = moves.sku
    where moves.after < moves.before or moves.after < item.map_cents`
  const { count, tires } = await selectBelowMinimum(tx, proposed, { at, limit: 20 })
  return count > 0 ? [{ kind: 'below-map', count, examples: tires.map(belowMinimumText) }] : []
}

/** Warns of large price changes and of prices below the minimum. `moves` selects (sku, before, after) in cents. */
export async function weighMoves(tx: Tx, at: Temporal.Instant, moves: ReturnType<typeof sql>): Promise<Warning[]> {
  return [...(await weighMinimums(tx, at, moves)), ...(await weighLargeMoves(tx, moves))]
}

async function weighLargeMoves(tx: Tx, moves: ReturnType<typeof sql>): Promise<Warning[]> {
  const { rows } = await sql<{ sku: string; before: number; after: number; count: number }>`
    select sku, before, after, (count(*) over ())::int as count from (${moves}) as moves
    where abs(after - before) * 100::bigint > before * ${largestMovePercent}::bigint
    order by abs(after - before)::numeric / before desc, sku limit 20`.execute(tx)
  const [first] = rows
  if (first === undefined) return []
  return [
    {
      kind: 'moves-prices',
      count: first.count,
      biggest: rows.map(({ sku, before, after }) => ({ sku, fromCents: before, toCents: after })),
    },
  ]
}
