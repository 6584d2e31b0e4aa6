import { sql } from 'kysely'
import type { Tx } from '#platform/db.ts'
import { refuseRows, refuseTwins, type FaultyRow } from './staged.sql.server.ts'

/** What all rows of one line must agree on, by the columns of the staging table and of the feed. */
const lineFacts = [
  ['category_slug', 'category'],
  ['tread', 'tread'],
  ['m_plus_s', 'm_plus_s'],
  ['three_peak', 'three_peak'],
  ['ev', 'ev'],
  ['line_warranty_miles', 'line_warranty_miles'],
  ['line_about', 'line_about'],
] as const
/** Columns that distinguish a model's tires in one size, from the table's unique constraint. */
const description = ['load_index', 'speed', 'load_class', 'load_range', 'run_flat', 'oe_mark', 'sidewall'] as const

/**
 * Refuses rows that contradict each other or the catalog, and leaves a temporary table `import_plan` for later steps in
 * this transaction: each good row with the keys it refers to, null if new. A new SKU for a tire the feed lists under no
 * other SKU is that tire with a changed SKU, so that its page and reviews stay.
 */
export async function checkProducts(tx: Tx, runId: number): Promise<void> {
  await refuseTwins(tx, runId, 'import_product', {
    keys: ['sku'],
    column: 'sku',
    value: sql`sku`,
    problem: 'is described already in row',
    expected: 'each SKU once',
  })
  await refuseTwins(tx, runId, 'import_product', {
    keys: ['brand_slug', 'line_slug', 'size_slug', ...description],
    column: 'sku',
    value: sql`sku`,
    problem: 'is the same tire as the one in row',
    expected: 'another size, load index, speed, load class or range, sidewall or mark',
  })
  await refuseTwins(tx, runId, 'import_product', {
    // A row without a GTIN is its own.
    keys: [sql`coalesce(gtin, row_no::text)`],
    column: 'gtin',
    value: sql`gtin`,
    problem: 'is also the GTIN in row',
    expected: 'the number of this tire alone',
  })
  await refuseDisagreements(tx, runId)
  await plan(tx, runId)
  await matchRenamed(tx, runId)
  await refuseTaken(tx, runId)
  await refuseTakenGtins(tx, runId)
  await refuseRetiredCategories(tx, runId)
  await refuseIncomplete(tx, runId)
  await sql`delete from import_plan using import_product as staged where staged.run_id = ${runId} and staged.row_no = import_plan.row_no and staged.refused`.execute(
    tx,
  )
  await sql`analyze import_plan`.execute(tx)
}

/**
 * Rows of one line that say otherwise than most of its rows; of as many each, the first counts. Names each differing
 * fact by its own column; the first is enough to find the row.
 */
async function refuseDisagreements(tx: Tx, runId: number): Promise<void> {
  const facts = sql`array[${sql.join(lineFacts.map(([column]) => sql`coalesce(${sql.ref(column)}::text, '')`))}]`
  await refuseRows(
    tx,
    runId,
    'import_product',
    sql`fact_name`,
    sql<FaultyRow>`
      select row_no, fact as value, 'is not what row ' || first_row || ' says of this line' as problem, first_fact as expected, fact_name
      from (
        select row_no, facts, first_value(row_no) over line as first_row, first_value(facts) over line as first_facts
        from (
          select row_no, brand_slug, line_slug, facts, count(*) over same as times, min(row_no) over same as since
          from (select row_no, brand_slug, line_slug, ${facts} as facts from import_product where run_id = ${runId} and not refused) as stated
          window same as (partition by brand_slug, line_slug, facts)) as counted
        window line as (partition by brand_slug, line_slug order by times desc, since, row_no)) as described
      cross join lateral (
        select fact, first_fact, fact_name from unnest(facts, first_facts, array[${sql.join(lineFacts.map(([, name]) => sql.lit(name)))}]) as pair (fact, first_fact, fact_name)
        where fact <> first_fact limit 1) as differing
      where facts <> first_facts`,
  )
}

async function plan(tx: Tx, runId: number): Promise<void> {
  await sql`
    create temporary table import_plan on commit drop as
    select staged.row_no, brand.id as brand_id, product_line.id as line_id, size.id as size_id, item.id as item_id
    from import_product as staged
    left join brand on brand.slug = staged.brand_slug
    left join product_line on product_line.brand_id = brand.id and product_line.slug = staged.line_slug
    left join size on size.slug = staged.size_slug
    left join item on item.sku = staged.sku
    where staged.run_id = ${sql.lit(runId)} and not staged.refused`.execute(tx)
  await sql`analyze import_plan`.execute(tx)
}

/** Tires that have a planned row's description under another SKU: (row_no, planned, id, sku, listed). */
function sameTires(runId: number) {
  const same = sql.join(
    description.map((column) => sql`${sql.ref(`item.${column}`)} is not distinct from ${sql.ref(`staged.${column}`)}`),
    sql` and `,
  )
  return sql`
    select import_plan.row_no, import_plan.item_id as planned, item.id, item.sku, staged.sku as wanted,
      exists (select from import_product as other where other.run_id = ${runId} and other.sku = item.sku) as listed
    from import_plan join import_product as staged on staged.run_id = ${runId} and staged.row_no = import_plan.row_no
    join item on item.product_line_id = import_plan.line_id and item.size_id = import_plan.size_id and ${same}
    where item.id is distinct from import_plan.item_id`
}

async function matchRenamed(tx: Tx, runId: number): Promise<void> {
  await sql`
    update import_plan set item_id = same.id from (${sameTires(runId)}) as same
    where same.row_no = import_plan.row_no and same.planned is null and not same.listed`.execute(tx)
}

/** One tire per description. To reuse one, an earlier run must free it. */
async function refuseTaken(tx: Tx, runId: number): Promise<void> {
  await refuseRows(
    tx,
    runId,
    'import_product',
    'sku',
    sql<FaultyRow>`
      select row_no, wanted as value, 'is the same tire as ' || sku || ', which we have' as problem,
        'another size, load index, speed, load class or range, sidewall or mark, or the SKU ' || sku as expected
      from (${sameTires(runId)}) as same`,
  )
}

async function refuseTakenGtins(tx: Tx, runId: number): Promise<void> {
  await refuseRows(
    tx,
    runId,
    'import_product',
    'gtin',
    sql<FaultyRow>`
      select import_plan.row_no, staged.gtin as value, 'is the GTIN of ' || item.sku || ', which we have' as problem, 'the number of this tire alone' as expected
      from import_plan join import_product as staged on staged.run_id = ${runId} and staged.row_no = import_plan.row_no
      join item on item.gtin = staged.gtin where item.id is distinct from import_plan.item_id`,
  )
}

/**
 * Retired categories accept only models that are already in them. The lock prevents retiring one until the transaction
 * ends.
 */
async function refuseRetiredCategories(tx: Tx, runId: number): Promise<void> {
  await sql`select from category order by slug for share`.execute(tx)
  await refuseRows(
    tx,
    runId,
    'import_product',
    'category',
    sql<FaultyRow>`
      select staged.row_no, staged.category_slug as value, 'is retired' as problem, 'a category in use, or restore this one under Tire types' as expected
      from import_plan join import_product as staged using (row_no) join category on category.slug = staged.category_slug
      left join product_line on product_line.id = import_plan.line_id
      where staged.run_id = ${runId} and not staged.refused and category.retired and product_line.category_slug is distinct from staged.category_slug`,
  )
}

async function refuseIncomplete(tx: Tx, runId: number): Promise<void> {
  await refuseRows(
    tx,
    runId,
    'import_product',
    'price',
    sql<FaultyRow>`
      select staged.row_no, '' as value, 'is empty, and the tire is new' as problem, 'the price of one tire' as expected
      from import_plan join import_product as staged using (row_no)
      where staged.run_id = ${runId} and not staged.refused and import_plan.item_id is null and staged.retail_cents is null`,
  )
  await refuseRows(
    tx,
    runId,
    'import_product',
    'brand_tier',
    sql<FaultyRow>`
      select staged.row_no, '' as value, 'is empty, and the brand is new' as problem, 'value, mid or premium in one of its rows' as expected
      from import_plan join import_product as staged using (row_no)
      where staged.run_id = ${runId} and not staged.refused and import_plan.brand_id is null and not exists (
        select from import_product as same where same.run_id = ${runId} and same.brand_slug = staged.brand_slug and same.brand_tier is not null)`,
  )
}
