import { sql } from 'kysely'
import type { Tx } from '#platform/db.ts'
import { largestLossPercent, type Warning } from './catalog-import.ts'
import { changeRows, createRows, removeRows } from './changes.sql.server.ts'
import { refuseRows, refuseTwins, type FaultyRow } from './staged.sql.server.ts'

const vehicle = ['year', 'make_slug', 'model_slug', 'trim_slug'] as const
const vehicleColumns = sql.join(vehicle.map((column) => sql.ref(column)))

/**
 * Checks that a vehicle has each pair of sizes once, one class and one drive, and that a new vehicle has a class.
 * Models get the store's name.
 */
export async function checkFitment(tx: Tx, runId: number): Promise<void> {
  await nameModels(tx, runId)
  await refuseTwins(tx, runId, 'import_fitment', {
    keys: [...vehicle, 'front_size', 'rear_size', listOf('import_fitment')],
    column: 'front_size',
    value: sql`front_size`,
    problem: 'is listed for this vehicle already in row',
    expected: 'each pair of sizes once per vehicle',
  })
  await refuseRows(tx, runId, 'import_fitment', 'list', listsInTwoVersions(runId))
  for (const [column, name] of [
    ['vclass', 'class'],
    ['drive', 'drive'],
  ] as const) {
    await refuseRows(
      tx,
      runId,
      'import_fitment',
      name,
      sql<FaultyRow>`
        select row_no, value, 'is not that of the same vehicle in row ' || first_row as problem, first_value as expected
        from (
          select row_no, value, first_value(row_no) over vehicle as first_row, first_value(value) over vehicle as first_value
          from (
            select row_no, ${vehicleColumns}, ${sql.ref(column)} as value, count(*) over same as times, min(row_no) over same as since
            from import_fitment where run_id = ${runId} and not refused and ${sql.ref(column)} is not null
            window same as (partition by ${vehicleColumns}, ${sql.ref(column)})) as counted
          window vehicle as (partition by ${vehicleColumns} order by times desc, since, row_no)) as said
        where value <> first_value`,
    )
  }
  await refuseRows(
    tx,
    runId,
    'import_fitment',
    'class',
    sql<FaultyRow>`
      select row_no, '' as value, 'is empty, and the vehicle is new' as problem, 'car, suv, truck, van, trailer or commercial in one of its rows' as expected
      from import_fitment as staged where run_id = ${runId} and not refused
        and not exists (
          select from vehicle where vehicle.year = staged.year and vehicle.make_slug = staged.make_slug
            and vehicle.model_slug = staged.model_slug and vehicle.trim_slug = staged.trim_slug)
        and not exists (
          select from import_fitment as same where same.run_id = ${runId} and same.vclass is not null and same.year = staged.year
            and same.make_slug = staged.make_slug and same.model_slug = staged.model_slug and same.trim_slug = staged.trim_slug)`,
  )
}

/** A list's slug, of staged rows; those without a list are of the store's open one. */
function listOf(table: string) {
  return sql<string>`coalesce(${sql.ref(`${table}.list_slug`)}, 'open')`
}

function listsInTwoVersions(runId: number) {
  return sql<FaultyRow>`
    select row_no, list as value, 'has another license or date in row ' || first_row as problem, 'one license and date for each list' as expected
    from (
      select row_no, list, license || ' ' || listed_on as version, first_value(row_no) over of_list as first_row,
        first_value(license || ' ' || listed_on) over of_list as first_version
      from import_fitment where run_id = ${runId} and not refused and list_slug is not null
      window of_list as (partition by list_slug order by row_no)) as said
    where version <> first_version`
}

/** A feed may use another name for a model ("Ford F-250"), so its rows are assigned to the existing model. */
async function nameModels(tx: Tx, runId: number): Promise<void> {
  await sql`
    update import_fitment as staged set make_slug = named.make_slug, model_slug = named.model_slug, make = named.make, model = named.model
    from (
      select row_no, min(model_make_slug) as make_slug, min(alias.model_slug) as model_slug, min(vehicle.make) as make, min(vehicle.model) as model
      from import_fitment join model_alias alias
        on alias.make_slug = import_fitment.make_slug and alias.alias_slug = import_fitment.model_slug
          and year between coalesce(first_year, year) and coalesce(last_year, year)
      join (
        select make_slug, model_slug, min(make) as make, min(model) as model
        from (select make_slug, model_slug, make, model from vehicle union all select make_slug, model_slug, make, model from known_model) model
        group by make_slug, model_slug) vehicle on vehicle.make_slug = model_make_slug and vehicle.model_slug = alias.model_slug
      where run_id = ${runId} group by row_no having count(*) = 1) named
    where staged.run_id = ${runId} and staged.row_no = named.row_no`.execute(tx)
}

export async function weighFitment(tx: Tx, runId: number): Promise<Warning[]> {
  const { rows } = await sql<{ count: number; of: number; examples: string[] }>`
    with gone as materialized (${goneFitments(runId)})
    select (select count(*) from gone)::int as count,
      (select count(*) from oe_fitment join size_list on size_list.id = list_id
        where (vehicle_id, slug) in (select id, list from (${spokenOf(runId)}) as spoken))::int as of,
      array(select year || ' ' || make || ' ' || model || ' ' || trim || ': ' || front_size
        from gone join oe_fitment using (id) join vehicle on vehicle.id = vehicle_id order by 1 limit 20) as examples`.execute(
    tx,
  )
  const { count, of, examples } = rows[0] ?? { count: 0, of: 0, examples: [] }
  return count * 100 > of * largestLossPercent ? [{ kind: 'removes-fitments', count, of, examples }] : []
}

export async function mergeFitment(tx: Tx, runId: number): Promise<void> {
  await createRows(
    tx,
    runId,
    'vehicle',
    ['year', 'make', 'model', 'trim', 'make_slug', 'model_slug', 'trim_slug', 'vclass', 'drive'],
    sql`
      select year, (array_agg(make order by row_no))[1], (array_agg(model order by row_no))[1], (array_agg(trim order by row_no))[1],
        make_slug, model_slug, trim_slug, coalesce(max(vclass), (
          select min(stated.vclass) from import_fitment as stated where stated.run_id = ${runId} and stated.year = staged.year
            and stated.make_slug = staged.make_slug and stated.model_slug = staged.model_slug and stated.trim_slug = staged.trim_slug)), coalesce(max(drive), 'na')
      from import_fitment as staged where run_id = ${runId} and not refused
        and not exists (
          select from vehicle where vehicle.year = staged.year and vehicle.make_slug = staged.make_slug
            and vehicle.model_slug = staged.model_slug and vehicle.trim_slug = staged.trim_slug)
      group by year, make_slug, model_slug, trim_slug order by min(row_no)`,
  )
  await changeRows(
    tx,
    runId,
    'vehicle',
    ['vclass', 'drive'],
    sql`
      select vehicle.id, coalesce(max(staged.vclass), vehicle.vclass) as vclass, coalesce(max(staged.drive), vehicle.drive) as drive
      from import_fitment as staged join vehicle using (year, make_slug, model_slug, trim_slug)
      where run_id = ${runId} and not refused group by vehicle.id`,
  )
  await mergeLists(tx, runId)
  await removeRows(tx, runId, 'oe_fitment', goneFitments(runId))
  const columns = ['front_load_index', 'front_speed', 'rear_load_index', 'rear_speed', 'source']
  const facts = sql.join(columns.map((column) => sql.ref(`staged.${column}`)))
  await changeRows(
    tx,
    runId,
    'oe_fitment',
    columns,
    sql`
      select oe_fitment.id, ${facts}
      from import_fitment as staged join vehicle using (year, make_slug, model_slug, trim_slug)
      join size_list on size_list.slug = ${listOf('staged')}
      join oe_fitment on oe_fitment.vehicle_id = vehicle.id and oe_fitment.list_id = size_list.id
        and oe_fitment.front_size = staged.front_size and oe_fitment.rear_size = staged.rear_size
      where run_id = ${runId} and not refused`,
  )
  await createRows(
    tx,
    runId,
    'oe_fitment',
    ['vehicle_id', 'list_id', 'front_size', 'rear_size', ...columns],
    sql`
      select vehicle.id, size_list.id, staged.front_size, staged.rear_size, ${facts}
      from import_fitment as staged join vehicle using (year, make_slug, model_slug, trim_slug)
      join size_list on size_list.slug = ${listOf('staged')}
      where run_id = ${runId} and not refused and not exists (
        select from oe_fitment
        where oe_fitment.vehicle_id = vehicle.id and oe_fitment.list_id = size_list.id
          and oe_fitment.front_size = staged.front_size and oe_fitment.rear_size = staged.rear_size)
      order by row_no`,
  )
}

async function mergeLists(tx: Tx, runId: number): Promise<void> {
  const lists = sql`
    select distinct on (list_slug) list_slug as slug, list as name, license, listed_on from import_fitment
    where run_id = ${runId} and not refused and list_slug is not null order by list_slug, row_no`
  await changeRows(
    tx,
    runId,
    'size_list',
    ['name', 'license', 'listed_on'],
    sql`select size_list.id, stated.name, stated.license, stated.listed_on from (${lists}) as stated join size_list using (slug)`,
  )
  await createRows(
    tx,
    runId,
    'size_list',
    ['slug', 'name', 'license', 'listed_on'],
    sql`select slug, name, license, listed_on from (${lists}) as stated
      where not exists (select from size_list where size_list.slug = stated.slug) order by slug`,
  )
}

/**
 * Selects vehicles that the feed covers completely for a list, with no refused rows. Selects no vehicles if a refused row
 * doesn't identify its vehicle.
 */
function spokenOf(runId: number) {
  return sql`
    select distinct vehicle.id, ${listOf('staged')} as list from import_fitment as staged join vehicle using (year, make_slug, model_slug, trim_slug)
    where run_id = ${runId} and not refused
      and not exists (select from import_fitment as nameless where nameless.run_id = ${runId} and nameless.refused and nameless.make_slug is null)
      and not exists (
        select from import_fitment as bad where bad.run_id = ${runId} and bad.refused and bad.year = staged.year
          and bad.make_slug = staged.make_slug and bad.model_slug = staged.model_slug and bad.trim_slug = staged.trim_slug)`
}

/** Fitments of those vehicles that are not in the feed. */
function goneFitments(runId: number) {
  return sql`
    select oe_fitment.id from oe_fitment join vehicle on vehicle.id = oe_fitment.vehicle_id join size_list on size_list.id = list_id
    where (vehicle.id, slug) in (select id, list from (${spokenOf(runId)}) as spoken) and not exists (
      select from import_fitment as staged where staged.run_id = ${runId} and not staged.refused and staged.year = vehicle.year
        and staged.make_slug = vehicle.make_slug and staged.model_slug = vehicle.model_slug and staged.trim_slug = vehicle.trim_slug
        and ${listOf('staged')} = size_list.slug and staged.front_size = oe_fitment.front_size and staged.rear_size = oe_fitment.rear_size)`
}
