/**
 * A run's difference in merchant-readable rows, for a merge that is rolled back afterward, or for unpublished stock
 * counts.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { DifferenceCount, DifferenceKind, DifferenceRow, FeedKind } from './catalog-import.ts'
import { wantedStock } from './publish-stock.sql.server.ts'

/** Rows stored of each kind, the largest changes first. */
export const mostDifferences = 5_000

export type Difference = { counts: DifferenceCount[]; rows: DifferenceRow[] }

/**
 * Reads what the run's changes in this transaction come to; for stock, what its counts would change. Prices are in
 * dollars.
 */
export async function readDifference(tx: Tx, runId: number, kind: FeedKind): Promise<Difference> {
  const changed = changesOf[kind](runId)
  const { rows } = await sql<DifferenceRow & { count: number }>`
    select kind, place::int, what, was, becomes, count::int from (
      select kind, coalesce(what, '') as what, coalesce(was, '') as was, coalesce(becomes, '') as becomes,
        row_number() over (partition by kind order by size desc, what, was) as place, count(*) over (partition by kind) as count
      from (${changed}) as changed (kind, what, was, becomes, size)) as placed
    where place <= ${mostDifferences} order by kind, place`.execute(tx)
  const counts = new Map<DifferenceKind, number>(rows.map(({ kind: of, count }) => [of, count]))
  return {
    counts: [...counts].map(([of, count]) => ({ kind: of, count })),
    rows: rows.map(({ kind: of, place, what, was, becomes }) => ({ kind: of, place, what, was, becomes })),
  }
}

/** Replaces the stored difference of a run. */
export async function storeDifference(tx: Tx, runId: number, rows: readonly DifferenceRow[]): Promise<void> {
  await tx.deleteFrom('import_difference').where('run_id', '=', runId).execute()
  await sql`
    insert into import_difference (run_id, kind, place, what, was, becomes)
    select ${runId}::int, kind, place, what, was, becomes
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (kind text, place int, what text, was text, becomes text)`.execute(
    tx,
  )
}

/** Returns the stored difference in order, a page after `after`; the first `limit` of each kind. */
export function selectDifference(
  db: Database,
  runId: number,
  { after, limit, perKind }: { after: Pick<DifferenceRow, 'kind' | 'place'> | null; limit: number; perKind: number },
): Promise<DifferenceRow[]> {
  return db
    .selectFrom('import_difference')
    .select(['kind', 'place', 'what', 'was', 'becomes'])
    .$narrowType<{ kind: DifferenceKind }>()
    .where('run_id', '=', runId)
    .where('place', '<=', perKind)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('kind', 'place'), '>', tuple<string, number>(after?.kind ?? '', after?.place ?? 0)),
      ),
    )
    .orderBy('kind')
    .orderBy('place')
    .limit(limit)
    .execute()
}

/** By row number in the file, so that personal data isn't stored beyond the import. */
function customerChanges(runId: number): RawBuilder<unknown> {
  return sql`
    select case when is_known then 'known-customer' else 'new-customer' end, 'Row ' || row_no, '', '', -row_no::numeric
    from import_customer where run_id = ${runId} and not refused`
}

/** Each order by its first row in the file. */
function orderChanges(runId: number): RawBuilder<unknown> {
  return sql`
    select case when bool_and(is_known) then 'known-order' else 'new-order' end, 'Row ' || min(row_no), '', '', -min(row_no)::numeric
    from import_order where run_id = ${runId} and not refused group by lower(store), lower(number)`
}

const changesOf: Record<FeedKind, (runId: number) => RawBuilder<unknown>> = {
  products: tires,
  prices: tires,
  stock: stockChanges,
  fitment: fitmentChanges,
  'item-data': itemDataChanges,
  'brand-fitment': brandFitmentChanges,
  'vehicle-codes': codeChanges,
  'competitor-prices': competitorChanges,
  customers: customerChanges,
  orders: orderChanges,
}

const dollars = (cents: string) => sql.raw<string>(`((${cents})::numeric / 100)::numeric(10, 2)::text`)
/** Other changed columns, excluding the given ones, as text such as "load index, weight lb". */
const otherColumns = (...but: string[]) => sql<string>`
  (select string_agg(replace(replace(key, '_id', ''), '_', ' '), ', ' order by key) from jsonb_object_keys(change.after) as key
    where key not in (${sql.join(but.map((name) => sql.lit(name)))}))`

/** Tires, models and brands, with price changes measured as a share of the price. */
function tires(runId: number): RawBuilder<unknown> {
  return sql`
    with change as materialized (select * from import_change where run_id = ${runId} and entity in ('item', 'product_line', 'brand'))
    select 'new', item.sku, '', ${dollars('item.retail_cents')}, 0::numeric from change join item using (id) where entity = 'item' and action = 'created'
    union all
    select case when (change.after ->> 'listed')::boolean then 'back' else 'gone' end, item.sku, '', '', 0
      from change join item using (id) where entity = 'item' and action = 'changed' and change.after ? 'listed'
    union all
    select case when (change.after ->> 'retail_cents')::int > (before ->> 'retail_cents')::int then 'price-up' else 'price-down' end, item.sku,
      ${dollars("before ->> 'retail_cents'")}, ${dollars("change.after ->> 'retail_cents'")},
      abs((change.after ->> 'retail_cents')::numeric - (before ->> 'retail_cents')::numeric) / (before ->> 'retail_cents')::numeric
      from change join item using (id) where entity = 'item' and action = 'changed' and change.after ? 'retail_cents'
    union all
    select case when refused then 'below-map' else 'price-in-cart' end, concat('Row ' || row_no || ': ', sku), '',
      '$' || ${dollars('price_cents')} || coalesce(' with promotion ' || name, '') || ', minimum $' || ${dollars('map_cents')}, -row_no::numeric
      from import_below_minimum
    union all
    select 'facts', item.sku, '', ${otherColumns('listed', 'retail_cents', 'by_hand')}, 0
      from change join item using (id) where entity = 'item' and action = 'changed' and ${otherColumns('listed', 'retail_cents', 'by_hand')} is not null
    union all
    select 'new-brand', brand.name, '', '', 0 from change join brand using (id) where entity = 'brand' and action = 'created'
    union all
    select case action when 'created' then 'new-line' else 'line-facts' end, brand.name || ' ' || line.name, '',
      case action when 'changed' then ${otherColumns('winter')} end, 0
      from change join product_line as line using (id) join brand on brand.id = line.brand_id where entity = 'product_line'`
}

function fitmentChanges(runId: number): RawBuilder<unknown> {
  const name = sql`vehicle.year || ' ' || vehicle.make || ' ' || vehicle.model || ' ' || vehicle.trim`
  return sql`
    with change as materialized (select * from import_change where run_id = ${runId})
    select case action when 'created' then 'new-vehicle' else 'vehicle-facts' end, ${name}, '',
      case action when 'changed' then ${otherColumns('')} end, 0::numeric
      from change join vehicle using (id) where entity = 'vehicle'
    union all
    select case action when 'created' then 'new-size' else 'size-facts' end, ${name}, '', fitted.front_size || ' / ' || fitted.rear_size, 0
      from change join oe_fitment as fitted using (id) join vehicle on vehicle.id = fitted.vehicle_id where entity = 'oe_fitment'
    union all
    select 'removed-size', ${name}, (before ->> 'front_size') || ' / ' || (before ->> 'rear_size'), '', 0
      from change join vehicle on vehicle.id = (before ->> 'vehicle_id')::int where entity = 'oe_fitment' and action = 'removed'`
}

/** The rows of a group, such as "12 vehicles". */
const counted = (noun: string) =>
  sql<string>`count(*) || ${` ${noun}`}::text || case when count(*) = 1 then '' else 's' end`

/** Vehicles by item, and applications by part number that no item has. */
function brandFitmentChanges(runId: number): RawBuilder<unknown> {
  return sql`
    with change as materialized (select * from import_change where run_id = ${runId} and entity = 'brand_fitment')
    select 'brand-fitment-added', item.sku, '', ${counted('vehicle')}, count(*)::numeric
      from change join brand_fitment using (id) join item on item.id = brand_fitment.item_id where action = 'created' group by item.sku
    union all
    select 'brand-fitment-removed', item.sku, ${counted('vehicle')}, '', count(*)
      from change join item on item.id = (before ->> 'item_id')::int where action = 'removed' group by item.sku
    union all
    select 'part-not-carried', part, '', ${counted('application')}, count(*)
      from import_brand_fitment where run_id = ${runId} and not refused and item_id is null group by part`
}

/** Changed columns with their values, such as "gtin 036000291452, weight lb from 26.4 to 28". */
const changedValues = sql<string>`
  (select string_agg(case key when 'map_cents' then 'minimum' || coalesce(' from $' || ${dollars("before ->> 'map_cents'")} || ' to', '') || ' $' || ${dollars('value')}
      else replace(key, '_', ' ') || coalesce(' from ' || (before ->> key) || ' to ', ' ') || value end, ', ' order by key)
    from jsonb_each_text(change.after) as changed (key, value) where key not in ('map_set_at', 'map_version'))`

function itemDataChanges(runId: number): RawBuilder<unknown> {
  return sql`
    with change as materialized (select * from import_change where run_id = ${runId})
    select 'facts', item.sku, '', ${changedValues}, 0::numeric
      from change join item using (id) where entity = 'item'
    union all
    select 'line-facts', brand.name || ' ' || line.name, '', left(change.after ->> 'feed_about', 300), 0
      from change join product_line as line using (id) join brand on brand.id = line.brand_id where entity = 'product_line'
    union all
    select 'part-withdrawn', item.sku, '', '', 0
      from import_item_data as staged join item on item.id = item_id where run_id = ${runId} and not refused and maintenance = 'D'
    union all
    select 'part-not-carried', part, '', '', 0 from import_item_data where run_id = ${runId} and not refused and item_id is null`
}

function codeChanges(runId: number): RawBuilder<unknown> {
  return sql`
    select case action when 'created' then 'code-added' else 'code-changed' end, code.kind || ' ' || code.code, '',
      coalesce(code.name, code.year || ' ' || code.make || ' ' || code.model), 0::numeric
    from import_change join vehicle_code as code using (id) where run_id = ${runId} and entity = 'vehicle_code'`
}

/** New and changed prices, and tires that the store doesn't carry. */
function competitorChanges(runId: number): RawBuilder<unknown> {
  return sql`
    select case action when 'created' then 'competitor-price-added' else 'competitor-price-changed' end, item.sku || ' at ' || price.competitor,
      coalesce(${dollars("before ->> 'price_cents'")}, ''), ${dollars('price.price_cents')}, 0::numeric
    from import_change join competitor_price as price using (id) join item on item.id = price.item_id
    where run_id = ${runId} and entity = 'competitor_price'
    union all
    select 'part-not-carried', coalesce(mpn, gtin), '', '', 0 from import_competitor_price where run_id = ${runId} and not refused and item_id is null`
}

function stockChanges(runId: number): RawBuilder<unknown> {
  return sql`
    select case when wanted.on_hand > coalesce(stock.on_hand, 0) then 'stock-up' else 'stock-down' end, item.sku || ' in ' || warehouse.code,
      coalesce(stock.on_hand, 0)::text, wanted.on_hand::text, abs(wanted.on_hand - coalesce(stock.on_hand, 0))::numeric
    from (${wantedStock(runId, { after: 0, to: 2_147_483_647 })}) as wanted
    join item on item.id = wanted.item_id join warehouse on warehouse.id = wanted.warehouse_id
    left join stock on stock.item_id = wanted.item_id and stock.warehouse_id = wanted.warehouse_id
    where coalesce(stock.on_hand, 0) <> wanted.on_hand`
}
