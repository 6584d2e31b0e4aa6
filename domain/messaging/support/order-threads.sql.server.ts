/** Queries for messages between staff and customers about one order. */
import { sql } from 'kysely'
import { requestOf, selectRequests, type SupportRequest } from './support.sql.server.ts'
import type { Reply, ReplyChannel } from './threads.sql.server.ts'
import type { RequestState } from './support.ts'
import type { Database, Tx } from '#platform/db.ts'

/** The last requests that name an order, oldest first. `orderNumber` in canonical form, such as `S-104001`. */
export async function selectRequestsOfOrder(
  db: Database,
  orderNumber: string,
  limit: number,
): Promise<SupportRequest[]> {
  const rows = await selectRequests(db)
    .where('order_number', '=', orderNumber)
    .orderBy('request.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(requestOf).toReversed()
}

export type OrderReply = Reply & { requestId: number; channel: ReplyChannel }

/** The last replies to any request that names an order, oldest first. */
export async function selectRepliesOfOrder(db: Database, orderNumber: string, limit: number): Promise<OrderReply[]> {
  const { rows } = await sql<OrderReply>`
    select reply.id::int, reply.request_id::int as "requestId", reply.kind, reply.channel, author, body, at, (
      select coalesce(json_agg(json_build_object('place', named.place, 'name', named.name, 'contentType', content_type, 'size', size) order by named.place), '[]')
      from support_reply_file named join stored_file file on file.key = named.file_key where reply_id = reply.id) as files
    from support_reply reply join support_request request on request.id = reply.request_id
    where request.order_number = ${orderNumber} order by reply.id desc limit ${limit}`.execute(db)
  return rows.toReversed()
}

/** Locks the request in which to go on writing about an order with this email address: an open one before a closed one. */
export async function lockRequestOfOrder(
  tx: Tx,
  { orderNumber, email }: { orderNumber: string; email: string },
): Promise<{ id: number; state: RequestState; assignedTo: string | null } | undefined> {
  const row = await tx
    .selectFrom('support_request')
    .select(['id', 'state', 'assigned_to as assignedTo'])
    .where('order_number', '=', orderNumber)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .orderBy(sql`state = 'open'`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, state: row.state as RequestState }
}

/** Locks an order's open requests, oldest first. `isEmpty` means that there are no messages in it. */
export async function lockOpenRequestsOfOrder(
  tx: Tx,
  orderNumber: string,
): Promise<{ id: number; assignedTo: string | null; isEmpty: boolean }[]> {
  return tx
    .selectFrom('support_request')
    .select([
      'id',
      'assigned_to as assignedTo',
      sql<boolean>`message = '' and not exists (select from support_reply where request_id = support_request.id)`.as(
        'isEmpty',
      ),
    ])
    .where('order_number', '=', orderNumber)
    .where('state', '=', 'open')
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Locks the newest open general request by email, in lowercase. `isAnswer` means that the customer started it.
 * Undefined if there isn't one.
 */
export async function lockOpenRequestFrom(
  tx: Tx,
  email: string,
): Promise<{ id: number; assignedTo: string | null; isAnswer: boolean } | undefined> {
  const row = await tx
    .selectFrom('support_request')
    .select(['id', 'assigned_to as assignedTo', 'message'])
    .where('email', '=', email)
    .where('kind', '=', 'contact')
    .where('order_number', 'is', null)
    .where('state', '=', 'open')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return row && { id: row.id, assignedTo: row.assignedTo, isAnswer: row.message !== '' }
}
