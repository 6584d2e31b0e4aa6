/** Writes promotions that the office schedules and ends. */
import { sql, type Insertable } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { TireBelowMap } from './map-prices.sql.server.ts'

/** Adds a promotion, and returns its id. */
export async function insertPromotion(tx: Tx, row: Insertable<DB['promotion']>): Promise<number> {
  return (await tx.insertInto('promotion').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Leaves tires out of a promotion. */
export async function insertExclusions(tx: Tx, promotionId: number, tires: readonly TireBelowMap[]): Promise<void> {
  await sql`
    insert into promotion_exclusion (promotion_id, item_id, price_cents, map_cents)
    select ${promotionId}::int, "itemId", "priceCents", "mapCents"
    from jsonb_to_recordset(${JSON.stringify(tires)}::jsonb) as tire ("itemId" int, "priceCents" int, "mapCents" int)`.execute(
    tx,
  )
}

/** The tires that a promotion leaves out, by SKU. */
export function selectExclusions(db: Database, promotionId: number): Promise<TireBelowMap[]> {
  return db
    .selectFrom('promotion_exclusion as left_out')
    .innerJoin('item', 'item.id', 'left_out.item_id')
    .select(['item_id as itemId', 'sku', 'price_cents as priceCents', 'left_out.map_cents as mapCents'])
    .where('promotion_id', '=', promotionId)
    .orderBy('sku')
    .limit(500)
    .execute()
}

/** Reads the times of a promotion, and locks it until the end of the transaction. */
export async function lockPromotion(
  tx: Tx,
  id: number,
): Promise<{ startsAt: Temporal.Instant; endsAt: Temporal.Instant } | undefined> {
  return tx
    .selectFrom('promotion')
    .select(['starts_at as startsAt', 'ends_at as endsAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Ends a promotion at `at`, which must be after its start and before its end. */
export async function updatePromotionEnd(tx: Tx, { id, at }: { id: number; at: Temporal.Instant }): Promise<void> {
  await tx.updateTable('promotion').set({ ends_at: at }).where('id', '=', id).execute()
}

/** Removes a promotion that never started. The foreign key refuses one that a plan still names. */
export async function deletePromotion(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('promotion').where('id', '=', id).execute()
}
