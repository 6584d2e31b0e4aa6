/** The statements for unsent replies. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

type Key = { staff: string; orderId: number }

/** Returns the staff member's unsent reply about an order; empty without one. */
export async function selectReplyDraft(db: Database, { staff, orderId }: Key): Promise<string> {
  const row = await db
    .selectFrom('order_reply_draft')
    .select('body')
    .where('staff', '=', staff)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return row?.body ?? ''
}

/** Stores an unsent reply. Returns false if the order doesn't exist. */
export async function upsertReplyDraft(
  tx: Tx,
  { staff, orderId, body, at }: Key & { body: string; at: Temporal.Instant },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into order_reply_draft (staff, order_id, body, saved_at)
    select ${staff}, id, ${body}, ${at.toString()}::timestamptz from sales_order where id = ${orderId}::bigint
    on conflict (staff, order_id) do update set body = excluded.body, saved_at = excluded.saved_at`.execute(tx)
  return numAffectedRows === 1n
}

export async function deleteReplyDraft(tx: Tx, { staff, orderId }: Key): Promise<void> {
  await tx.deleteFrom('order_reply_draft').where('staff', '=', staff).where('order_id', '=', orderId).execute()
}

/** Deletes unsent replies last saved before `before`. */
export async function deleteOldReplyDrafts(tx: Tx, before: Temporal.Instant): Promise<void> {
  await tx.deleteFrom('order_reply_draft').where('saved_at', '<', before).execute()
}
