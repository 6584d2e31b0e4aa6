/** The statements for the text messages of one order, as staff see them. */
import type { TextKind, TextState } from './texts.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A text message about an order. `body` is null until it is sent. */
export type OrderText = {
  id: string
  key: string
  kind: TextKind
  phone: string
  state: TextState
  body: string | null
  queuedAt: Temporal.Instant
  sentAt: Temporal.Instant | null
}

const columns = ['id', 'key', 'kind', 'phone', 'state', 'body', 'created_at as queuedAt', 'sent_at as sentAt'] as const

/** The text messages about an order, oldest first. */
export async function selectTextsOfOrder(db: Database, orderId: number): Promise<OrderText[]> {
  const rows = await db
    .selectFrom('text_message')
    .select(columns)
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, kind: row.kind as TextKind, state: row.state as TextState }))
}

/** The order that a phone last asked for text messages about; undefined if it never did. */
export async function selectOrderOfPhone(tx: Tx, phone: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('text_order')
    .select('order_id')
    .where('phone', '=', phone)
    .orderBy('asked_at', 'desc')
    .orderBy('order_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.order_id
}
