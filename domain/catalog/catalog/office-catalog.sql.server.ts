/** Queries for the office's catalog pages. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { startPattern } from '#platform/start-pattern.ts'
import type { ItemStatus } from './office-catalog.ts'

export type OfficeItem = {
  id: number
  sku: string
  brand: string
  line: string
  lineId: number
  brandSlug: string
  lineSlug: string
  size: string
  service: string
  retailCents: number
  status: ItemStatus
  stock: number
}

export type ItemQuery = {
  /** How SKUs begin; empty for all. */
  sku: string
  brand: string | null
  lineId: number | null
  /** The slug of a size. */
  size: string | null
  status: ItemStatus | null
  /** The SKU before the page. */
  after: string | null
}

const status = sql<ItemStatus>`case when item.active then 'on-sale' when item.hidden then 'hidden' when item.retired then 'retired' else 'unlisted' end`

/** Up to `limit` articles by SKU, on sale or not. */
export async function selectOfficeItems(db: Database, query: ItemQuery, limit: number): Promise<OfficeItem[]> {
  const { sku, brand, lineId, size, after } = query
  const { rows } = await sql<OfficeItem>`
    select ${itemColumns()}
    from item join product_line as line on line.id = item.product_line_id join brand on brand.id = line.brand_id join size on size.id = item.size_id
    where lower(item.sku) like ${startPattern(sku)}
      ${after === null ? sql`` : sql`and lower(item.sku) ~>~ ${after.toLowerCase()}`}
      ${brand === null ? sql`` : sql`and brand.slug = ${brand}`}
      ${lineId === null ? sql`` : sql`and item.product_line_id = ${lineId}::int`}
      ${size === null ? sql`` : sql`and size.slug = ${size}`}
      ${query.status === null ? sql`` : sql`and ${status} = ${query.status}`}
    order by lower(item.sku) using ~<~ limit ${limit}`.execute(db)
  return rows
}

/** The largest number of tires that are counted. */
export const mostTiresAbove = 1_000

/** Counts the tires for sale above each weight in pounds, up to one more than `mostTiresAbove`. */
export async function countTiresAbove(db: Database, pounds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (pounds.length === 0) return new Map()
  const { rows } = await sql<{ pounds: number; tires: number }>`
    select pounds, (select count(*)::int from (select from item where active and weight_lb > pounds limit ${mostTiresAbove + 1}) as counted) as tires
    from unnest(${[...new Set(pounds)]}::int[]) as pounds`.execute(db)
  return new Map(rows.map((row) => [row.pounds, row.tires]))
}

function itemColumns() {
  return sql`item.id, item.sku, brand.name as brand, brand.slug as "brandSlug", line.name as line, line.id as "lineId", line.slug as "lineSlug",
    size.designation as size, concat(item.load_index, '/' || item.dual_load_index, item.speed, ' ' || item.load_range) as service,
    item.retail_cents as "retailCents", ${status} as status, (select coalesce(sum(on_hand), 0)::int from stock where stock.item_id = item.id) as stock`
}

export type OfficeItemFacts = OfficeItem & {
  costCents: number | null
  fetCents: number
  sizeSlug: string
  sidewall: string
  oeMark: string | null
  runFlat: boolean
  maxLoadLb: number
  maxPsi: number
  treadDepth: string
  weightLb: string
  warrantyMiles: number | null
  changedAt: Temporal.Instant
  mapCents: number | null
  gtin: string | null
  mpn: string | null
  /** ISO 3166-1, two letters. */
  originCountry: string | null
  /** Staff added it, and no feed has named it since. */
  byHand: boolean
}

export async function selectOfficeItem(db: Database, id: number): Promise<OfficeItemFacts | undefined> {
  const { rows } = await sql<OfficeItemFacts>`
    select ${itemColumns()}, item.cost_cents as "costCents", item.fet_cents as "fetCents", size.slug as "sizeSlug", item.sidewall, item.oe_mark as "oeMark",
      item.run_flat as "runFlat", item.max_load_lb as "maxLoadLb", item.max_psi as "maxPsi", item.tread_depth_32nds::text as "treadDepth",
      item.weight_lb::text as "weightLb", coalesce(item.warranty_miles, line.warranty_miles) as "warrantyMiles", item.changed_at as "changedAt",
      item.map_cents as "mapCents", item.gtin, item.mpn, item.origin_country as "originCountry", item.by_hand as "byHand"
    from item join product_line as line on line.id = item.product_line_id join brand on brand.id = line.brand_id join size on size.id = item.size_id
    where item.id = ${id}`.execute(db)
  return rows[0]
}

export async function lockItem(tx: Tx, id: number): Promise<{ sku: string; hidden: boolean } | undefined> {
  return tx.selectFrom('item').select(['sku', 'hidden']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export async function setHidden(tx: Tx, id: number, hidden: boolean): Promise<void> {
  await tx.updateTable('item').set({ hidden }).where('id', '=', id).execute()
}

/** `about` is the description shoppers see, from staff or otherwise from the feed. */
export type OfficeLine = {
  id: number
  name: string
  slug: string
  brand: string
  brandId: number
  brandSlug: string
  category: string
  about: string
  ownAbout: string | null
  feedAbout: string
  isRetired: boolean
}

export async function selectOfficeLine(db: Database | Tx, id: number): Promise<OfficeLine | undefined> {
  const { rows } = await sql<OfficeLine>`
    select line.id, line.name, line.slug, brand.name as brand, brand.id as "brandId", brand.slug as "brandSlug", category.name as category, line.about,
      line.own_about as "ownAbout", line.feed_about as "feedAbout", line.retired as "isRetired"
    from product_line as line join brand on brand.id = brand_id join category on category.slug = category_slug where line.id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** Locks the row of a line or brand until the transaction ends. */
export async function lockEntry(tx: Tx, table: 'product_line' | 'brand', id: number): Promise<void> {
  await tx.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export async function setOwnAbout(tx: Tx, id: number, about: string | null): Promise<void> {
  await tx.updateTable('product_line').set({ own_about: about }).where('id', '=', id).execute()
}

export type OfficeBrand = {
  id: number
  name: string
  slug: string
  tier: string
  about: string
  logoKey: string | null
  isRetired: boolean
}

export async function selectOfficeBrand(db: Database | Tx, id: number): Promise<OfficeBrand | undefined> {
  return db
    .selectFrom('brand')
    .select(['id', 'name', 'slug', 'tier', 'about', 'logo_key as logoKey', 'retired as isRetired'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Up to `limit` brands by name, after one of that name. */
export async function selectOfficeBrands(
  db: Database,
  after: string | null,
  limit: number,
): Promise<(OfficeBrand & { lines: number })[]> {
  const { rows } = await sql<OfficeBrand & { lines: number }>`
    select id, name, slug, tier, about, logo_key as "logoKey", retired as "isRetired", (select count(*)::int from product_line where brand_id = brand.id) as lines
    from brand ${after === null ? sql`` : sql`where name > ${after}`} order by name limit ${limit}`.execute(db)
  return rows
}

type BrandLine = {
  id: number
  name: string
  slug: string
  category: string
  isOwn: boolean
  isRetired: boolean
  pictures: number
}

/** Up to `limit` lines of a brand by slug, after one of that slug. */
export async function selectLinesOfBrand(
  db: Database,
  brandId: number,
  after: string | null,
  limit: number,
): Promise<BrandLine[]> {
  const { rows } = await sql<BrandLine>`
    select line.id, line.name, line.slug, category.name as category, line.retired as "isRetired", own_about is not null as "isOwn",
      (select count(*)::int from line_picture where product_line_id = line.id) as pictures
    from product_line as line join category on category.slug = category_slug
    where brand_id = ${brandId} ${after === null ? sql`` : sql`and line.slug > ${after}`} order by line.slug limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function setBrandAbout(tx: Tx, id: number, about: string): Promise<void> {
  await tx.updateTable('brand').set({ about }).where('id', '=', id).execute()
}

export async function setLogo(tx: Tx, id: number, logoKey: string | null): Promise<void> {
  await tx.updateTable('brand').set({ logo_key: logoKey }).where('id', '=', id).execute()
}

export type Picture = { key: string; bytes: Uint8Array }

export async function insertPicture(tx: Tx, { key, bytes }: Picture, at: Temporal.Instant): Promise<void> {
  await tx
    .insertInto('catalog_picture')
    .values({ key, bytes: Buffer.from(bytes), added_at: at })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/** Deletes an image that is no longer used. */
export async function deleteUnusedPicture(tx: Tx, key: string): Promise<void> {
  await sql`
    delete from catalog_picture where key = ${key}
      and not exists (select from line_picture where picture_key = key) and not exists (select from brand where logo_key = key)`.execute(
    tx,
  )
}

export async function selectPicture(db: Database, key: string): Promise<Buffer | undefined> {
  const picture = await db.selectFrom('catalog_picture').select('bytes').where('key', '=', key).executeTakeFirst()
  return picture?.bytes
}

/** The subject of a photo, either a model or one tire. */
export type PictureOwner = { readonly kind: 'line' | 'item'; readonly id: number }

const ownerColumns = { line: 'product_line_id', item: 'item_id' } as const

export type CatalogPicture = { id: number; key: string; description: string }

export async function selectPictures(db: Database | Tx, of: PictureOwner): Promise<CatalogPicture[]> {
  return db
    .selectFrom('line_picture')
    .select(['id', 'picture_key as key', 'description'])
    .where(ownerColumns[of.kind], '=', of.id)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Adds a picture after the others of its model or tire, which is locked. */
export async function insertPictureOf(
  tx: Tx,
  of: PictureOwner,
  { key, description }: Omit<CatalogPicture, 'id'>,
): Promise<{ id: number; position: number }> {
  const column = ownerColumns[of.kind]
  return tx
    .insertInto('line_picture')
    .values({
      [column]: of.id,
      picture_key: key,
      description,
      position: sql`(select coalesce(max(position) + 1, 0) from line_picture where ${sql.ref(column)} = ${of.id}::int)`,
    })
    .returning(['id', 'position'])
    .executeTakeFirstOrThrow()
}

/** Deletes photos with an unchanged description and position. Returns their image keys. */
export async function deleteUnchangedPictures(
  tx: Tx,
  added: readonly { id: number; description: string; position: number }[],
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    delete from line_picture as present
    using json_to_recordset(${JSON.stringify(added)}::json) as added (id bigint, description text, position integer)
    where present.id = added.id and present.description = added.description and present.position = added.position
    returning present.picture_key as key`.execute(tx)
  return [...new Set(rows.map(({ key }) => key))]
}

/** Orders all photos. The model or tire is locked. */
export async function orderPictures(tx: Tx, of: PictureOwner, ids: readonly number[]): Promise<void> {
  await sql`
    update line_picture as ordered set position = wanted.position
    from unnest(${[...ids]}::bigint[]) with ordinality as wanted (id, position)
    where wanted.id = ordered.id and ordered.${sql.ref(ownerColumns[of.kind])} = ${of.id}::int`.execute(tx)
}

export async function setPictureDescription(tx: Tx, id: number, description: string): Promise<void> {
  await tx.updateTable('line_picture').set({ description }).where('id', '=', id).execute()
}

export async function deletePictureOf(tx: Tx, of: PictureOwner, id: number): Promise<CatalogPicture | undefined> {
  return tx
    .deleteFrom('line_picture')
    .where('id', '=', id)
    .where(ownerColumns[of.kind], '=', of.id)
    .returning(['id', 'picture_key as key', 'description'])
    .executeTakeFirst()
}
