/** Minimum advertised prices (MAP): the lowest price per tire that a maker lets the store advertise. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { PromotionKind } from './promotion.ts'

export type MapPrice = {
  itemId: number
  sku: string
  name: string
  retailCents: number
  mapCents: number
  setAt: Temporal.Instant
}

/** A page of tires with a MAP, by id, after the tire `after`. */
export async function listMapPrices(
  { db }: { db: Database },
  { after, limit }: { after: number; limit: number },
): Promise<MapPrice[]> {
  return db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select([
      'item.id as itemId',
      'item.sku',
      sql<string>`concat_ws(' ', brand.name, line.name, size.designation)`.as('name'),
      'item.retail_cents as retailCents',
      sql<number>`item.map_cents`.as('mapCents'),
      sql<Temporal.Instant>`item.map_set_at`.as('setAt'),
    ])
    .where('item.map_cents', 'is not', null)
    .where('item.id', '>', after)
    .orderBy('item.id')
    .limit(limit)
    .execute()
}

/** The MAP of each of these tires that has one, in cents, by id. */
export async function mapPricesOf(db: Database, itemIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('item')
    .select(['id', 'map_cents'])
    .where('id', 'in', [...itemIds, 0])
    .where('map_cents', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, map_cents }) => [id, map_cents ?? 0]))
}

/**
 * Sets or removes (null) the MAP of tires by SKU. Their rows are locked in key order, and the time is read then: orders
 * priced before have committed or are priced again. Returns the SKUs that it did not find.
 */
export async function setMapPrices(
  tx: Tx,
  prices: readonly { sku: string; mapCents: number | null }[],
  now: () => Temporal.Instant,
): Promise<string[]> {
  const skus = prices.map(({ sku }) => sku)
  const found = await tx
    .selectFrom('item')
    .select(['id', 'sku'])
    .where('sku', 'in', skus)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const centsOf = new Map(prices.map(({ sku, mapCents }) => [sku, mapCents]))
  const at = now()
  for (const { id, sku } of found)
    await tx
      .updateTable('item')
      .set({ map_cents: centsOf.get(sku) ?? null, map_set_at: at })
      .where('id', '=', id)
      .execute()
  const known = new Set(found.map(({ sku }) => sku))
  return skus.filter((sku) => !known.has(sku))
}

type Reduction = {
  kind: string
  amount: number
  item_id: number | null
  product_line_id: number | null
  brand_id: number | null
}

/** How many tires a promotion would put below their MAP at today's prices, with some of their SKUs. */
export async function tiresBelowMap(
  db: Database,
  { kind, amount, item_id, product_line_id, brand_id }: Reduction,
): Promise<{ count: number; skus: string[] }> {
  // The price of one in a set of four, which offers of free tires are for.
  const priceOfOne = {
    Percentage: sql`item.retail_cents - round(item.retail_cents * ${amount}::numeric / 100)`,
    'Flat Amount': sql`item.retail_cents - ${amount}::integer`,
    Buy3Get1: sql`item.retail_cents * 3 / 4.0`,
    Free: sql`item.retail_cents * greatest(4 - ${amount}::integer, 0) / 4.0`,
  }[kind as PromotionKind]
  const { rows } = await sql<{ sku: string }>`
    select item.sku from item join product_line line on line.id = item.product_line_id
    where item.map_cents is not null and item.active and ${priceOfOne} < item.map_cents
      and (${item_id}::integer is null or item.id = ${item_id}::integer) and (${product_line_id}::integer is null or line.id = ${product_line_id}::integer)
      and (${brand_id}::integer is null or line.brand_id = ${brand_id}::integer)
    order by item.sku`.execute(db)
  return { count: rows.length, skus: rows.slice(0, 3).map(({ sku }) => sku) }
}
