/** The statements for addresses that bounced or complained. */
import { messageLife, type MessageState } from './messages.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'

export type MailBlock = {
  id: number
  email: string
  reason: 'bounced' | 'complained'
  detail: string | null
  orderId: number | null
  blockedAt: Temporal.Instant
}

/** Blocks an address, unless it is. */
export async function insertBlock(db: Database, block: Omit<MailBlock, 'id'>): Promise<void> {
  await db
    .insertInto('mail_block')
    .values({
      email: block.email,
      reason: block.reason,
      detail: block.detail,
      order_id: block.orderId,
      blocked_at: block.blockedAt,
    })
    .onConflict((conflict) => conflict.column('email').where('cleared_at', 'is', null).doNothing())
    .execute()
}

/** Whether only emails about orders go to an address. */
export async function isBlocked(db: Database, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('mail_block')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .where('cleared_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Updates a message's delivery state and returns its order; undefined if the message is unknown for this address. */
export async function updateReported(
  tx: Tx,
  { id, email, state }: { id: string; email: string; state: MessageState },
): Promise<{ orderId: number | null } | undefined> {
  const message = await tx
    .selectFrom('message')
    .select(['order_id as orderId', 'to_address as to'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (message?.to.toLowerCase() !== email) return undefined
  await tx
    .updateTable('message')
    .set({ state })
    .where('id', '=', id)
    .where('state', 'in', statesBefore(messageLife, state))
    .execute()
  return { orderId: message.orderId }
}

/** Selects bounced, unchecked addresses, oldest first, after the one in `after`. */
export async function selectBounces(db: Database, after: number, limit: number): Promise<MailBlock[]> {
  const rows = await db
    .selectFrom('mail_block')
    .select(['id', 'email', 'reason', 'detail', 'order_id as orderId', 'blocked_at as blockedAt'])
    .where('cleared_at', 'is', null)
    .where('reason', '=', 'bounced')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, reason: row.reason as MailBlock['reason'] }))
}

/** Clears a block and returns its address; undefined if it is cleared or unknown. */
export async function updateToCleared(
  tx: Tx,
  { id, by, at }: { id: number; by: string; at: Temporal.Instant },
): Promise<string | undefined> {
  const row = await tx
    .updateTable('mail_block')
    .set({ cleared_at: at, cleared_by: by })
    .where('id', '=', id)
    .where('cleared_at', 'is', null)
    .returning('email')
    .executeTakeFirst()
  return row?.email
}
