import { sql } from 'kysely'
import { changeRows, createRows } from './changes.sql.server.ts'
import { refuseRows, refuseTwins, type FaultyRow } from './staged.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { sqlList } from '#platform/sql-list.ts'

/** The tires with the brand and part number of rows without a known GTIN. */
const namedItems = (runId: number) => sql`
  select staged.row_no, min(item.id) as item_id, count(*) as items
  from import_competitor_price as staged
    join brand on brand.slug = staged.brand_slug join product_line on product_line.brand_id = brand.id
    join item on item.product_line_id = product_line.id and upper(regexp_replace(item.mpn, '[^A-Za-z0-9]', '', 'g')) = staged.mpn_key
  where staged.run_id = ${runId}::int and not staged.refused and staged.item_id is null group by staged.row_no`

/**
 * Finds the tires by GTIN, or else by brand and part number. Refuses part numbers of several tires, and a second price of
 * a tire at a competitor. Tires that the store doesn't carry are skipped.
 */
export async function checkCompetitorPrices(tx: Tx, runId: number): Promise<void> {
  await sql`
    update import_competitor_price as staged set item_id = item.id from item
    where staged.run_id = ${runId} and not refused and item.gtin = staged.gtin`.execute(tx)
  await refuseRows(
    tx,
    runId,
    'import_competitor_price',
    'mpn',
    sql<FaultyRow>`
      select row_no, staged.mpn as value, 'is the part number of several tires' as problem, 'the GTIN' as expected
      from import_competitor_price as staged join (${namedItems(runId)}) as named using (row_no)
      where staged.run_id = ${runId}::int and items > 1`,
  )
  await sql`
    update import_competitor_price as staged set item_id = named.item_id from (${namedItems(runId)}) as named
    where staged.run_id = ${runId} and staged.row_no = named.row_no`.execute(tx)
  await refuseTwins(tx, runId, 'import_competitor_price', {
    keys: [sql`coalesce(item_id::text, 'row ' || row_no)`, 'competitor_slug'],
    column: 'competitor',
    value: sql`competitor`,
    problem: 'has a price for this tire already in row',
    expected: 'one price at each competitor',
  })
}

/** Adds and changes prices. An older price doesn't replace a newer one. Prices that the file lacks stay. */
export async function mergeCompetitorPrices(tx: Tx, runId: number): Promise<void> {
  const columns = ['competitor', 'price_cents', 'seen_on'] as const
  const facts = sql.join(columns.map((column) => sql.ref(`staged.${column}`)))
  await changeRows(
    tx,
    runId,
    'competitor_price',
    columns,
    sql`
      select known.id, ${facts} from import_competitor_price as staged
      join competitor_price as known on known.item_id = staged.item_id and known.competitor_slug = staged.competitor_slug
      where run_id = ${runId} and not refused and staged.seen_on >= known.seen_on`,
  )
  await createRows(
    tx,
    runId,
    'competitor_price',
    ['item_id', 'competitor_slug', ...columns],
    sql`
      select staged.item_id, staged.competitor_slug, ${facts} from import_competitor_price as staged
      where run_id = ${runId} and not refused and item_id is not null and not exists (
        select from competitor_price as known where known.item_id = staged.item_id and known.competitor_slug = staged.competitor_slug)
      order by row_no`,
  )
}

/** A tire's price at a competitor in cents, and its age in days. */
type ListedPrice = { itemId: number; competitor: string; cents: number; ageDays: number }

/** Lists the prices of tires at competitors that are up to `maxDays` old on `today`, the lowest first. */
export async function listCompetitorPrices(
  db: Database,
  { itemIds, today, maxDays }: { itemIds: readonly number[]; today: Temporal.PlainDate; maxDays: number },
): Promise<ListedPrice[]> {
  if (maxDays === 0) return []
  const day = sql`${today.toString()}::date`
  const { rows } = await sql<ListedPrice>`
    select item_id as "itemId", competitor, price_cents as cents, greatest(0, ${day} - seen_on) as "ageDays"
    from competitor_price where item_id = any(${sqlList('int', itemIds)}) and seen_on >= ${day} - ${maxDays}::int
    order by item_id, price_cents, competitor`.execute(db)
  return rows
}
