/** The statements for tire types and categories in the back office. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** A tire type as the back office shows it. `tires`: those for sale. */
export type OfficeTireType = {
  slug: string
  name: string
  /** One or two sentences for shoppers. */
  definition: string
  /** Who it is for; may be empty. */
  audience: string
  version: number
  isRetired: boolean
  models: number
  tires: number
}

/** A category belongs to a type. */
export type OfficeCategory = OfficeTireType & { type: string }

/** A table of them. */
export type TireTypeTable = 'tire_type' | 'category'

const columns = sql`slug, name, definition, audience, version, retired as "isRetired", coalesce(models, 0)::int as models, coalesce(tires, 0)::int as tires`

const sums = sql`select count(*) as models, sum((select count(*) from item where product_line_id = line.id and active)) as tires`

/** Every category in display order. */
export async function selectOfficeCategories(db: Database | Tx): Promise<OfficeCategory[]> {
  const { rows } = await sql<OfficeCategory>`
    select ${columns}, type_slug as type from category
    left join (${sums}, category_slug from product_line as line group by category_slug) as used on category_slug = slug
    order by position`.execute(db)
  return rows
}

/** Every tire type in display order. */
export async function selectOfficeTireTypes(db: Database | Tx): Promise<OfficeTireType[]> {
  const { rows } = await sql<OfficeTireType>`
    select ${columns} from tire_type
    left join (${sums}, type_slug from product_line as line join category on category.slug = category_slug group by type_slug) as used on type_slug = slug
    order by position`.execute(db)
  return rows
}

/** The categories in use in display order, and `own` also if it is retired. */
export function selectCategories(db: Database | Tx, own: string): Promise<{ slug: string; name: string }[]> {
  return categoriesFor(db, own).execute()
}

/** Locks the active categories and returns their slugs. The lock prevents retiring them until the transaction ends. */
export async function lockCategories(tx: Tx, own = ''): Promise<string[]> {
  const categories = await categoriesFor(tx, own).forShare().execute()
  return categories.map(({ slug }) => slug)
}

function categoriesFor(db: Database | Tx, own: string) {
  return db
    .selectFrom('category')
    .select(['slug', 'name'])
    .where(({ or, eb }) => or([eb('retired', '=', false), eb('slug', '=', own)]))
    .orderBy('position')
}

/** Locks changes to types and categories, so that one transaction runs at a time. */
export async function lockTireTypes(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('tire_type'))`.execute(tx)
}

export type TireTypeTexts = Pick<OfficeTireType, 'name' | 'definition' | 'audience'>

/** Adds a type at the end. Throws the violated key. */
export async function insertTireType(tx: Tx, slug: string, texts: TireTypeTexts): Promise<void> {
  await sql`
    insert into tire_type (slug, name, definition, audience, position)
    select ${slug}, ${texts.name}, ${texts.definition}, ${texts.audience}, coalesce(max(position), 0) + 1 from tire_type`.execute(
    tx,
  )
}

/** Adds a category at the end. Throws the violated key. */
export async function insertCategory(tx: Tx, slug: string, row: TireTypeTexts & { type: string }): Promise<void> {
  await sql`
    insert into category (slug, name, definition, audience, type_slug, position)
    select ${slug}, ${row.name}, ${row.definition}, ${row.audience}, ${row.type}, coalesce(max(position), 0) + 1 from category`.execute(
    tx,
  )
}

/** Changes the texts, of a category also its type. */
export async function updateTireType(
  tx: Tx,
  table: TireTypeTable,
  slug: string,
  { type, ...texts }: TireTypeTexts & { type?: string | undefined },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set name = ${texts.name}, definition = ${texts.definition}, audience = ${texts.audience},
      ${type === undefined ? sql`` : sql`type_slug = ${type},`} version = version + 1 where slug = ${slug}`.execute(tx)
}

/** Retires or restores one. Throws `tire_type_retired_unused` or `category_tire_type_in_use`. */
export async function setTireTypeRetired(
  tx: Tx,
  table: TireTypeTable,
  { slug, isRetired }: { slug: string; isRetired: boolean },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set retired = ${isRetired}, version = version + 1 where slug = ${slug}`.execute(tx)
}

/** Puts all of them in this order. */
export async function orderTireTypes(tx: Tx, table: TireTypeTable, slugs: readonly string[]): Promise<void> {
  await sql`
    update ${sql.table(table)} as ordered set position = wanted.position
    from unnest(${[...slugs]}::text[]) with ordinality as wanted (slug, position)
    where wanted.slug = ordered.slug and wanted.position <> ordered.position`.execute(tx)
}
