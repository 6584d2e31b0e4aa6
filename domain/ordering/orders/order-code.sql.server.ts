/** The statements for emailed codes. */
import { sql } from 'kysely'
import { orderCodeLife, sameRequestSeconds } from './order-code.ts'
import type { Database, Tx } from '#platform/db.ts'

type Asker = { orderId: number; browserId: string }

/**
 * Stores a new code that replaces the previous one, and returns the order's email; undefined if the order doesn't
 * exist. `isNew` is false if a still valid code was requested a moment ago.
 */
export async function insertOrderCode(
  tx: Tx,
  { id, orderId, browserId, at }: Asker & { id: string; at: Temporal.Instant },
): Promise<{ email: string; isNew: boolean } | undefined> {
  const now = sql`${at.toString()}::timestamptz`
  const { rows } = await sql<{ email: string; isNew: boolean }>`
    with made as (
      insert into order_code (order_id, browser_id, id, created_at, expires_at)
      select o.id, ${browserId}::uuid, ${id}::uuid, ${now}, ${now} + make_interval(mins => ${orderCodeLife.minutes}::int)
      from sales_order o where o.id = ${orderId}::bigint
      on conflict (order_id, browser_id) do update
        set id = excluded.id, attempts = 0, used_at = null, created_at = excluded.created_at, expires_at = excluded.expires_at
        where order_code.created_at <= excluded.created_at - make_interval(secs => ${sameRequestSeconds}::int)
          or order_code.used_at is not null or order_code.attempts >= ${orderCodeLife.attempts}::int
      returning order_id)
    select o.email, exists (select from made) as "isNew" from sales_order o where o.id = ${orderId}::bigint`.execute(tx)
  return rows[0]
}

/** Returns the code this browser requested, locked until the transaction ends; undefined if it didn't request one. */
export async function lockOrderCode(
  tx: Tx,
  { orderId, browserId }: Asker,
): Promise<{ id: string; attempts: number; expiresAt: Temporal.Instant; usedAt: Temporal.Instant | null } | undefined> {
  return tx
    .selectFrom('order_code')
    .select(['id', 'attempts', 'expires_at as expiresAt', 'used_at as usedAt'])
    .where('order_id', '=', orderId)
    .where('browser_id', '=', browserId)
    .forUpdate()
    .executeTakeFirst()
}

/** Counts one attempt on a locked code; `usedAt` if it was the right one. */
export async function countCodeAttempt(tx: Tx, id: string, usedAt: Temporal.Instant | null): Promise<void> {
  await tx
    .updateTable('order_code')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), used_at: usedAt }))
    .where('id', '=', id)
    .execute()
}

/** Returns the address this browser's code was emailed to; undefined if it didn't request one. */
export async function selectCodeEmail(db: Database, { orderId, browserId }: Asker): Promise<string | undefined> {
  const row = await db
    .selectFrom('order_code')
    .innerJoin('sales_order', 'sales_order.id', 'order_code.order_id')
    .select('sales_order.email')
    .where('order_code.order_id', '=', orderId)
    .where('order_code.browser_id', '=', browserId)
    .executeTakeFirst()
  return row?.email
}

/** Deletes codes made before `before`; returns how many. */
export async function forgetOldOrderCodes(db: Database, before: Temporal.Instant): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('order_code').where('created_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
