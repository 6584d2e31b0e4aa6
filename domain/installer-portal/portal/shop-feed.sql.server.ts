/** Queries for shops' calendar feeds. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

export type Feed = { madeAt: Temporal.Instant }

/** Returns when a shop's feed was created. Undefined if the shop has no feed. */
export async function selectFeed(db: Database, shopId: number): Promise<Feed | undefined> {
  return db.selectFrom('shop_feed').select('made_at as madeAt').where('shop_id', '=', shopId).executeTakeFirst()
}

/**
 * Writes a shop's feed, replacing the one created at `seen` (empty if the shop had no feed). False if there is a
 * different one now; of two forms with the same `seen`, only one succeeds.
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

/** Deletes a shop's feed. */
export async function deleteFeed(tx: Tx, shopId: number): Promise<void> {
  await tx.deleteFrom('shop_feed').where('shop_id', '=', shopId).execute()
}

/** Returns the shop for a feed secret, or undefined. */
export async function selectFeedShop(db: Database, secretHash: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom('shop_feed')
    .select('shop_id')
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
  return row?.shop_id
}
