/** Finds, adds, and describes tire filters. `tires_of_filter` in the database selects the tires. */
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { filterParts, type FilterPart, type TireFilter } from './tire-filter.ts'

/**
 * Returns the filter's ID, or null if it has no parts. Adds the filter if it doesn't exist. Refuses `no-filter` with the
 * first unknown part. The caller checks the supplier.
 */
export async function findOrAddFilter(
  tx: Tx,
  filter: TireFilter,
): Promise<Outcome<number | null, Refused<'no-filter', FilterPart>>> {
  if (filterParts.every((part) => filter[part] === null)) return ok(null)
  const parts = await findParts(tx, filter)
  if (!parts.ok) return parts
  const added = await tx
    .insertInto('tire_filter')
    .values(parts.value)
    .onConflict((conflict) => conflict.constraint('tire_filter_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  return ok(added?.id ?? (await selectEqual(tx, parts.value)))
}

type Row = Omit<Selectable<DB['tire_filter']>, 'id'>

async function findParts(
  tx: Tx,
  { type, category, size, season, vehicleClass, supplier }: TireFilter,
): Promise<Outcome<Row, Refused<'no-filter', FilterPart>>> {
  const { rows } = await sql<{ hasType: boolean; hasCategory: boolean; sizeId: number | null }>`
    select ${type}::text is null or exists (select from tire_type where slug = ${type}) as "hasType",
      ${category}::text is null or exists (select from category where slug = ${category}) as "hasCategory",
      (select id from size where lower(designation) = lower(${size}) or slug = lower(${size}) limit 1) as "sizeId"`.execute(
    tx,
  )
  const { hasType = false, hasCategory = false, sizeId = null } = rows[0] ?? {}
  if (!hasType) return refused('no-filter', 'type')
  if (!hasCategory) return refused('no-filter', 'category')
  if (size !== null && sizeId === null) return refused('no-filter', 'size')
  return ok({
    type_slug: type,
    category_slug: category,
    size_id: sizeId,
    season,
    vehicle_class: vehicleClass,
    supplier_code: supplier,
  })
}

/** The equal filter, which another transaction may have added. Filters are never removed. */
async function selectEqual(tx: Tx, row: Row): Promise<number> {
  let query = tx.selectFrom('tire_filter').select('id')
  for (const column of Object.keys(row) as (keyof Row)[])
    query = query.where(column, 'is not distinct from', row[column])
  return (await query.executeTakeFirstOrThrow()).id
}

/** Returns SQL for the filter in the column `filterId` as a `TireFilter`, or null. */
export function filterJson(filterId: RawBuilder<unknown>): RawBuilder<TireFilter | null> {
  return sql`
    (select json_build_object('type', type_slug, 'category', category_slug, 'size', size.designation, 'season', season, 'vehicleClass', vehicle_class, 'supplier', supplier_code)
    from tire_filter left join size on size.id = size_id where tire_filter.id = ${filterId})`
}

/**
 * Returns SQL for a description of the filter in the column `filterId`, such as "Winter, Passenger, 225/65R17". Only staff
 * see the supplier (`isForStaff`). Shoppers see "Selected" instead.
 */
export function filterLabel(
  filterId: RawBuilder<unknown>,
  { isForStaff }: { isForStaff: boolean },
): RawBuilder<string | null> {
  const supplier = isForStaff ? sql`'from ' || supplier_code` : sql`null`
  const label = sql`nullif(concat_ws(', ', ${capitalized(sql`season`)}, ${capitalized(sql`replace(vehicle_class, '-', ' ')`)}, (select name from tire_type where slug = type_slug),
    (select name from category where slug = category_slug), (select designation from size where id = size_id), ${supplier}), '')`
  return sql`(select coalesce(${label}, 'Selected') from tire_filter where id = ${filterId})`
}

/** "All-season" for "all-season", as SQL. */
function capitalized(word: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`upper(left(${word}, 1)) || substr(${word}, 2)`
}

/** Returns SQL for whether the tire in the column `itemId` matches the filter in `filterId`, if there is one. */
export function isInFilter(filterId: RawBuilder<unknown>, itemId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${filterId} is null or exists (select from tires_of_filter(${filterId}) filtered where filtered.item_id = ${itemId}))`
}

/** Returns the tires that match a filter. */
export async function selectFiltered(
  db: Database,
  filterId: number,
  itemIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ itemId: number }>`
    select item_id as "itemId" from tires_of_filter(${filterId}) where item_id = any (${[...itemIds]}::int[])`.execute(
    db,
  )
  return new Set(rows.map(({ itemId }) => itemId))
}
