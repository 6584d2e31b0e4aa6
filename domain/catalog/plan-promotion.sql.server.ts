/** Writes promotions that the office schedules and ends. */
import type { Insertable } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Tx } from '#platform/db.ts'
import type { Promotion } from './promotion.ts'
import { toPromotion } from './promotion.sql.server.ts'

/** Adds a promotion, and returns its id. */
export async function insertPromotion(tx: Tx, row: Insertable<DB['promotion']>): Promise<number> {
  return (await tx.insertInto('promotion').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Reads a promotion, and locks it until the end of the transaction. */
export async function lockPromotion(tx: Tx, id: number): Promise<Promotion | undefined> {
  const row = await tx.selectFrom('promotion').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toPromotion(row)
}

/** Ends a promotion at `at`, which must be after its start and before its end. */
export async function updatePromotionEnd(tx: Tx, { id, at }: { id: number; at: Temporal.Instant }): Promise<void> {
  await tx.updateTable('promotion').set({ ends_at: at }).where('id', '=', id).execute()
}

/** Removes a promotion that never started. The foreign key refuses one that a plan still names. */
export async function deletePromotion(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('promotion').where('id', '=', id).execute()
}
