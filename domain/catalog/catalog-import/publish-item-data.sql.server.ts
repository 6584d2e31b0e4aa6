/**
 * Publishes data of existing tires from their manufacturer (PIES). Tires are found by GTIN, and otherwise by brand and part
 * number. Items that the store doesn't carry are skipped.
 */
import { sql, type RawBuilder } from 'kysely'
import { latestMapVersion, lockMinimums } from '#domain/catalog/catalog/catalog.server.ts'
import { selectBelowMinimum } from '#domain/catalog/promotions/promotions.server.ts'
import { belowMinimumText } from '#domain/catalog/promotions/promotions.ts'
import type { Tx } from '#platform/db.ts'
import type { Warning } from './catalog-import.ts'
import { changeRows } from './changes.sql.server.ts'
import { itemsByPart, partKey } from './publish-brand-fitment.sql.server.ts'
import { refuseRows, refuseTwins, type FaultyRow } from './staged.sql.server.ts'

const table = 'import_item_data'
/** The line of an item in an XML file, as the end of a problem. */
const place = sql<string>`coalesce(' (line ' || line_no || ')', '')`

/** Matches rows to tires, and refuses rows that contradict the catalog or each other. */
export async function checkItemData(tx: Tx, runId: number): Promise<void> {
  await findBrands(tx, runId)
  await findByGtin(tx, runId)
  await findByPart(tx, runId)
  for (const [column, faulty] of contradictions(runId)) await refuseRows(tx, runId, table, column, faulty)
  const twins = { problem: 'is described already in row', place }
  await refuseTwins(tx, runId, table, {
    keys: ['brand_id', unlessWithdrawn(sql`part_key`)],
    column: 'part',
    value: sql`part`,
    expected: 'each part number once',
    ...twins,
  })
  await refuseTwins(tx, runId, table, {
    keys: [unlessWithdrawn(sql`item_id::text`)],
    column: 'part',
    value: sql`part`,
    expected: 'each tire once',
    ...twins,
  })
  await refuseTwins(tx, runId, table, {
    keys: [unlessWithdrawn(sql`gtin`)],
    column: 'gtin',
    value: sql`gtin`,
    expected: 'each GTIN once',
    ...twins,
  })
}

/** A new part number can take over the GTIN of a withdrawn one. */
function unlessWithdrawn(key: RawBuilder<unknown>): RawBuilder<string> {
  return sql`coalesce(case when maintenance <> 'D' then ${key} end, 'row ' || row_no)`
}

/** A code's brand counts before the name in the same row. */
async function findBrands(tx: Tx, runId: number): Promise<void> {
  await sql`
    update import_item_data as staged set brand_id = named.id
    from (
      select source.brand_code, source.brand_slug, brand.id
      from (select distinct brand_code, brand_slug from import_item_data where run_id = ${runId}) as source
      left join vehicle_code as code on code.kind = 'brand' and code.code = source.brand_code
      join brand on brand.slug = coalesce(code.slug, source.brand_slug)) as named
    where run_id = ${runId} and staged.brand_code is not distinct from named.brand_code and staged.brand_slug is not distinct from named.brand_slug`.execute(
    tx,
  )
}

async function findByGtin(tx: Tx, runId: number): Promise<void> {
  await sql`
    update import_item_data as staged set item_id = item.id, brand_id = coalesce(staged.brand_id, product_line.brand_id)
    from item join product_line on product_line.id = product_line_id
    where run_id = ${runId} and item.gtin = staged.gtin`.execute(tx)
}

async function findByPart(tx: Tx, runId: number): Promise<void> {
  await sql`
    update import_item_data as staged set item_id = found.item_id from (${itemsByPart}) as found
    where run_id = ${runId} and staged.item_id is null and found.brand_id = staged.brand_id and found.part_key = staged.part_key and found.items = 1`.execute(
    tx,
  )
}

function contradictions(runId: number): [column: string, faulty: RawBuilder<FaultyRow>][] {
  const rows = sql`from import_item_data as staged`
  const open = sql`run_id = ${runId}::int and not refused`
  return [
    [
      'brand_code',
      sql<FaultyRow>`select row_no, coalesce(brand_code, brand_slug, '') as value, 'is not a brand of the store' || ${place} as problem,
        'the name of a brand as its label, or a code that a file of codes explains' as expected
        ${rows} where ${open} and brand_id is null`,
    ],
    [
      'gtin',
      sql<FaultyRow>`select row_no, staged.gtin as value, 'is the GTIN of ' || item.sku || ', a tire of another brand' || ${place} as problem, 'a tire of this brand' as expected
        ${rows} join item on item.id = staged.item_id join product_line on product_line.id = product_line_id
        where ${open} and product_line.brand_id <> staged.brand_id`,
    ],
    [
      'part',
      sql<FaultyRow>`select row_no, part as value, 'is the part number of several tires' || ${place} as problem, 'a GTIN, or part numbers that differ within a brand' as expected
        ${rows} join (${itemsByPart}) as found using (brand_id, part_key)
        where ${open} and staged.item_id is null and found.items > 1`,
    ],
    [
      'part',
      sql<FaultyRow>`select row_no, part as value, 'is the part number of ' || min(other.sku) || ', and the GTIN is of another tire' || ${place} as problem, 'the GTIN and part number of one tire' as expected
        ${rows} join product_line as line on line.brand_id = staged.brand_id join item as other on other.product_line_id = line.id
        where ${open} and other.id <> staged.item_id and ${partKey} = staged.part_key group by row_no, part, line_no`,
    ],
  ]
}

/** The rows that change a tire: (item_id, part, gtin, weight_lb, origin_country, about, map_cents). */
const carried = (runId: number) =>
  sql`select * from import_item_data where run_id = ${runId} and not refused and item_id is not null and maintenance <> 'D'`

/** The tires that a warning names. */
const mostNamed = 20

/**
 * Warns if minimum advertised prices are above the advertised prices of their tires. Locks these tires before the time
 * of the merge is read, so that orders priced earlier have committed or are priced again.
 */
export async function weighItemData(tx: Tx, runId: number, at: Temporal.Instant): Promise<Warning[]> {
  await lockMinimums(tx)
  await sql`
    select count(*) from (
      select from item join (${carried(runId)}) as staged on staged.item_id = item.id
      where staged.map_cents is not null and staged.map_cents is distinct from item.map_cents order by item.id for no key update of item) as locked`.execute(
    tx,
  )
  const proposed = sql`
    select item.id as item_id, item.retail_cents, staged.map_cents from (${carried(runId)}) as staged join item on item.id = staged.item_id
    where item.active and staged.map_cents is distinct from item.map_cents and staged.map_cents is not null`
  const { count, tires } = await selectBelowMinimum(tx, proposed, { at, limit: mostNamed })
  return count > 0 ? [{ kind: 'raises-minimums', count, examples: tires.map(belowMinimumText) }] : []
}

/** Missing values stay. Descriptions that differ within a model aren't imported. */
export async function mergeItemData(tx: Tx, runId: number, at: Temporal.Instant): Promise<void> {
  const version = (await latestMapVersion(tx)) + 1
  const isNewMap = sql`staged.map_cents is not null and staged.map_cents is distinct from item.map_cents`
  await changeRows(
    tx,
    runId,
    'item',
    ['gtin', 'mpn', 'weight_lb', 'origin_country', 'map_cents', 'map_set_at', 'map_version'],
    sql`
      select item.id, coalesce(staged.gtin, item.gtin) as gtin, staged.part as mpn, coalesce(staged.weight_lb, item.weight_lb) as weight_lb,
        coalesce(staged.origin_country, item.origin_country) as origin_country, coalesce(staged.map_cents, item.map_cents) as map_cents,
        case when ${isNewMap} then ${at.toString()}::timestamptz else item.map_set_at end as map_set_at,
        case when ${isNewMap} then ${version}::int else item.map_version end as map_version
      from (${carried(runId)}) as staged join item on item.id = staged.item_id`,
  )
  await changeRows(
    tx,
    runId,
    'product_line',
    ['feed_about'],
    sql`
      select product_line_id as id, min(about) as feed_about from (${carried(runId)}) as staged join item on item.id = staged.item_id
      where about is not null group by product_line_id having count(distinct about) = 1`,
  )
}
