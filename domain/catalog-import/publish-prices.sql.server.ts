import { sql } from 'kysely'
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

export async function weighPrices(tx: Tx, runId: number): Promise<Warning[]> {
  return weighMoves(
    tx,
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

/** Warns of prices below the minimum advertised price. `moves` selects (sku, before, after) in cents. */
async function weighMinimums(tx: Tx, moves: ReturnType<typeof sql>): Promise<Warning[]> {
  const { rows } = await sql<{ text: string; count: number }>`
    select moves.sku || ' at $' || (after::numeric / 100)::numeric(10, 2) || ', minimum $' || (map_cents::numeric / 100)::numeric(10, 2) as text,
      (count(*) over ())::int as count
    from (${moves}) as moves join item on item.sku = moves.sku
    where after < map_cents order by moves.sku limit 20`.execute(tx)
  const [first] = rows
  return first ? [{ kind: 'below-map', count: first.count, examples: rows.map(({ text }) => text) }] : []
}

/** Warns of large price changes and of prices below the minimum. `moves` selects (sku, before, after) in cents. */
export async function weighMoves(tx: Tx, moves: ReturnType<typeof sql>): Promise<Warning[]> {
  return [...(await weighMinimums(tx, moves)), ...(await weighLargeMoves(tx, moves))]
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
