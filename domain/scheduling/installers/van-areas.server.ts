/** A mobile installer's service area. It has the ZIP codes that its owner chose. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** A ZIP that a van comes to, with its town. */
export type AreaZip = { zip: string; city: string; state: string }

/** The ZIPs of a van, in order; null for a shop. */
export async function readVanZips(db: Database, shopId: number): Promise<AreaZip[] | null> {
  const shop = await db.selectFrom('shop').select('kind').where('id', '=', shopId).executeTakeFirst()
  if (shop?.kind !== 'van') return null
  return db
    .selectFrom('van_area')
    .innerJoin('zip', 'zip.zip', 'van_area.zip')
    .select(['van_area.zip', 'zip.city', 'zip.state'])
    .where('shop_id', '=', shopId)
    .orderBy('van_area.zip')
    .execute()
}

/**
 * Returns the `zips` that do not exist or are more than `withinMiles` from a van's base. A ZIP code without coordinates
 * is too far.
 */
export async function selectBadZips(
  db: Database,
  { shopId, zips, withinMiles }: { shopId: number; zips: readonly string[]; withinMiles: number },
): Promise<{ unknown: string[]; far: string[] }> {
  const { rows } = await sql<{ zip: string; isKnown: boolean }>`
    select asked.zip, place.zip is not null as "isKnown"
    from unnest(${[...zips]}::text[]) as asked (zip)
    join shop on shop.id = ${shopId}::int
    left join zip place on place.zip = asked.zip
    where place.latitude is null
      or 3958.8 * 2 * asin(least(1, sqrt(sin(radians(place.latitude - shop.latitude) / 2) ^ 2
        + cos(radians(shop.latitude)) * cos(radians(place.latitude)) * sin(radians(place.longitude - shop.longitude) / 2) ^ 2))) > ${withinMiles}
    order by asked.zip`.execute(db)
  return {
    unknown: rows.filter(({ isKnown }) => !isKnown).map(({ zip }) => zip),
    far: rows.filter(({ isKnown }) => isKnown).map(({ zip }) => zip),
  }
}

/** Locks a van until the transaction ends; false for a shop. */
export async function lockVan(tx: Tx, shopId: number): Promise<boolean> {
  const row = await tx.selectFrom('shop').select('kind').where('id', '=', shopId).forNoKeyUpdate().executeTakeFirst()
  return row?.kind === 'van'
}

/** Replaces where a van comes. Existing bookings elsewhere don't change. */
export async function replaceVanZips(tx: Tx, shopId: number, zips: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('van_area')
    .where('shop_id', '=', shopId)
    .where('zip', 'not in', [...zips])
    .execute()
  await tx
    .insertInto('van_area')
    .values(zips.map((zip) => ({ shop_id: shopId, zip })))
    .onConflict((conflict) => conflict.columns(['zip', 'shop_id']).doNothing())
    .execute()
}
