import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/db.ts'
import { largestLossPercent, type Warning } from './catalog-import.ts'
import { changeRows, createRows, removeRows } from './changes.sql.server.ts'
import { refuseRows, type FaultyRow } from './staged.sql.server.ts'

/** Two applications with these in common are the same. */
const key = ['item_id', 'make_slug', 'model_slug', 'first_year', 'last_year', 'submodel_slug', 'axle', 'terms'] as const

/**
 * Resolves vehicles, positions, brands and part numbers by the store's codes and names. Refuses applications with an
 * unknown one. Parts that the store doesn't carry are skipped.
 */
export async function checkBrandFitment(tx: Tx, runId: number): Promise<void> {
  await readVehicles(tx, runId)
  await nameModels(tx, runId)
  await readPositions(tx, runId)
  await readItems(tx, runId)
  for (const [column, value, isFaulty, problem, expected] of unknowns)
    await refuse(
      tx,
      runId,
      column,
      sql<FaultyRow>`select row_no, coalesce(${value}::text, '') as value, ${problem}::text as problem, ${expected}::text as expected
        from import_brand_fitment as staged where run_id = ${runId}::int and not refused and ${isFaulty}`,
    )
  await refuse(tx, runId, 'part', sharedPartNumbers(runId))
  await refuse(tx, runId, 'action', removalsInVain(runId))
}

function refuse(tx: Tx, runId: number, column: string, faulty: RawBuilder<FaultyRow>): Promise<void> {
  return refuseRows(tx, runId, 'import_brand_fitment', column, faulty)
}

const inCodes = 'a code that a file of codes explains, or its name in the element'
const unknowns: readonly [string, RawBuilder<string>, RawBuilder<boolean>, string, string][] = [
  [
    'base_vehicle',
    sql`base_vehicle`,
    sql`base_vehicle is not null and model_slug is null`,
    'is not a known vehicle',
    'a code that a file of codes explains',
  ],
  ['make', sql`make_code`, sql`base_vehicle is null and make_slug is null`, 'is not a known make', inCodes],
  ['model', sql`model_code`, sql`base_vehicle is null and model_slug is null`, 'is not a known model', inCodes],
  [
    'submodel',
    sql`submodel_code`,
    sql`submodel_code is not null and submodel_slug is null`,
    'is not a known submodel',
    inCodes,
  ],
  [
    'position',
    sql`coalesce(position, position_code::text)`,
    sql`axle is null`,
    'is not a position of a tire',
    'front, rear or all, as its name or by a file of codes',
  ],
  [
    'brand_code',
    sql`coalesce(brand_code, company)`,
    sql`brand_id is null`,
    'is not a brand of the store',
    'the name of a brand as its company, or a code that a file of codes explains',
  ],
]

/** Names in elements are used if their code is unknown. */
async function readVehicles(tx: Tx, runId: number): Promise<void> {
  await sql`
    update import_brand_fitment as staged
    set first_year = code.year, last_year = code.year, make_slug = code.make_slug, model_slug = code.model_slug
    from vehicle_code as code
    where run_id = ${runId} and not refused and code.kind = 'base-vehicle' and code.code = base_vehicle::text`.execute(
    tx,
  )
  for (const kind of ['make', 'model', 'submodel'] as const)
    await sql`
      update import_brand_fitment as staged
      set ${sql.ref(`${kind}_slug`)} = code.slug ${kind === 'submodel' ? sql`, submodel = code.name` : sql``}
      from vehicle_code as code
      where run_id = ${runId} and not refused and (base_vehicle is null or ${kind === 'submodel'}::boolean)
        and code.kind = ${kind} and code.code = ${sql.ref(`${kind}_code`)}::text`.execute(tx)
}

/** Files use other names for some models ("F-250"), which are assigned to the existing model. */
async function nameModels(tx: Tx, runId: number): Promise<void> {
  await sql`
    update import_brand_fitment as staged set make_slug = named.make_slug, model_slug = named.model_slug
    from (
      select row_no, min(model_make_slug) as make_slug, min(alias.model_slug) as model_slug
      from import_brand_fitment as asked join model_alias as alias
        on alias.make_slug = asked.make_slug and alias.alias_slug = asked.model_slug
          and coalesce(alias.first_year, asked.first_year) <= asked.first_year and coalesce(alias.last_year, asked.last_year) >= asked.last_year
      where run_id = ${runId} and not exists (
        select from vehicle where vehicle.make_slug = asked.make_slug and vehicle.model_slug = asked.model_slug
          and vehicle.year between asked.first_year and asked.last_year)
      group by row_no having count(*) = 1) as named
    where staged.run_id = ${runId} and staged.row_no = named.row_no`.execute(tx)
}

/** An application without a position is for all wheels. */
async function readPositions(tx: Tx, runId: number): Promise<void> {
  await sql`
    update import_brand_fitment as staged set axle = case
        when position_code is null and position is null then 'any'
        when name ~* '\\mspare\\M' then null
        when name ~* '\\mfront\\M' and name ~* '\\mrear\\M' then 'any'
        when name ~* '\\mfront\\M' then 'front'
        when name ~* '\\mrear\\M' then 'rear'
        when name ~* '^(all|n/?a)$' then 'any' end
    from (
      select row_no, coalesce(code.name, position) as name
      from import_brand_fitment left join vehicle_code as code on code.kind = 'position' and code.code = position_code::text
      where run_id = ${runId}) as named
    where staged.run_id = ${runId} and staged.row_no = named.row_no and not refused`.execute(tx)
}

/** An item's part number as it is compared. */
export const partKey = sql`upper(regexp_replace(coalesce(mpn, sku), '[^A-Za-z0-9]', '', 'g'))`

/** The items of a brand by part number, with how many have it. */
export const itemsByPart = sql`
  select brand_id, ${partKey} as part_key, min(item.id) as item_id, count(*) as items
  from item join product_line on product_line.id = product_line_id group by 1, 2`

/** Also resolves the items of refused rows, so that their vehicles aren't removed. */
async function readItems(tx: Tx, runId: number): Promise<void> {
  await sql`
    update import_brand_fitment as staged set brand_id = named.id
    from (
      select source.brand_code, source.company_slug, brand.id
      from (select distinct brand_code, company_slug from import_brand_fitment where run_id = ${runId}) as source
      left join vehicle_code as code on code.kind = 'brand' and code.code = source.brand_code
      join brand on brand.slug = coalesce(code.slug, source.company_slug)) as named
    where run_id = ${runId} and staged.company_slug = named.company_slug and staged.brand_code is not distinct from named.brand_code`.execute(
    tx,
  )
  await sql`
    update import_brand_fitment as staged set item_id = found.item_id,
      submodel_slug = coalesce(staged.submodel_slug, case when staged.submodel_code is null then '' end)
    from import_brand_fitment as same left join (${itemsByPart}) as found
      on found.brand_id = same.brand_id and found.part_key = same.part_key and found.items = 1
    where staged.run_id = ${runId} and same.run_id = ${runId} and staged.row_no = same.row_no`.execute(tx)
}

function sharedPartNumbers(runId: number) {
  return sql<FaultyRow>`
    select row_no, part as value, 'is the part number of several tires' as problem, 'part numbers that differ within a brand' as expected
    from import_brand_fitment as staged join (${itemsByPart}) as found using (brand_id, part_key)
    where run_id = ${runId}::int and not refused and items > 1`
}

/** Removals of applications that the store doesn't have, or that the same file adds. */
function removalsInVain(runId: number) {
  return sql<FaultyRow>`
    select row_no, action as value,
      case when present.item_id is null then ${sql.lit('removes an application that isn’t stored')} else 'removes an application that the file adds' end as problem,
      'each change once, in files in their order' as expected
    from import_brand_fitment as staged
    left join (select distinct ${keyOf('fitted')} from brand_fitment as fitted) as present using (${keyNames})
    left join (select distinct ${keyOf('added')} from import_brand_fitment as added where run_id = ${runId}::int and not refused and action = 'A') as added
      using (${keyNames})
    where run_id = ${runId}::int and not refused and action = 'D' and staged.item_id is not null
      and (present.make_slug is null or added.make_slug is not null)`
}

const keyNames = sql.join(key.map((column) => sql.ref(column)))

function keyOf(table: string) {
  return sql.join(key.map((column) => sql.ref(`${table}.${column}`)))
}

export async function weighBrandFitment(tx: Tx, runId: number): Promise<Warning[]> {
  const { rows } = await sql<{ count: number; of: number; examples: string[] }>`
    with gone as materialized (${goneFitments(runId)})
    select (select count(*) from gone)::int as count,
      (select count(*) from brand_fitment join brand_catalog on brand_catalog.id = catalog_id
        where brand_id in (select brand_id from import_brand_fitment where run_id = ${runId} and not refused))::int as of,
      array(select sku || ': ' || first_year || '-' || last_year || ' ' || make_slug || ' ' || model_slug
        from gone join brand_fitment using (id) join item on item.id = item_id order by 1 limit 20) as examples`.execute(
    tx,
  )
  const { count, of, examples } = rows[0] ?? { count: 0, of: 0, examples: [] }
  return count * 100 > of * largestLossPercent ? [{ kind: 'removes-brand-fitments', count, of, examples }] : []
}

export async function mergeBrandFitment(tx: Tx, runId: number): Promise<void> {
  const catalogs = sql`
    select distinct on (brand_id) brand_id, company, transferred_on from import_brand_fitment
    where run_id = ${runId} and not refused order by brand_id, row_no`
  await changeRows(
    tx,
    runId,
    'brand_catalog',
    ['company', 'transferred_on'],
    sql`select brand_catalog.id, source.company, source.transferred_on from (${catalogs}) as source join brand_catalog using (brand_id)`,
  )
  await createRows(
    tx,
    runId,
    'brand_catalog',
    ['brand_id', 'company', 'transferred_on'],
    sql`select brand_id, company, transferred_on from (${catalogs}) as source
      where not exists (select from brand_catalog where brand_catalog.brand_id = source.brand_id) order by brand_id`,
  )
  await removeRows(tx, runId, 'brand_fitment', goneFitments(runId))
  await changeRows(
    tx,
    runId,
    'brand_fitment',
    ['quantity'],
    sql`select fitted.id, added.quantity from (${added(runId)}) as added join brand_fitment as fitted using (${keyNames})`,
  )
  await createRows(
    tx,
    runId,
    'brand_fitment',
    ['catalog_id', 'submodel', 'quantity', ...key],
    sql`
      select brand_catalog.id, added.submodel, added.quantity, ${keyOf('added')}
      from (${added(runId)}) as added join brand_catalog using (brand_id)
      left join brand_fitment as fitted using (${keyNames})
      where fitted.id is null order by row_no`,
  )
}

/** The applications that the file adds, each once. */
function added(runId: number) {
  return sql`
    select distinct on (${keyNames}) row_no, brand_id, submodel, quantity, ${keyNames} from import_brand_fitment
    where run_id = ${runId} and not refused and action = 'A' and item_id is not null order by ${keyNames}, row_no`
}

/**
 * Selects vehicles that the file removes. A full file also removes its brands' vehicles that it lacks, except for items
 * with a refused row, and only if all refused rows have a readable part number.
 */
function goneFitments(runId: number) {
  const staged = sql`select ${keyNames} from import_brand_fitment where run_id = ${runId} and not refused and item_id is not null`
  return sql`
    select fitted.id from brand_fitment as fitted join brand_catalog on brand_catalog.id = catalog_id
    left join (${staged} and action = 'A') as added using (${keyNames})
    where added.make_slug is null
      and brand_id in (select brand_id from import_brand_fitment where run_id = ${runId} and not refused and is_full)
      and not exists (select from import_brand_fitment where run_id = ${runId} and refused and part_key is null)
      and item_id not in (select item_id from import_brand_fitment where run_id = ${runId} and refused and item_id is not null)
    union
    select fitted.id from brand_fitment as fitted join (${staged} and action = 'D') as removed using (${keyNames})`
}
