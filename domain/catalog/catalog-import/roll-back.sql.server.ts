/** Rolls back a run from its recorded changes. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/db.ts'
import type { Entity } from './catalog-import.ts'
import { countImported } from './publish-stock.sql.server.ts'
import { isPricePublished } from './minimums.sql.server.ts'

/**
 * Changes that block a rollback. Either later runs changed the same rows, or the rows were edited in another way since.
 */
export type ChangedSince = {
  laterRuns: readonly { runId: number; rows: number }[]
  otherwise: { count: number; examples: readonly string[] }
}

/** The prices that a rollback restores, for `planBelowMinimum`. */
export function restoredPrices(runId: number): RawBuilder<unknown> {
  return sql`select item.id as item_id, item.retail_cents as was_cents, (before ->> 'retail_cents')::int as retail_cents, null::int as row_no
    from import_change join item using (id) where run_id = ${runId} and entity = 'item' and action = 'changed' and not undone and before ? 'retail_cents'`
}

const rowsPerSlice = 2_000
/** In the order of their references. Stock is handled separately below. */
const entities = [
  'brand_fitment',
  'brand_catalog',
  'vehicle_code',
  'competitor_price',
  'oe_fitment',
  'size_list',
  'vehicle',
  'item',
  'product_line',
  'size',
  'brand',
] as const satisfies readonly Entity[]

export async function findChangedSince(tx: Tx, runId: number): Promise<ChangedSince | undefined> {
  const { rows: laterRuns } = await sql<{ runId: number; rows: number }>`
    select later.run_id as "runId", count(*)::int as rows
    from import_change as mine join import_change as later on later.run_id > mine.run_id and not later.undone and later.id = mine.id and (
      (later.entity = mine.entity and later.warehouse_id = mine.warehouse_id)
      or (mine.entity = 'item' and mine.action = 'created' and later.entity = 'stock'))
    where mine.run_id = ${runId} and not mine.undone group by later.run_id order by later.run_id`.execute(tx)
  const otherwise = { count: 0, examples: [] as string[] }
  if (laterRuns.length === 0) {
    for (const entity of entities) {
      const { rows } = await sql<{ what: string; count: number }>`
        select ${entity}::text || ' ' || present.id as what, (count(*) over ())::int as count
        from import_change join ${sql.table(entity)} as present using (id)
        where run_id = ${runId} and entity = ${entity} and action = 'changed' and not undone and not to_jsonb(present) @> after
        order by present.id limit 20`.execute(tx)
      otherwise.count += rows[0]?.count ?? 0
      otherwise.examples.push(...rows.map(({ what }) => what))
    }
  }
  return laterRuns.length > 0 || otherwise.count > 0 ? { laterRuns, otherwise } : undefined
}

/**
 * Restores everything but stock and the prices that `planBelowMinimum` refuses. Returns how many created rows stay
 * because they are referenced by now; such tires are taken off sale.
 */
export async function restoreCatalog(tx: Tx, runId: number): Promise<{ kept: number }> {
  let kept = 0
  for (const entity of entities) {
    kept += await deleteCreated(tx, runId, entity)
    await restoreChanged(tx, runId, entity)
    const columns = await writtenColumns(tx, entity)
    await sql`
      insert into ${sql.table(entity)} (${sql.join(columns.map((column) => sql.ref(column)))}) overriding system value
      select ${sql.join(columns.map((column) => sql.ref(`was.${column}`)))} from import_change cross join lateral jsonb_populate_record(null::${sql.table(entity)}, before) as was
      where import_change.run_id = ${runId} and import_change.entity = ${entity} and import_change.action = 'removed' and not undone`.execute(
      tx,
    )
  }
  await renewMinimums(tx, runId)
  await sql`update import_change set undone = true where run_id = ${runId} and entity <> 'stock'`.execute(tx)
  return { kept }
}

/** Gives restored minimum advertised prices a new version, so that a form from before the rollback is rejected. */
async function renewMinimums(tx: Tx, runId: number): Promise<void> {
  const restored = sql`run_id = ${runId} and entity = 'item' and action = 'changed' and not undone and before ? 'map_version'`
  await sql`
    update item set map_version = 1 + greatest(
      (select max(map_version) from item where map_version > 1), (select max((after ->> 'map_version')::int) from import_change where ${restored}))
    where id in (select id from import_change where ${restored})`.execute(tx)
}

/**
 * Restores one slice of stock in a separate transaction. Units sold since stay sold, so the run's difference is
 * reversed, but never below zero, and entered as inventory. Returns false at the end.
 */
export async function restoreStockSlice(tx: Tx, runId: number, at: Temporal.Instant): Promise<boolean> {
  const { rows } = await sql<{ id: number; warehouse_id: number }>`
    select id, warehouse_id from (
      select id, warehouse_id from import_change where run_id = ${runId} and entity = 'stock' and not undone order by id, warehouse_id limit ${rowsPerSlice}) as slice
    order by id desc, warehouse_id desc limit 1`.execute(tx)
  const [last] = rows
  if (last === undefined) return false
  const slice = sql`import_change.run_id = ${runId} and entity = 'stock' and not undone
    and (import_change.id, import_change.warehouse_id) <= (${last.id}::int, ${last.warehouse_id}::smallint)`
  await sql`
    select count(*) from (
      select from stock where (item_id, warehouse_id) in (select id, warehouse_id from import_change where ${slice})
      order by item_id, warehouse_id for update) as locked`.execute(tx)
  await sql`
    update stock set on_hand = greatest(0, on_hand + coalesce((before ->> 'on_hand')::int, 0) - (after ->> 'on_hand')::int)
    from import_change where ${slice} and stock.item_id = import_change.id and stock.warehouse_id = import_change.warehouse_id`.execute(
    tx,
  )
  // A row used by an order, or with units in a warehouse that is closing, stays.
  await sql`
    delete from stock using import_change
    where ${slice} and action = 'created' and stock.item_id = import_change.id and stock.warehouse_id = import_change.warehouse_id and stock.closed_units = 0 and not exists (
      select from order_line join stock_allocation using (order_id, line_no)
      where order_line.item_id = stock.item_id and stock_allocation.warehouse_id = stock.warehouse_id)`.execute(tx)
  const { rows: changed } = await sql<{ id: number }>`
    with undone as (update import_change set undone = true where ${slice} returning id, warehouse_id)
    select distinct undone.id from undone join warehouse on warehouse.id = undone.warehouse_id where warehouse.pool = 'on-hand'`.execute(
    tx,
  )
  await countImported(tx, { runId, changed, at })
  return true
}

async function deleteCreated(tx: Tx, runId: number, entity: Entity): Promise<number> {
  const table = sql.table(entity)
  const created = sql`select id from import_change where run_id = ${runId} and entity = ${entity} and action = 'created' and not undone`
  const { rows: referrers } = await sql<{ table: string; column: string }>`
    select constrained.relname as table, attribute.attname as column
    from pg_constraint join pg_class as constrained on constrained.oid = conrelid
    join pg_attribute as attribute on attribute.attrelid = conrelid and attribute.attnum = conkey[1]
    -- Stock and the addresses of pictures are deleted with their tire.
    where contype = 'f' and confrelid = ${entity}::regclass and constrained.relname not in ('stock', 'import_picture')`.execute(
    tx,
  )
  const isFree = referrers.map(
    (by) =>
      sql`and not exists (select from ${sql.table(by.table)} as referrer where ${sql.ref(`referrer.${by.column}`)} = present.id)`,
  )
  await sql`delete from ${table} as present where id in (${created}) ${sql.join(isFree, sql` `)}`.execute(tx)
  const { rows } = await sql<{
    kept: number
  }>`select count(*)::int as kept from ${table} where id in (${created})`.execute(tx)
  if (entity === 'item') await sql`update item set listed = false where listed and id in (${created})`.execute(tx)
  return rows[0]?.kept ?? 0
}

async function restoreChanged(tx: Tx, runId: number, entity: Entity): Promise<void> {
  const changed = sql`run_id = ${runId} and entity = ${entity} and action = 'changed' and not undone`
  const { rows } = await sql<{
    column: string
  }>`select distinct jsonb_object_keys(before) as column from import_change where ${changed}`.execute(tx)
  if (rows.length === 0) return
  const written = new Set(await writtenColumns(tx, entity))
  const columns = rows.map(({ column }) => column).filter((column) => written.has(column))
  const restored =
    entity === 'item'
      ? sql`case when ${isPricePublished(sql`import_change.id`)} then before else before - 'retail_cents' end`
      : sql`before`
  await sql`
    update ${sql.table(entity)} as present set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`was.${column}`)}`))}
    from (
      select import_change.id as changed_id, was.*
      from import_change join ${sql.table(entity)} as now using (id) cross join lateral jsonb_populate_record(now, ${restored}) as was
      where ${changed}) as was
    where present.id = was.changed_id`.execute(tx)
}

/** The columns of a table that are not generated by the database. */
async function writtenColumns(tx: Tx, entity: Entity): Promise<string[]> {
  const { rows } = await sql<{ column: string }>`
    select attname as column from pg_attribute
    where attrelid = ${entity}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(
    tx,
  )
  return rows.map(({ column }) => column)
}
