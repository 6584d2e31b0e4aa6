/** The statements for calendar feeds of shops. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

export type Feed = { madeAt: Temporal.Instant }

/** When the feed of a shop was made; undefined if it has none. */
export async function selectFeed(db: Database, shopId: number): Promise<Feed | undefined> {
  return db.selectFrom('shop_feed').select('made_at as madeAt').where('shop_id', '=', shopId).executeTakeFirst()
}

/**
 * Writes the feed of a shop in place of the one made at `seen` (empty for none). False if there is another one by now:
 * of two forms that both saw the same, one writes.
 */
export async function upsertFeed(
  tx: Tx,
  {
    shopId,
    secretHash,
    madeAt,
    madeBy,
  }: { shopId: number; secretHash: Buffer; madeAt: Temporal.Instant; madeBy: string },
  seen: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into shop_feed (shop_id, secret_hash, made_at, made_by)
    values (${shopId}::int, ${secretHash}::bytea, ${madeAt}::timestamptz, ${madeBy}::uuid)
    on conflict (shop_id) do update set secret_hash = excluded.secret_hash, made_at = excluded.made_at, made_by = excluded.made_by
      where shop_feed.made_at = ${seen === '' ? null : seen}::timestamptz
    returning shop_id`.execute(tx)
  return rows.length > 0
}

/** Deletes the feed of a shop. */
export async function deleteFeed(tx: Tx, shopId: number): Promise<void> {
  await tx.deleteFrom('shop_feed').where('shop_id', '=', shopId).execute()
}

/** The shop whose feed has this secret, while it is open or in set-up. */
export async function selectFeedShop(
  db: Database,
  secretHash: Buffer,
): Promise<{ id: number; code: string; name: string; timeZone: string } | undefined> {
  return db
    .selectFrom('shop_feed')
    .innerJoin('shop', 'shop.id', 'shop_feed.shop_id')
    .select(['shop.id', 'shop.code', 'shop.name', 'shop.time_zone as timeZone'])
    .where('secret_hash', '=', secretHash)
    .where((eb) => eb.or([eb('shop.active', '=', true), eb('shop.in_set_up', '=', true)]))
    .executeTakeFirst()
}
