/** Minimum advertised prices (MAP). A manufacturer sets the lowest per-tire price at which it allows advertising. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { unitsOfSet, type PromotionKind } from './promotion.ts'
import { isInFilter } from './tire-filter.sql.server.ts'

export type MapPrice = {
  itemId: number
  sku: string
  name: string
  retailCents: number
  mapCents: number
  setAt: Temporal.Instant
}

const tireName = sql<string>`concat_ws(' ', brand.name, line.name, size.designation)`

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
      tireName.as('name'),
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

/** The MAP of one tire, with the version that a change has to name; undefined for an unknown tire. */
export async function findMapPrice(
  { db }: { db: Database },
  itemId: number,
): Promise<{ sku: string; name: string; mapCents: number | null; version: number } | undefined> {
  return db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select(['item.sku', tireName.as('name'), 'item.map_cents as mapCents', 'item.map_version as version'])
    .where('item.id', '=', itemId)
    .executeTakeFirst()
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

/** A MAP to set, or to remove (null). Without a `version`, it replaces any. */
export type NewMapPrice = { sku: string; mapCents: number | null; version?: number }

/** The latest version of any tire; 1 before the first change. */
export async function latestMapVersion(db: Database): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select coalesce(max(map_version), 1) as version from item where map_version > 1`.execute(db)
  return rows[0]?.version ?? 1
}

/**
 * Sets or removes (null) the MAP of tires by SKU. Rows are locked in key order before the time is read, so that orders
 * priced earlier have committed or are priced again. Leaves out unknown SKUs and those that changed since, which have
 * another version than the one that was read, or one above `seen`, and returns them with the new version.
 */
export async function setMapPrices(
  tx: Tx,
  prices: readonly NewMapPrice[],
  now: () => Temporal.Instant,
  seen: number | null = null,
): Promise<{ unknown: string[]; stale: { sku: string; mapCents: number | null }[]; version: number }> {
  await lockMinimums(tx)
  const latest = await latestMapVersion(tx)
  const skus = prices.map(({ sku }) => sku)
  const found = await tx
    .selectFrom('item')
    .select(['id', 'sku', 'map_cents as mapCents', 'map_version as version'])
    .where('sku', 'in', skus)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const priceOf = new Map(prices.map((price) => [price.sku, price]))
  const isStale = ({ sku, version }: (typeof found)[number]) =>
    version !== (priceOf.get(sku)?.version ?? version) || version > (seen ?? version)
  const at = now()
  for (const { id, sku } of found.filter((tire) => !isStale(tire)))
    await tx
      .updateTable('item')
      .set({ map_cents: priceOf.get(sku)?.mapCents ?? null, map_set_at: at, map_version: latest + 1 })
      .where('id', '=', id)
      .execute()
  const known = new Set(found.map(({ sku }) => sku))
  return {
    unknown: skus.filter((sku) => !known.has(sku)),
    stale: found.filter(isStale).map(({ sku, mapCents }) => ({ sku, mapCents })),
    version: latest + 1,
  }
}

type Reduction = {
  kind: string
  amount: number
  item_id: number | null
  product_line_id: number | null
  brand_id: number | null
  filter_id: number | null
}

/** A price reduction of a promotion, coupon or payment offer, on the tires that it is for. */
export type PlannedReduction = {
  kind: PromotionKind
  /** Percent, cents or tires, by kind. */
  amount: number
  /** Whether a flat amount is for each tire or for the whole order. */
  per: 'tire' | 'order'
  /** The minimum price of an order's tires, in cents. */
  minimumCents: number | null
  /** The number of tires that the order has; four unless given. */
  units?: number
  itemId: number | null
  lineId: number | null
  brandId: number | null
  filterId: number | null
}

/** The share of its price that a reduction takes off a tire, for a set of four or of `units`, as SQL. */
function shareOf({ kind, amount, per, minimumCents, units = unitsOfSet }: PlannedReduction): RawBuilder<unknown> {
  return {
    Percentage: sql`${amount}::numeric / 100`,
    'Flat Amount':
      per === 'tire'
        ? sql`${amount}::numeric / item.retail_cents`
        : sql`${amount}::numeric / greatest(item.retail_cents * ${units}::integer, ${minimumCents ?? 0}::integer)`,
    Buy3Get1: sql`0.25`,
    Free: sql`${amount}::numeric / 4`,
  }[kind]
}

/** A tire with its price and its price after a reduction, each in a set of four, in cents. */
export type ReducedTire = { sku: string; tire: string; wasCents: number; cents: number }

/**
 * Lists up to `limit` discounted tires on sale except `except`, starting with the largest stock, and counts all of them.
 */
export async function selectReduced(
  db: Database,
  reduction: PlannedReduction,
  { limit, except = [] }: { limit: number; except?: readonly number[] },
): Promise<{ count: number; tires: ReducedTire[] }> {
  const { rows } = await sql<ReducedTire & { count: number }>`
    with reduced as (
      select item.id, item.sku, item.product_line_id, item.size_id, item.retail_cents,
        round(item.retail_cents * (1 - least(1, ${shareOf(reduction)})))::int as cents, (count(*) over ())::int as count
      from item join product_line line on line.id = item.product_line_id
      where item.active and ${isFor(reduction)} and item.id <> all (${[...except]}::int[])
      order by (select coalesce(sum(on_hand), 0) from stock where stock.item_id = item.id) desc, item.id limit ${limit})
    select sku, concat_ws(' ', brand.name, line.name, size.designation) as tire, retail_cents as "wasCents", cents, count
    from reduced join product_line line on line.id = reduced.product_line_id join brand on brand.id = line.brand_id join size on size.id = reduced.size_id`.execute(
    db,
  )
  return { count: rows[0]?.count ?? 0, tires: rows.map(({ count: _count, ...tire }) => tire) }
}

/**
 * Returns the largest discount and the smallest margin that a reduction leads to, in parts per million, at today's prices
 * for a set of four; null if it is for no tire that is sold. The margin is null if no tire has a known cost.
 */
export async function selectDeepestCut(
  db: Database,
  reduction: PlannedReduction,
): Promise<{ discountPpm: number; marginPpm: number | null } | null> {
  const share = shareOf(reduction)
  const { rows } = await sql<{ discountPpm: number | null; marginPpm: number | null }>`
    select max(round(share * 1000000))::int as "discountPpm",
      min(case when price <= 0 then -1000000 else greatest(-1000000, floor((price - cost_cents) * 1000000 / price)) end)
        filter (where cost_cents is not null)::int as "marginPpm"
    from (
      select item.cost_cents, least(1, ${share}) as share, item.retail_cents * (1 - least(1, ${share})) as price
      from item join product_line line on line.id = item.product_line_id
      where item.active and ${isFor(reduction)}) reduced`.execute(db)
  const cut = rows[0]
  return cut && cut.discountPpm !== null ? { discountPpm: cut.discountPpm, marginPpm: cut.marginPpm } : null
}

/** A tire that a promotion would put below its MAP, at the price of one in a set of four. */
export type TireBelowMap = { itemId: number; sku: string; priceCents: number; mapCents: number }

/**
 * The price of one tire in a set of four with a promotion, in cents, as SQL. Free tires are spread over the set. The
 * price tag is rounded the same way.
 */
export function promotionPrice(
  kind: RawBuilder<unknown>,
  amount: RawBuilder<unknown>,
  retailCents: RawBuilder<unknown>,
) {
  return sql`case ${kind} when 'Percentage' then ${retailCents} - round(${retailCents} * ${amount}::numeric / 100)
    when 'Flat Amount' then ${retailCents} - ${amount} when 'Buy3Get1' then ${retailCents} * 3 / 4.0
    when 'Free' then ${retailCents} * greatest(4 - ${amount}, 0) / 4.0 end`
}

/**
 * Serializes changes to minimums and new promotions until the transaction ends. Lock before locking tires.
 */
export async function lockMinimums(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sidewall minimum prices', 0))`.execute(tx)
}

type Subject = Pick<PlannedReduction, 'itemId' | 'lineId' | 'brandId' | 'filterId'>

/** Whether a reduction is for the joined `item` and its `line`, as SQL. */
function isFor({ itemId, lineId, brandId, filterId }: Subject): RawBuilder<boolean> {
  return sql`(${itemId}::integer is null or item.id = ${itemId}::integer) and (${lineId}::integer is null or line.id = ${lineId}::integer)
    and (${brandId}::integer is null or line.brand_id = ${brandId}::integer) and ${isInFilter(sql`${filterId}::integer`, sql`item.id`)}`
}

const isOn = ({ item_id, product_line_id, brand_id, filter_id }: Omit<Reduction, 'kind' | 'amount'>) =>
  isFor({ itemId: item_id, lineId: product_line_id, brandId: brand_id, filterId: filter_id })

/** Locks the prices of the tires with a MAP that a promotion is for, and all MAPs, until it is scheduled. */
export async function lockPromotedPrices(tx: Tx, on: Omit<Reduction, 'kind' | 'amount'>): Promise<void> {
  await lockMinimums(tx)
  await sql`
    select count(*) from (
      select from item join product_line line on line.id = item.product_line_id
      where item.map_cents is not null and ${isOn(on)} order by item.id for share of item) as locked`.execute(tx)
}

/**
 * The tires that a promotion would put below their MAP at today's prices, by SKU, and whether it is for any other tire.
 */
export async function tiresBelowMap(
  db: Database,
  { kind, amount, ...on }: Reduction,
): Promise<{ tires: TireBelowMap[]; hasOthers: boolean }> {
  const price = promotionPrice(sql`${kind}::text`, sql`${amount}::integer`, sql`item.retail_cents`)
  const { rows } = await sql<TireBelowMap & { hasOthers: boolean }>`
    with meant as (
      select item.id, item.sku, item.map_cents, ${price} as price, coalesce(${price} < item.map_cents, false) as is_below
      from item join product_line line on line.id = item.product_line_id
      where item.active and ${isOn(on)})
    select id as "itemId", sku, greatest(0, floor(price))::int as "priceCents", map_cents as "mapCents",
      exists (select from meant as other where not other.is_below) as "hasOthers"
    from meant where is_below order by sku`.execute(db)
  return {
    tires: rows.map(({ itemId, sku, priceCents, mapCents }) => ({ itemId, sku, priceCents, mapCents })),
    hasOthers: rows[0]?.hasOthers ?? true,
  }
}
