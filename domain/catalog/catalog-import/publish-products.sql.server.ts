/** Publishes a products feed from the plan `checkProducts` left in this transaction. */
import { sql, type RawBuilder } from 'kysely'
import { plainWordmark } from '#domain/catalog/catalog/catalog.ts'
import type { Tx } from '#platform/db.ts'
import { largestLossPercent, type Warning } from './catalog-import.ts'
import { changeRows, createRows } from './changes.sql.server.ts'
import { insertPictures } from './import-pictures.sql.server.ts'
import { isPricePublished } from './minimums.sql.server.ts'
import { itemFacts, keptFacts } from './product-feed.ts'
import { weighMoves } from './publish-prices.sql.server.ts'

/** The prices that a run's rows have for existing tires: (item_id, was_cents, retail_cents, row_no). */
export function stagedProductPrices(runId: number): RawBuilder<unknown> {
  return sql`select import_plan.item_id, item.retail_cents as was_cents, staged.retail_cents, staged.row_no
    from import_plan join import_product as staged on staged.run_id = ${runId} and staged.row_no = import_plan.row_no join item on item.id = import_plan.item_id
    where staged.retail_cents is not null`
}

/** Warns about tires the run takes off sale, and large price changes. */
export async function weighProducts(tx: Tx, runId: number): Promise<Warning[]> {
  const { rows } = await sql<{ count: number; of: number; examples: string[] }>`
    with gone as materialized (${goneItems(runId)})
    select (select count(*) from gone)::int as count,
      (select count(*) from item join product_line on product_line.id = product_line_id
        where listed and product_line.brand_id in (select brand_id from import_plan))::int as of,
      array(select sku from gone order by sku limit 20) as examples`.execute(tx)
  const { count, of, examples } = rows[0] ?? { count: 0, of: 0, examples: [] }
  const moves = await weighMoves(tx, stagedProductPrices(runId))
  return count * 100 > of * largestLossPercent ? [{ kind: 'deactivates', count, of, examples }, ...moves] : moves
}

/** Merges brands, lines and sizes, then the tires in them. Idempotent; unchanged rows are skipped. */
export async function mergeProducts(tx: Tx, runId: number, at: Temporal.Instant): Promise<void> {
  await mergeBrands(tx, runId)
  await mergeLines(tx, runId)
  await mergeSizes(tx, runId)
  await numberNewItems(tx)
  const facts = sql.join(itemFacts.map((fact) => sql`${sql.ref(`staged.${fact}`)} as ${sql.ref(itemColumn(fact))}`))
  const kept = sql.join(
    keptFacts.map(
      (fact) => sql`coalesce(${sql.ref(`staged.${fact}`)}, ${sql.ref(`item.${fact}`)}) as ${sql.ref(fact)}`,
    ),
  )
  const given = sql.join(keptFacts.map((fact) => sql.ref(`staged.${fact}`)))
  const columns = ['product_line_id', 'size_id', ...itemFacts.map(itemColumn), ...keptFacts, 'retail_cents']
  await changeRows(
    tx,
    runId,
    'item',
    [...columns, 'by_hand'],
    sql`
      select item.id, import_plan.line_id as product_line_id, import_plan.size_id, ${facts}, ${kept},
        case when ${isPricePublished(sql`item.id`)} then coalesce(staged.retail_cents, item.retail_cents) else item.retail_cents end as retail_cents,
        false as by_hand
      from import_plan join import_product as staged on staged.run_id = ${runId} and staged.row_no = import_plan.row_no
      join item on item.id = import_plan.item_id`,
  )
  await createRows(
    tx,
    runId,
    'item',
    ['id', ...columns],
    sql`
      select import_plan.item_id, import_plan.line_id, import_plan.size_id, ${facts}, ${given}, staged.retail_cents
      from import_plan join import_product as staged on staged.run_id = ${runId} and staged.row_no = import_plan.row_no
      where not exists (select from item where item.id = import_plan.item_id) order by import_plan.item_id`,
  )
  await changeRows(
    tx,
    runId,
    'item',
    ['listed'],
    sql`select id, false as listed from (${missingItems(runId)}) as missing`,
  )
  await insertPictures(tx, runId, at)
}

/** A feed determines whether a tire is listed; staff can also take it off sale. */
function itemColumn(fact: string): string {
  return fact === 'active' ? 'listed' : fact
}

/**
 * An existing brand stays unchanged, because its tier and texts belong to the store. A new brand's values may be in a
 * row that was refused for another reason.
 */
async function mergeBrands(tx: Tx, runId: number): Promise<void> {
  await createRows(
    tx,
    runId,
    'brand',
    ['slug', 'name', 'tier', 'about', 'wordmark'],
    sql`
      select staged.brand_slug, (array_agg(staged.brand order by staged.row_no))[1],
        (select stated.brand_tier from import_product as stated where stated.run_id = ${runId} and stated.brand_slug = staged.brand_slug and stated.brand_tier is not null order by stated.row_no limit 1),
        coalesce((select stated.brand_about from import_product as stated where stated.run_id = ${runId} and stated.brand_slug = staged.brand_slug and stated.brand_about is not null order by stated.row_no limit 1), ''),
        ${JSON.stringify(plainWordmark)}::jsonb
      from import_plan join import_product as staged on staged.run_id = ${runId} and staged.row_no = import_plan.row_no
      where import_plan.brand_id is null group by staged.brand_slug order by min(staged.row_no)`,
  )
  await sql`
    update import_plan set brand_id = brand.id from import_product as staged join brand on brand.slug = staged.brand_slug
    where import_plan.brand_id is null and staged.run_id = ${runId} and staged.row_no = import_plan.row_no`.execute(tx)
}

async function mergeLines(tx: Tx, runId: number): Promise<void> {
  // Rows of one line agree, so the first one will do.
  await sql`
    create temporary table import_line on commit drop as
    select distinct on (import_plan.brand_id, staged.line_slug) staged.row_no, import_plan.brand_id, import_plan.line_id as id, staged.line_slug as slug,
      staged.line as name, staged.line_about, staged.category_slug, staged.tread, staged.m_plus_s, staged.three_peak, staged.tread = 'winter' as winter, staged.ev,
      staged.line_warranty_miles as warranty_miles
    from import_plan join import_product as staged on staged.run_id = ${sql.lit(runId)} and staged.row_no = import_plan.row_no
    order by import_plan.brand_id, staged.line_slug, staged.row_no`.execute(tx)
  const facts = ['category_slug', 'tread', 'm_plus_s', 'three_peak', 'winter', 'ev', 'warranty_miles']
  const values = sql.join(facts.map((fact) => sql.ref(`import_line.${fact}`)))
  await changeRows(
    tx,
    runId,
    'product_line',
    [...facts, 'feed_about'],
    sql`select id, ${values}, coalesce(line_about, product_line.feed_about) as feed_about from import_line join product_line using (id)`,
  )
  await createRows(
    tx,
    runId,
    'product_line',
    ['brand_id', 'slug', 'name', ...facts, 'feed_about'],
    sql`select brand_id, slug, name, ${values}, coalesce(line_about, '') from import_line where id is null order by row_no`,
  )
  await sql`
    update import_plan set line_id = product_line.id
    from import_product as staged join product_line on product_line.slug = staged.line_slug
    where import_plan.line_id is null and staged.run_id = ${runId} and staged.row_no = import_plan.row_no and product_line.brand_id = import_plan.brand_id`.execute(
    tx,
  )
}

async function mergeSizes(tx: Tx, runId: number): Promise<void> {
  await createRows(
    tx,
    runId,
    'size',
    ['slug', 'designation', 'kind', 'section_width_mm', 'aspect', 'rim_in', 'overall_diameter_mm'],
    sql`
      select distinct on (size_slug) size_slug, designation, size_kind, section_width_mm, aspect, rim_in, overall_diameter_mm
      from import_plan join import_product as staged on staged.run_id = ${runId} and staged.row_no = import_plan.row_no
      where size_id is null order by size_slug`,
  )
  await sql`
    update import_plan set size_id = size.id from import_product as staged join size on size.slug = staged.size_slug
    where import_plan.size_id is null and staged.run_id = ${runId} and staged.row_no = import_plan.row_no`.execute(tx)
}

/** Returns a new tire's number, never used before, because tire URLs are permanent. */
export async function takeItemNumber(tx: Tx): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    update item_number set last = greatest(last, (select coalesce(max(id), 0) from item)) + 1 returning last`.execute(
    tx,
  )
  return rows[0]?.last ?? 0
}

/** Numbers new items in file order, after every number ever used, because tire URLs are permanent. */
async function numberNewItems(tx: Tx): Promise<void> {
  await sql`update item_number set last = greatest(last, (select coalesce(max(id), 0) from item))`.execute(tx)
  await sql`
    with new as (select row_no, row_number() over (order by row_no) as place from import_plan where item_id is null)
    update import_plan set item_id = (select last from item_number) + new.place from new where new.row_no = import_plan.row_no`.execute(
    tx,
  )
  await sql`update item_number set last = greatest(last, (select coalesce(max(item_id), 0) from import_plan))`.execute(
    tx,
  )
}

/**
 * Selects tires on sale that the feed doesn't list although it covers their brand, except those added by staff. A tire
 * with a refused row stays on sale. A row without a readable SKU could be any tire, so all stay on sale.
 */
function missingItems(runId: number) {
  return sql`
    select item.id, item.sku from item join product_line on product_line.id = item.product_line_id
    where item.listed and not item.by_hand and product_line.brand_id in (select brand_id from import_plan)
      and not exists (select from import_plan where import_plan.item_id = item.id)
      and not exists (select from import_product as refused where refused.run_id = ${runId} and refused.refused and refused.sku = item.sku)
      and not exists (select from import_product as nameless where nameless.run_id = ${runId} and nameless.refused and nameless.sku is null)`
}

/** Those, and tires the feed itself marks as not for sale. */
function goneItems(runId: number) {
  return sql`
    select id, sku from (${missingItems(runId)}) as missing
    union all
    select item.id, item.sku from import_plan join import_product as staged on staged.run_id = ${runId} and staged.row_no = import_plan.row_no
    join item on item.id = import_plan.item_id where item.listed and not staged.active`
}
