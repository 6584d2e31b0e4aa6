/** The statements for what a customer and staff wrote to each other, across requests. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { requestOf, selectRequests, type SupportRequest } from './support.sql.server.ts'
import type { ReplyChannel, ReplyKind } from './threads.sql.server.ts'

/** The last requests from these emails, in lowercase, newest first. */
export async function selectRequestsFrom(
  db: Database,
  emails: readonly string[],
  limit: number,
): Promise<SupportRequest[]> {
  if (emails.length === 0) return []
  const rows = await selectRequests(db)
    .where('email', 'in', emails)
    .orderBy('request.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(requestOf)
}

export type RequestReply = {
  id: number
  requestId: number
  kind: ReplyKind
  channel: ReplyChannel
  author: string
  body: string
  at: Temporal.Instant
}

/** The last replies to these requests, newest first. */
export async function selectRepliesTo(
  db: Database,
  requestIds: readonly number[],
  limit: number,
): Promise<RequestReply[]> {
  if (requestIds.length === 0) return []
  const { rows } = await sql<RequestReply>`
    select id::int, request_id::int as "requestId", kind, channel, author, body, at from support_reply
    where request_id in (${sql.join(requestIds)}) order by support_reply.id desc limit ${limit}`.execute(db)
  return rows
}

/** Deletes the requests from these emails, in lowercase, with their replies and files. */
export async function forgetRequestsFrom(tx: Tx, emails: readonly string[]): Promise<void> {
  if (emails.length > 0) await tx.deleteFrom('support_request').where('email', 'in', emails).execute()
}
