/** The statements for the text messages of a customer, across orders. */
import { sql } from 'kysely'
import type { ConsentState, TextKind, TextState } from './texts.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A text message about an order. */
export type CustomerText = {
  id: string
  kind: TextKind
  orderId: number
  state: TextState
  /** Null until it is sent. */
  body: string | null
  at: Temporal.Instant
}

/** The last text messages about these orders, newest first. */
export async function selectTextsOfOrders(
  db: Database,
  orderIds: readonly number[],
  limit: number,
): Promise<CustomerText[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<CustomerText>`
    select id, kind, order_id::int as "orderId", state, body, coalesce(sent_at, created_at) as at from text_message
    where order_id in (${sql.join(orderIds)}) order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** Whether a phone agreed to text messages about orders. */
export type TextConsent = {
  /** As providers write it: "+13125550142". */
  phone: string
  state: ConsentState
  askedAt: Temporal.Instant
  confirmedAt: Temporal.Instant | null
  stoppedAt: Temporal.Instant | null
  /** The order it was given for; null for an account. */
  orderId: number | null
}

/** The consent of each phone that was chosen for these orders or accounts. */
export async function selectTextConsents(
  db: Database,
  { orderIds, accountIds }: { orderIds: readonly number[]; accountIds: readonly string[] },
): Promise<TextConsent[]> {
  const orders = sql`string_to_array(${orderIds.join(' ')}, ' ')::bigint[]`
  const accounts = sql`string_to_array(${accountIds.join(' ')}, ' ')::uuid[]`
  const { rows } = await sql<TextConsent>`
    select consent.phone, consent.state, consent.asked_at as "askedAt", consent.confirmed_at as "confirmedAt", consent.stopped_at as "stoppedAt",
      chosen.order_id::int as "orderId"
    from (
      select phone, max(order_id) as order_id from (
        select phone, order_id from text_order where order_id = any(${orders})
        union all select phone, null from account_text where account_id = any(${accounts})) as each
      group by phone) as chosen join text_consent consent on consent.phone = chosen.phone
    order by consent.asked_at desc`.execute(db)
  return rows
}

/** Removes what the text messages about these orders say. That they were sent, and the consent of their phone, stay. */
export async function eraseTexts(tx: Tx, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length === 0) return
  await tx
    .updateTable('text_message')
    .set({ body: 'Erased' })
    .where('order_id', 'in', orderIds)
    .where('body', 'is not', null)
    .execute()
}
